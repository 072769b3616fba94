"""Facets: triangles seen from above, and which of them lies at a place."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

BUCKET = 4.0  # metres
INSIDE = 1e-9  # least barycentric coordinate of a point that is inside
BATCH = 20_000  # points looked at together


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
        for first in range(0, len(points), BATCH):
            part = slice(first, first + BATCH)
            self._locate(points[part], found[part], weights[part])
        return found, weights

    def _locate(self, points: NDArray[np.float64], found: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
        """Fill in the answers for some points: the first triangle a point is inside, else the one it misses least."""
        i = ((points[:, 0] - self.west) // self.bucket).astype(np.int64)
        j = ((points[:, 1] - self.south) // self.bucket).astype(np.int64)
        inside = (i >= 0) & (j >= 0) & (i < self.columns) & (j < self.rows)
        place = np.where(inside, j * self.columns + i, 0)
        start = self.start[place]
        count = np.where(inside, self.start[place + 1] - start, 0)
        total = int(count.sum())
        if not total:
            return
        owner = np.repeat(np.arange(len(points)), count)
        before = np.cumsum(count) - count
        triangle = self.members[np.arange(total) - before[owner] + start[owner]]
        a, b, c = (self.corners[triangle, k, :2] for k in range(3))
        p = points[owner]
        w = np.stack([_cross(c - b, p - b), _cross(a - c, p - c), _cross(b - a, p - a)], axis=1)
        w /= _cross(b - a, c - a)[:, None]
        least = np.minimum(w.min(axis=1), INSIDE)  # whatever is inside counts alike, so that the first wins
        has = np.flatnonzero(count)
        best = np.maximum.reduceat(least, before[has])
        chosen = np.flatnonzero(least == np.repeat(best, count[has]))
        _, first = np.unique(owner[chosen], return_index=True)
        hit = chosen[first]
        hit = hit[least[hit] > -1e-6]
        found[owner[hit]], weights[owner[hit]] = triangle[hit], w[hit]


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    product: NDArray[np.float64] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return product
