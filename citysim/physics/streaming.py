"""ChunkStream: hands a collision space the finest chunks around each query before the query is answered."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from citysim.city import City

AHEAD_M = 64.0
SOFT = frozenset({"foliage"})
"""Last parts of the names of materials that give way: leaves neither stop nor carry anybody."""

AddMesh = Callable[[NDArray[np.float64], NDArray[np.float32], NDArray[np.int32]], None]


class ChunkStream:
    """Loads what a query could touch and a margin around it; what is once loaded stays.

    A query is always answered against the complete finest level, whatever was asked before: loading is a matter of
    cost alone, never of results.
    """

    def __init__(self, city: City, add: AddMesh) -> None:
        self._city, self._add = city, add
        self._solid = np.array([m.name.rpartition("/")[2] not in SOFT for m in city.materials], dtype=bool)
        self._waiting = list(city.finest)
        self._centers = np.array([city.tiles[t].center for t in self._waiting]).reshape(-1, 3)
        self._radii = np.array([city.tiles[t].radius for t in self._waiting])
        self._window = (math.inf, math.inf, -math.inf, -math.inf)

    def ensure(self, east0: float, north0: float, east1: float, north1: float) -> None:
        """Load every finest chunk that reaches into the rectangle; raises SimulationFault when one cannot be had."""
        window = self._window
        if window[0] <= east0 and window[1] <= north0 and east1 <= window[2] and north1 <= window[3]:
            return
        low = np.array([east0 - AHEAD_M, north0 - AHEAD_M])
        high = np.array([east1 + AHEAD_M, north1 + AHEAD_M])
        centers = self._centers[:, :2]
        gap = np.maximum(low - centers, 0.0) + np.maximum(centers - high, 0.0)
        # Tile spheres bound decoded float32 positions; a millimetre absorbs their rounding.
        reached = np.hypot(gap[:, 0], gap[:, 1]) <= self._radii + 1e-3
        for row in np.flatnonzero(reached):
            chunk = self._city.chunk(self._waiting[row])
            self._add(chunk.origin, chunk.positions, chunk.triangles[self._solid[chunk.materials]])
        keep = ~reached
        self._waiting = [tile for tile, stays in zip(self._waiting, keep, strict=True) if stays]
        self._centers, self._radii = self._centers[keep], self._radii[keep]
        self._window = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
