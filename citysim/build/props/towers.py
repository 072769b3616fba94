"""Towers: tall things that are seen from afar."""

import math

from citysim.build.chance import Chance
from citysim.build.mesh import Detail
from citysim.build.props.model import Model
from citysim.build.props.page import MATERIAL, cell

IRON, RED, WHITE = "#34393d", "#b3342b", "#eeeae0"


def _new() -> Model:
    return Model(Detail.ALL)


def clock_tower(chance: Chance, height: float | None) -> Model:
    """A brick tower of 24 m with four clock faces and a pointed roof."""
    model = _new()
    tall = height or 24.0
    model.box((0.0, 0.0, -0.1), (5.6, 5.6, 1.3), material="stone")
    model.box((0.0, 0.0, 1.2), (4.6, 4.6, tall - 9.2), material="brick")
    low = tall - 8.0
    model.box((0.0, 0.0, low), (5.2, 5.2, 0.5), material="stone", faces="fblrtd")
    model.box((0.0, 0.0, low + 0.5), (4.8, 4.8, 3.6), material="stone")
    for x, y in ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)):
        ex, ey = -y, x
        cx, cy, z = x * 2.42, y * 2.42, low + 2.3
        face = [(cx - s * ex * 1.4, cy - s * ey * 1.4, z + t * 1.4) for s, t in ((1, -1), (-1, -1), (-1, 1), (1, 1))]
        model.quad(_outward(face, (x, y)), cell("clock"), material=MATERIAL)
    model.box((0.0, 0.0, low + 4.1), (5.2, 5.2, 0.4), material="stone", faces="fblrtd")
    model.box((0.0, 0.0, low + 4.5), (4.6, 4.6, 3.5), "#4f7a6a", taper=(0.02, 0.02), faces="fblr")
    return model


def _outward(face: list[tuple[float, float, float]], normal: tuple[float, float]) -> list[tuple[float, float, float]]:
    """Corners in the order that faces `normal`."""
    (ax, ay, _), (bx, by, _) = face[0], face[1]
    return face if (by - ay) * normal[0] - (bx - ax) * normal[1] > 0 else [face[1], face[0], face[3], face[2]]


def ferris_wheel(chance: Chance, height: float | None) -> Model:
    """A wheel of 36 m with cabins, on two trestles."""
    model = _new()
    radius = 16.0 if height is None else max(8.0, (height - 3.0) / 2)
    hub = radius + 3.4
    for y in (-2.6, 2.6):
        for x in (-0.55 * radius, 0.55 * radius):
            model.tube((x, y * 1.5, 0.05), (0.0, y, hub), (0.42, 0.26), WHITE, sides=5, caps="")
    model.tube((0.0, -2.9, hub), (0.0, 2.9, hub), (0.6, 0.6), RED, sides=8, caps="ab")
    count = 20
    spots = [
        (radius * math.sin(a), hub - radius * math.cos(a)) for a in (2 * math.pi * k / count for k in range(count))
    ]
    tones = ("#c8362e", "#2f6fb0", "#e0a52c", "#3a9a57")
    for k, (x, z) in enumerate(spots):
        nx, nz = spots[(k + 1) % count]
        for y in (-1.2, 1.2):
            thick = 0.16 + 0.01 * (k % 2)  # pieces that overlap at their joints do not lie in one plane
            model.tube((x, y, z), (nx, y, nz), (thick, thick), WHITE, sides=4, caps="")
        if k % 2 == 0:
            for y in (-1.2, 1.2):
                model.tube((0.0, y, hub), (x, y, z), (0.08, 0.06), WHITE, sides=3, caps="")
        model.tube((x, -1.2, z), (x, 1.2, z), (0.1, 0.1), WHITE, sides=4, caps="")
        model.box((x, 0.0, z - 2.1), (1.5, 1.5, 1.8), tones[k % 4], faces="fblrtd", taper=(0.9, 0.9))
    return model


