"""Playgrounds: swings, slides and the like, and sheds."""

import math

from citysim.build.chance import Chance
from citysim.build.props.model import Model

TONES = ("#c0392b", "#2f6fb0", "#e0b13c", "#3a9a57")
STEEL = "#8f969b"


def swing(chance: Chance, height: float | None) -> Model:
    """A frame with two swings, 2.4 m high."""
    model = Model()
    color = chance.choice(TONES, "frame")
    for x in (-1.5, 1.5):
        for y in (-0.75, 0.75):
            model.tube((x, y, -0.08), (x, 0.0, 2.4), (0.045, 0.04), color, sides=4, caps="")
    model.tube((-1.6, 0.0, 2.4), (1.6, 0.0, 2.4), (0.05, 0.05), color, sides=5, caps="ab")
    for x in (-0.7, 0.7):
        for dx in (-0.2, 0.2):
            model.tube((x + dx, 0.0, 0.5), (x + dx, 0.0, 2.4), (0.012, 0.012), STEEL, sides=3, caps="")
        model.box((x, 0.0, 0.46), (0.46, 0.2, 0.04), "#26282a", faces="fblrtd")
    return model


def slide(chance: Chance, height: float | None) -> Model:
    """A ladder up to a platform of 1.6 m, and a chute down."""
    model = Model()
    color = chance.choice(TONES, "chute")
    for x in (-0.32, 0.32):
        for y in (-1.5, -0.9):
            model.tube((x, y, -0.08), (x, y, 2.3), (0.035, 0.035), STEEL, sides=4, caps="")
    model.box((0.0, -1.2, 1.55), (0.7, 0.7, 0.06), "#8a6440", faces="fblrtd")
    for i in range(5):
        z = 0.28 + 0.3 * i
        model.tube((-0.3, -1.72 + 0.05 * i, z), (0.3, -1.72 + 0.05 * i, z), (0.02, 0.02), STEEL, sides=3, caps="")
    for x in (-0.3, 0.3):
        model.tube((x, -1.78, -0.06), (x, -1.5, 1.6), (0.03, 0.03), STEEL, sides=3, caps="")
    top, foot, run = (-0.85, 1.6), (1.35, 0.3), 1.75
    for a, b in ((top, foot), (foot, (run, 0.26))):
        model.quad([(-0.26, a[0], a[1]), (0.26, a[0], a[1]), (0.26, b[0], b[1]), (-0.26, b[0], b[1])], color=color,
                   both=True)  # fmt: skip
        for x in (-0.26, 0.26):
            rim = [(x, a[0], a[1]), (x, b[0], b[1]), (x, b[0], b[1] + 0.16), (x, a[0], a[1] + 0.16)]
            model.quad(rim, color=color, both=True)
    model.box((0.0, 1.3, -0.06), (0.08, 0.08, 0.34), STEEL, faces="fblr")
    return model


def climbing_frame(chance: Chance, height: float | None) -> Model:
    """A dome of bars, 1.9 m high."""
    model = Model()
    rings = ((1.6, 0.0), (1.35, 0.9), (0.8, 1.6))
    points = [
        [
            (r * math.cos(k * math.pi / 3), r * math.sin(k * math.pi / 3), z - (0.06 if z == 0 else 0.0))
            for k in range(6)
        ]
        for r, z in rings
    ]
    color = chance.choice(TONES, "bars")
    for level in range(3):
        for k in range(6):
            a = points[level][k]
            if level:
                model.tube(a, points[level][(k + 1) % 6], (0.022, 0.022), color, sides=3, caps="")
            if level < 2:
                model.tube(a, points[level + 1][k], (0.022, 0.022), color, sides=3, caps="")
    for k in range(0, 6, 2):
        model.tube(points[2][k], (0.0, 0.0, 1.9), (0.022, 0.022), color, sides=3, caps="")
    return model


def seesaw(chance: Chance, height: float | None) -> Model:
    """A plank on a trestle with handles."""
    model = Model()
    color = chance.choice(TONES, "plank")
    model.box((0.0, 0.0, -0.05), (0.3, 0.3, 0.5), STEEL, taper=(0.5, 0.5))
    rise = 0.22
    plank = [(-0.14, -1.5, 0.5 - rise), (0.14, -1.5, 0.5 - rise), (0.14, 1.5, 0.5 + rise), (-0.14, 1.5, 0.5 + rise)]
    model.quad(plank, color=color, both=True)
    for y in (-1.2, 1.2):
        z = 0.5 + rise * y / 1.5
        model.tube((-0.2, y * 0.85, z + 0.3), (0.2, y * 0.85, z + 0.3), (0.02, 0.02), STEEL, sides=3, caps="ab")
        model.tube((0.0, y * 0.85, z - 0.02), (0.0, y * 0.85, z + 0.3), (0.02, 0.02), STEEL, sides=3, caps="")
    return model


def spring_rider(chance: Chance, height: float | None) -> Model:
    """A small animal on a spring."""
    model = Model()
    color = chance.choice(TONES, "body")
    model.tube((0.0, 0.0, -0.05), (0.0, 0.0, 0.42), (0.12, 0.1), "#2f3336", sides=6, caps="")
    model.box((0.0, 0.0, 0.4), (0.24, 0.72, 0.26), color, faces="fblrtd", taper=(0.8, 0.9))
    model.box((0.0, 0.27, 0.6), (0.16, 0.22, 0.32), color, taper=(0.7, 0.7))
    model.tube((-0.24, 0.26, 0.74), (0.24, 0.26, 0.74), (0.02, 0.02), STEEL, sides=3, caps="ab")
    return model


def sandpit(chance: Chance, height: float | None) -> Model:
    """A square of sand between beams."""
    model = Model()
    half = 1.5
    model.quad([(-half, -half, 0.06), (half, -half, 0.06), (half, half, 0.06), (-half, half, 0.06)], material="sand")
    for x, y, w, d in ((0.0, half, 3.2, 0.2), (0.0, -half, 3.2, 0.2), (half, 0.0, 0.2, 2.8), (-half, 0.0, 0.2, 2.8)):
        model.box((x, y, -0.05), (w, d, 0.3), material="wood")
    return model


def table_tennis(chance: Chance, height: float | None) -> Model:
    """A concrete table with a steel net."""
    model = Model()
    for x in (-0.8, 0.8):
        model.box((x, 0.0, -0.06), (0.2, 1.0, 0.76), material="concrete")
    model.box((0.0, 0.0, 0.7), (2.74, 1.52, 0.07), "#3f6f5a", faces="fblrtd")
    model.box((0.0, 0.0, 0.77), (0.03, 1.6, 0.15), STEEL, faces="fblrt")
    return model


def bicycle_shed(chance: Chance, height: float | None) -> Model:
    """A roof of sheet metal on posts, open in front."""
    model = Model()
    for x in (-2.4, 0.0, 2.4):
        model.box((x, -0.9, -0.06), (0.08, 0.08, 2.2), STEEL)
        model.box((x, 0.9, -0.06), (0.08, 0.08, 2.5), STEEL)
    roof = [(-2.6, 1.1, 2.5), (-2.6, -1.1, 2.15), (2.6, -1.1, 2.15), (2.6, 1.1, 2.5)]
    model.quad(roof, color="#7c8a80", both=True)
    back = [(2.4, -0.95, 0.2), (-2.4, -0.95, 0.2), (-2.4, -0.95, 2.1), (2.4, -0.95, 2.1)]
    model.quad(back, color="#a9b0a6", both=True)
    return model
