"""Bvh: the triangles of one chunk, ordered by a bounding-volume hierarchy."""

import hashlib
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LEAF_TRIANGLES = 4
_TWICE_LEAST_AREA = 2e-12  # m^2; thinner triangles have no usable normal
MOST_TRIANGLES = 1 << 27  # what a leaf's link can number


class Bvh(NamedTuple):
    """Flat arrays of one hierarchy; everything is in metres, boxes and bounds in the frame the origin is in.

    origin   (3,) float64
    corners  (T, 9) float32, the three corners of each triangle relative to the origin, leaf by leaf
    ids      (T,) int32, row of each triangle in the mesh it came from
    boxes    (N, 12) float32, of both children of each node, rounded outwards
    links    (N, 2) int32, see `treebuild.build_tree`
    root     link of the root: a node, or a leaf where there are few triangles
    bounds   (6,) float64, lower and upper corner
    key      SHA-256 of origin and triangles as they were given
    """

    origin: NDArray[np.float64]
    corners: NDArray[np.float32]
    ids: NDArray[np.int32]
    boxes: NDArray[np.float32]
    links: NDArray[np.int32]
    root: int
    bounds: NDArray[np.float64]
    key: str


def triangle_key(origin: NDArray[np.float64], corners: NDArray[np.float32]) -> str:
    """SHA-256 of an origin and (T, 9) float32 triangles: what a hierarchy depends on."""
    digest = hashlib.sha256(np.ascontiguousarray(origin, "<f8").tobytes())
    digest.update(np.ascontiguousarray(corners, "<f4").data)
    return digest.hexdigest()


def soup(positions: NDArray[np.float32], triangles: NDArray[np.int32]) -> NDArray[np.float32]:
    """(T, 9) float32 corners of (T, 3) triangles over (V, 3) positions."""
    return np.ascontiguousarray(positions[triangles].reshape(-1, 9), dtype=np.float32)


def build_bvh(origin: NDArray[np.float64], corners: NDArray[np.float32], key: str | None = None) -> Bvh:
    """The hierarchy over (T, 9) float32 corners relative to `origin`; triangles without area are left out.

    `key` is `triangle_key(origin, corners)` where it is known already.
    """
    from citysim.geometry.treebuild import build_tree

    origin = np.asarray(origin, dtype=np.float64).reshape(3)
    key = key if key is not None else triangle_key(origin, corners)
    points = corners.reshape(-1, 3, 3).astype(np.float64)
    doubled = np.linalg.norm(np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]), axis=1)
    ids = np.flatnonzero(doubled > _TWICE_LEAST_AREA).astype(np.int32)
    points = points[ids] + origin
    low, high = points.min(axis=1), points.max(axis=1)
    order, boxes, links, root = build_tree(low, high, LEAF_TRIANGLES)
    ids = ids[order]
    bounds = np.concatenate([low.min(axis=0), high.max(axis=0)]) if len(ids) else np.zeros(6)
    return Bvh(origin, np.ascontiguousarray(corners[ids]), ids, outwards(boxes), links.copy(), int(root), bounds, key)


def outwards(boxes: NDArray[np.float64]) -> NDArray[np.float32]:
    """(N, 6 k) float32 boxes that hold the given float64 ones: rounded, then grown by one unit in the last place."""
    rounded = boxes.astype(np.float32)
    for first in range(0, boxes.shape[1], 6):
        lower, upper = rounded[:, first : first + 3], rounded[:, first + 3 : first + 6]
        np.nextafter(lower, np.float32(-np.inf), out=lower)
        np.nextafter(upper, np.float32(np.inf), out=upper)
    return rounded
