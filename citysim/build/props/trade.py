"""What shops and cafes put outside: tables, boards, goods, machines."""

import math

from citysim.build.chance import Chance
from citysim.build.props.model import Model
from citysim.build.props.page import MATERIAL, cell

IRON = "#3a4044"
CLOTHS = ("#a8322a", "#2f6b4f", "#e3d6b4", "#2f4f7a", "#c9842a")
TABLE_TOP = 0.74  # metres


def cafe_table(chance: Chance, height: float | None) -> Model:
    """A round table with two chairs."""
    model = Model()
    _table(model, chance)
    color = chance.choice(("#7a5a38", "#2f3a40", "#8f2f2a", "#d9d4c4"), "chairs")
    for angle in (0.3, 0.3 + math.pi):
        _chair(model, angle, color)
    return model


def parasol_table(chance: Chance, height: float | None) -> Model:
    """A table with three chairs under a parasol."""
    model = Model()
    _table(model, chance)
    color = chance.choice(("#7a5a38", "#2f3a40", "#8f2f2a", "#d9d4c4"), "chairs")
    for i in range(3):  # not evenly: in narrow lanes a wider circle would find no room
        _chair(model, math.pi / 4 + i * math.pi / 2, color)
    model.tube((0.0, 0.0, TABLE_TOP), (0.0, 0.0, 2.6), (0.03, 0.025), "#d9d4c4", sides=4, caps="")
    cloth = chance.choice(CLOTHS, "cloth")
    model.tube((0.0, 0.0, 2.28), (0.0, 0.0, 2.7), (1.4, 0.05), cloth, sides=8, caps="")
    under = [(1.4 * math.cos(-a), 1.4 * math.sin(-a), 2.275) for a in (math.pi / 4 * i for i in range(8))]
    model.add([(0.0, 0.0, 2.66), *under], [(0, i + 1, (i + 1) % 8 + 1) for i in range(8)], [(0.0, 0.0)] * 9,
              color="#b9b3a4")  # fmt: skip
    return model


def _table(model: Model, chance: Chance) -> None:
    model.tube((0.0, 0.0, -0.03), (0.0, 0.0, 0.03), (0.24, 0.2), IRON, sides=6)
    model.tube((0.0, 0.0, 0.03), (0.0, 0.0, TABLE_TOP - 0.03), (0.035, 0.035), IRON, sides=4, caps="")
    top = chance.choice(("#e6e0d0", "#8a6440", "#3f4549"), "top")
    model.tube((0.0, 0.0, TABLE_TOP - 0.03), (0.0, 0.0, TABLE_TOP), (0.36, 0.36), top, sides=8, caps="b")


def _chair(model: Model, angle: float, color: str) -> None:
    """A chair 0.62 m from the middle, looking at it."""
    c, s = math.cos(angle), math.sin(angle)

    def put(x: float, y: float, z: float) -> tuple[float, float, float]:
        return (0.62 + y) * c - x * s, (0.62 + y) * s + x * c, z

    for x in (-0.17, 0.17):
        for y, high in ((-0.15, 0.44), (0.17, 0.86)):
            a, b = put(x, y, -0.03), put(x, y, high)
            model.tube(a, b, (0.02, 0.02), color, sides=3, caps="")
    seat = [put(-0.2, -0.18, 0.45), put(-0.2, 0.2, 0.45), put(0.2, 0.2, 0.45), put(0.2, -0.18, 0.45)]
    model.quad(seat[::-1], color=color, both=True)
    back = [put(0.18, 0.19, 0.6), put(-0.18, 0.19, 0.6), put(-0.18, 0.19, 0.86), put(0.18, 0.19, 0.86)]
    model.quad(back, color=color, both=True)


def a_board(chance: Chance, height: float | None) -> Model:
    """A folding board with a menu, 0.9 m high."""
    model = Model()
    name = f"menu_{chance.integer(0, 2, 'menu')}"
    for side in (1, -1):
        x, y0, y1 = 0.28 * side, 0.24 * side, 0.04 * side
        corners = [(x, y0, 0.0), (-x, y0, 0.0), (-x, y1, 0.9), (x, y1, 0.9)]
        model.quad(corners, cell(name), material=MATERIAL)
        inside = [(-x, y0 - 0.02 * side, 0.0), (x, y0 - 0.02 * side, 0.0), (x, y1, 0.89), (-x, y1, 0.89)]
        model.quad(inside, color="#5a4632")
    for x in (-0.28, 0.28):
        model.tube((x, -0.24, -0.01), (x, 0.0, 0.9), (0.015, 0.015), "#5a4632", sides=3, caps="")
    return model


def goods_stand(chance: Chance, height: float | None) -> Model:
    """A sloping stand of fruit or wares before a shop."""
    model = Model()
    model.box((0.0, -0.05, -0.04), (1.6, 0.6, 0.54), material="wood", faces="fblr")
    top = [(0.85, 0.36, 0.52), (-0.85, 0.36, 0.52), (-0.85, -0.36, 0.86), (0.85, -0.36, 0.86)]
    model.quad(top, cell("goods"), material=MATERIAL)
    model.quad([(0.85, 0.36, 0.44), (-0.85, 0.36, 0.44), (-0.85, 0.36, 0.52), (0.85, 0.36, 0.52)], color="#6a4a2a")
    for x in (-0.85, 0.85):
        sides = [(x, -0.36, 0.44), (x, 0.36, 0.44), (x, 0.36, 0.52), (x, -0.36, 0.86)]
        model.quad(sides if x > 0 else [sides[1], sides[0], sides[3], sides[2]], color="#6a4a2a")
    model.quad([(-0.85, -0.36, 0.0), (0.85, -0.36, 0.0), (0.85, -0.36, 0.86), (-0.85, -0.36, 0.86)], color="#6a4a2a")
    return model


def crates(chance: Chance, height: float | None) -> Model:
    """Boxes in a small heap."""
    model = Model()
    for i, (x, y, z) in enumerate(((-0.26, 0.0, 0.0), (0.28, 0.04, 0.0), (0.0, 0.02, 0.32))):
        color = chance.choice(("#b08a5a", "#c9a878", "#2f6fb0", "#c2452f", "#3f7a58"), i)
        turn = chance.uniform(-0.015, 0.015, f"x{i}")
        model.box((x + turn, y, z - (0.02 if z == 0 else 0.0)), (0.5, 0.38, 0.34 if z == 0 else 0.3), color)
    return model


def capsule_machines(chance: Chance, height: float | None) -> Model:
    """A row of capsule toy machines, two high."""
    model = Model()
    model.box((0.0, 0.0, -0.04), (1.8, 0.45, 1.44), "#e8e6e0", faces="blrt")
    for row in range(2):
        z = 0.1 + 0.65 * row
        model.quad([(0.9, 0.226, z), (-0.9, 0.226, z), (-0.9, 0.226, z + 0.65), (0.9, 0.226, z + 0.65)],
                   cell("capsules"), material=MATERIAL)  # fmt: skip
    model.quad([(0.9, 0.226, -0.04), (-0.9, 0.226, -0.04), (-0.9, 0.226, 0.1), (0.9, 0.226, 0.1)], color="#c9c6bd")
    return model
