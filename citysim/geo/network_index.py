"""SegmentIndex: which line segments are near a point, in three dimensions."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

CELL_M = 8.0
PAD_M = 4.0  # every cell also lists what is this close to it: small searches read one cell


class SegmentIndex:
    """A hashed grid over horizontal cells; built in whole-array steps, asked in a few microseconds.

    start, end (S, 3) float64 local metres; at least one segment.
    """

    def __init__(self, start: Array, end: Array) -> None:
        self.start, self.end = start, end
        self.step = end - start
        self._flat2 = (self.step[:, :2] ** 2).sum(axis=1)
        self._full2 = (self.step**2).sum(axis=1)
        self._cells, self._members = _grid(start, end)
        xy = np.concatenate([start[:, :2], end[:, :2]])
        self._low, self._high = xy.min(axis=0), xy.max(axis=0)

    def near(self, x: float, y: float, radius: float) -> NDArray[np.int64]:
        """Ascending indexes of a superset of the segments within `radius` metres horizontally."""
        if radius <= PAD_M:
            span = self._cells.get((int(x // CELL_M), int(y // CELL_M)))
            return self._members[span[0] : span[1]] if span else self._members[:0]
        reach = radius - PAD_M
        x0, x1 = int((x - reach) // CELL_M), int((x + reach) // CELL_M)
        y0, y1 = int((y - reach) // CELL_M), int((y + reach) // CELL_M)
        if (x1 - x0 + 1) * (y1 - y0 + 1) > len(self._cells):
            return np.arange(len(self.start))
        spans = [self._cells.get((i, j)) for i in range(x0, x1 + 1) for j in range(y0, y1 + 1)]
        parts = [self._members[s[0] : s[1]] for s in spans if s]
        return np.unique(np.concatenate(parts)) if parts else self._members[:0]

    def farthest(self, x: float, y: float) -> float:
        """An upper bound of the horizontal distance from (x, y) to any segment, metres."""
        gap = np.maximum(np.abs(np.array([x, y]) - self._low), np.abs(np.array([x, y]) - self._high))
        return float(np.hypot(gap[0], gap[1])) + 1.0

    def gaps(self, point: ArrayLike, ids: NDArray[np.int64]) -> tuple[Array, Array]:
        """Horizontal and vertical distances (metres) from a point to segments, at their horizontally closest points."""
        offset = np.asarray(point, dtype=np.float64) - self.start[ids]
        step, flat2 = self.step[ids], self._flat2[ids]
        upright = flat2 < 1e-12  # a lift shaft: take the height in between instead
        share = (offset[:, 0] * step[:, 0] + offset[:, 1] * step[:, 1]) / np.where(upright, 1.0, flat2)
        if upright.any():
            rise = step[:, 2]
            share = np.where(upright, offset[:, 2] / np.where(rise == 0.0, 1.0, rise), share)
        share = np.minimum(np.maximum(share, 0.0), 1.0)
        gap = offset - share[:, None] * step
        return np.sqrt(gap[:, 0] ** 2 + gap[:, 1] ** 2), np.abs(gap[:, 2])

    def closest(self, point: ArrayLike, ids: NDArray[np.int64]) -> list[tuple[int, float, float]]:
        """The closest of `ids` in three dimensions: (segment, share along it in [0, 1], metres), equals in order."""
        offset = np.asarray(point, dtype=np.float64) - self.start[ids]
        step, full2 = self.step[ids], self._full2[ids]
        share = (offset * step).sum(axis=1) / np.where(full2 > 0.0, full2, 1.0)
        share = np.minimum(np.maximum(share, 0.0), 1.0)
        gap = offset - share[:, None] * step
        distance2 = (gap**2).sum(axis=1)
        equals = np.flatnonzero(distance2 <= distance2.min() * (1.0 + 1e-12))
        return [(int(ids[i]), float(share[i]), float(np.sqrt(distance2[i]))) for i in equals]


def _grid(start: Array, end: Array) -> tuple[dict[tuple[int, int], tuple[int, int]], NDArray[np.int64]]:
    length = np.hypot(*(end - start)[:, :2].T)
    count = np.maximum(1, np.ceil(length / CELL_M)).astype(np.int64)
    segment = np.repeat(np.arange(len(start)), count)
    place = np.arange(len(segment)) - np.repeat(np.cumsum(count) - count, count)
    step = (end - start)[segment, :2] / count[segment, None]
    a = start[segment, :2] + place[:, None] * step
    b = a + step
    low = np.floor((np.minimum(a, b) - PAD_M) / CELL_M).astype(np.int64)
    high = np.floor((np.maximum(a, b) + PAD_M) / CELL_M).astype(np.int64)
    nx, ny = (high - low + 1).T
    size = nx * ny
    piece = np.repeat(np.arange(len(size)), size)
    inside = np.arange(len(piece)) - np.repeat(np.cumsum(size) - size, size)
    ix, iy = low[piece, 0] + inside // ny[piece], low[piece, 1] + inside % ny[piece]
    rows = np.unique(np.stack([ix, iy, segment[piece]], axis=1), axis=0)
    first = np.flatnonzero(np.r_[True, (np.diff(rows[:, :2], axis=0) != 0).any(axis=1)])
    last = np.r_[first[1:], len(rows)]
    keys = rows[first, :2].tolist()
    cells = {(i, j): (f, t) for (i, j), f, t in zip(keys, first.tolist(), last.tolist(), strict=True)}
    return cells, np.ascontiguousarray(rows[:, 2])
