"""Parcels: a block cut into lots that all have a street, and what is left in its middle."""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.polygon import orient

from citysim.build.adding import plain_sum
from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.district.axis import Axis
from citysim.build.procedural.district.blocks import Block, Side, convex
from citysim.build.procedural.district.graph import Edge
from citysim.build.streets.planar import GRID, area_of, longer, minus, polygons

LEAST_LOT = 18.0  # square metres
LEAST_FRONT = 2.0  # metres of street line that a lot can be addressed to
NEEDLE = 0.22  # lots whose isoperimetric quotient is less are given to a neighbour
TOUCH = 0.05


@dataclass(frozen=True, slots=True)
class Frontage:
    """A straight piece of a lot's edge along a street, with the lot on the left of a -> b."""

    a: Xy
    b: Xy
    edge: Edge
    sign: int

    @property
    def length(self) -> float:
        """Metres."""
        return math.dist(self.a, self.b)

    def at(self, u: float, inwards: float = 0.0) -> Xy:
        """The point `u` metres from `a` and `inwards` metres behind the line."""
        ux, uy = (self.b[0] - self.a[0]) / self.length, (self.b[1] - self.a[1]) / self.length
        return self.a[0] + ux * u - uy * inwards, self.a[1] + uy * u + ux * inwards


@dataclass(frozen=True, slots=True)
class Lot:
    """A parcel. `fronts` are its pieces of street line, the one it is addressed to first."""

    polygon: Polygon
    fronts: tuple[Frontage, ...]
    corner: bool = False  # on two streets

    @property
    def front(self) -> Frontage:
        """The piece of street line it is addressed to."""
        return self.fronts[0]

    @property
    def depth(self) -> float:
        """Metres from the front to the rear, in the mean."""
        return float(self.polygon.area) / max(self.front.length, 0.1)


@dataclass(frozen=True)
class Cut:
    """What a block became: lots in the order of its sides, and the ground behind them."""

    lots: tuple[Lot, ...]
    core: tuple[Polygon, ...]


@dataclass(frozen=True, slots=True)
class Slicing:
    """How a block's sides are cut. Metres. `through`: lots reach from a street to the lane behind, which gets none."""

    frontage: tuple[float, float]  # narrowest and widest lot
    depth: float  # of the lots; less where blocks are narrow
    corner: float = 0.0  # width of corner lots, 0: like the others
    module: float = 0.0  # frontages are multiples of this, 0: any
    through: bool = False


def slice_block(block: Block, sides: Slicing | Callable[[Side], Slicing], chance: Chance) -> Cut:
    """Cut lots along every street side of a block: the sides of the best streets first, of these the longest, which
    take the corners.
    """
    left: shapely.Geometry = block.polygon
    lots: list[Lot] = []
    half = 0.5 * _narrow(block.polygon)
    ranked = sorted(block.streets, key=lambda s: -s.edge.street.rank if s.edge is not None else 0)
    for side in ranked if callable(sides) else block.streets:
        how = sides(side) if callable(sides) else sides
        if how.through and side.edge is not None and side.edge.street.flush:
            continue
        depth = how.depth
        if not how.through:  # rows back to back, nothing between
            depth = min(depth, half + 0.01) if depth < 0.88 * half or callable(sides) else half + 0.01
        k = block.sides.index(side)
        band = _band(side, depth, convex(block.sides, k - 1), convex(block.sides, k))
        strip = _touching(shapely.intersection(left, band, grid_size=GRID), side.line)
        if strip is None:
            continue
        cells = _cut(strip, side, how, chance.child(f"{block.id}/{k}"), depth)
        lots += [lot for lot in (_lot(cell, block) for cell in cells) if lot is not None]
        left = minus(left, area_of(cells))
    kept, rest = _sound(lots)
    core = [p for p in polygons(area_of([left, *rest])) if p.area > LEAST_LOT]
    return Cut(tuple(kept), tuple(orient(p, 1.0) for p in core))


def slice_side(block: Block, side: Side, how: Slicing, chance: Chance) -> list[Lot]:
    """Lots as deep as the block, cut along one of its sides: for land between a street and a wall or a slope."""
    reach = _narrow(block.polygon) + block.polygon.length
    cells = _cut(block.polygon, side, how, chance.child(f"{block.id}/side"), reach)
    kept, _ = _sound([lot for lot in (_lot(cell, block) for cell in cells) if lot is not None])
    return kept


def split_area(polygon: Polygon, most: float, block: Block, chance: Chance) -> list[Lot]:
    """Lots of at most `most` square metres by halving across the longer side; those without a street join another.

    For land of any shape; every lot has a piece of street line of `block`.
    """
    pieces = [polygon]
    done: list[Polygon] = []
    while pieces:
        piece = pieces.pop(0)
        if piece.area <= most:
            done.append(piece)
            continue
        name = f"{piece.centroid.x:.2f}/{piece.centroid.y:.2f}"
        halves = _halves(piece, 0.5 + chance.uniform(-0.12, 0.12, name))
        if len(halves) < 2 or any(_lot(h, block) is None for h in halves):
            halves = _halves(piece, 0.5 + chance.uniform(-0.12, 0.12, name), along=True)
        if len(halves) < 2 or any(_lot(h, block) is None or h.area < LEAST_LOT for h in halves):
            done.append(piece)
        else:
            pieces += halves
    return [lot for lot in (_lot(p, block) for p in done) if lot is not None]


