"""Points as something that can be seen and touched: a small four-sided solid at each."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_SPLATS = 200_000
SIZES = (0.01, 0.5)  # metres from a point to its splat's corners, at least and at most
_NEAR = 2048  # points whose neighbours are looked up to learn how dense a cloud is
_CORNERS = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)], dtype=np.float64) / np.sqrt(3.0)
_FACES = np.array([(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)], dtype=np.int64)

Array = NDArray[np.float64]


def thinned(count: int) -> NDArray[np.int64] | None:
    """Which of `count` points are shown, evenly spread over their order; None for all of them."""
    if count <= MAX_SPLATS:
        return None
    return np.arange(MAX_SPLATS, dtype=np.int64) * count // MAX_SPLATS


def splats(points: Array) -> tuple[Array, NDArray[np.int64]]:
    """Corners (4 N, 3) and triangles (4 N, 3) of tetrahedra around (N, 3) points in metres, outside faces outwards.

    They reach as far as half the median distance of neighbours, within `SIZES`.
    """
    size = float(np.clip(_spacing(points) / 2.0, *SIZES))
    corners = (points[:, None, :] + _CORNERS * size).reshape(-1, 3)
    faces = (np.arange(len(points), dtype=np.int64)[:, None, None] * 4 + _FACES).reshape(-1, 3)
    return corners, faces


def _spacing(points: Array) -> float:
    """Median distance to the nearest other point, 0 for fewer than two."""
    from scipy.spatial import cKDTree

    if len(points) < 2:
        return 0.0
    sample = points[:: max(1, len(points) // _NEAR)]
    distances: NDArray[Any] = cKDTree(points).query(sample, k=2)[0][:, 1]
    return float(np.median(distances))
