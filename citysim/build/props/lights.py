"""Things on posts: lamps, signals, clocks, flags, stops and signs."""

from citysim.build.chance import Chance
from citysim.build.props import heads
from citysim.build.props.model import Model
from citysim.build.props.page import MATERIAL, cell

DARK, GREY, STEEL = "#34393d", "#6f7679", "#9aa1a5"


def street_lamp(chance: Chance, height: float | None) -> Model:
    """A lamp of 5 m (a lantern on top) or of 6 m and more (an arm over the road)."""
    tall = height or 5.0
    model = Model()
    model.tube((0.0, 0.0, -0.08), (0.0, 0.0, tall - 0.1), (0.085, 0.045), DARK, sides=4, caps="")
    if tall >= 6.0:
        model.tube((0.0, 0.0, tall - 0.25), (0.0, 1.5, tall), (0.045, 0.03), DARK, sides=3, caps="")
        model.box((0.0, 1.75, tall - 0.06), (0.24, 0.7, 0.1), GREY)
        low = tall - 0.06
        model.quad([(0.12, 1.4, low), (-0.12, 1.4, low), (-0.12, 2.1, low), (0.12, 2.1, low)], color="#fff6dc")
    else:
        model.tube((0.0, 0.0, tall - 0.5), (0.0, 0.0, tall - 0.1), (0.12, 0.2), "#f4eed8", sides=4, caps="")
        model.tube((0.0, 0.0, tall - 0.1), (0.0, 0.0, tall + 0.08), (0.25, 0.04), DARK, sides=4, caps="a")
    return model


def traffic_signals(chance: Chance, height: float | None) -> Model:
    """A post with three lenses for drivers (front) and a walker's head and button on its side."""
    model = Model()
    model.post((0.0, 0.0), (-0.08, 3.4), (0.06, 0.06), GREY, 5)
    model.box((0.0, 0.14, 2.4), (0.3, 0.2, 0.95), "#1b1d1f", faces="fblrd")
    low, high = 2.44, 3.33
    corners = [(0.14, 0.25, low), (-0.14, 0.25, low), (-0.14, 0.25, high), (0.14, 0.25, high)]
    model.quad(corners, heads.drivers_cell(), material=heads.MATERIAL)
    model.box((-0.2, 0.0, 2.15), (0.18, 0.26, 0.56), "#1b1d1f", faces="fbld")
    corners = [(-0.3, 0.12, 2.18), (-0.3, -0.12, 2.18), (-0.3, -0.12, 2.68), (-0.3, 0.12, 2.68)]
    model.quad(corners, heads.walkers_cell(), material=heads.MATERIAL)
    model.box((-0.09, 0.0, 1.0), (0.1, 0.12, 0.22), "#d8a92a", faces="fblt")
    return model


def clock(chance: Chance, height: float | None) -> Model:
    """A street clock with two faces."""
    tall = height or 3.8
    model = Model()
    model.post((0.0, 0.0), (-0.08, 0.5), (0.14, 0.1), DARK, 8)
    model.post((0.0, 0.0), (0.5, tall - 0.7), (0.07, 0.06), DARK)
    model.box((0.0, 0.0, tall - 0.75), (0.78, 0.22, 0.78), DARK, faces="fblrtd")
    z0, z1 = tall - 0.73, tall + 0.01
    for y, side in ((0.12, 1), (-0.12, -1)):
        x = 0.37 * side
        model.quad([(x, y, z0), (-x, y, z0), (-x, y, z1), (x, y, z1)], cell("clock"), material=MATERIAL)
    return model


def flagpole(chance: Chance, height: float | None) -> Model:
    """A white pole with a flag."""
    tall = min(18.0, max(6.0, height or 10.0))
    model = Model()
    model.post((0.0, 0.0), (-0.08, tall), (0.07, 0.04), "#eeeeea")
    low = tall - 1.5
    corners = [(0.06, 0.0, low - 0.15), (2.2, 0.25, low - 0.3), (2.2, 0.25, tall - 0.35), (0.06, 0.0, tall - 0.15)]
    model.quad(corners, cell("flag"), material=MATERIAL, both=True)
    return model


