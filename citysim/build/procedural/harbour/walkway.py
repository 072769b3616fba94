"""The walkway: a roofed deck along the shore that joins footbridges; stairs, escalators and lifts lead to it."""

from shapely import contains_xy
from shapely.geometry import Polygon

from citysim.build.plans import Xy
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.over import (
    DECK,
    KERB_GAP,
    WIDTH,
    around,
    fits_beside,
    pavement_stair,
    stair_run,
    stair_top,
)
from citysim.build.procedural.harbour.land import Land
from citysim.build.procedural.harbour.streets import Streets
from citysim.build.procedural.harbour.waterfront import PAVED, WALK
from citysim.build.procedural.hills.ladders import MOVING_WIDTH
from citysim.build.procedural.sketch import Sketch
from citysim.build.streets.lifts import LENGTH, PORTAL
from citysim.build.streets.lifts import WIDTH as SHAFT

ASIDE = 5.0  # metres between the street's edge and the walkway's middle
BROAD = 3.0  # width of bridges and walkway, metres
END = 2.5  # metres of walkway beyond the outermost bridges
LIFT_GAP = 0.4  # between a bridge and a shaft, metres
MOVING_RUN = 15.0  # metres of escalators with their level ends
MOVING_APART = 2.0  # between the middles of the two escalators, metres
PIER_GAP = 6.0  # metres between the hall and the escalators
CROWN = 3.5  # metres that trees keep from the walkway

Stop = tuple[Edge, float, int, str]  # a street, where it is crossed, how the northern stair runs, the bridge's name


