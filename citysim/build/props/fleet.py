"""Parked vehicles other than cars: vans, taxis, minibuses, motorcycles."""

from citysim.build.chance import Chance
from citysim.build.props.model import Model
from citysim.build.props.vehicles import car, wheel

TAXIS = ("#c8242b", "#2f8f4a", "#e8b51f")


def taxi(chance: Chance, height: float | None) -> Model:
    """A car in a taxi's colour with a lit sign on its roof."""
    model = car(chance, height, chance.choice(TAXIS, "taxi"))
    model.box((0.0, -0.7, 1.48), (0.5, 0.2, 0.14), "#f4efdc")
    return model


def _boxy(length: float, width: float, tall: float, paint: str, glass: float) -> Model:
    """A one-box vehicle: body, windows from `glass` metres up, wheels, lamps; its front at +y."""
    model = Model()
    half, end = width / 2, length / 2
    model.box((0.0, 0.0, 0.28), (width, length, glass - 0.28), paint, faces="fblr")
    model.box((0.0, -0.03 * length, glass), (width, 0.94 * length, tall - glass), paint, taper=(0.9, 0.97))
    for side in (-1, 1):
        x0, x1 = side * (half + 0.004), side * (half * 0.93 + 0.004)
        z0, z1 = glass + 0.04, glass + 0.72 * (tall - glass)
        for y0, y1 in ((0.12 * length, 0.38 * length), (-0.2 * length, 0.08 * length)):
            pane = [(x0, y0, z0), (x0, y1, z0), (x1, y1 - 0.03, z1), (x1, y0, z1)]
            model.quad(pane if side > 0 else [pane[1], pane[0], pane[3], pane[2]], color="#222b32")
        for y in (-0.31 * length, 0.31 * length):
            wheel(model, side * half, y, side)
    screen = [(half * 0.9, 0.442 * length, glass + 0.05), (-half * 0.9, 0.442 * length, glass + 0.05),
              (-half * 0.84, 0.437 * length, tall - 0.25), (half * 0.84, 0.437 * length, tall - 0.25)]  # fmt: skip
    model.quad(screen, color="#2c3a44")
    for y, color, z in ((end + 0.004, "#f4f0dc", 0.55), (-end - 0.004, "#8f1f1f", 0.7)):
        for x in (-0.36 * width, 0.36 * width):
            w = 0.16 if y > 0 else -0.16
            model.quad([(x + w, y, z), (x - w, y, z), (x - w, y, z + 0.14), (x + w, y, z + 0.14)], color=color)
    return model


def van(chance: Chance, height: float | None) -> Model:
    """A delivery van 4.9 x 1.9 x 2.1 m."""
    return _boxy(4.9, 1.9, 2.1, chance.choice(("#e6e4de", "#c9ccce", "#2f5f8f", "#7a5a38", "#d8b02e"), "paint"), 1.15)


def minibus(chance: Chance, height: float | None) -> Model:
    """A public light bus 6.8 x 2.1 x 2.7 m, cream with a coloured roof."""
    model = _boxy(6.8, 2.1, 2.6, "#efe6c9", 1.2)
    model.box((0.0, -0.2, 2.6), (1.8, 6.0, 0.08), chance.choice(("#2f8f4a", "#c8242b"), "roof"))
    return model


def motorcycle(chance: Chance, height: float | None) -> Model:
    """A motorcycle or scooter, 2 m long, on its stand."""
    model = Model()
    paint = chance.choice(("#7a1f24", "#24405f", "#1d1f21", "#c9842a", "#e6e4de"), "paint")
    for y in (-0.65, 0.65):
        model.tube((-0.07, y, 0.3), (0.07, y, 0.3), (0.3, 0.3), "#1d1f21", sides=9, caps="ab")
    model.box((0.0, -0.1, 0.35), (0.28, 0.9, 0.35), "#33373b", faces="fblrtd")
    model.box((0.0, 0.16, 0.68), (0.3, 0.5, 0.2), paint, taper=(0.7, 0.8))
    model.box((0.0, -0.42, 0.7), (0.26, 0.62, 0.1), "#26282a")
    for x in (-0.09, 0.09):
        model.tube((x, 0.65, 0.3), (x, 0.45, 0.98), (0.025, 0.025), "#9aa1a5", sides=4, caps="")
    model.tube((-0.34, 0.42, 0.98), (0.34, 0.42, 0.98), (0.02, 0.02), "#26282a", sides=4, caps="ab")
    model.tube((0.0, 0.5, 0.86), (0.0, 0.6, 0.86), (0.09, 0.09), "#f4f0dc", sides=6)
    model.tube((0.1, -0.1, 0.35), (0.3, -0.1, -0.01), (0.02, 0.02), "#9aa1a5", sides=3, caps="")
    model.box((0.0, -0.86, 0.7), (0.3, 0.3, 0.3), _carrier(chance), faces="fblrtd")
    return model


def _carrier(chance: Chance) -> str:
    """The colour of a carrier box."""
    return chance.choice(("#26282a", "#a3201f", "#2f6b4f"), "carrier")
