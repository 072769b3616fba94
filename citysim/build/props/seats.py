"""Things to sit on, to wait in and to buy from."""

from citysim.build.chance import Chance
from citysim.build.props.model import Model
from citysim.build.props.page import MATERIAL, cell

IRON = "#3a4044"


def bench(chance: Chance, height: float | None) -> Model:
    """A bench 1.8 m wide with a back; its front is where the legs of a sitter point."""
    model = Model()
    for x in (-0.72, 0.72):
        model.box((x, 0.0, -0.05), (0.06, 0.44, 0.46), IRON, faces="fblr")
        model.box((x, -0.22, 0.41), (0.05, 0.05, 0.42), IRON, shift=(0.0, -0.08), faces="bf")
    model.box((0.0, 0.02, 0.41), (1.8, 0.4, 0.04), material="wood")
    for z, y in ((0.56, -0.24), (0.72, -0.27)):
        model.box((0.0, y, z), (1.8, 0.03, 0.11), material="wood", faces="fbt")
    return model


def picnic_table(chance: Chance, height: float | None) -> Model:
    """A table with two benches in one piece."""
    model = Model()
    model.box((0.0, 0.0, 0.7), (1.8, 0.75, 0.05), material="wood", faces="fblrtd")
    for y in (-0.68, 0.68):
        model.box((0.0, y, 0.42), (1.8, 0.26, 0.05), material="wood", faces="fblrtd")
    for x in (-0.65, 0.65):
        model.box((x, 0.0, 0.33), (0.06, 1.5, 0.09), material="wood")
        for y in (-0.3, 0.3):
            model.box((x, y * 1.7, -0.05), (0.07, 0.08, 0.76), material="wood", shift=(0.0, -0.7 * y), faces="fblr")
    return model


def bus_shelter(chance: Chance, height: float | None) -> Model:
    """A shelter 3.6 x 1.4 m: glass at the back and one side, a bench, a poster; open to the front."""
    model = Model()
    for x in (-1.75, 0.0, 1.75):
        model.box((x, -0.65, -0.05), (0.07, 0.07, 2.45), IRON)
    model.box((1.75, 0.45, -0.05), (0.07, 0.07, 2.45), IRON)
    model.box((0.0, 0.0, 2.4), (3.7, 1.5, 0.12), "#4a5054", faces="fblrtd")
    for x0, x1 in ((-1.7, -0.05), (0.05, 1.7)):
        back = [(x0, -0.65, 0.25), (x1, -0.65, 0.25), (x1, -0.65, 2.3), (x0, -0.65, 2.3)]
        model.quad(back, (0.0, 0.0, 1.0, 1.0), material="glass", color="#dfeaf0", both=True)
    side = [(1.75, -0.6, 0.15), (1.75, 0.42, 0.15), (1.75, 0.42, 2.3), (1.75, -0.6, 2.3)]
    for flip in (side, [side[1], side[0], side[3], side[2]]):
        model.quad(flip, cell(f"poster_{chance.integer(0, 4, 'poster')}"), material=MATERIAL)
    model.box((-0.6, -0.42, 0.42), (1.9, 0.34, 0.05), material="wood", faces="fblrtd")
    for x in (-1.4, 0.2):
        model.box((x, -0.42, -0.05), (0.06, 0.3, 0.47), IRON)
    return model


def kiosk(chance: Chance, height: float | None) -> Model:
    """A kiosk 2.5 x 2.5 m with a counter window under an awning."""
    model = Model()
    body = chance.choice(("#3f6a54", "#7a3b32", "#39566b", "#8a7a4e"), "body")
    model.box((0.0, 0.0, -0.08), (2.5, 2.5, 2.7), body)
    model.box((0.0, 0.0, 2.6), (2.9, 2.9, 0.18), "#3a3f42", faces="fblrtd")
    model.box((0.0, 0.0, 2.78), (2.7, 2.7, 0.5), "#565d60", taper=(0.3, 0.3))
    front = [(1.05, 1.28, 0.95), (-1.05, 1.28, 0.95), (-1.05, 1.28, 2.05), (1.05, 1.28, 2.05)]
    model.quad(front, cell("kiosk"), material=MATERIAL)
    model.box((0.0, 1.36, 0.9), (2.2, 0.22, 0.06), material="wood", faces="fblrtd")
    for x, side in ((1.262, 1), (-1.262, -1)):
        y = 0.75 * side
        model.quad([(x, -y, 1.0), (x, y, 1.0), (x, y, 2.1), (x, -y, 2.1)], cell("kiosk"), material=MATERIAL)
    return model


def stall(chance: Chance, height: float | None) -> Model:
    """A market stall: a table of goods under a striped roof."""
    model = Model()
    cloth = chance.choice(("#c2452f", "#e07a2a", "#3f7a58", "#2f6391"), "cloth")
    model.box((0.0, 0.0, 0.72), (2.4, 1.2, 0.08), material="wood", faces="fblrd")
    top = [(1.2, 0.6, 0.8), (-1.2, 0.6, 0.8), (-1.2, -0.6, 0.86), (1.2, -0.6, 0.86)]
    model.quad(top, cell("goods"), material=MATERIAL)
    for x in (-1.15, 1.15):
        for y in (-0.55, 0.55):
            model.box((x, y, -0.05), (0.05, 0.05, 2.5), IRON, faces="fblr")
    for i in range(6):
        x0, x1 = -1.35 + 0.45 * i, -0.9 + 0.45 * i
        color = cloth if i % 2 else "#efe9da"
        ridge, eaves = 2.75, 2.35
        model.quad([(x1, 0.85, eaves), (x0, 0.85, eaves), (x0, 0.0, ridge), (x1, 0.0, ridge)], color=color, both=True)
        model.quad([(x0, -0.85, eaves), (x1, -0.85, eaves), (x1, 0.0, ridge), (x0, 0.0, ridge)], color=color, both=True)
    return model


def telephone(chance: Chance, height: float | None) -> Model:
    """A telephone box with glass sides."""
    model = Model()
    for x in (-0.42, 0.42):
        for y in (-0.42, 0.42):
            model.box((x, y, -0.05), (0.07, 0.07, 2.3), IRON, faces="fblr")
    model.box((0.0, 0.0, 2.2), (0.96, 0.96, 0.16), IRON, faces="fblrtd")
    for x, side in ((-0.42, -1), (0.42, 1)):
        y = 0.38 * side
        model.quad([(x, -y, 0.2), (x, y, 0.2), (x, y, 2.2), (x, -y, 2.2)], material="glass", color="#dfeaf0", both=True)
    model.box((0.0, -0.38, -0.05), (0.8, 0.06, 2.25), "#e6e6e0")
    model.quad(
        [(0.2, -0.33, 0.9), (-0.2, -0.33, 0.9), (-0.2, -0.33, 1.75), (0.2, -0.33, 1.75)],
        cell("phone"),
        material=MATERIAL,
    )
    return model
