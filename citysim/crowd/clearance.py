"""Clearance: how wide people may walk on each line of the network, measured on what is built there.

A line of the network is free for one body; beside it stand walls, lamp posts and stalls, and decks end. Every half
metre of a line asks the triangles for the nearest thing that is higher than a step, and for ground at the line's
height, and keeps the narrower side for both.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.crowd.kinds import half_width
from citysim.geometry.bvh import soup
from citysim.geometry.bvhcache import cached_bvh
from citysim.geometry.contacts import contact
from citysim.geometry.gather import load_triangle, triangles_in_box
from citysim.geometry.jit import kernel
from citysim.geometry.rays import closest_hits
from citysim.geometry.scene import TriangleScene
from citysim.geometry.tables import Tables

SPACING_M = 0.5
NARROWEST_M = 0.4  # two just pass each other; their centres stay where the network's lines are known to be free
KEPT_M = 0.05  # from what stands there
STEP_M, HEAD_M = 0.35, 1.7  # what reaches into this band above the line is in the way
DROP_M = 0.45
SIDES_M = (0.5, 0.6, 0.8, 1.0, 1.2, 1.4)
WINDOW_M = 192.0
SOFT = "foliage"
MOST_NEAR = 4096


class Clearance(NamedTuple):
    """Half widths along all lines: those of edge e are `half[first[e]:first[e + 1]]`, evenly spaced from end to end.

    half (K,) float64 metres to each side; first (E + 1,) int64; shut (2, E) bool: whether something stands so near
    beyond the first and last point that the way must not be rounded there
    """

    half: NDArray[np.float64]
    first: NDArray[np.int64]
    shut: NDArray[np.bool_]

    def least(self, edge: int, begin: float, end: float) -> float:
        """The least half width between two shares of an edge's length in the plane, neighbours included."""
        values = self.half[self.first[edge] : self.first[edge + 1]]
        last = len(values) - 1
        low, high = max(math.floor(begin * last), 0), min(math.ceil(end * last), last)
        return float(values[low : high + 1].min())


def shares_of(line: NDArray[np.float64]) -> NDArray[np.float64]:
    """(P,) where the points of a line lie, as shares of its length in the plane, from 0 to 1."""
    at = _lengths(line)[1]
    return at / at[-1] if at[-1] > 0.0 else np.linspace(0.0, 1.0, len(line))


def full_width(network: Any) -> Clearance:
    """The usual widths of all kinds of edges, whatever stands there."""
    counts = [_count(_lengths(edge.line)[1]) for edge in network.edges]
    usual = np.array([half_width(edge.attributes.get("FeatureType")) for edge in network.edges], dtype=np.float64)
    first = np.cumsum([0, *counts])
    return Clearance(np.repeat(usual, counts), first, np.zeros((2, len(counts)), dtype=np.bool_))


def measured(city: City) -> Clearance:
    """The widths that a city's triangles leave; seconds for a large city."""
    points, units, first, usual = _samples(city.network)
    half, shut, outwards = usual.copy(), np.zeros(len(usual), dtype=np.bool_), np.zeros(len(usual))
    outwards[first[:-1]], outwards[first[1:] - 1] = -1.0, 1.0
    for scene, rows in windows(city, points):
        tables = scene.tables
        _beside(tables, points, units, outwards, rows, half, shut)
        _onto_ground(tables, points, units, rows, half)
    half = np.minimum(np.maximum(half, NARROWEST_M), usual)
    return Clearance(half, first, np.stack([shut[first[:-1]], shut[first[1:] - 1]]))


