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
    return all(fits_beside(layout, edge, s, sign, way, rise) for sign, way in zip((1, -1), towards, strict=True))


def fits_beside(layout: Layout, edge: Edge, s: float, sign: int, way: int, rise: float) -> bool:
    """Whether a stair fits along the pavement on one side; see `pavement_stair`."""
    _, run = stair_run(rise)
    low, high = sorted((s - way * 3.0, s + way * (run + 6.0)))
    start, end = layout.spans[(edge.id, sign)]
    if low < start + 1.0 or high > end - 1.0:
        return False
    if any(low - 3.0 < c.s < high + 3.0 for c in layout.crossings if c.edge is edge):
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
    off = edge.street.half + KERB_GAP + WIDTH / 2
    layer = -1 if below else 1
    tops = {sign: edge.axis.at(s, sign * off) for sign in (1, -1)}
    tags = {"highway": "footway", "layer": str(layer), "name": name, ("tunnel" if below else "bridge"): "yes"}
    ends = {sign: stair_top(edge, s, sign, way, width) for sign, way in zip((1, -1), towards, strict=True)}
    line = [ends[1], tops[1], tops[-1], ends[-1]]
    sketch.way("footway", line, width, name=name, bridge=not below, tunnel=below, layer=layer, surface="concrete",
               covered=covered or below, tags=tags)  # fmt: skip
    taken = [around(line, width + 1.0)] if not below else []
    for sign, way in zip((1, -1), towards, strict=True):
        taken.append(pavement_stair(sketch, layout, edge, s, name, sign, way, width=width, below=below))
    return taken


def pavement_stair(
    sketch: Sketch, layout: Layout, edge: Edge, s: float, name: str, sign: int, way: int, *, width: float = 3.0,
    below: bool = False,
) -> Polygon:  # fmt: skip
    """A stair along the pavement on one side (`sign`) of an edge, from the end of a bridge (or subway) that crosses at
    `s`, and the line from its foot to the walkers; returns the ground that furniture must leave free.

    The bridge must end at `stair_top`.
    """
    risers, run = stair_run(DEPTH if below else DECK)
    off = sign * (edge.street.half + KERB_GAP + WIDTH / 2)
    end = stair_top(edge, s, sign, way, width)
    foot = edge.axis.at(s + way * (width / 2 + 1.0 + run), off)
    tags = {"highway": "steps", "step_count": str(risers), "handrail": "yes", "incline": "down" if below else "up"}
    sketch.way("steps", [foot, end], WIDTH, name=name, steps=risers, incline=-1 if below else 1, surface="concrete",
               tags=tags)  # fmt: skip
    join = layout.stop(edge, sign, s + way * (width / 2 + 1.0 + run + 2.0))
    sketch.way("footway", [foot, join], 2.0, tags={"highway": "footway"})
    return around([edge.axis.at(s, off), foot, join], WIDTH + 1.4)


def stair_top(edge: Edge, s: float, sign: int, way: int, width: float = 3.0) -> Xy:
    """Where the stair along a pavement meets a bridge that crosses at `s`."""
    return edge.axis.at(s + way * (width / 2 + 1.0), sign * (edge.street.half + KERB_GAP + WIDTH / 2))


def around(line: list[Xy], width: float) -> Polygon:
    """The ground within half a width of a line, metres."""
    return shapely.buffer(LineString(line), width / 2, cap_style="square", join_style="mitre")
