"""A polyline to be followed: where on it a body is, and how far a planned walk strays from it."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STRAIGHT_M = 0.1


class Path:
    """A polyline (N, 3) by arc length, horizontal for steering, with heights to tell levels apart."""

    def __init__(self, points: Array) -> None:
        self.points = _simplified(points)
        step = np.diff(self.points[:, :2], axis=0)
        self._size = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-9)
        self._unit = step / self._size[:, None]
        self._at = np.r_[0.0, np.cumsum(self._size)]
        self.length = float(self._at[-1])

    def locate(self, point: Array, around: float, before: float = 6.0, after: float = 25.0) -> tuple[float, float]:
        """(arc length, distance) of the place nearest to a point (3,) within a window around an arc length.

        A height difference counts five times: on a bridge that crosses its own approach only the level decides.
        """
        first = max(0, int(np.searchsorted(self._at, around - before, side="right")) - 1)
        last = min(len(self._size), int(np.searchsorted(self._at, around + after, side="left")))
        part = slice(first, max(last, first + 1))
        a, b = self.points[:-1][part], self.points[1:][part]
        offset = point[:2] - a[:, :2]
        along = np.clip((offset * self._unit[part]).sum(axis=1), 0.0, self._size[part])
        near = a[:, :2] + along[:, None] * self._unit[part]
        height = a[:, 2] + along / self._size[part] * (b[:, 2] - a[:, 2])
        away = np.hypot(*(near - point[:2]).T)
        best = int(np.argmin(np.hypot(away, 5.0 * (height - point[2]))))
        return float(self._at[:-1][part][best] + along[best]), float(away[best])

    def along(self, start: float, end: float) -> tuple[Array, Array, Array]:
        """The part between two arc lengths as segments: start (M, 2), unit direction (M, 2), length (M,)."""
        first = max(0, int(np.searchsorted(self._at, start, side="right")) - 1)
        last = max(first + 1, min(len(self._size), int(np.searchsorted(self._at, end, side="left"))))
        return self.points[first:last, :2], self._unit[first:last], self._size[first:last]

    def points_at(self, where: Array) -> Array:
        """(N, 3) points at (N,) arc lengths, held at the ends."""
        return np.stack([np.interp(where, self._at, self.points[:, k]) for k in range(3)], axis=1)

    def point_at(self, where: float) -> Array:
        """The point (3,) at an arc length, held at the ends."""
        return self.points_at(np.array([where]))[0]

    def start_of(self, where: float) -> float:
        """Arc length of the corner at or before an arc length."""
        return float(self._at[max(0, int(np.searchsorted(self._at, where, side="right")) - 1)])


def _simplified(points: Array) -> Array:
    """The polyline without points that lie within STRAIGHT_M of the line between their neighbours (Douglas-Peucker)."""
    keep, left = {0, len(points) - 1}, [(0, len(points) - 1)]
    while left:
        a, b = left.pop()
        if b - a < 2:
            continue
        step, offset = points[b] - points[a], points[a + 1 : b] - points[a]
        share = np.clip(offset @ step / max(float(step @ step), 1e-12), 0.0, 1.0)
        away = np.linalg.norm(offset - share[:, None] * step, axis=1)
        middle = int(np.argmax(away)) + a + 1
        if away[middle - a - 1] > STRAIGHT_M:
            keep.add(middle)
            left += [(a, middle), (middle, b)]
    return points[sorted(keep)] if len(keep) > 1 else np.repeat(points[:1], 2, axis=0)
