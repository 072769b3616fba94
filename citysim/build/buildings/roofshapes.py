"""Closed forms of roofs as triangles over a footprint; each returns None where its form does not fit."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from shapely import (
    constrained_delaunay_triangles,
    dwithin,
    get_coordinates,
    oriented_envelope,
    points,
    prepare,
)
from shapely.geometry import Polygon

from citysim.build.adding import plain_sum
from citysim.build.buildings.outline import rings
from citysim.build.buildings.solid import polygons
from citysim.build.buildings.surface import Triangle, level, lifted
from citysim.build.plans import Xy

Fill = tuple[Xy, Xy, float, float]  # wall a -> b from the eaves up to z at a, z at b


@dataclass(slots=True)
class RoofShape:
    """Sloping triangles, upright fills between eaves and roof, and level triangles of another material."""

    slopes: list[Triangle]
    fills: list[Fill] = field(default_factory=list)
    decks: list[Triangle] = field(default_factory=list)
    steep: float = 0.0  # metres up a metre behind the eaves
    depth: float = 0.0  # metres from the eaves to where the slope ends
    across: Xy | None = None  # at right angles to the ridge where slopes rise from two sides only
    ridge: tuple[Xy, Xy] | None = None


def axes(shape: Polygon, heading_deg: float | None) -> tuple[Xy, Xy]:
    """Unit directions along and across the ridge: along the heading, else along the longer side."""
    if heading_deg is not None:
        angle = math.radians(heading_deg)
        along = (math.sin(angle), math.cos(angle))
    else:
        box = oriented_envelope(shape)
        (ax, ay), (bx, by), (cx, cy) = box.exterior.coords[:3]
        e, f = (bx - ax, by - ay), (cx - bx, cy - by)
        x, y = e if e[0] ** 2 + e[1] ** 2 >= f[0] ** 2 + f[1] ** 2 else f
        size = math.sqrt(x * x + y * y) or 1.0
        along = (x / size, y / size)
    return along, (along[1], -along[0])


def profile(shape: Polygon, across: Xy, knots: Sequence[tuple[float, float]], eaves: float) -> RoofShape:
    """A roof whose height depends on the place across its axis only: knots are (0..1 across, height above eaves)."""
    loops = rings(shape)
    places = [x * across[0] + y * across[1] for loop in loops for x, y in loop]
    low, high = min(places), max(places)
    ds = [low + t * (high - low) for t, _ in knots]
    zs = [eaves + z for _, z in knots]

    def height(x: float, y: float) -> float:
        return float(np.interp(x * across[0] + y * across[1], ds, zs))

    along = (-across[1], across[0])
    reach = [x * along[0] + y * along[1] for x, y in loops[0]]
    a0, a1 = min(reach) - 1.0, max(reach) + 1.0
    slopes: list[Triangle] = []
    for d0, d1 in itertools.pairwise(ds):
        first, last = (d0 - 1.0 if d0 == low else d0), (d1 + 1.0 if d1 == high else d1)
        strip = Polygon(
            [
                (across[0] * d + along[0] * a, across[1] * d + along[1] * a)
                for d, a in ((first, a0), (last, a0), (last, a1), (first, a1))
            ]
        )
        for piece in polygons(shape.intersection(strip), 1e-3):
            slopes += lifted(piece, height)
    fills: list[Fill] = []
    for loop in loops:
        for a, b in zip(loop, [*loop[1:], loop[0]], strict=True):
            da, db = (p[0] * across[0] + p[1] * across[1] for p in (a, b))
            inner = [d for d in ds if min(da, db) + 1e-3 < d < max(da, db) - 1e-3]
            stops = [0.0, *sorted((d - da) / (db - da) for d in inner), 1.0]
            points = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in stops]
            for p, q in itertools.pairwise(points):
                zp, zq = height(*p), height(*q)
                if max(zp, zq) > eaves + 0.01:
                    fills.append((p, q, zp, zq))
    top = max(range(len(knots)), key=lambda k: zs[k])
    ridge = None
    if 0 < top < len(knots) - 1:
        d = ds[top]
        ends = [(across[0] * d + along[0] * a, across[1] * d + along[1] * a) for a in (a0 + 1.5, a1 - 1.5)]
        ridge = (ends[0], ends[1]) if a1 - a0 > 5.0 else None
    half = 0.5 * (high - low)
    steep = (zs[1] - zs[0]) / half if len(knots) == 3 else 0.0
    return RoofShape(slopes, fills, ridge=ridge, steep=steep, depth=half, across=across)


def convex(shape: Polygon) -> bool:
    """Whether a footprint is convex enough for a roof made of one plane an edge."""
    return not shape.interiors and shape.convex_hull.area < 1.02 * shape.area


def envelope(shape: Polygon, eaves: float, rise: float) -> RoofShape | None:
    """Hipped roof of a convex footprint: the lower envelope of equally steep planes over its edges."""
    outline = shape.simplify(0.05)
    ring = rings(outline)[0]
    if len(ring) > 24 or not convex(shape):
        return None
    planes = []
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        size = math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
        nx, ny = -(b[1] - a[1]) / size, (b[0] - a[0]) / size
        planes.append((nx, ny, -(nx * a[0] + ny * a[1])))
    whole = rings(shape)[0]
    regions: list[tuple[tuple[float, float, float], list[Xy]]] = []
    for i, p in enumerate(planes):
        piece = whole
        for j, q in enumerate(planes):
            if i != j and piece:
                piece = _clip(piece, p[0] - q[0], p[1] - q[1], p[2] - q[2])
        if len(piece) >= 3:
            regions.append((p, piece))
    total = plain_sum(abs(Polygon(piece).area) for _, piece in regions)
    far = max((p[0] * x + p[1] * y + p[2] for p, piece in regions for x, y in piece), default=0.0)
    if abs(total - shape.area) > 1e-3 * shape.area or far < 0.2:
        return None
    steep = rise / far
    slopes: list[Triangle] = []
    for (nx, ny, offset), piece in regions:
        if Polygon(piece).area > 1e-3:
            slopes += lifted(
                Polygon(piece),
                lambda x, y, a=nx, b=ny, c=offset: eaves + steep * max(0.0, a * x + b * y + c),  # type: ignore[misc]
            )
    return RoofShape(slopes, steep=steep, depth=far)


def _clip(ring: list[Xy], a: float, b: float, c: float) -> list[Xy]:
    """The part of a convex ring where a x + b y + c <= 0."""
    kept: list[Xy] = []
    for p, q in zip(ring, [*ring[1:], ring[0]], strict=True):
        fp, fq = a * p[0] + b * p[1] + c, a * q[0] + b * q[1] + c
        if fp <= 0.0:
            kept.append(p)
        if (fp < 0.0 < fq) or (fq < 0.0 < fp):
            t = fp / (fp - fq)
            kept.append((p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t))
    return kept


def inset(shape: Polygon, eaves: float, rise: float, depth: float) -> RoofShape | None:
    """Sloping ring of any footprint with a level deck inside: a truncated hip, or one stage of a mansard."""
    inner = shape.buffer(-depth, join_style="mitre", mitre_limit=3.0)
    decks = polygons(inner, 1.0)
    if not decks:
        return None
    core = decks[0] if len(decks) == 1 else inner
    ring = shape.difference(core)
    edge = shape.boundary
    prepare(edge)
    pieces = [piece for band in polygons(ring, 1e-3) for piece in constrained_delaunay_triangles(band).geoms]
    places = get_coordinates(pieces).reshape(-1, 2)
    outer = dict(zip(map(tuple, places.tolist()), dwithin(edge, points(places), 0.4 * depth).tolist(), strict=True))
    slopes: list[Triangle] = []
    for piece in pieces:
        corners = list(piece.exterior.coords)[:3]
        area = (corners[1][0] - corners[0][0]) * (corners[2][1] - corners[0][1]) - (corners[1][1] - corners[0][1]) * (
            corners[2][0] - corners[0][0]
        )
        if abs(area) < 1e-6:
            continue
        if area < 0:
            corners.reverse()
        a, b, c = ((x, y, eaves if outer[(x, y)] else eaves + rise) for x, y in corners)
        slopes.append((a, b, c))
    flat = [t for p in polygons(core) for t in level(p, eaves + rise)]
    return RoofShape(slopes, decks=flat, steep=rise / depth, depth=depth)


def revolved(shape: Polygon, eaves: float, rise: float, steps: Sequence[tuple[float, float]]) -> RoofShape | None:
    """The footprint shrunk towards its centroid along (scale, height share) steps: pyramid, dome, onion."""
    ring = rings(shape)[0]
    cx, cy = shape.centroid.coords[0]
    if shape.interiors:
        return None
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (a[0] - cx) * (b[1] - cy) - (a[1] - cy) * (b[0] - cx) <= 1e-6:
            return None
    slopes: list[Triangle] = []
    levels = [[(cx + r * (x - cx), cy + r * (y - cy), eaves + rise * h) for x, y in ring] for r, h in steps]
    count = len(ring)
    for (r1, _), low, high in zip(steps[1:], levels[:-1], levels[1:], strict=True):
        for k in range(count):
            p, q, r, s = low[k], low[(k + 1) % count], high[(k + 1) % count], high[k]
            slopes.append((p, q, r))
            if r1 > 0.0:
                slopes.append((p, r, s))
    return RoofShape(slopes)
