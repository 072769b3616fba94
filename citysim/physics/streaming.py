"""ChunkStream: hands a collision space the finest chunks around each query before the query is answered."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from citysim.city import City

AHEAD_M = 64.0
EXPECT_M = 192.0  # read ahead, not yet built, this far out
MOST_TRIANGLES = 1_500_000
SOFT = frozenset({"foliage"})
"""Last parts of the names of materials that give way: leaves neither stop nor carry anybody."""

AddMesh = Callable[[NDArray[np.float64], NDArray[np.float32], NDArray[np.int32]], int]
DropMesh = Callable[[int], None]


class ChunkStream:
    """Loads what a query could touch and a margin around it.

    A query is always answered against the complete finest level, whatever was asked before: loading is a matter of
    cost alone, never of results. `add` takes a chunk's solid triangles and returns the id by which `drop`, where a
    space can forget, takes them out again: above `most_triangles` those farthest from the query go.
    """

    def __init__(
        self, city: City, add: AddMesh, drop: DropMesh | None = None, *, most_triangles: int = MOST_TRIANGLES
    ) -> None:
        self._city, self._add, self._drop, self._most = city, add, drop, most_triangles
        self._solid = np.array([m.name.rpartition("/")[2] not in SOFT for m in city.materials], dtype=bool)
        self._tiles = np.array(city.finest, dtype=np.int64)
        self._centers = np.array([city.tiles[t].center[:2] for t in city.finest]).reshape(-1, 2)
        self._radii = np.array([city.tiles[t].radius for t in city.finest])
        self._ids = np.full(len(self._tiles), -1, dtype=np.int64)  # -1: not loaded
        self._sizes = np.zeros(len(self._tiles), dtype=np.int64)
        self._expected = np.zeros(len(self._tiles), dtype=bool)
        self._window = (math.inf, math.inf, -math.inf, -math.inf)

    @property
    def triangles(self) -> int:
        """Triangles loaded now."""
        return int(self._sizes.sum())

    @property
    def window(self) -> tuple[float, float, float, float]:
        """East and north bounds of the rectangle last loaded whole."""
        return self._window

    def ensure(self, east0: float, north0: float, east1: float, north1: float) -> None:
        """Load every finest chunk that reaches into the rectangle; raises SimulationFault when one cannot be had."""
        window = self._window
        if window[0] <= east0 and window[1] <= north0 and east1 <= window[2] and north1 <= window[3]:
            return
        low = np.array([east0 - AHEAD_M, north0 - AHEAD_M])
        high = np.array([east1 + AHEAD_M, north1 + AHEAD_M])
        gap = np.maximum(low - self._centers, 0.0) + np.maximum(self._centers - high, 0.0)
        # Tile spheres bound decoded float32 positions; a millimetre absorbs their rounding.
        away = np.hypot(gap[:, 0], gap[:, 1]) - self._radii - 1e-3
        for row in np.flatnonzero((away <= 0.0) & (self._ids < 0)):
            chunk = self._city.chunk(int(self._tiles[row]))
            triangles = chunk.triangles[self._solid[chunk.materials]]
            self._ids[row] = self._add(chunk.origin, chunk.positions, triangles)
            self._sizes[row] = len(triangles)
        self._window = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        self._forget(away)
        soon = (away <= EXPECT_M) & (self._ids < 0)
        self._city.expect(self._tiles[soon & ~self._expected].tolist())
        self._expected = soon

    def _forget(self, away: NDArray[np.float64]) -> None:
        """Take out the chunks farthest outside the window until half of what is allowed is left."""
        if self._drop is None or self._sizes.sum() <= self._most:
            return
        loaded = np.flatnonzero((away > 0.0) & (self._ids >= 0))
        total = int(self._sizes.sum())
        for row in loaded[np.argsort(-away[loaded], kind="stable")]:
            if total <= self._most // 2:
                break
            self._drop(int(self._ids[row]))
            total -= int(self._sizes[row])
            self._ids[row], self._sizes[row] = -1, 0