def _halves(piece: Polygon, share: float, along: bool = False) -> list[Polygon]:
    ring = list(shapely.oriented_envelope(piece).exterior.coords)[:4]
    if (math.dist(ring[0], ring[1]) < math.dist(ring[1], ring[2])) != along:
        ring = [*ring[1:], ring[0]]
    a, b, c, d = ring
    p = (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
    q = (d[0] + (c[0] - d[0]) * share, d[1] + (c[1] - d[1]) * share)
    return _divided(piece, [longer(LineString([p, q]), 1.0)])


def _narrow(polygon: Polygon) -> float:
    ring = list(shapely.oriented_envelope(polygon).exterior.coords)
    return min(math.dist(ring[0], ring[1]), math.dist(ring[1], ring[2]))


def _band(side: Side, depth: float, before: bool, after: bool) -> shapely.Geometry:
    """Everything within `depth` of a side, carried on past its ordinary corners."""
    line = side.line
    ahead = longer(line, 2.0 * depth)
    points = list(ahead.coords)
    if not before:
        points = [line.coords[0], *points[1:]]
    if not after:
        points = [*points[:-1], line.coords[-1]]
    return shapely.buffer(LineString(points), depth, cap_style="flat", join_style="mitre", quad_segs=4)


def _touching(area: shapely.Geometry, line: LineString) -> Polygon | None:
    """The part of an area that lies along a line."""
    inner = shapely.buffer(line, TOUCH, cap_style="flat")
    found = [(shapely.intersection(p, inner).area, k, p) for k, p in enumerate(polygons(area, 1.0))]
    best = max(found, key=lambda f: (f[0], -f[1]), default=None)
    return best[2] if best is not None and best[0] > 0.05 else None


def _cut(strip: Polygon, side: Side, how: Slicing, chance: Chance, depth: float) -> list[Polygon]:
    """A strip cut at right angles to its side into lots of the wanted widths."""
    axis = Axis.through(side.points)
    along = sorted(axis.nearest((x, y))[0] for x, y in strip.exterior.coords
                   if side.line.dwithin(shapely.Point(x, y), TOUCH))  # fmt: skip
    if len(along) < 2 or along[-1] - along[0] < how.frontage[0]:
        return [strip]
    stations = stations_between(along[0], along[-1], how, chance)
    cuts = [LineString([axis.at(s, -1.0), axis.at(s, depth * 1.6 + 1.0)]) for s in stations]
    return _divided(strip, cuts)


def stations_between(start: float, end: float, how: Slicing, chance: Chance) -> list[float]:
    """Where lots end between two distances along a side: corner lots first, then widths by chance."""
    low, high = how.frontage
    first = how.corner if how.corner > 0.0 and end - start > 2 * how.corner + low else 0.0
    inner = (start + first, end - first)
    made = [inner[0]] if first else []
    room = inner[1] - inner[0]
    widths: list[float] = []
    while room - plain_sum(widths) > high + 0.5 * low:
        width = chance.uniform(low, high, len(widths))
        widths.append(max(round(width / how.module), 1) * how.module if how.module else width)
    scale = 1.0
    rest = room - plain_sum(widths)
    if widths and rest < low:
        scale = room / plain_sum(widths)
    at = inner[0]
    for width in widths if rest >= low or not widths else widths[:-1]:
        at += width * scale
        made.append(at)
    if first:
        made.append(inner[1])
    return sorted({round(s * 64) / 64 for s in made})


def _divided(area: Polygon, cuts: list[LineString]) -> list[Polygon]:
    rings = [area.exterior, *area.interiors]
    merged = shapely.unary_union([*(LineString(r.coords) for r in rings), *cuts], grid_size=GRID)
    cells = shapely.get_parts(shapely.polygonize(shapely.get_parts(merged)))
    inside = [c for c in cells if area.contains(c.representative_point())]
    return sorted(inside, key=lambda p: (*p.bounds, p.area))


def _lot(polygon: Polygon, block: Block) -> Lot | None:
    """The lot of a cell with its street lines; None for land without any."""
    shape = orient(polygon, 1.0)
    ring = [(float(x), float(y)) for x, y in shape.exterior.coords]
    found: list[Frontage] = []
    names: set[str] = set()
    for side in block.sides:
        if side.edge is None:
            continue
        line = side.line
        for a, b in itertools.pairwise(ring):
            if math.dist(a, b) < 0.5:
                continue
            if line.dwithin(shapely.Point(a), TOUCH) and line.dwithin(shapely.Point(b), TOUCH):
                found.append(Frontage(a, b, side.edge, side.sign))
                names.add(side.edge.name)
    if not found or max(f.length for f in found) < LEAST_FRONT:
        return None
    found.sort(key=lambda f: (f.length < LEAST_FRONT, f.edge.street.flush, -f.length, f.a))
    return Lot(shape, tuple(found), len(names) > 1)


def _sound(lots: list[Lot]) -> tuple[list[Lot], list[Polygon]]:
    """Lots without needles and crumbs, which come back as land."""
    kept, rest = [], []
    for lot in lots:
        round_ = 4.0 * math.pi * lot.polygon.area / lot.polygon.length**2
        if lot.polygon.area < LEAST_LOT or round_ < NEEDLE or lot.polygon.buffer(-1.2).is_empty:
            rest.append(lot.polygon)
        else:
            kept.append(lot)
    return kept, rest
