"""GeometryArena: the clusters of all tiles loaded so far, in flat arrays that grow."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk
from citysim.render.raster.clusters import cut
from citysim.render.raster.layout import VARIED_COLOR, Array, Geometry


class GrowingArray:
    """A numpy array with room to grow by doubling; rows once written keep their place."""

    def __init__(self, shape: tuple[int, ...], dtype: type) -> None:
        self.store: Array = np.zeros((1024, *shape), dtype=dtype)
        self.size = 0

    def append(self, rows: Array) -> int:
        """Add rows at the end; returns where they begin."""
        first, self.size = self.size, self.size + len(rows)
        if self.size > len(self.store):
            grown = np.zeros((max(self.size, 2 * len(self.store)), *self.store.shape[1:]), dtype=self.store.dtype)
            grown[:first] = self.store[:first]
            self.store = grown
        self.store[first : self.size] = rows
        return first


class GeometryArena:
    """`range_of(tile)` is where a tile's clusters are; `geometry` is what kernels read."""

    def __init__(self, material_flags: NDArray[np.uint8]) -> None:
        self._material_flags = material_flags
        self._ranges: dict[int, tuple[int, int]] = {}
        self._boxes = GrowingArray((6,), np.float32)
        self._cluster_vertices = GrowingArray((2,), np.int32)
        self._cluster_triangles = GrowingArray((2,), np.int32)
        self._xyz = [GrowingArray((), np.float32) for _ in range(3)]
        self._uv = [GrowingArray((), np.float32) for _ in range(2)]
        self._colors = GrowingArray((4,), np.uint8)
        self._corners = GrowingArray((3,), np.uint16)
        self._materials = GrowingArray((), np.int32)
        self._labels = GrowingArray((), np.int32)
        self._flags = GrowingArray((), np.uint8)
        self.geometry = self._snapshot()

    @property
    def cluster_count(self) -> int:
        """Clusters loaded so far."""
        return self._boxes.size

    @property
    def triangle_count(self) -> int:
        """Triangles loaded so far."""
        return self._labels.size

    def loaded(self, tile: int) -> bool:
        """Whether the tile's triangles are here already."""
        return tile in self._ranges

    def range_of(self, tile: int) -> tuple[int, int]:
        """First cluster and number of clusters of a loaded tile."""
        return self._ranges[tile]

    def add(self, tile: int, chunk: Chunk) -> None:
        """Cut one tile's chunk into clusters and append them."""
        made = cut(chunk)
        first = self._boxes.append(made.boxes)
        vertex = self._xyz[0].append(made.positions[:, 0])
        triangle = self._corners.append(made.corners)
        for axis in (1, 2):
            self._xyz[axis].append(made.positions[:, axis])
        for axis in (0, 1):
            self._uv[axis].append(made.uvs[:, axis])
        self._colors.append(made.colors)
        self._cluster_vertices.append(made.cluster_vertices + np.array([vertex, 0], dtype=np.int32))
        self._cluster_triangles.append(made.cluster_triangles + np.array([triangle, 0], dtype=np.int32))
        materials = np.clip(chunk.materials[made.source], 0, len(self._material_flags) - 1)
        flags = self._material_flags[materials] | np.where(made.varied, VARIED_COLOR, 0).astype(np.uint8)
        self._materials.append(materials)
        self._labels.append(chunk.labels[made.source])
        self._flags.append(flags)
        self._ranges[tile] = (first, len(made.boxes))
        self.geometry = self._snapshot()

    def _snapshot(self) -> Geometry:
        return Geometry(
            self._boxes.store,
            self._cluster_vertices.store,
            self._cluster_triangles.store,
            self._xyz[0].store,
            self._xyz[1].store,
            self._xyz[2].store,
            self._uv[0].store,
            self._uv[1].store,
            self._colors.store,
            self._corners.store,
            self._materials.store,
            self._labels.store,
            self._flags.store,
        )