def _stop(kind: str) -> Model:
    model = Model()
    model.post((0.0, 0.0), (-0.08, 3.0), (0.045, 0.045), GREY)
    model.quad(
        [(0.05, 0.03, 2.4), (0.55, 0.03, 2.4), (0.55, 0.03, 2.9), (0.05, 0.03, 2.9)],
        cell(kind),
        material=MATERIAL,
        both=True,
    )
    model.box((0.0, 0.07, 1.2), (0.34, 0.04, 0.5), "#e9ebe6")
    model.quad(
        [(0.16, 0.1, 1.22), (-0.16, 0.1, 1.22), (-0.16, 0.1, 1.68), (0.16, 0.1, 1.68)],
        cell("map"),
        material=MATERIAL,
    )
    return model


def bus_stop(chance: Chance, height: float | None) -> Model:
    """A stop post of 3 m with its sign and timetable."""
    return _stop("bus")


def tram_stop(chance: Chance, height: float | None) -> Model:
    """As a bus stop, in the tram's yellow."""
    return _stop("tram")


def parking_meter(chance: Chance, height: float | None) -> Model:
    """A pay machine on a post."""
    model = Model()
    model.post((0.0, 0.0), (-0.08, 0.9), (0.06, 0.06), DARK)
    model.box((0.0, 0.0, 0.9), (0.3, 0.22, 0.65), DARK)
    model.quad(
        [(0.13, 0.12, 0.93), (-0.13, 0.12, 0.93), (-0.13, 0.12, 1.5), (0.13, 0.12, 1.5)],
        cell("meter"),
        material=MATERIAL,
    )
    return model


def street_sign(chance: Chance, height: float | None) -> Model:
    """A post to carry a name plate; the text itself is added where the atlas is known."""
    model = Model()
    model.post((0.0, 0.0), (-0.08, height or 2.7), (0.035, 0.035), STEEL)
    return model


def bollard(chance: Chance, height: float | None) -> Model:
    """A bollard of 0.9 m, of iron or granite."""
    tall = min(1.2, max(0.5, height or 0.9))
    model = Model()
    if chance.unit("stone") < 0.4:
        model.box((0.0, 0.0, -0.08), (0.24, 0.24, tall + 0.08), material="stairs", taper=(0.8, 0.8))
    else:
        model.tube((0.0, 0.0, -0.08), (0.0, 0.0, tall), (0.09, 0.075), DARK, sides=4)
    return model


def fire_hydrant(chance: Chance, height: float | None) -> Model:
    """A hydrant with two outlets."""
    model = Model()
    red = "#b3342b"
    model.post((0.0, 0.0), (-0.08, 0.08), (0.18, 0.18), red, 6)
    model.post((0.0, 0.0), (0.08, 0.66), (0.12, 0.11), red, 6)
    model.tube((0.0, 0.0, 0.66), (0.0, 0.0, 0.86), (0.14, 0.04), red, sides=6)
    model.tube((-0.2, 0.0, 0.5), (0.2, 0.0, 0.5), (0.05, 0.05), "#d9d4c4", sides=5, caps="ab")
    return model


def drinking_water(chance: Chance, height: float | None) -> Model:
    """A drinking fountain: a pillar with a basin."""
    model = Model()
    model.post((0.0, 0.0), (-0.08, 0.85), (0.16, 0.12), DARK, 8)
    model.tube((0.0, 0.0, 0.85), (0.0, 0.0, 0.97), (0.16, 0.26), STEEL, sides=8, caps="b")
    model.tube((0.0, -0.08, 0.97), (0.0, 0.06, 1.12), (0.02, 0.02), STEEL, sides=4)
    return model
