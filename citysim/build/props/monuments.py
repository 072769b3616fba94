"""Monuments: gates, arches, columns, sculptures and pagodas by which people find their way."""

import itertools
import math

from citysim.build.chance import Chance
from citysim.build.mesh import Detail
from citysim.build.props.model import Model

WHITE = "#eeeae0"


def _new() -> Model:
    return Model(Detail.ALL)


def gate(chance: Chance, height: float | None) -> Model:
    """A gateway of four posts and three tiled roofs, 9 m high, that people walk through."""
    model = _new()
    red = chance.choice(("#9c2a22", "#7a2f24", "#a8402a"), "paint")
    for x, tall in ((-5.2, 5.6), (-2.4, 7.4), (2.4, 7.4), (5.2, 5.6)):
        model.box((x, 0.0, -0.1), (0.9, 1.2, 0.8), material="stone")
        model.tube((x, 0.0, 0.7), (x, 0.0, tall), (0.3, 0.28), red, sides=8, caps="")
    for x0, x1, z in ((-2.7, 2.7, 6.2), (-5.5, -2.1, 4.6), (2.1, 5.5, 4.6)):
        cx, w = (x0 + x1) / 2, x1 - x0
        model.box((cx, 0.0, z), (w, 0.4, 1.0), "#1f4d3a", faces="fblrtd")
        model.box((cx, 0.0, z + 0.12), (w * 0.7, 0.46, 0.76), "#d9b24a", faces="fb")
        model.box((cx, 0.0, z + 1.0), (w + 1.0, 2.0, 0.2), red, faces="fblrtd")
        model.box((cx, 0.0, z + 1.2), (w + 1.2, 2.2, 0.9), material="roof_tiles", taper=(0.75, 0.08))
    return model


def torii(chance: Chance, height: float | None) -> Model:
    """A red gate of two posts and two beams, 8 m high."""
    model = _new()
    tall = height or 8.0
    for x in (-2.9, 2.9):
        model.tube((x, 0.0, -0.1), (x, 0.0, 0.5), (0.55, 0.5), "#2a2a2a", sides=8, caps="")
        model.tube((x, 0.0, 0.5), (x * 0.95, 0.0, tall - 0.6), (0.38, 0.34), "#c23a26", sides=8, caps="")
    model.box((0.0, 0.0, tall - 2.2), (7.0, 0.4, 0.55), "#c23a26", faces="fblrtd")
    model.box((0.0, 0.0, tall - 0.7), (8.6, 0.7, 0.5), "#c23a26", faces="fblrd", taper=(1.06, 1.0))
    model.box((0.0, 0.0, tall - 0.2), (9.3, 0.9, 0.3), "#2a2a2a", faces="fblrtd")
    model.box((0.0, 0.0, tall - 1.65), (0.5, 0.3, 0.95), "#2a2a2a", faces="fblr")
    return model


