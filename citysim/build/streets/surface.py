"""GroundSurface: the triangles of the ground, and the answers about heights and uses that all other builders ask."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.facets import Facets
from citysim.build.streets.terrain import Terrain


class GroundSurface:
    """Implements citysim.build.draft.Ground on the very triangles that are drawn and walked on.

    corners (T, 3, 3) float64 local metres, counter-clockwise from above, not overlapping; label (T,) index into
    `names`. Where there are no triangles (below buildings, outside) heights are the terrain's.
    """

    def __init__(
        self, corners: NDArray[np.float64], label: NDArray[np.int64], names: Sequence[str], terrain: Terrain
    ) -> None:
        self.corners, self.label, self.names, self.terrain = corners, label, tuple(names), terrain
        self.facets = Facets(corners)
        self.ids: NDArray[np.int64] = np.zeros(len(corners), dtype=np.int64)  # objects, once they are known

    def locate(self, xy: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """(N, 2) -> triangle indexes (N,), -1 where there is none, and barycentric coordinates (N, 3)."""
        return self.facets.locate(xy)

    def height(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) local metres -> (N,) metres: the ground surface (not bridges, not tunnels below)."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        triangle, weights = self.locate(points)
        z = (self.corners[triangle, :, 2] * weights).sum(axis=1) if len(self.corners) else np.zeros(len(points))
        off = np.flatnonzero(triangle < 0)
        if len(off):
            z[off] = self.terrain.height(points[off])
        return z

    def owner(self, xy: ArrayLike) -> NDArray[np.int64]:
        """(N, 2) -> (N,) the object whose ground is there (a street, a crossing, a park), 0 for none."""
        triangle, _ = self.locate(xy)
        found = np.zeros(len(triangle), dtype=np.int64)
        found[triangle >= 0] = self.ids[triangle[triangle >= 0]]
        return found

    def region(self, xy: ArrayLike) -> list[str]:
        """(N, 2) -> N names: carriageway, crossing, pavement, square, park, water, ...; "building" where none."""
        triangle, _ = self.locate(xy)
        return [self.names[self.label[t]].split("/")[0] if t >= 0 else "building" for t in triangle.tolist()]
