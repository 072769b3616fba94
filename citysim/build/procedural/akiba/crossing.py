"""The main junction of `akiba`: a scramble crossing, and a deck above its pavements."""

import math

import shapely
from shapely.geometry import LineString, Polygon

from citysim.build.plans import Xy
from citysim.build.procedural.akiba.streets import AVENUE, Skeleton
from citysim.build.procedural.district.corners import Corner
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.over import DECK, KERB_GAP, WIDTH, stair_run

NORTH = 17.0  # metres from the junction to the parts of the deck that cross the avenue


def scramble(district: District, layout: Layout, bones: Skeleton) -> None:
    """Diagonal crossings between opposite corners of the main junction."""
    ends = sorted({c.left_end for c in layout.corners
                   if math.dist(_node(c, district), (bones.avenue, bones.main)) < 0.5})  # fmt: skip
    if len(ends) != 4:
        return
    for a, b in ((ends[0], ends[3]), (ends[1], ends[2])):
        middle = (bones.avenue, bones.main)
        tags = {"highway": "footway", "footway": "crossing", "crossing": "traffic_signals"}
        district.sketch.way("crossing", [a, middle, b], 4.0, crossing="signals", tags=tags)


def _node(corner: Corner, district: District) -> Xy:
    edge = corner.first.edge
    return district.graph.nodes[edge.a if corner.first.at_start else edge.b]


def build_deck(district: District, layout: Layout, bones: Skeleton) -> list[Polygon]:
    """A ring of decks over the four arms with a stair down each pavement of the avenue; the ground below stairs.

    Left out where the avenue has no room for the stairs.
    """
    off = AVENUE.half + KERB_GAP + WIDTH / 2
    risers, run = stair_run(DECK)
    reach = NORTH + 2.6 + run + 4.0
    stops = [c for c in layout.crossings if c.edge.street is AVENUE]
    blocked = any(NORTH + 1.0 < abs(c.edge.axis.at(c.s)[1] - bones.main) < reach for c in stops)
    if blocked or abs(bones.main) + reach > district.high - 4.0:
        return []
    name = district.names.street("Deck")
    x0, x1 = bones.avenue - off, bones.avenue + off
    south, north = bones.main - NORTH, bones.main + NORTH
    more = {"name": name, "bridge": True, "layer": 1, "surface": "concrete",
            "tags": {"highway": "footway", "bridge": "yes", "layer": "1", "name": name}}  # fmt: skip
    taken: list[Polygon] = []
    lines: list[list[Xy]] = [
        [(x0, south), (x1, south)], [(x0, north), (x1, north)], [(x0, south), (x0, north)], [(x1, south), (x1, north)],
    ]  # fmt: skip
    for x, y, way in ((x0, south, -1), (x1, south, -1), (x0, north, 1), (x1, north, 1)):
        lines.append([(x, y), (x, y + way * 2.6)])
        foot = (x, y + way * (2.6 + run))
        tags = {"highway": "steps", "step_count": str(risers), "incline": "up", "handrail": "yes"}
        district.sketch.way("steps", [foot, (x, y + way * 2.6)], WIDTH, name=name, steps=risers, incline=1,
                            surface="concrete", tags=tags)  # fmt: skip
        aim = (bones.avenue + math.copysign(AVENUE.walk, x - bones.avenue), foot[1] + way * 2.0)
        join = layout.join(aim)
        if join is not None:
            district.sketch.way("footway", [foot, join], 2.0, tags={"highway": "footway"})
            taken.append(_around([(x, y), foot, join]))
    for line in lines:
        district.sketch.way("footway", line, 3.2, **more)
        taken.append(_around(line))
    return taken


def _around(line: list[Xy]) -> Polygon:
    return shapely.buffer(LineString(line), 2.0, cap_style="square", join_style="mitre")