def observation_tower(chance: Chance, height: float | None) -> Model:
    """A slim tower of 70 m with a round gallery near its top."""
    model = _new()
    tall = height or 70.0
    shaft, deck = tall * 0.72, tall * 0.7
    model.tube((0.0, 0.0, -0.15), (0.0, 0.0, 3.5), (4.0, 3.4), material="concrete", sides=12, caps="b")
    model.tube((0.0, 0.0, 3.5), (0.0, 0.0, shaft), (2.2, 1.5), "#d9d7d0", sides=10, caps="")
    model.tube((0.0, 0.0, deck - 2.5), (0.0, 0.0, deck), (1.6, 5.4), "#c9c7c0", sides=12, caps="")
    model.tube((0.0, 0.0, deck), (0.0, 0.0, deck + 2.6), (5.4, 5.4), "#3f5666", sides=12, caps="")
    model.tube((0.0, 0.0, deck + 2.6), (0.0, 0.0, deck + 4.4), (5.6, 2.0), "#c9c7c0", sides=12, caps="")
    model.tube((0.0, 0.0, deck + 4.4), (0.0, 0.0, deck + 8.0), (1.8, 1.2), RED, sides=8, caps="")
    model.tube((0.0, 0.0, deck + 8.0), (0.0, 0.0, tall), (0.6, 0.1), WHITE, sides=6)
    return model


def chimney(chance: Chance, height: float | None) -> Model:
    """A round brick chimney of 42 m with pale bands."""
    model = _new()
    tall = height or 42.0
    model.box((0.0, 0.0, -0.1), (4.4, 4.4, 4.0), material="brick")
    model.tube((0.0, 0.0, 3.9), (0.0, 0.0, tall - 2.4), (1.8, 1.15), material="brick", sides=12, caps="")
    for z in (tall - 8.0, tall - 5.0):
        r = 1.8 - 0.65 * (z - 3.9) / (tall - 6.3) + 0.05
        model.tube((0.0, 0.0, z), (0.0, 0.0, z + 0.8), (r, r), WHITE, sides=12, caps="")
    model.tube((0.0, 0.0, tall - 2.4), (0.0, 0.0, tall), (1.15, 1.5), "#5a4a42", sides=12)
    return model


def big_screen(chance: Chance, height: float | None) -> Model:
    """A lit screen of 11 x 6.2 m on two columns."""
    model = _new()
    low = 5.5 if height is None else max(1.2, height - 6.6)
    for x in (-3.6, 3.6):
        model.box((x, -0.4, -0.1), (0.7, 0.7, low + 1.0), IRON)
    model.box((0.0, -0.2, low), (11.6, 1.0, 6.6), "#26292c", faces="fblrtd")
    model.quad([(5.5, 0.32, low + 0.2), (-5.5, 0.32, low + 0.2), (-5.5, 0.32, low + 6.4), (5.5, 0.32, low + 6.4)],
               cell("screen"), material=MATERIAL)  # fmt: skip
    return model


def radio_mast(chance: Chance, height: float | None) -> Model:
    """A three-legged lattice mast in red and white with dishes."""
    model = _new()
    tall = height or 38.0
    feet = [(1.9 * math.cos(a), 1.9 * math.sin(a)) for a in (math.pi / 2 + 2 * math.pi * k / 3 for k in range(3))]
    steps = 8
    for level in range(steps):
        z0, z1 = -0.1 + tall * 0.86 * level / steps, tall * 0.86 * (level + 1) / steps
        s0, s1 = 1.0 - 0.85 * level / steps, 1.0 - 0.85 * (level + 1) / steps
        color = (RED, WHITE)[level % 2]
        for k in range(3):
            (ax, ay), (bx, by) = feet[k], feet[(k + 1) % 3]
            model.tube((ax * s0, ay * s0, z0), (ax * s1, ay * s1, z1), (0.12, 0.12), color, sides=3, caps="")
            model.tube((ax * s0, ay * s0, z0), (bx * s1, by * s1, z1), (0.05, 0.05), color, sides=3, caps="")
    model.tube((0.0, 0.0, tall * 0.85), (0.0, 0.0, tall), (0.12, 0.04), RED, sides=4)
    for z, a in ((0.5, 0.4), (0.62, 2.5), (0.7, 4.4)):
        c, s = math.cos(a), math.sin(a)
        at = (0.5 * c, 0.5 * s, tall * z)
        model.tube(at, (1.1 * c, 1.1 * s, tall * z), (0.25, 0.8), "#d9dcdd", sides=8)
    return model


def water_tower(chance: Chance, height: float | None) -> Model:
    """A tank with a conical roof on six legs, 22 m high."""
    model = _new()
    tall = height or 22.0
    low, r = tall * 0.55, max(1.6, 0.16 * tall)
    for k in range(6):
        a = math.pi / 3 * k
        x, y = r * 0.9 * math.cos(a), r * 0.9 * math.sin(a)
        model.tube((x * 1.15, y * 1.15, -0.1), (x, y, low), (0.16, 0.16), IRON, sides=4, caps="")
        b = a + math.pi / 3
        model.tube((x * 1.1, y * 1.1, low * 0.45), (r * 0.99 * math.cos(b), r * 0.99 * math.sin(b), low * 0.45),
                   (0.06, 0.06), IRON, sides=3, caps="")  # fmt: skip
    model.tube((0.0, 0.0, low - 0.3), (0.0, 0.0, low), (r, r), IRON, sides=12, caps="a")
    model.tube((0.0, 0.0, low), (0.0, 0.0, tall * 0.88), (r, r), material="wood", sides=12, caps="")
    model.tube((0.0, 0.0, tall * 0.88), (0.0, 0.0, tall), (r * 1.08, 0.1), "#5c6a63", sides=12, caps="")
    return model


