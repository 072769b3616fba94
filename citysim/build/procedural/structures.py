"""The footbridge over the main street and the stair up to a raised garden."""

from citysim.build.chance import Chance
from citysim.build.plans import AreaPlan, Xy
from citysim.build.procedural.lots import rectangle
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.streets import SIDEWALK
from citysim.build.procedural.town import Town

RISERS = 36  # to a deck 5.9 m above the street
TREAD = 0.31  # metres of run a riser
LANDINGS = 3.0  # metres of landings in each stair
STAIR_WIDTH = 2.2
DECK_WIDTH = 3.0
FURNITURE = 1.9  # metres from the kerb to the middle of a stair in the pavement
TERRACE_RISERS = 12


def add_footbridge(sketch: Sketch, town: Town, at: float, name: str) -> list[tuple[Xy, Xy]]:
    """A deck over the main street at x = `at` with a stair along each pavement; returns the stairs' axes.

    The northern stair comes down westwards, the southern one eastwards, each in the furniture zone of its pavement.
    """
    main = town.main
    away = main.width / 2 + FURNITURE
    run = RISERS * TREAD + LANDINGS
    north, south = main.at + away, main.at - away
    landing = DECK_WIDTH / 2 + 1.0
    deck = [(at - landing, north), (at, north), (at, south), (at + landing, south)]
    sketch.way("footway", deck, DECK_WIDTH, name=name, bridge=True, layer=1, surface="concrete",
               tags={"highway": "footway", "bridge": "yes", "layer": "1", "name": name})  # fmt: skip
    stairs = []
    for sign, y in ((-1, north), (1, south)):
        top, foot = (at + sign * landing, y), (at + sign * (landing + run), y)
        tags = {"highway": "steps", "step_count": str(RISERS), "incline": "up", "handrail": "yes"}
        sketch.way("steps", [foot, top], STAIR_WIDTH, name=name, steps=RISERS, incline=1, surface="concrete", tags=tags)
        along = at + sign * (landing + run + 2.0)
        up = 1 if y > main.at else -1
        side = town.beside(main, along)[up]
        side.stops.add(along)
        join = (along, main.at + up * (main.facade - SIDEWALK))
        sketch.way("footway", [foot, join], 2.0, tags={"highway": "footway"})
        stairs.append((foot, top))
    return stairs


def add_terrace(sketch: Sketch, town: Town, box: tuple[float, float, float, float], name: str, chance: Chance) -> None:
    """A garden above the back street, reached by a stair in the middle of its street side; benches at the end."""
    x0, y0, x1, y1 = box
    back = town.back
    x = round((x0 + x1) / 2 * 4) / 4
    pavement = back.at + back.facade - SIDEWALK
    town.beside(back, x)[1].stops.add(x)
    foot = y0 + 0.75
    head = foot + TERRACE_RISERS * 0.33
    end = min(y1 - 2.0, head + 18.0)
    sketch.way("footway", [(x, pavement), (x, foot)], 2.5, tags={"highway": "footway"})
    sketch.way("steps", [(x, foot), (x, head)], 2.5, name=f"{name} Steps", steps=TERRACE_RISERS, incline=1,
               surface="paving_stones",
               tags={"highway": "steps", "step_count": str(TERRACE_RISERS), "incline": "up"})  # fmt: skip
    sketch.way("footway", [(x, head), (x, end)], 2.5, name=name, surface="gravel", tags={"highway": "footway"})
    sketch.areas.append(AreaPlan(f"{sketch.name}:area/terrace", "garden", rectangle(x0, head + 0.5, x1, y1), name))
    sketch.prop("bench", x - 2.0, end - 1.0, 90.0)
    sketch.prop("bench", x + 2.0, end - 1.0, 270.0)
    for k in range(4):
        side = -1 if k % 2 else 1
        sketch.prop(
            "tree", x + side * chance.uniform(4.5, 8.0, f"x{k}"), head + 3.5 + 4.0 * (k // 2) * (end - head) / 18.0
        )
