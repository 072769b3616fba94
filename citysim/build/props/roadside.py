"""Things along streets: signs, poles, planters, boxes of newspapers, boards."""

import math

from citysim.build.chance import Chance
from citysim.build.props.model import Model
from citysim.build.props.page import MATERIAL, cell

DARK, GREY, STEEL = "#34393d", "#6f7679", "#9aa1a5"
SIGNS = ("no_entry", "speed", "no_parking", "stop_sign", "give_way", "parking_sign", "crossing_sign", "one_way")
SIDES = {"stop_sign": 8, "give_way": 3, "parking_sign": 4, "crossing_sign": 4, "one_way": 4}


def traffic_sign(chance: Chance, height: float | None) -> Model:
    """A sign of 0.6 m on a post, its lower edge 2.1 m up."""
    model = Model()
    name = chance.choice(SIGNS, "sign")
    model.post((0.0, 0.0), (-0.08, 2.75), (0.035, 0.035), STEEL, 5)
    sides = SIDES.get(name, 12)
    turn = {8: math.pi / 8, 4: math.pi / 4, 3: -math.pi / 2}.get(sides, 0.0)
    model.plate((0.0, 0.045, 2.42), 0.42 if sides == 4 else 0.32, sides, cell(name), MATERIAL, turn)
    model.plate((0.0, 0.04, 2.42), 0.42 if sides == 4 else 0.32, sides, None, "paint", turn, color=GREY, back=True)
    return model


def utility_pole(chance: Chance, height: float | None) -> Model:
    """A concrete pole of 10 m with two cross arms and, on some, a transformer."""
    tall = height or 10.0
    model = Model()
    model.tube((0.0, 0.0, -0.08), (0.0, 0.0, tall), (0.17, 0.11), "#a39f97", sides=6, material="concrete")
    for z in (tall - 0.6, tall - 1.6):
        model.box((0.0, 0.0, z), (1.7, 0.09, 0.09), GREY, faces="fblrtd")
        for x in (-0.75, 0.0, 0.75):
            model.tube((x, 0.0, z + 0.09), (x, 0.0, z + 0.27), (0.05, 0.03), "#d9d4c4", sides=3, caps="")
    if chance.unit("transformer") < 0.4:
        model.tube((0.36, 0.0, tall - 3.4), (0.36, 0.0, tall - 2.3), (0.3, 0.3), "#8f9498", sides=8, caps="ab")
        model.box((0.18, 0.0, tall - 2.9), (0.2, 0.06, 0.1), GREY, faces="fbtd")
    model.quad([(0.1, 0.17, 1.2), (-0.1, 0.17, 1.2), (-0.1, 0.165, 2.0), (0.1, 0.165, 2.0)], color="#e0b52c")
    return model


def news_box(chance: Chance, height: float | None) -> Model:
    """A box of newspapers with a window, 1.1 m high."""
    model = Model()
    color = chance.choice(("#1f4f9c", "#a3201f", "#2f6b3f", "#c9a02a"), "color")
    model.box((0.0, 0.0, -0.05), (0.3, 0.3, 0.4), DARK, faces="fblr")
    model.box((0.0, 0.0, 0.35), (0.48, 0.42, 0.75), color, faces="blrtd", taper=(1.0, 0.85))
    model.quad([(0.24, 0.212, 0.35), (-0.24, 0.212, 0.35), (-0.24, 0.19, 1.1), (0.24, 0.19, 1.1)], cell("news"),
               material=MATERIAL)  # fmt: skip
    return model


def planter(chance: Chance, height: float | None) -> Model:
    """A trough with a clipped hedge, or a round tub with a shrub."""
    model = Model()
    if chance.unit("round") < 0.5:
        model.tube((0.0, 0.0, -0.06), (0.0, 0.0, 0.55), (0.38, 0.5), material="concrete", sides=8, caps="")
        model.tube((0.0, 0.0, 0.5), (0.0, 0.0, 0.52), (0.46, 0.46), material="soil", sides=8)
        model.tube((0.0, 0.0, 0.5), (0.0, 0.0, 0.95), (0.32, 0.46), material="foliage", sides=7, caps="")
        model.tube((0.0, 0.0, 0.95), (0.0, 0.0, 1.25), (0.46, 0.2), material="foliage", sides=7)
    else:
        model.box((0.0, 0.0, -0.06), (1.6, 0.5, 0.56), material="wood")
        model.box((0.0, 0.0, 0.48), (1.45, 0.36, 0.42), material="hedge", taper=(0.96, 0.85))
    return model


def direction_sign(chance: Chance, height: float | None) -> Model:
    """A post that carries pointing boards; their text is added where the atlas is known."""
    model = Model()
    model.post((0.0, 0.0), (-0.08, 3.2), (0.05, 0.045), DARK, 6)
    model.tube((0.0, 0.0, 3.2), (0.0, 0.0, 3.32), (0.09, 0.02), DARK, sides=6)
    return model


