"""Pairs of triangles that lie in one plane, look the same way and overlap: they would flicker."""

import numpy as np
import shapely
from numpy.typing import NDArray

from tests.build.proofs.solid import Solid

APART = 0.002  # metres between planes
LEAST = 0.004  # square metres of overlap that count: a hand's palm
SHRINK = 0.985  # triangles are made a little smaller, so that neighbours do not meet
THIN = 0.004  # metres: overlaps narrower than this are thinner than a pixel from anywhere


def overlapping_pairs(solid: Solid) -> list[tuple[int, int, float]]:
    """(triangle, triangle, shared area in square metres), largest first."""
    edges = solid.corners[:, [1, 2, 0]] - solid.corners
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1) / 2.0
    keep = np.flatnonzero((area > LEAST) & ~_beyond(solid))
    normals = solid.normals[keep]
    middles = solid.corners[keep].mean(axis=1)
    depth = (normals * middles).sum(axis=1)
    found: dict[tuple[int, int], float] = {}
    for turn, shift in ((0.0, 0.0), (0.0, 0.5), (0.5, 0.0), (0.5, 0.5)):
        key = np.column_stack([np.floor(normals * 100.0 + 0.5 + turn), np.floor(depth / APART / 2.0 + shift)])
        key = key.astype(np.int64)
        order = np.lexsort(key.T)
        rows = key[order]
        starts = np.flatnonzero(np.r_[True, (np.diff(rows, axis=0) != 0).any(axis=1)])
        for a, b in zip(starts, np.r_[starts[1:], len(order)], strict=True):
            if b - a > 1:
                _within(solid, keep[order[a:b]], found)
    return sorted(((i, j, shared) for (i, j), shared in found.items()), key=lambda row: (-row[2], row[0], row[1]))


def _beyond(solid: Solid) -> NDArray[np.bool_]:
    """Triangles at the rim of the map that face out of it: nobody can look at them."""
    e0, n0, e1, n1 = solid.city.bounds
    middle, way = solid.corners.mean(axis=1), solid.normals
    out = np.zeros(len(middle), dtype=bool)
    for axis, rim, sign in ((0, e0, -1.0), (0, e1, 1.0), (1, n0, -1.0), (1, n1, 1.0)):
        out |= (np.abs(middle[:, axis] - rim) < 0.1) & (way[:, axis] * sign > 0.99)
    return out


def _within(solid: Solid, numbers: NDArray[np.int64], found: dict[tuple[int, int], float]) -> None:
    """Overlaps among triangles of (nearly) one plane."""
    normal = solid.normals[numbers[0]]
    axis = int(np.abs(normal).argmax())
    flat = np.delete(solid.corners[numbers], axis, axis=2)
    flat = flat.mean(axis=1, keepdims=True) + (flat - flat.mean(axis=1, keepdims=True)) * SHRINK
    shapes = shapely.polygons(flat)
    valid = shapely.is_valid(shapes)
    shapes, numbers = shapes[valid], numbers[valid]
    pairs = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    pairs = pairs[:, pairs[0] < pairs[1]]
    if not pairs.shape[1]:
        return
    both = shapely.intersection(shapes[pairs[0]], shapes[pairs[1]])
    shared = shapely.area(both) / abs(normal[axis])
    wide = 2.0 * shared / np.maximum(shapely.length(both), 1e-9)
    some = np.flatnonzero((shared > LEAST) & (wide > THIN))
    pairs, shared, at = pairs[:, some], shared[some], shapely.get_coordinates(shapely.centroid(both[some]))
    first, second = numbers[pairs[0]], numbers[pairs[1]]
    gap = np.abs(_height(solid, first, axis, at) - _height(solid, second, axis, at)) * abs(normal[axis])
    for i, j, s, g in zip(first.tolist(), second.tolist(), shared.tolist(), gap.tolist(), strict=True):
        if g < APART:
            found[(min(i, j), max(i, j))] = s


def _height(solid: Solid, numbers: NDArray[np.int64], axis: int, at: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) coordinate along `axis` of triangles' planes at places (N, 2) of the other two coordinates."""
    corner, normal = solid.corners[numbers, 0], solid.normals[numbers]
    off = ((at - np.delete(corner, axis, axis=1)) * np.delete(normal, axis, axis=1)).sum(axis=1)
    height: NDArray[np.float64] = corner[:, axis] - off / normal[:, axis]
    return height
