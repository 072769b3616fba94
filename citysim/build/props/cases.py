"""Bins, machines, cabinets and monuments."""

import math

from citysim.build.chance import Chance
from citysim.build.props.model import Model
from citysim.build.props.page import MATERIAL, cell

IRON = "#3a4044"


def _front(model: Model, width: float, y: float, z: tuple[float, float], picture: str) -> None:
    """A picture on the front (+y) side."""
    x = width / 2
    model.quad([(x, y, z[0]), (-x, y, z[0]), (-x, y, z[1]), (x, y, z[1])], cell(picture), material=MATERIAL)


def waste_basket(chance: Chance, height: float | None) -> Model:
    """A bin of 0.9 m with a dark opening."""
    model = Model()
    color = chance.choice(("#3f5a46", "#4a4f52", "#35506b"), "color")
    model.tube((0.0, 0.0, -0.05), (0.0, 0.0, 0.78), (0.2, 0.23), color, sides=6, caps="")
    model.tube((0.0, 0.0, 0.78), (0.0, 0.0, 0.9), (0.25, 0.19), "#2a2d30", sides=6)
    return model


def vending_machine(chance: Chance, height: float | None) -> Model:
    """A machine 0.9 x 0.75 x 1.83 m."""
    model = Model()
    pick = chance.integer(0, 2, "front")
    model.box((0.0, 0.0, -0.05), (0.9, 0.74, 1.88), ("#8f2226", "#1b4f8a")[pick], faces="blrt")
    _front(model, 0.9, 0.37, (-0.05, 1.83), f"vending_{pick}")
    return model


def post_box(chance: Chance, height: float | None) -> Model:
    """A letter box on a foot."""
    model = Model()
    model.box((0.0, 0.0, -0.05), (0.12, 0.12, 0.6), IRON, faces="fblr")
    model.box((0.0, 0.0, 0.55), (0.46, 0.36, 0.72), "#e58a1f", faces="blrtd")
    _front(model, 0.46, 0.18, (0.55, 1.27), "post")
    model.box((0.0, 0.0, 1.27), (0.5, 0.4, 0.06), "#b96a12", taper=(0.9, 0.8))
    return model


def street_cabinet(chance: Chance, height: float | None) -> Model:
    """A grey-green switch cabinet."""
    model = Model()
    model.box((0.0, 0.0, -0.08), (1.0, 0.4, 1.3), "#6f7a72", faces="blr")
    _front(model, 1.0, 0.2, (-0.05, 1.2), "cabinet")
    model.box((0.0, 0.0, 1.2), (1.06, 0.46, 0.05), "#565f58", faces="fblrtd")
    return model


def recycling(chance: Chance, height: float | None) -> Model:
    """Three containers in a row."""
    model = Model()
    for i, color in enumerate(("#3f7a4a", "#2f5f8f", "#7a4a2f")):
        x = 1.25 * (i - 1)
        model.box((x, 0.0, -0.05), (1.1, 1.1, 1.25), color)
        model.box((x, 0.0, 1.2), (1.1, 1.1, 0.22), "#2f3336", taper=(0.9, 0.5))
        corners = [(x + 0.4, 0.553, 0.3), (x - 0.4, 0.553, 0.3), (x - 0.4, 0.553, 1.05), (x + 0.4, 0.553, 1.05)]
        model.quad(corners, cell("recycling"), material=MATERIAL)
    return model


def advertising_column(chance: Chance, height: float | None) -> Model:
    """A round column 3 m high with posters on a dark foot, under a low roof."""
    model = Model()
    model.tube((0.0, 0.0, -0.08), (0.0, 0.0, 0.4), (0.66, 0.66), IRON, sides=12)
    first = chance.integer(0, 4, "poster")
    for i in range(4):
        turns = [math.pi / 2 * i + math.pi / 6 * k for k in range(4)]
        left, top, right, bottom = cell(f"poster_{(first + i) % 4}")
        points, where = [], []
        for k, a in enumerate(turns):
            u = left + (right - left) * k / 3
            for z, v in ((0.4, bottom), (2.6, top)):
                points.append((0.6 * math.cos(a), 0.6 * math.sin(a), z))
                where.append((u, v))
        faces = [f for k in range(3) for f in ((2 * k, 2 * k + 2, 2 * k + 3), (2 * k, 2 * k + 3, 2 * k + 1))]
        model.add(points, faces, where, material=MATERIAL)
    model.tube((0.0, 0.0, 2.6), (0.0, 0.0, 2.72), (0.72, 0.72), IRON, sides=12, caps="a")
    model.tube((0.0, 0.0, 2.72), (0.0, 0.0, 3.1), (0.72, 0.08), "#4f7a6a", sides=12)
    return model