def sculpture(chance: Chance, height: float | None) -> Model:
    """A large bright form on a plinth: a ring, a tower of cubes or a fan of blades."""
    model = _new()
    color = chance.choice(("#c8362e", "#2f6fb0", "#e0a52c", "#2f8f7a", "#7a3fa0"), "paint")
    model.box((0.0, 0.0, -0.1), (3.0, 3.0, 0.7), material="stone")
    form = chance.integer(0, 3, "form")
    if form == 0:
        ring = [(2.6 * math.cos(a), 3.4 + 2.6 * math.sin(a)) for a in (2 * math.pi * k / 14 for k in range(15))]
        for k, ((x0, z0), (x1, z1)) in enumerate(itertools.pairwise(ring)):
            thick = 0.32 + 0.012 * (k % 2)  # pieces that overlap at their joints do not lie in one plane
            model.tube((x0, 0.0, z0), (x1, 0.0, z1), (thick, thick), color, sides=6, caps="")
    elif form == 1:
        for k in range(5):
            a = 0.5 * k
            x, y = 0.25 * math.cos(2.3 * k), 0.25 * math.sin(2.3 * k)
            size = 1.7 - 0.2 * k
            c, s = math.cos(a) * size / 2, math.sin(a) * size / 2
            low = [
                (x + u * c - v * s, y + u * s + v * c, 0.6 + 1.25 * k) for u, v in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            high = [(px, py, pz + 1.25) for px, py, pz in low]
            for i in range(4):
                j = (i + 1) % 4
                model.quad([low[i], low[j], high[j], high[i]], color=color)
            model.quad(high, color=color)
            model.quad(low[::-1], color=color)
    else:
        for k in range(5):
            a = math.radians(-40 + 20 * k)
            tip = (4.2 * math.sin(a), 0.0, 0.6 + 5.6 * math.cos(a))
            model.tube((0.3 * (k - 2), 0.0, 0.55), tip, (0.26, 0.06), color, sides=4)
    return model


def obelisk(chance: Chance, height: float | None) -> Model:
    """A stone needle of 20 m on a stepped base."""
    model = _new()
    tall = height or 20.0
    for k in range(3):
        w = 4.6 - 1.0 * k
        model.box((0.0, 0.0, -0.1 if k == 0 else 0.16 * k), (w, w, 0.26 if k == 0 else 0.16), material="stone")
    model.box((0.0, 0.0, 0.48), (1.9, 1.9, 2.0), material="stone")
    model.box((0.0, 0.0, 2.48), (1.5, 1.5, tall - 4.0), material="stone", taper=(0.7, 0.7), faces="fblr")
    model.box((0.0, 0.0, tall - 1.52), (1.05, 1.05, 1.52), "#d9b24a", taper=(0.02, 0.02), faces="fblr")
    return model


def pagoda(chance: Chance, height: float | None) -> Model:
    """Five storeys of red and white under tiled roofs, 26 m high."""
    model = _new()
    model.box((0.0, 0.0, -0.1), (8.0, 8.0, 0.9), material="stone")
    z, w = 0.8, 5.4
    for k in range(5):
        tall = 3.4 - 0.25 * k
        model.box((0.0, 0.0, z), (w, w, tall), WHITE, faces="fblr")
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            model.box((x * w / 2, y * w / 2, z), (0.36, 0.36, tall), "#a8322a", faces="fblr")
        model.box((0.0, 0.0, z + tall), (w + 2.2, w + 2.2, 0.18), "#7a2f24", faces="fblrd")
        model.box((0.0, 0.0, z + tall + 0.18), (w + 2.2, w + 2.2, 1.1), material="roof_tiles", taper=(0.6, 0.6))
        z, w = z + tall + 1.28, w * 0.86
    model.tube((0.0, 0.0, z - 0.1), (0.0, 0.0, z + 4.0), (0.3, 0.05), "#d9b24a", sides=6)
    return model


def arch(chance: Chance, height: float | None) -> Model:
    """A triumphal arch 12 m wide and 13 m high with an opening of 5 x 8 m."""
    model = _new()
    for x in (-4.3, 4.3):
        model.box((x, 0.0, -0.1), (3.6, 4.2, 0.9), material="stone")
        model.box((x, 0.0, 0.8), (3.2, 3.8, 7.4), material="stone")
        model.box((x, 0.0, 8.2), (3.6, 4.2, 0.5), material="stone", faces="fblrtd")
    model.box((0.0, 0.0, 8.7), (12.2, 4.0, 2.6), material="stone", faces="fblrtd")
    model.box((0.0, 0.0, 11.3), (12.8, 4.6, 0.5), material="stone", faces="fblrtd")
    model.box((0.0, 0.0, 11.8), (8.0, 3.0, 1.3), material="stone")
    model.box((0.0, 0.0, 9.3), (7.0, 4.06, 1.3), "#cfc4ac", faces="fb")
    return model


def column(chance: Chance, height: float | None) -> Model:
    """A column of 21 m with a gilded figure."""
    model = _new()
    model.box((0.0, 0.0, -0.1), (4.2, 4.2, 0.5), material="stone")
    model.box((0.0, 0.0, 0.4), (2.6, 2.6, 2.8), material="stone")
    model.tube((0.0, 0.0, 3.2), (0.0, 0.0, 16.5), (0.95, 0.75), "#c9c0ac", sides=12, caps="")
    model.tube((0.0, 0.0, 16.5), (0.0, 0.0, 17.3), (0.8, 1.3), "#c9c0ac", sides=12)
    gold = "#d0a63a"
    model.tube((0.0, 0.0, 17.3), (0.0, 0.0, 19.4), (0.6, 0.42), gold, sides=8, caps="b")
    model.tube((0.0, 0.0, 19.4), (0.0, 0.0, 20.2), (0.18, 0.34), gold, sides=6)
    for x in (-1.0, 1.0):
        model.quad([(0.2 * x, -0.2, 18.2), (1.6 * x, -0.4, 19.0), (1.4 * x, -0.4, 20.6), (0.2 * x, -0.2, 19.4)],
                   color=gold, both=True)  # fmt: skip
    return model


def bandstand(chance: Chance, height: float | None) -> Model:
    """An eight-sided pavilion with a copper roof."""
    model = _new()
    model.tube((0.0, 0.0, -0.1), (0.0, 0.0, 0.16), (4.2, 4.2), material="stone", sides=8)
    for k in range(8):
        a = math.pi / 4 * k + math.pi / 8
        model.tube((3.6 * math.cos(a), 3.6 * math.sin(a), 0.16), (3.6 * math.cos(a), 3.6 * math.sin(a), 3.4),
                   (0.1, 0.09), WHITE, sides=5, caps="")  # fmt: skip
    model.tube((0.0, 0.0, 3.4), (0.0, 0.0, 3.7), (4.3, 4.3), WHITE, sides=8, caps="a")
    model.tube((0.0, 0.0, 3.7), (0.0, 0.0, 6.2), (4.5, 0.5), "#5f9a86", sides=8, caps="")
    model.tube((0.0, 0.0, 6.2), (0.0, 0.0, 8.2), (0.5, 0.05), "#5f9a86", sides=8, caps="")
    return model
