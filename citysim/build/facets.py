"""Facets: triangles seen from above, and which of them lies at a place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.geometry.jit import kernel

BUCKET = 4.0  # metres
INSIDE = 1e-9  # least barycentric coordinate of a point that is inside
MISSED = -1e-6  # of one that is taken for inside


class Facets:
    """An index over triangles in plan that do not overlap. corners (T, 3, 2 or 3) float64 metres, counter-clockwise."""

    def __init__(self, corners: NDArray[np.float64], bucket: float = BUCKET) -> None:
        self.corners, self.bucket = corners, bucket
        self._plan = np.ascontiguousarray(corners[:, :, :2].reshape(-1, 3, 2))
        low = corners[:, :, :2].min(axis=1) if len(corners) else np.zeros((0, 2))
        high = corners[:, :, :2].max(axis=1) if len(corners) else np.zeros((0, 2))
        west, south = (low.min(axis=0) if len(low) else np.zeros(2)).tolist()
        self.west, self.south = float(west), float(south)
        first = ((low - (self.west, self.south)) // bucket).astype(np.int64)
        last = ((high - (self.west, self.south)) // bucket).astype(np.int64)
        columns, rows = (last.max(axis=0) + 1).tolist() if len(last) else (1, 1)
        self.columns, self.rows = int(columns), int(rows)
        span = last - first + 1
        count = span[:, 0] * span[:, 1]
        owner = np.repeat(np.arange(len(corners)), count)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
        i = first[owner, 0] + within % span[owner, 0]
        j = first[owner, 1] + within // span[owner, 0]
        place = j * self.columns + i
        order = np.argsort(place, kind="stable")
        self.members = owner[order]
        self.start = np.searchsorted(place[order], np.arange(self.columns * self.rows + 1))

    def locate(self, xy: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(N, 2) -> triangle indexes (N,), -1 where there is none, and barycentric coordinates (N, 3).

        The first triangle a point is inside, else the one it misses least, if by next to nothing.
        """
        points = np.ascontiguousarray(np.asarray(xy, dtype=np.float64).reshape(-1, 2))
        found = np.full(len(points), -1, dtype=np.int64)
        weights = np.zeros((len(points), 3))
        shape = (self.west, self.south, self.bucket, self.columns, self.rows)
        _locate(points, self._plan, self.start, self.members, shape, found, weights)
        return found, weights


@kernel
def _locate(
    points: NDArray[np.float64],
    corners: NDArray[np.float64],
    start: NDArray[np.int64],
    members: NDArray[np.int64],
    shape: tuple[float, float, float, int, int],
    found: NDArray[np.int64],
    weights: NDArray[np.float64],
) -> None:  # pragma: no cover - compiled
    """Fill in the answers for some points; corners (T, 3, 2)."""
    west, south, bucket, columns, rows = shape
    for k in range(len(points)):
        x, y = points[k, 0], points[k, 1]
        i, j = (x - west) // bucket, (y - south) // bucket
        if not (0 <= i < columns and 0 <= j < rows):
            continue
        place = int(j) * columns + int(i)
        best = -np.inf
        for m in range(start[place], start[place + 1]):
            t = members[m]
            ax, ay = corners[t, 0, 0], corners[t, 0, 1]
            bx, by = corners[t, 1, 0], corners[t, 1, 1]
            cx, cy = corners[t, 2, 0], corners[t, 2, 1]
            area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
            u = ((cx - bx) * (y - by) - (cy - by) * (x - bx)) / area
            v = ((ax - cx) * (y - cy) - (ay - cy) * (x - cx)) / area
            w = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
            least = min(u, v, w, INSIDE)  # whatever is inside counts alike, so that the first wins
            if least > best:
                best = least
                if least > MISSED:
                    found[k] = t
                    weights[k, 0], weights[k, 1], weights[k, 2] = u, v, w
