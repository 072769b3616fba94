"""Blocks: the land between the streets, with what lies along each of its sides."""

import itertools
import math
from dataclasses import dataclass

import shapely
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.polygon import orient

from citysim.build.plans import Xy
from citysim.build.procedural.district.graph import Edge, StreetGraph
from citysim.build.streets.planar import GRID, area_of, minus, polygons, strip

CORNER_COSINE = 0.906  # a turn above 25 degrees ends a side
LEAST_BLOCK = 60.0  # square metres
SPIKE = 0.25  # square metres: mitres of short edges may reach metres into the street
ON_LINE = 1.2  # metres by which a side may lie off its street's building line


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a block, with the block on the left; `edge` is the street along it, None at the rim of the map."""

    points: tuple[Xy, ...]
    edge: Edge | None
    sign: int  # the side of the edge's axis on which the block lies

    @property
    def line(self) -> LineString:
        """The side as a line."""
        return LineString(self.points)

    @property
    def length(self) -> float:
        """Metres."""
        return float(self.line.length)


@dataclass(frozen=True)
class Block:
    """A piece of land, counter-clockwise, and its sides in that order."""

    id: int
    polygon: Polygon
    sides: tuple[Side, ...]

    @property
    def center(self) -> Xy:
        """A point inside, near the middle."""
        at = self.polygon.representative_point()
        return float(at.x), float(at.y)

    @property
    def streets(self) -> tuple[Side, ...]:
        """The sides along streets, longest first."""
        return tuple(sorted((s for s in self.sides if s.edge is not None), key=lambda s: (-s.length, s.points[0])))


def street_space(graph: StreetGraph) -> shapely.Geometry:
    """All ground from building line to building line."""
    bands = []
    for edge in graph.edges:
        line = LineString(edge.axis.points)
        bands.append(strip(line, 2 * edge.street.facade))
    for number, arms in graph.arms().items():
        reach = max(a.edge.street.facade for a in arms)
        if len(arms) > 1 or number not in graph.rim:
            bands.append(shapely.buffer(shapely.Point(graph.nodes[number]), reach, quad_segs=3))
    return area_of(bands)


def find_blocks(
    graph: StreetGraph, bounds: tuple[float, float, float, float], taken: shapely.Geometry | None = None
) -> list[Block]:
    """The blocks inside `bounds`, from west to east; `taken` is other ground that belongs to none (water, rails)."""
    space = street_space(graph)
    if taken is not None and not taken.is_empty:
        space = area_of([space, taken])
    land = minus(box(*bounds), space)
    index = _Index(graph)
    made: list[Block] = []
    for polygon in polygons(land, LEAST_BLOCK):
        shape = _tidy(polygon)
        if shape is not None:
            made.append(Block(len(made), shape, tuple(_sides(shape, index))))
    return made


def _tidy(polygon: Polygon) -> Polygon | None:
    """The polygon without spikes, slots and points that are closer than a hand, counter-clockwise on the lattice."""
    opened = shapely.buffer(shapely.buffer(polygon, -1.0, join_style="mitre"), 1.0, join_style="mitre")
    if shapely.difference(opened, polygon).area > SPIKE:
        opened = shapely.intersection(opened, polygon)
    parts = polygons(shapely.set_precision(shapely.simplify(opened, 0.15), GRID), LEAST_BLOCK)
    if not parts:
        return None
    return orient(max(parts, key=lambda p: p.area), 1.0)


class _Index:
    """Which edge lies beside a piece of boundary."""

    def __init__(self, graph: StreetGraph) -> None:
        self.edges = graph.edges
        self.tree = shapely.STRtree([LineString(e.axis.points) for e in graph.edges])

    def beside(self, a: Xy, b: Xy) -> tuple[Edge | None, int]:
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        best: tuple[float, int, int] | None = None
        length = max(math.dist(a, b), 1e-9)
        for i in sorted(self.tree.query(shapely.Point(middle), predicate="dwithin", distance=40.0).tolist()):
            edge = self.edges[i]
            s, across = edge.axis.nearest(middle)
            off = abs(abs(across) - edge.street.facade)
            u, v = edge.axis.along(s)
            level = abs((b[0] - a[0]) * u + (b[1] - a[1]) * v) / length
            if off < ON_LINE and level > 0.8 and (best is None or off < best[0] - 0.05):
                best = (off, i, 1 if across > 0 else -1)
        return (None, 0) if best is None else (self.edges[best[1]], best[2])


def _sides(polygon: Polygon, index: _Index) -> list[Side]:
    ring = [(float(x), float(y)) for x, y in polygon.exterior.coords[:-1]]
    count = len(ring)
    pieces = [(ring[k], ring[(k + 1) % count]) for k in range(count)]
    owners = [index.beside(a, b) for a, b in pieces]
    starts = [k for k in range(count) if _breaks(pieces[k - 1], pieces[k]) or not _same(owners[k - 1], owners[k])]
    if not starts:
        return [Side((*ring, ring[0]), *owners[0])]
    made = []
    for start, stop in zip(starts, [*starts[1:], starts[0] + count], strict=True):
        points = [ring[k % count] for k in range(start, stop + 1)]
        made.append(Side(tuple(points), *owners[start]))
    return made


def _same(a: tuple[Edge | None, int], b: tuple[Edge | None, int]) -> bool:
    return (a[0] is None) == (b[0] is None) and (a[0] is None or b[0] is None or a[0].name == b[0].name)


def _breaks(before: tuple[Xy, Xy], after: tuple[Xy, Xy]) -> bool:
    (a, b), (_, c) = before, after
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]
    return ux * vx + uy * vy < CORNER_COSINE * math.hypot(ux, uy) * math.hypot(vx, vy)


def convex(sides: tuple[Side, ...], k: int) -> bool:
    """Whether the block turns left (an ordinary corner) at the end of side `k`."""
    a, b = sides[k].points[-2], sides[k].points[-1]
    c = sides[(k + 1) % len(sides)].points[1]
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0.0


def pairs(points: tuple[Xy, ...]) -> list[tuple[Xy, Xy]]:
    """The pieces of a polyline."""
    return list(itertools.pairwise(points))