def _samples(
    network: Any,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """(K, 3) points, (K, 3) direction in the plane and slope, (E + 1,) first of each edge, (K,) usual half widths."""
    points, units, counts, usual = [], [], [0], []
    for edge in network.edges:
        length, at = _lengths(edge.line)
        step, count = edge.line[1:] - edge.line[:-1], _count(at)
        wanted = np.linspace(0.0, at[-1], count)
        points.append(np.column_stack([np.interp(wanted, at, edge.line[:, c]) for c in range(3)]))
        leg = np.clip(np.searchsorted(at, wanted, side="right") - 1, 0, len(step) - 1)
        units.append(np.column_stack([step[leg, :2], step[leg, 2:]]) / np.maximum(length[leg], 1e-6)[:, None])
        counts.append(count)
        usual.append(np.full(count, half_width(edge.attributes.get("FeatureType"))))
    if not points:
        return np.empty((0, 3)), np.empty((0, 3)), np.zeros(1, np.int64), np.empty(0)
    return np.concatenate(points), np.concatenate(units), np.cumsum(counts), np.concatenate(usual)


def _lengths(line: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(P - 1,) metres of a line's pieces in the plane, and (P,) those before each of its points."""
    step = line[1:, :2] - line[:-1, :2]
    length = np.sqrt(step[:, 0] ** 2 + step[:, 1] ** 2)
    at = np.zeros(len(line))
    np.cumsum(length, out=at[1:])
    return length, at


def _count(at: NDArray[np.float64]) -> int:
    """Samples of a line."""
    return max(2, math.ceil(at[-1] / SPACING_M) + 1)


def windows(
    city: City, points: NDArray[np.float64], reach: float = 4.0
) -> Iterator[tuple[TriangleScene, NDArray[np.int64]]]:
    """Scenes with all solid triangles within `reach` metres of some of the points, and the numbers of those points."""
    soft = np.array([m.name.rpartition("/")[2] == SOFT for m in city.materials], dtype=bool)
    centers = np.array([city.tiles[t].center[:2] for t in city.finest]).reshape(-1, 2)
    radii = np.array([city.tiles[t].radius for t in city.finest])
    cells = np.floor(points[:, :2] / WINDOW_M).astype(np.int64)
    scene, slots = TriangleScene(), dict[int, int]()
    for cell in sorted(set(map(tuple, cells.tolist()))):
        rows = np.flatnonzero((cells == cell).all(axis=1))
        low, high = np.array(cell) * WINDOW_M - reach, (np.array(cell) + 1.0) * WINDOW_M + reach
        gap = np.maximum(low - centers, 0.0) + np.maximum(centers - high, 0.0)
        near = {city.finest[k] for k in np.flatnonzero(np.hypot(gap[:, 0], gap[:, 1]) <= radii)}
        for tile in sorted(set(slots) - near):
            scene.remove(slots.pop(tile))
        for tile in sorted(near - set(slots)):
            chunk = city.chunk(tile)
            solid = chunk.triangles[~soft[chunk.materials]]
            if len(solid):
                slots[tile] = scene.add(cached_bvh(np.asarray(chunk.origin), soup(chunk.positions, solid)))
        if len(scene):
            yield scene, rows


@kernel
def _beside(tables: Any, points: Any, units: Any, outwards: Any, rows: Any, half: Any, shut: Any) -> None:
    """Lower `half` (K,) to the distance beside the line of what stands there, for the points `rows`.

    Sets `shut` (K,) where it stands beyond an end: `outwards` (K,) is 1 at last points, -1 at first ones.
    """
    found, corners, normal, row = np.empty(MOST_NEAR, np.int32), np.empty(9), np.empty(3), np.empty(7)
    for r in range(rows.shape[0]):
        k = rows[r]
        x, y, z, reach = points[k, 0], points[k, 1], points[k, 2], half[k]
        low, high = z + STEP_M - 0.1, z + HEAD_M
        near = triangles_in_box(tables, np.array((x - reach, y - reach, low, x + reach, y + reach, high)), found)
        for t in range(min(near, MOST_NEAR)):
            load_triangle(tables, found[t], corners, normal)
            if not contact(x, y, low, high, 0.0, 1.5 * reach, corners, normal, row):
                continue
            dx, dy = row[4] - x, row[5] - y
            along, aside = dx * units[k, 0] + dy * units[k, 1], abs(dy * units[k, 0] - dx * units[k, 1])
            if row[6] < z + units[k, 2] * along + STEP_M - 0.05:
                continue
            if outwards[k] * along > 0.05 and dx * dx + dy * dy < reach * reach:
                shut[k] = True
            if abs(along) <= 0.3 + aside:
                half[k] = min(half[k], aside - KEPT_M)


def _onto_ground(tables: Tables, points: Any, units: Any, rows: Any, half: NDArray[np.float64]) -> None:
    """Lower `half` where there is no ground at the line's height further out."""
    at = points[rows]
    for (inner, outer), side in itertools.product(itertools.pairwise((NARROWEST_M, *SIDES_M)), (-1.0, 1.0)):
        shift = side * outer * np.column_stack([-units[rows, 1], units[rows, 0], np.zeros(len(rows))])
        starts = at + shift + [0.0, 0.0, 1.0]
        ends = at + shift - [0.0, 0.0, DROP_M]
        share = closest_hits(tables, starts, ends).share
        bad = ~(np.abs(1.0 - share * (1.0 + DROP_M)) <= DROP_M)
        half[rows[bad]] = np.minimum(half[rows[bad]], inner)
