"""Facets: triangles seen from above, and which of them lies at a place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

BUCKET = 4.0  # metres


class Facets:
    """An index over triangles in plan that do not overlap. corners (T, 3, 2 or 3) float64 metres, counter-clockwise."""

    def __init__(self, corners: NDArray[np.float64], bucket: float = BUCKET) -> None:
        self.corners, self.bucket = corners, bucket
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
        """(N, 2) -> triangle indexes (N,), -1 where there is none, and barycentric coordinates (N, 3)."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        found = np.full(len(points), -1, dtype=np.int64)
        weights = np.zeros((len(points), 3))
        best = np.full(len(points), -1e-6)
        i = ((points[:, 0] - self.west) // self.bucket).astype(np.int64)
        j = ((points[:, 1] - self.south) // self.bucket).astype(np.int64)
        inside = (i >= 0) & (j >= 0) & (i < self.columns) & (j < self.rows)
        place = np.where(inside, j * self.columns + i, 0)
        at, end = self.start[place], np.where(inside, self.start[place + 1], 0)
        todo = np.flatnonzero(at < end)
        while len(todo):
            triangle = self.members[at[todo]]
            a, b, c = (self.corners[triangle, k, :2] for k in range(3))
            p = points[todo]
            area = _cross(b - a, c - a)
            w = np.stack([_cross(c - b, p - b), _cross(a - c, p - c), _cross(b - a, p - a)], axis=1) / area[:, None]
            least = w.min(axis=1)
            better = least > best[todo]
            hit = todo[better]
            best[hit], found[hit], weights[hit] = least[better], triangle[better], w[better]
            at[todo] += 1
            todo = todo[(at[todo] < end[todo]) & (best[todo] < 1e-9)]
        return found, weights


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    product: NDArray[np.float64] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return product