def walkway(
    district: District, streets: Streets, land: Land, layout: Layout, stops: list[Stop], pier: list[Polygon]
) -> list[Polygon] | None:
    """Join footbridges that cross at `stops`; returns the ground that furniture must leave free, None where the shore
    has no room.
    """
    shore = streets.survey.shore
    edge = stops[0][0]
    line = edge.axis.at(0.0)[1] - edge.street.facade - ASIDE
    room = line - BROAD / 2 - MOVING_RUN - (shore + PAVED)
    if land.shore is None or room < -2.0 or not all(fits_beside(layout, e, s, 1, way, DECK) for e, s, way, _ in stops):
        return None
    sketch = district.sketch
    _, run = stair_run(DECK)
    bridges = sorted((e.axis.at(s)[0], e, s, way, name) for e, s, way, name in stops)
    west, east = bridges[0][0] - END, bridges[-1][0] + END
    lifts = [bridges[0][0] + (BROAD + SHAFT) / 2 + LIFT_GAP, bridges[-1][0] - (BROAD + SHAFT) / 2 - LIFT_GAP]
    moving = _moving(bridges[0][0], bridges[-1][0], pier, [p[0] for p in streets.survey.rows[0].points[1:-1]])
    if not moving:
        return None
    xs = sorted({west, east, *(b[0] for b in bridges), *lifts, *moving})
    name = bridges[len(bridges) // 2][4]
    taken = [around([(west, line), (east, line)], BROAD + 1.0)]
    _deck(sketch, [(x, line) for x in xs], name)
    for _, e, s, way, title in bridges:
        top, off = stair_top(e, s, 1, way, BROAD), e.street.half + KERB_GAP + WIDTH / 2
        path: list[Xy] = [top, e.axis.at(s, off), (e.axis.at(s)[0], line)]
        _deck(sketch, path, title)
        taken += [around(path, BROAD + 1.0), pavement_stair(sketch, layout, e, s, title, 1, way, width=BROAD)]
    for x, sense, e in ((west, -1, bridges[0][1]), (east, 1, bridges[-1][1])):
        foot: Xy = (x + sense * run, line)
        count, _ = stair_run(DECK)
        sketch.way("steps", [foot, (x, line)], WIDTH, name=name, steps=count, incline=1, surface="concrete",
                   tags={"highway": "steps", "step_count": str(count), "handrail": "yes", "incline": "up"})  # fmt: skip
        taken.append(_lead(sketch, layout, e, foot, foot[0] + sense * 1.8))
        taken.append(around([foot, (x, line)], WIDTH + 1.0))
    for x, e in zip(lifts, (bridges[0][1], bridges[-1][1]), strict=True):
        taken.append(_lift(sketch, layout, e, (x, line), name))
    foot_y = line - BROAD / 2 - MOVING_RUN
    for x, sense in zip(moving, (1, -1), strict=True):
        foot = (x, foot_y)
        sketch.way("escalator", [foot, (x, line)], MOVING_WIDTH, name=name, incline=1, conveying=sense, covered=True,
                   tags={"highway": "steps", "conveying": "yes", "incline": "up"})  # fmt: skip
        sketch.way("footway", [foot, (x, shore + WALK)], 1.8, surface="paving_stones", tags={"highway": "footway"})
        taken.append(around([foot, (x, line)], MOVING_WIDTH + 1.4))
    keep = [p.buffer(CROWN) for p in taken]
    sketch.props = [p for p in sketch.props if not (p.kind == "tree" and any(_within(k, p.xy) for k in keep))]
    feet = [around([(x, foot_y + 1.0), (x, shore + WALK)], 3.0) for x in moving]
    sketch.props = [p for p in sketch.props if not any(_within(k, p.xy) for k in feet)]
    return taken


def _within(area: Polygon, xy: Xy) -> bool:
    return bool(contains_xy(area, *xy))


def _deck(sketch: Sketch, points: list[Xy], name: str) -> None:
    sketch.way("footway", points, BROAD, name=name, bridge=True, layer=1, surface="concrete", covered=True,
               tags={"highway": "footway", "layer": "1", "name": name, "bridge": "yes", "covered": "yes"})  # fmt: skip


def _moving(west: float, east: float, pier: list[Polygon], gates: list[float]) -> list[float]:
    """Where along the shore the two escalators come down: west of the pier's hall, else between two gates; [] where the
    bridges leave no room beside the hall.
    """
    if pier:
        x = round(pier[0].bounds[0] - PIER_GAP)
    else:
        inner = sorted(g for g in gates if west < g < east) or [(west + east) / 2]
        x = round(inner[len(inner) // 2] - 14.0)
    x = min(max(x, west + 12.0), east - 12.0)
    for hall in pier:
        x0, _, x1, _ = hall.bounds
        if x0 - MOVING_WIDTH - 1.0 < x < x1 + MOVING_APART + MOVING_WIDTH + 1.0:
            return []
    return [float(x), float(x) - MOVING_APART]


def _lead(sketch: Sketch, layout: Layout, edge: Edge, foot: Xy, ahead: float) -> Polygon:
    """The line from the foot of a stair to the pavement of the street; returns its ground."""
    s = edge.axis.nearest((ahead, foot[1]))[0]
    path: list[Xy] = [foot, (ahead, foot[1]), layout.stop(edge, -1, s)]
    sketch.way("footway", path, 2.2, surface="paving_stones", tags={"highway": "footway"})
    return around(path, 3.2)


def _lift(sketch: Sketch, layout: Layout, edge: Edge, deck: Xy, name: str) -> Polygon:
    """A lift between the pavement and the walkway; returns the ground it takes."""
    ground: Xy = (deck[0], deck[1] + BROAD / 2 + 0.3 + LENGTH + PORTAL)
    tags = {"highway": "elevator", "wheelchair": "yes"}
    sketch.way("elevator", [ground, deck], SHAFT, name=f"{name} Lift", tags=tags)
    stop = layout.stop(edge, -1, edge.axis.nearest(ground)[0])
    sketch.way("footway", [ground, stop], 2.0, surface="paving_stones", tags={"highway": "footway"})
    return around([stop, ground, deck], SHAFT + 1.6)
