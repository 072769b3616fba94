"""Terrain: the smooth height of the ground before kerbs are cut into it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.terrain import Terrain as Relief


@dataclass(frozen=True)
class Terrain:
    """Heights on a square grid; z[j, i] belongs to (west + i * step, south + j * step), metres.

    Where the plan has a relief the grid's heights are added to it.
    """

    west: float
    south: float
    step: float
    z: NDArray[np.float64]  # (rows, columns)
    relief: Relief | None = None

    @classmethod
    def flat(
        cls, bounds: tuple[float, float, float, float], step: float = 2.5, relief: Relief | None = None
    ) -> "Terrain":
        """Ground as the relief has it, level at z = 0 without one; covers the bounds with two cells to spare."""
        columns = int(np.ceil((bounds[2] - bounds[0]) / step)) + 5
        rows = int(np.ceil((bounds[3] - bounds[1]) / step)) + 5
        return cls(bounds[0] - 2 * step, bounds[1] - 2 * step, step, np.zeros((rows, columns)), relief)

    def height(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) local metres -> (N,) metres."""
        added = self.added(xy)
        return added if self.relief is None else added + self.relief.heights(xy)

    def added(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) local metres -> (N,) metres: what the grid adds to the relief, bilinear."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        rows, columns = self.z.shape
        u = np.clip((points[:, 0] - self.west) / self.step, 0.0, columns - 1.001)
        v = np.clip((points[:, 1] - self.south) / self.step, 0.0, rows - 1.001)
        i, j = u.astype(np.int64), v.astype(np.int64)
        s, t = u - i, v - j
        low = self.z[j, i] * (1 - s) + self.z[j, i + 1] * s
        high = self.z[j + 1, i] * (1 - s) + self.z[j + 1, i + 1] * s
        answer: NDArray[np.float64] = low * (1 - t) + high * t
        return answer

    def range(self, x: float, y: float, size: float) -> float:
        """Highest minus lowest grid height in and around the square with its south-west corner at (x, y), metres."""
        i0, j0 = int((x - self.west) // self.step), int((y - self.south) // self.step)
        n = int(np.ceil(size / self.step)) + 1
        part = self.z[max(j0, 0) : max(j0 + n + 1, 1), max(i0, 0) : max(i0 + n + 1, 1)]
        return float(part.max() - part.min()) if part.size else 0.0
