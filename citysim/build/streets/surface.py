"""GroundSurface: the triangles of the ground, and the answers about heights and uses that all other builders ask."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.streets.terrain import Terrain

BUCKET = 4.0  # metres


class GroundSurface:
    """Implements citysim.build.draft.Ground on the very triangles that are drawn and walked on.

    corners (T, 3, 3) float64 local metres, counter-clockwise from above, not overlapping; label (T,) index into
    `names`. Where there are no triangles (below buildings, outside) heights are the terrain's.
    """

    def __init__(
        self, corners: NDArray[np.float64], label: NDArray[np.int64], names: Sequence[str], terrain: Terrain
    ) -> None:
        self.corners, self.label, self.names, self.terrain = corners, label, tuple(names), terrain
        low = corners[:, :, :2].min(axis=1) if len(corners) else np.zeros((0, 2))
        high = corners[:, :, :2].max(axis=1) if len(corners) else np.zeros((0, 2))
        west, south = (low.min(axis=0) if len(low) else np.zeros(2)).tolist()
        self.west, self.south = float(west), float(south)
        first = ((low - (self.west, self.south)) // BUCKET).astype(np.int64)
        last = ((high - (self.west, self.south)) // BUCKET).astype(np.int64)
        columns, rows = (last.max(axis=0) + 1).tolist() if len(last) else (1, 1)
        self.columns, self.rows = int(columns), int(rows)
        span = last - first + 1
        count = span[:, 0] * span[:, 1]
        owner = np.repeat(np.arange(len(corners)), count)
        within = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
        i = first[owner, 0] + within % span[owner, 0]
        j = first[owner, 1] + within // span[owner, 0]
        bucket = j * self.columns + i
        order = np.argsort(bucket, kind="stable")
        self.members = owner[order]
        self.start = np.searchsorted(bucket[order], np.arange(self.columns * self.rows + 1))

    def locate(self, xy: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(N, 2) -> triangle indexes (N,), -1 where there is none, and barycentric coordinates (N, 3)."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        found = np.full(len(points), -1, dtype=np.int64)
        weights = np.zeros((len(points), 3))
        best = np.full(len(points), -1e-6)
        i = ((points[:, 0] - self.west) // BUCKET).astype(np.int64)
        j = ((points[:, 1] - self.south) // BUCKET).astype(np.int64)
        inside = (i >= 0) & (j >= 0) & (i < self.columns) & (j < self.rows)
        bucket = np.where(inside, j * self.columns + i, 0)
        at, end = self.start[bucket], np.where(inside, self.start[bucket + 1], 0)
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

    def height(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) local metres -> (N,) metres: the ground surface (not bridges, not tunnels below)."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        triangle, weights = self.locate(points)
        z = self.terrain.height(points)
        on = triangle >= 0
        z[on] = (self.corners[triangle[on], :, 2] * weights[on]).sum(axis=1)
        return z

    def region(self, xy: ArrayLike) -> list[str]:
        """(N, 2) -> N names: carriageway, crossing, pavement, square, park, water, ...; "building" where none."""
        triangle, _ = self.locate(xy)
        return [self.names[self.label[t]].split("/")[0] if t >= 0 else "building" for t in triangle.tolist()]


def _cross(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    product: NDArray[np.float64] = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    return product
