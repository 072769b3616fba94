"""Random triangles, and slow answers to check quick ones by."""

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.bvh import build_bvh
from citysim.geometry.scene import TriangleScene

Array = NDArray[np.float64]


def random_soup(count: int, seed: int, *, size: float = 1.0, spread: float = 8.0) -> NDArray[np.float32]:
    """(T, 9) triangles of all shapes about the origin."""
    rng = np.random.default_rng(seed)
    middles = rng.uniform(-spread, spread, (count, 1, 3))
    scales = size * rng.uniform(0.05, 1.0, (count, 1, 3))
    corners: NDArray[np.float32] = (middles + scales * rng.normal(size=(count, 3, 3))).astype(np.float32)
    return corners.reshape(count, 9)


def scene_of(*soups: NDArray[np.float32], origin: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> TriangleScene:
    scene = TriangleScene()
    for soup in soups:
        scene.add(build_bvh(np.array(origin), soup))
    return scene


def brute_shares(corners: Array, starts: Array, ends: Array) -> Array:
    """Share of each segment at its first hit, inf for none (Moller and Trumbore 1997), whatever the order."""
    a, b, c = corners[:, 0:3], corners[:, 3:6], corners[:, 6:9]
    first = np.full(len(starts), np.inf)
    for row, (start, end) in enumerate(zip(starts, ends, strict=True)):
        d = end - start
        p = np.cross(d, c - a)
        det = ((b - a) * p).sum(axis=1)
        ok = np.abs(det) > 1e-14
        inverse = np.where(ok, 1.0 / np.where(ok, det, 1.0), 0.0)
        s = start - a
        q = np.cross(s, b - a)
        u, v, t = (s * p).sum(axis=1) * inverse, q @ d * inverse, ((c - a) * q).sum(axis=1) * inverse
        hit = ok & (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1)
        if hit.any():
            first[row] = t[hit].min()
    return first


def point_distances(points: Array, triangle: Array) -> Array:
    """(N,) distance of points to one triangle (3, 3): to its plane where they project inside, else to its edges."""
    a, b, c = triangle
    shares = np.linalg.lstsq(np.stack([b - a, c - a], axis=1), (points - a).T, rcond=None)[0].T
    inside = (shares >= 0).all(axis=1) & (shares.sum(axis=1) <= 1)
    normal = np.cross(b - a, c - a)
    nearest = np.where(inside, np.abs((points - a) @ normal / np.linalg.norm(normal)), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        share = np.clip((points - p) @ (q - p) / ((q - p) @ (q - p)), 0, 1)
        nearest = np.minimum(nearest, np.linalg.norm(points - (p + share[:, None] * (q - p)), axis=1))
    return nearest
