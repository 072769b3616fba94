"""Parked cars and bicycles."""

import itertools
import math

from citysim.build.chance import Chance
from citysim.build.props.model import Model
from citysim.build.props.page import BICYCLE, BICYCLE_CELL

PAINTS = ("#2f3338", "#c9ccce", "#8f9498", "#7a1f24", "#24405f", "#e6e4de", "#3f4f3f", "#5a4636")
# (y along the car from its tail, height of the lower body's top, height of its bottom) of a 4.4 m hatchback
STATIONS = ((-2.2, 0.78, 0.32), (-1.95, 0.95, 0.22), (0.75, 0.93, 0.22), (1.9, 0.76, 0.22), (2.2, 0.58, 0.3))


def car(chance: Chance, height: float | None, paint: str = "") -> Model:
    """A parked car 4.4 x 1.78 x 1.48 m, its front at +y; `paint` "" for one of PAINTS."""
    model = Model()
    paint = paint or chance.choice(PAINTS, "paint")
    half = 0.87
    _body(model, paint, half)
    _cabin(model, paint, half)
    for y in (-1.35, 1.35):
        for side in (-1, 1):
            wheel(model, side * half, y, side)
    for y, color in ((2.205, "#f4f0dc"), (-2.205, "#8f1f1f")):
        for x in (-0.62, 0.62):
            w = 0.17 if y > 0 else -0.17
            z = 0.44 if y > 0 else 0.6
            model.quad([(x + w, y, z), (x - w, y, z), (x - w, y, z + 0.11), (x + w, y, z + 0.11)], color=color)
    return model


def _body(model: Model, paint: str, half: float) -> None:
    for (y0, t0, b0), (y1, t1, b1) in itertools.pairwise(STATIONS):
        model.quad([(-half, y0, t0), (half, y0, t0), (half, y1, t1), (-half, y1, t1)], color=paint)
        for side in (-1, 1):
            a, b, c, d = (side * half, y0, b0), (side * half, y1, b1), (side * half, y1, t1), (side * half, y0, t0)
            model.quad([a, b, c, d] if side > 0 else [b, a, d, c], color=paint)
    for y, top, bottom in (STATIONS[0], STATIONS[-1]):
        x = half if y > 0 else -half
        model.quad([(x, y, bottom), (-x, y, bottom), (-x, y, top), (x, y, top)], color=paint)


def _cabin(model: Model, paint: str, half: float) -> None:
    """Windows leaning inwards under a painted roof."""
    low, high = (-1.95, 0.75, half - 0.02), (-1.45, 0.0, half - 0.2)
    z0, z1 = 0.93, 1.48
    glass = "#20282e"
    (yb, yf, x0), (tb, tf, x1) = low, high
    model.quad([(x0, yf, z0), (-x0, yf, z0), (-x1, tf, z1), (x1, tf, z1)], color="#2c3a44")
    model.quad([(-x0, yb, z0), (x0, yb, z0), (x1, tb, z1), (-x1, tb, z1)], color=glass)
    model.quad([(x0, yb, z0), (x0, yf, z0), (x1, tf, z1), (x1, tb, z1)], color=glass)
    model.quad([(-x0, yf, z0), (-x0, yb, z0), (-x1, tb, z1), (-x1, tf, z1)], color=glass)
    model.quad([(-x1, tb, z1), (x1, tb, z1), (x1, tf, z1), (-x1, tf, z1)], color=paint)


def wheel(model: Model, x: float, y: float, side: int) -> None:
    """A wheel of 0.62 m at x (the vehicle's side), y, its hub facing `side`."""
    inner, outer = x - side * 0.18, x + side * 0.02
    model.tube((inner, y, 0.31), (outer, y, 0.31), (0.31, 0.31), "#1d1f21", sides=8)
    hub = [
        (outer + side * 0.004, y + 0.18 * math.cos(a), 0.31 + 0.18 * math.sin(a))
        for a in (math.pi / 3 * i for i in range(6))
    ]
    faces = [(0, i, i + 1) if side > 0 else (0, i + 1, i) for i in range(1, 5)]
    model.add(hub, faces, [(0.1, 0.1)] * 6, color="#9a9ea2")


def bicycle(chance: Chance, height: float | None) -> Model:
    """A bicycle 1.8 m long, its front at +y."""
    model = Model()
    _bicycle(model, 0.0)
    return model


def _bicycle(model: Model, x: float, lean: float = 0.04) -> None:
    corners = [(x, -0.92, -0.03), (x, 0.92, -0.03), (x + lean, 0.92, 0.98), (x + lean, -0.92, 0.98)]
    model.quad(corners, BICYCLE_CELL, material=f"@{BICYCLE}")
    model.box((x + lean, 0.31, 0.87), (0.5, 0.05, 0.04), "#2a2c30")


def bicycle_parking(chance: Chance, height: float | None) -> Model:
    """Three hoops across, with some bicycles at them."""
    model = Model()
    for i in range(3):
        x = 0.9 * (i - 1)
        foot, top = 0.35, 0.8
        left, right = (x, -foot, top), (x, foot, top)
        for a, b in (((x, -foot, -0.05), left), (left, right), (right, (x, foot, -0.05))):
            model.tube(a, b, (0.03, 0.03), "#8a9094", sides=3, caps="")
        if chance.unit(f"bicycle/{i}") < 0.6:
            _bicycle(model, x + 0.12)
    return model
