"""Over and under streets: footbridges and subways with a stair along each pavement."""

import math

import shapely
from shapely.geometry import LineString, Polygon

from citysim.build.plans import Xy
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.sketch import Sketch

DECK, DEPTH = 5.9, 4.2  # heights of a deck above and of a subway's floor below the street, metres
RISER, TREAD, LANDING = 0.163, 0.31, 1.5
WIDTH = 2.2  # of stairs, metres
FLARED = 2.6  # metres that stairs keep from lanes that come out, where the kerb is lowered
KERB_GAP = 0.5  # between a kerb and a stair, metres


def stair_run(rise: float) -> tuple[int, float]:
    """(risers, metres of run with landings) of a stair that climbs `rise` metres."""
    risers = math.ceil(rise / RISER)
    return risers, risers * TREAD + LANDING * (risers // 14 + 1)


def fits(layout: Layout, edge: Edge, s: float, towards: tuple[int, int], rise: float) -> bool:
    """Whether a stair along each pavement fits between corners and crossings; see `over_street`."""
    _, run = stair_run(rise)
    stops = [c.s for c in layout.crossings if c.edge is edge]
    for sign, way in zip((1, -1), towards, strict=True):
        low, high = sorted((s - way * 3.0, s + way * (run + 6.0)))
        start, end = layout.spans[(edge.id, sign)]
        if low < start + 1.0 or high > end - 1.0 or any(low - 3.0 < c < high + 3.0 for c in stops):
            return False
        if any(low - half - FLARED < m < high + half + FLARED for m, half in layout.mouths.get((edge.id, sign), ())):
            return False
    return edge.street.pavement >= WIDTH + KERB_GAP + 1.9


def over_street(
    sketch: Sketch, layout: Layout, edge: Edge, s: float, name: str, *, below: bool = False,
    towards: tuple[int, int] = (1, -1), width: float = 3.0, covered: bool = False,
) -> list[Polygon]:  # fmt: skip
    """A footbridge (or, `below`, a subway) across an edge at `s`, with a stair along each pavement between the kerb and
    the walkers; `towards` says which way along the axis the stairs of the left and right side come down (or up).

    Returns the ground that furniture must leave free.
    """
    rise = DEPTH if below else DECK
    risers, run = stair_run(rise)
    off = edge.street.half + KERB_GAP + WIDTH / 2
    layer = -1 if below else 1
    landing = width / 2 + 1.0
    tops = {sign: edge.axis.at(s, sign * off) for sign in (1, -1)}
    tags = {"highway": "footway", "layer": str(layer), "name": name, ("tunnel" if below else "bridge"): "yes"}
    ends = {sign: edge.axis.at(s + way * landing, sign * off) for sign, way in zip((1, -1), towards, strict=True)}
    line = [ends[1], tops[1], tops[-1], ends[-1]]
    sketch.way("footway", line, width, name=name, bridge=not below, tunnel=below, layer=layer, surface="concrete",
               covered=covered or below, tags=tags)  # fmt: skip
    taken = [_around(line, width + 1.0)] if not below else []
    for sign, way in zip((1, -1), towards, strict=True):
        foot = edge.axis.at(s + way * (landing + run), sign * off)
        tags = {"highway": "steps", "step_count": str(risers), "handrail": "yes",
                "incline": "down" if below else "up"}  # fmt: skip
        nodes: list[Xy] = [foot, ends[sign]]
        sketch.way("steps", nodes, WIDTH, name=name, steps=risers, incline=-1 if below else 1, surface="concrete",
                   tags=tags)  # fmt: skip
        join = layout.stop(edge, sign, s + way * (landing + run + 2.0))
        sketch.way("footway", [foot, join], 2.0, tags={"highway": "footway"})
        taken.append(_around([tops[sign], foot, join], WIDTH + 1.4))
    return taken


def _around(line: list[Xy], width: float) -> Polygon:
    return shapely.buffer(LineString(line), width / 2, cap_style="square", join_style="mitre")
