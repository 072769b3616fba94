"""The main junction of `akiba`: a scramble crossing, and a deck above its pavements."""

import math

import shapely
from shapely.geometry import LineString, Polygon

from citysim.build.plans import Xy
from citysim.build.procedural.akiba.streets import AVENUE, Skeleton
from citysim.build.procedural.district.corners import Corner
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.over import DECK, FLARED, KERB_GAP, WIDTH, stair_run

NORTH = 17.0  # metres from the junction to the parts of the deck that cross the avenue, at least


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
    ends = [_clear(layout, bones, way, run, district.high) for way in (-1, 1)]
    if ends[0] is None or ends[1] is None:
        return []
    name = district.names.street("Deck")
    x0, x1 = bones.avenue - off, bones.avenue + off
    south, north = bones.main - ends[0], bones.main + ends[1]
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


def _clear(layout: Layout, bones: Skeleton, way: int, run: float, high: float) -> float | None:
    """How far from the junction the deck crosses the avenue so that its stairs meet no crossing and no lane."""
    met = [(c.edge.axis.at(c.s)[1], 5.5) for c in layout.crossings if c.edge.street is AVENUE]
    for (number, _), found in layout.mouths.items():
        edge = layout.graph.edges[number]
        if edge.street is AVENUE:
            met += [(edge.axis.at(s)[1], half + FLARED) for s, half in found]
    for k in range(int(NORTH), int(2.4 * NORTH)):
        low, high_ = sorted((bones.main + way * k, bones.main + way * (k + 2.6 + run + 3.5)))
        if -high + 4.0 < low and high_ < high - 4.0 and not any(low - off < y < high_ + off for y, off in met):
            return float(k)
    return None


def _around(line: list[Xy]) -> Polygon:
    return shapely.buffer(LineString(line), 2.0, cap_style="square", join_style="mitre")
