"""Arcades: roofs on columns over pavements along shops, and covered walks."""

import itertools

import shapely
from shapely.geometry import LineString, Polygon

from citysim.build.plans import BuildingPlan, Xy
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.sketch import Sketch
from citysim.build.streets.planar import on_lattice

KERB = 0.35  # metres between the kerb and the roof's edge
WALL = 0.03  # metres between the facades and the roof
HEIGHT, WALK_HEIGHT = 4.35, 3.1  # top of the roof above the ground, over pavements and over paths, metres
COLUMNS = 3.6  # metres from column to column
LONGEST, LEAST = 24.0, 11.0  # metres of one roof
GAP = 0.08  # metres between roofs, which follow the slope
CROSSED, MOUTH = 3.6, 1.6  # metres that arcades keep from crossings and from lanes that come out
BEHIND = 0.8  # metres behind the building line where there must be houses


def arcade(sketch: Sketch, layout: Layout, edge: Edge, sign: int, houses: shapely.Geometry) -> list[Polygon]:
    """Roofs on columns over the pavement on one side of an edge, where houses stand; returns their ground."""
    start, end = layout.spans[(edge.id, sign)]
    stops = [(c.s - CROSSED, c.s + CROSSED) for c in layout.crossings if c.edge is edge]
    stops += [(m - half - MOUTH, m + half + MOUTH) for m, half in layout.mouths.get((edge.id, sign), ())]
    stops += _empty(edge, sign, houses)
    spans, at = [], start + 1.0
    for low, high in sorted(stops):
        spans.append((at, min(low, end - 1.0)))
        at = max(at, high)
    spans.append((at, end - 1.0))
    made = []
    for low, high in spans:
        if high - low < LEAST:
            continue
        count = max(round((high - low) / LONGEST), 1)
        length = (high - low) / count
        for k in range(count):
            a, b = low + k * length, low + (k + 1) * length - (GAP if k < count - 1 else 0.0)
            made.append(_roof(sketch, _band(edge, sign, a, b), HEIGHT))
    return made


def covered_walk(sketch: Sketch, line: list[Xy], width: float) -> Polygon:
    """A roof on columns along a straight path; returns its ground."""
    band = shapely.buffer(LineString(line), width / 2, cap_style="flat")
    return _roof(sketch, on_lattice(band), WALK_HEIGHT)


def _empty(edge: Edge, sign: int, houses: shapely.Geometry) -> list[tuple[float, float]]:
    """Where along an edge no house stands behind the building line."""
    found, step = [], 1.0
    s = 0.0
    while s < edge.length:
        if not houses.intersects(shapely.Point(edge.axis.at(s, sign * (edge.street.facade + BEHIND)))):
            found.append((s - step, s + step))
        s += step
    return found


def _band(edge: Edge, sign: int, start: float, end: float) -> Polygon:
    inner, outer = edge.street.half + KERB, edge.street.facade - WALL
    marks = [start, *(m for m in edge.axis.marks if start + 0.5 < m < end - 0.5), end]
    near = [edge.axis.at(s, sign * inner) for s in marks]
    far = [edge.axis.at(s, sign * outer) for s in marks]
    return Polygon([*near, *far[::-1]])


def _roof(sketch: Sketch, polygon: Polygon, height: float) -> Polygon:
    number = sum(b.kind == "roof" for b in sketch.buildings) + 1
    sketch.buildings.append(
        BuildingPlan(
            f"{sketch.name}:arcade/{number}", polygon, height, kind="roof", color="#cfc8ba", material="concrete",
            style="functional", tags={"building": "roof", "columns": str(COLUMNS)},
        )
    )  # fmt: skip
    return polygon


def sides_of(layout: Layout, edges: list[Edge]) -> list[tuple[Edge, int]]:
    """Both sides of every edge with kerbs."""
    return [(e, s) for e, s in itertools.product(edges, (1, -1)) if (e.id, s) in layout.spans]
