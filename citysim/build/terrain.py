"""Terrain: the relief of a city before streets are laid on it, made of plane facets.

Facets that meet at one height make slopes; where neighbours differ in height there is a cliff, which the ground's
builder closes with a retaining wall. Every builder asks heights here or of the ground made from it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import networkx as nx
import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import LineString, Polygon

from citysim.build.facets import Facets
from citysim.build.mesh import LATTICE, snap

Height = Callable[[float, float], float]
SAMPLE = 0.5  # metres between places where the two sides of an edge are compared
ASIDE = 0.04  # metres off an edge where its sides are looked at
FLAT = 0.002  # metres by which facets may leave one plane and still count as one


@dataclass(frozen=True)
class Patch:
    """Ground with a height of its own; `height` is asked at its corners only, between which it is plane."""

    polygon: Polygon
    height: Height

    @classmethod
    def level(cls, polygon: Polygon, z: float) -> "Patch":
        """Ground at one height."""
        return cls(polygon, lambda x, y: z)


@dataclass(frozen=True)
class Cliff:
    """An edge with ground at two heights: points (K, 2), `low` and `high` (K,) metres.

    The higher ground lies on the left of the points' order.
    """

    points: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class Terrain:
    """Facets that cover the city's bounds without overlap: corners (T, 3, 3) float64 metres, counter-clockwise."""

    corners: NDArray[np.float64]

    @classmethod
    def of(cls, patches: Sequence[Patch]) -> "Terrain":
        """Triangulate patches, which must cover the bounds and not overlap; heights are put on the lattice."""
        corners = []
        for patch in patches:
            shape = shapely.set_precision(patch.polygon, 1.0 / LATTICE)
            for triangle in shapely.get_parts(shapely.constrained_delaunay_triangles(shape)):
                points = shapely.get_coordinates(shapely.orient_polygons(triangle))[:3]
                u, v = points[1] - points[0], points[2] - points[0]
                if u[0] * v[1] - u[1] * v[0] > 1e-7:
                    corners.append([(x, y, patch.height(float(x), float(y))) for x, y in points])
        return cls(snap(np.array(corners, dtype=np.float64).reshape(-1, 3, 3)))

    @cached_property
    def facets(self) -> Facets:
        """The index of the facets."""
        return Facets(self.corners, 12.0)

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """e0, n0, e1, n1 of all facets, metres."""
        low, high = self.corners[:, :, :2].min(axis=(0, 1)), self.corners[:, :, :2].max(axis=(0, 1))
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def facet(self, xy: ArrayLike) -> NDArray[np.int64]:
        """(N, 2) -> (N,) the facet at each place; places outside the bounds are moved to their edge."""
        e0, n0, e1, n1 = self.bounds
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        inside = np.clip(points, (e0 + 1e-6, n0 + 1e-6), (e1 - 1e-6, n1 - 1e-6))
        found, _ = self.facets.locate(inside)
        lost = np.flatnonzero(found < 0)  # slits between patches, far thinner than a lattice step
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (4, 4), (-4, -4)):
            if not len(lost):
                break
            found[lost], _ = self.facets.locate(inside[lost] + np.array([dx, dy]) / LATTICE)
            lost = lost[found[lost] < 0]
        return np.maximum(found, 0)

    def on(self, facet: NDArray[np.int64], xy: ArrayLike) -> NDArray[np.float64]:
        """(N,) facets and (N, 2) places -> (N,) metres: the height of the facet's plane there."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        a, b, c = (self.corners[facet, k] for k in range(3))
        u, v, p = b - a, c - a, points - a[:, :2]
        area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
        s = (p[:, 0] * v[:, 1] - p[:, 1] * v[:, 0]) / area
        t = (u[:, 0] * p[:, 1] - u[:, 1] * p[:, 0]) / area
        z: NDArray[np.float64] = a[:, 2] + s * u[:, 2] + t * v[:, 2]
        return z

    def heights(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) local metres -> (N,) metres. On a cliff's edge either side may answer."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        return self.on(self.facet(points), points)

    def height(self, x: float, y: float) -> float:
        """Metres at one place."""
        return float(self.heights([(x, y)])[0])

    @cached_property
    def _edges(self) -> tuple[list[LineString], NDArray[np.int64]]:
        """Edges at which the ground bends or steps, and for every facet the number of the plane piece it is part of."""
        keys = np.round(self.corners[:, :, :2] * LATTICE).astype(np.int64)
        sides: dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, int]]] = {}
        for t, ring in enumerate(keys.tolist()):
            for k in range(3):
                a, b = tuple(ring[k]), tuple(ring[(k + 1) % 3])
                sides.setdefault((min(a, b), max(a, b)), []).append((t, (k + 2) % 3))
        kept, joined = [], nx.Graph()
        joined.add_nodes_from(range(len(self.corners)))
        pairs = np.array([(o[0][0], o[1][0]) for o in sides.values() if len(o) == 2], dtype=np.int64).reshape(-1, 2)
        bend = np.maximum(self._off(pairs[:, 0], pairs[:, 1]), self._off(pairs[:, 1], pairs[:, 0]))
        flat = {(t, other) for (t, other), off in zip(pairs.tolist(), bend.tolist(), strict=True) if off < FLAT}
        for (a, b), owners in sorted(sides.items()):
            if len(owners) == 2 and (owners[0][0], owners[1][0]) in flat:
                joined.add_edge(owners[0][0], owners[1][0])
                continue
            kept.append(LineString([np.array(a) / LATTICE, np.array(b) / LATTICE]))
        plane = np.zeros(len(self.corners), dtype=np.int64)
        for number, part in enumerate(sorted(nx.connected_components(joined), key=min)):
            plane[sorted(part)] = number
        return kept, plane

    def _off(self, facet: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.float64]:
        """(N,) how far the corners of the facets `other` leave the planes of the facets `facet`, metres."""
        points = self.corners[other].reshape(-1, 3)
        off: NDArray[np.float64] = np.abs(self.on(np.repeat(facet, 3), points[:, :2]) - points[:, 2])
        return off.reshape(-1, 3).max(axis=1)

    @property
    def creases(self) -> list[LineString]:
        """All edges at which the ground bends or steps; between them it is plane."""
        return self._edges[0]

    def plane(self, xy: ArrayLike) -> NDArray[np.int64]:
        """(N, 2) -> (N,) numbers of the plane pieces at places; creases part them."""
        return self._edges[1][self.facet(xy)]

    def cliffs(self, least: float) -> list[Cliff]:
        """The edges at which the ground steps by more than `least` metres, in a fixed order."""
        merged = shapely.unary_union(self.creases, grid_size=1.0 / LATTICE)
        parts = [p for p in shapely.get_parts(shapely.line_merge(merged)) if p.length > 0.05]
        edges = sorted(_straight(parts), key=lambda p: tuple(np.ravel(p.coords)))
        rows = [_samples(np.asarray(edge.coords)[:, :2]) for edge in edges]
        if not rows:
            return []
        start, end = np.concatenate([r[:-1] for r in rows]), np.concatenate([r[1:] for r in rows])
        u = end - start
        normal = np.column_stack([-u[:, 1], u[:, 0]]) * (ASIDE / np.maximum(np.hypot(*u.T), 1e-9))[:, None]
        middle = (start + end) / 2
        left, right = self.facet(middle + normal), self.facet(middle - normal)
        zl = np.column_stack([self.on(left, start), self.on(left, end)])
        zr = np.column_stack([self.on(right, start), self.on(right, end)])
        found: list[Cliff] = []
        at = 0
        for row in rows:
            span = slice(at, at + len(row) - 1)
            at += len(row) - 1
            found += _steps(row, zl[span], zr[span], least)
        return found


def _samples(ends: NDArray[np.float64]) -> NDArray[np.float64]:
    count = max(int(np.ceil(np.hypot(*(ends[1] - ends[0])) / SAMPLE)), 1)
    return ends[0] + (ends[1] - ends[0]) * (np.arange(count + 1)[:, None] / count)


def _steps(
    points: NDArray[np.float64], zl: NDArray[np.float64], zr: NDArray[np.float64], least: float
) -> Iterable[Cliff]:
    """Cliffs along one straight edge, whose pieces have the heights zl (N, 2) on their left and zr on their right."""
    step = (zl - zr).mean(axis=1)
    for sign in (1.0, -1.0):
        steep = sign * step > least
        edge = np.flatnonzero(np.diff(np.concatenate([[False], steep, [False]]).astype(int)))
        for first, last in zip(edge[::2].tolist(), edge[1::2].tolist(), strict=True):
            upper, lower = (zl, zr) if sign > 0 else (zr, zl)
            high = np.append(upper[first:last, 0], upper[last - 1, 1])
            low = np.append(lower[first:last, 0], lower[last - 1, 1])
            part = points[first : last + 1]
            yield Cliff(part, low, high) if sign > 0 else Cliff(part[::-1], low[::-1], high[::-1])


def _straight(parts: Iterable[LineString]) -> list[LineString]:
    """Lines cut at their corners."""
    return [
        LineString([a, b])
        for part in parts
        for a, b in zip(part.coords[:-1], part.coords[1:], strict=True)
        if np.hypot(b[0] - a[0], b[1] - a[1]) > 0.02
    ]