def fountain(chance: Chance, height: float | None) -> Model:
    """An eight-sided basin with a standing bowl."""
    model = Model()
    model.tube((0.0, 0.0, -0.08), (0.0, 0.0, 0.5), (1.7, 1.7), sides=8, material="stone", caps="")
    outer = [(1.7 * math.cos(a), 1.7 * math.sin(a)) for a in (2 * math.pi * i / 8 for i in range(8))]
    inner = [(x * 0.86, y * 0.86) for x, y in outer]
    for i in range(8):
        (ax, ay), (bx, by) = outer[i], outer[(i + 1) % 8]
        (cx, cy), (dx, dy) = inner[(i + 1) % 8], inner[i]
        model.quad([(ax, ay, 0.5), (bx, by, 0.5), (cx, cy, 0.5), (dx, dy, 0.5)], material="stone")
        model.quad([(cx, cy, 0.28), (dx, dy, 0.28), (dx, dy, 0.5), (cx, cy, 0.5)], material="stone")
    pool = [(x, y, 0.36) for x, y in inner]
    model.add(pool, [(0, i, i + 1) for i in range(1, 7)], [p[:2] for p in pool], material="water")
    model.tube((0.0, 0.0, 0.2), (0.0, 0.0, 1.3), (0.2, 0.13), sides=8, material="stone", caps="")
    model.tube((0.0, 0.0, 1.3), (0.0, 0.0, 1.6), (0.14, 0.7), sides=8, material="stone", caps="")
    model.tube((0.0, 0.0, 1.5), (0.0, 0.0, 1.56), (0.55, 0.62), material="water", sides=8)
    model.tube((0.0, 0.0, 1.5), (0.0, 0.0, 2.0), (0.09, 0.05), sides=8, material="stone")
    return model


def statue(chance: Chance, height: float | None) -> Model:
    """A standing bronze figure on a granite plinth."""
    model = Model()
    plinth = min(3.0, max(0.9, (height or 3.4) - 2.0))
    model.box((0.0, 0.0, -0.08), (1.5, 1.5, 0.4), material="stone")
    model.box((0.0, 0.0, 0.25), (1.05, 1.05, plinth - 0.25), material="stone", taper=(0.9, 0.9))
    bronze, z = "#4d5a4c", plinth
    for x in (-0.12, 0.12):
        model.tube((x, 0.0, z), (x * 0.9, 0.0, z + 0.9), (0.13, 0.15), bronze, sides=4, caps="")
    model.tube((0.0, 0.0, z + 0.85), (0.0, 0.0, z + 1.5), (0.24, 0.3), bronze, sides=5)
    arm = 0.55 if chance.unit("arm") < 0.5 else -0.1
    model.tube((0.3, 0.0, z + 1.45), (0.42, 0.3, z + 1.0 + max(arm, 0.0)), (0.09, 0.07), bronze, sides=4, caps="b")
    model.tube((-0.3, 0.0, z + 1.45), (-0.38, 0.08, z + 0.85), (0.09, 0.07), bronze, sides=4, caps="b")
    model.tube((0.0, 0.02, z + 1.5), (0.0, 0.02, z + 1.62), (0.08, 0.08), bronze, sides=4, caps="")
    model.tube((0.0, 0.02, z + 1.6), (0.0, 0.02, z + 1.75), (0.08, 0.13), bronze, sides=4, caps="")
    model.tube((0.0, 0.02, z + 1.75), (0.0, 0.02, z + 1.9), (0.13, 0.06), bronze, sides=5)
    return model