def windmill(chance: Chance, height: float | None) -> Model:
    """A tower mill of 20 m with four sails."""
    model = _new()
    tall = height or 16.0
    model.tube((0.0, 0.0, -0.1), (0.0, 0.0, tall), (4.2, 2.6), material="brick", sides=12, caps="")
    model.tube((0.0, 0.0, tall), (0.0, 0.0, tall + 3.0), (2.8, 0.3), "#3f4a44", sides=12, caps="")
    model.tube((0.0, 1.8, tall + 0.8), (0.0, 3.8, tall + 1.1), (0.28, 0.2), IRON, sides=6)
    turn = chance.uniform(0.0, math.pi / 2, "sails")
    for k in range(4):
        a = turn + k * math.pi / 2
        c, s = math.cos(a), math.sin(a)
        at = [
            (r * c - w * s, 3.6, tall + 1.05 + r * s + w * c)
            for r, w in ((0.4, -0.1), (8.6, -0.1), (8.6, 1.5), (2.0, 1.5))
        ]
        model.quad(at, color=WHITE, both=True)
    model.box((0.0, 4.0, -0.1), (1.2, 0.3, 2.3), "#4a3526")
    return model


def lighthouse(chance: Chance, height: float | None) -> Model:
    """A banded round tower of 24 m with a lantern."""
    model = _new()
    tall = height or 24.0
    bands = 6
    for k in range(bands):
        z0, z1 = (tall - 4.0) * k / bands, (tall - 4.0) * (k + 1) / bands
        r0, r1 = 3.0 - 1.2 * k / bands, 3.0 - 1.2 * (k + 1) / bands
        model.tube((0.0, 0.0, z0 - (0.1 if k == 0 else 0.0)), (0.0, 0.0, z1), (r0, r1), (WHITE, RED)[k % 2], sides=12,
                   caps="")  # fmt: skip
    top = tall - 4.0
    model.tube((0.0, 0.0, top), (0.0, 0.0, top + 0.3), (2.6, 2.6), IRON, sides=12, caps="ab")
    model.tube((0.0, 0.0, top + 0.3), (0.0, 0.0, top + 2.4), (1.3, 1.3), "#f4e3a0", sides=8, caps="")
    model.tube((0.0, 0.0, top + 2.4), (0.0, 0.0, tall), (1.6, 0.1), RED, sides=8, caps="")
    return model


def harbour_crane(chance: Chance, height: float | None) -> Model:
    """An old quay crane on four legs with a slewing jib, 30 m high."""
    model = _new()
    paint = chance.choice(("#2f5f8f", "#c9842a", "#a3342a"), "paint")
    for x in (-3.2, 3.2):
        for y in (-3.2, 3.2):
            model.tube((x, y, -0.1), (x * 0.55, y * 0.55, 12.0), (0.4, 0.3), paint, sides=4, caps="")
    model.box((0.0, 0.0, 11.8), (4.4, 4.4, 0.6), paint, faces="fblrtd")
    model.tube((0.0, 0.0, 12.4), (0.0, 0.0, 14.0), (1.5, 1.5), IRON, sides=8, caps="")
    model.box((0.0, -0.8, 14.0), (3.0, 5.2, 3.0), paint)
    model.quad([(1.2, 1.805, 15.0), (-1.2, 1.805, 15.0), (-1.2, 1.805, 16.6), (1.2, 1.805, 16.6)], color="#2c3a44")
    for x in (-0.9, 0.9):
        model.tube((x, 1.6, 15.4), (x * 0.2, 15.5, 28.5), (0.22, 0.14), paint, sides=4, caps="b")
        model.tube((x, -1.6, 17.0), (x * 0.2, 9.0, 22.4), (0.06, 0.06), IRON, sides=3, caps="")
    model.tube((0.0, 15.4, 28.4), (0.0, 15.4, 9.0), (0.05, 0.05), IRON, sides=3, caps="")
    model.box((0.0, 15.4, 8.2), (0.6, 0.6, 0.9), "#e0b12c", faces="fblrtd")
    return model