def map_board(chance: Chance, height: float | None) -> Model:
    """A map of the quarter on two legs, 1.2 x 1.8 m."""
    model = Model()
    for x in (-0.62, 0.62):
        model.box((x, 0.0, -0.06), (0.07, 0.07, 2.0), DARK)
    model.box((0.0, 0.0, 0.55), (1.2, 0.08, 1.35), DARK, faces="blrtd")
    model.quad([(0.6, 0.042, 0.55), (-0.6, 0.042, 0.55), (-0.6, 0.042, 1.9), (0.6, 0.042, 1.9)], cell("map"),
               material=MATERIAL)  # fmt: skip
    return model


def crossing_globe(chance: Chance, height: float | None) -> Model:
    """A banded post with a yellow globe, which marks a zebra crossing."""
    model = Model()
    for i in range(6):
        z = -0.06 + 0.4 * i
        model.tube((0.0, 0.0, z), (0.0, 0.0, z + 0.4), (0.05, 0.05), ("#1c1d1f", "#eeeeea")[i % 2], sides=5, caps="")
    model.tube((0.0, 0.0, 2.32), (0.0, 0.0, 2.48), (0.06, 0.17), "#e8a21a", sides=8, caps="")
    model.tube((0.0, 0.0, 2.48), (0.0, 0.0, 2.64), (0.17, 0.06), "#e8a21a", sides=8)
    return model


def traffic_cone(chance: Chance, height: float | None) -> Model:
    """A cone of 0.7 m."""
    model = Model()
    model.box((0.0, 0.0, -0.02), (0.38, 0.38, 0.06), "#2a2a2a")
    model.tube((0.0, 0.0, 0.03), (0.0, 0.0, 0.35), (0.15, 0.09), "#e2571f", sides=7, caps="")
    model.tube((0.0, 0.0, 0.35), (0.0, 0.0, 0.5), (0.09, 0.06), "#f0efe8", sides=7, caps="")
    model.tube((0.0, 0.0, 0.5), (0.0, 0.0, 0.72), (0.06, 0.025), "#e2571f", sides=7)
    return model


def taxi_stand(chance: Chance, height: float | None) -> Model:
    """A post with a taxi sign."""
    return _flagged("taxi")


def minibus_stop(chance: Chance, height: float | None) -> Model:
    """A post with a minibus sign."""
    return _flagged("minibus")


def _flagged(picture: str) -> Model:
    model = Model()
    model.post((0.0, 0.0), (-0.08, 2.9), (0.04, 0.04), GREY, 5)
    corners = [(0.3, 0.05, 2.25), (-0.3, 0.05, 2.25), (-0.3, 0.05, 2.85), (0.3, 0.05, 2.85)]
    model.quad(corners, cell(picture), material=MATERIAL)
    model.quad([(-0.3, -0.05, 2.25), (0.3, -0.05, 2.25), (0.3, -0.05, 2.85), (-0.3, -0.05, 2.85)], cell(picture),
               material=MATERIAL)  # fmt: skip
    model.box((0.0, 0.0, 2.25), (0.6, 0.098, 0.6), DARK, faces="lrtd")
    return model


def letterboxes(chance: Chance, height: float | None) -> Model:
    """A bank of letter boxes under a small roof."""
    model = Model()
    for x in (-0.7, 0.7):
        model.box((x, 0.0, -0.06), (0.06, 0.06, 0.8), DARK, faces="fblr")
    for row in range(3):
        for col in range(4):
            x, z = -0.54 + 0.36 * col, 0.72 + 0.24 * row
            model.box((x, 0.0, z), (0.34, 0.36, 0.22), ("#b9bdc0", "#aab0b4")[(row + col) % 2], faces="f")
    model.box((0.0, -0.01, 0.7), (1.48, 0.33, 0.76), "#7c8488", faces="blrtd")
    model.box((0.0, 0.02, 1.46), (1.6, 0.5, 0.06), DARK, faces="fblrtd")
    return model


def underground_waste(chance: Chance, height: float | None) -> Model:
    """Two steel columns over containers under the ground."""
    model = Model()
    for x, color in ((-0.75, "#5f666a"), (0.75, "#3f6f8f")):
        model.box((x, 0.0, -0.04), (1.3, 1.3, 0.06), material="metal")
        model.box((x, 0.0, 0.0), (0.62, 0.62, 1.1), color)
        model.box((x, 0.0, 1.1), (0.62, 0.62, 0.2), "#2f3336", taper=(0.9, 0.5))
        model.quad([(x + 0.2, 0.313, 0.7), (x - 0.2, 0.313, 0.7), (x - 0.2, 0.313, 1.0), (x + 0.2, 0.313, 1.0)],
                   color="#1b1d1f")  # fmt: skip
    return model
