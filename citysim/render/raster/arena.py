"""GeometryArena: the clusters of the tiles in use, in flat arrays that grow and can be packed."""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk
from citysim.render.raster.clusters import Clusters, cut
from citysim.render.raster.layout import CORNER_BITS, CORNER_DOUBLE, DOUBLE_SIDED, VARIED_COLOR, Array, Geometry
from citysim.render.switches import Switch, same

SPARE = 8  # rows after the last one: kernels read eight at once


def packed_corners(corners: Array, flags: NDArray[np.uint8]) -> NDArray[np.int32]:
    """Geometry.corners of (T, 3) vertex indexes and (T,) triangle flags."""
    index = corners.astype(np.int32)
    double = np.where(flags & DOUBLE_SIDED, np.int32(CORNER_DOUBLE), np.int32(0))
    return index[:, 0] | (index[:, 1] << CORNER_BITS) | (index[:, 2] << 2 * CORNER_BITS) | double


class GrowingArray:
    """A numpy array with room to grow by doubling; rows keep their place until `keep` packs them."""

    def __init__(self, shape: tuple[int, ...], dtype: type) -> None:
        self.store: Array = np.zeros((1024, *shape), dtype=dtype)
        self.size = 0

    def append(self, rows: Array) -> int:
        """Add rows at the end; returns where they begin."""
        first = self.size
        self.reserve(len(rows))
        self.size += len(rows)
        self.store[first : self.size] = rows
        return first

    def has_room(self, count: int) -> bool:
        """Whether `reserve` would have nothing to do."""
        return self.size + count + SPARE <= len(self.store)

    def reserve(self, count: int) -> bool:
        """Have room for so many rows after the last one; whether `store` is another array now."""
        if self.has_room(count):
            return False
        needed = self.size + count + SPARE
        grown = np.zeros((max(needed, 2 * len(self.store)), *self.store.shape[1:]), dtype=self.store.dtype)
        grown[: len(self.store)] = self.store
        self.store = grown
        return True

    def keep(self, spans: Iterable[tuple[int, int]]) -> None:
        """Pack the rows of ascending (first, count) spans at the front, in place, and forget the others."""
        end = 0
        for first, count in spans:
            self.store[end : end + count] = self.store[first : first + count]
            end += count
        self.size = end

    @property
    def nbytes(self) -> int:
        """Bytes of the rows in use."""
        return self.size * int(self.store[:1].nbytes)


class _Span(NamedTuple):
    """Where a tile's rows begin, and how many there are."""

    cluster: int
    clusters: int
    vertex: int
    vertices: int
    triangle: int
    triangles: int


class GeometryArena:
    """`range_of(tile)` is where a tile's clusters are; `geometry` is what kernels read."""

    def __init__(self, material_flags: NDArray[np.uint8], pictures: NDArray[np.int32] | None = None) -> None:
        self._material_flags = material_flags
        self._pictures = pictures  # as `picture_counts` gives them
        self._switches: dict[int, Switch] = {}
        self._states: dict[int, int] = {}
        self._parts: dict[int, list[tuple[int, Switch]]] = {}  # object -> tiles with parts of it
        self._spans: dict[int, _Span] = {}
        self._boxes = GrowingArray((6,), np.float32)
        self._cluster_vertices = GrowingArray((2,), np.int32)
        self._cluster_triangles = GrowingArray((2,), np.int32)
        self._xyz = [GrowingArray((), np.float32) for _ in range(3)]
        self._uv = [GrowingArray((), np.float32) for _ in range(2)]
        self._colors = GrowingArray((4,), np.uint8)
        self._corners = GrowingArray((), np.int32)
        self._materials = GrowingArray((), np.int32)
        self._labels = GrowingArray((), np.int32)
        self._flags = GrowingArray((), np.uint8)
        self._by_cluster = (self._boxes, self._cluster_vertices, self._cluster_triangles)
        self._by_vertex = (*self._xyz, *self._uv, self._colors)
        self._by_triangle = (self._corners, self._materials, self._labels, self._flags)
        self._tail = (0, 0, 0)
        self.nbytes = 0  # in use
        self.geometry = self._snapshot()

    @property
    def cluster_count(self) -> int:
        """Clusters loaded so far, and in the tail."""
        return self._boxes.size + self._tail[0]

    @property
    def triangle_count(self) -> int:
        """Triangles loaded so far."""
        return self._labels.size

    def loaded(self, tile: int) -> bool:
        """Whether the tile's triangles are here already."""
        return tile in self._spans

    def range_of(self, tile: int) -> tuple[int, int]:
        """First cluster and number of clusters of a loaded tile."""
        return self._spans[tile][:2]

    def bytes_of(self, tile: int) -> int:
        """Bytes that a loaded tile takes."""
        span, total = self._spans[tile], 0
        for arrays, count in (
            (self._by_cluster, span.clusters),
            (self._by_vertex, span.vertices),
            (self._by_triangle, span.triangles),
        ):
            total += count * sum(int(array.store[:1].nbytes) for array in arrays)
        return total

    def keep(self, tiles: Collection[int]) -> None:
        """Forget all tiles but these; ranges change."""
        spans = sorted((self._spans[tile], tile) for tile in tiles if tile in self._spans)
        self._switches = {tile: switch for tile, switch in self._switches.items() if tile in tiles}
        self._parts = {}
        for tile in self._switches:
            self._sort_out(tile)
        self._spans = {}
        cluster = vertex = triangle = 0
        for span, tile in spans:
            rows = slice(span.cluster, span.cluster + span.clusters)
            self._cluster_vertices.store[rows, 0] += vertex - span.vertex
            self._cluster_triangles.store[rows, 0] += triangle - span.triangle
            self._spans[tile] = span._replace(cluster=cluster, vertex=vertex, triangle=triangle)
            cluster, vertex, triangle = cluster + span.clusters, vertex + span.vertices, triangle + span.triangles
        for array in self._by_cluster:
            array.keep((span.cluster, span.clusters) for span, _ in spans)
        for array in self._by_vertex:
            array.keep((span.vertex, span.vertices) for span, _ in spans)
        for array in self._by_triangle:
            array.keep((span.triangle, span.triangles) for span, _ in spans)
        self.geometry = self._snapshot()

    def add(self, tile: int, chunk: Chunk) -> None:
        """Cut one tile's chunk into clusters and append them."""
        made = cut(chunk)
        first = self._boxes.append(made.boxes)
        vertex = self._xyz[0].append(made.positions[:, 0])
        plain = max(len(self._material_flags) - 2, 0)  # the last one is of lamps, not of tiles
        materials = np.clip(chunk.materials[made.source], 0, plain)
        flags = self._material_flags[materials] | np.where(made.varied, VARIED_COLOR, 0).astype(np.uint8)
        triangle = self._corners.append(packed_corners(made.corners, flags))
        for axis in (1, 2):
            self._xyz[axis].append(made.positions[:, axis])
        for axis in (0, 1):
            self._uv[axis].append(made.uvs[:, axis])
        self._colors.append(made.colors)
        self._cluster_vertices.append(made.cluster_vertices + np.array([vertex, 0], dtype=np.int32))
        self._cluster_triangles.append(made.cluster_triangles + np.array([triangle, 0], dtype=np.int32))
        self._materials.append(materials)
        self._labels.append(chunk.labels[made.source])
        self._flags.append(flags)
        self._spans[tile] = _Span(first, len(made.boxes), vertex, len(made.positions), triangle, len(made.corners))
        self.geometry = self._snapshot()
        if self._pictures is not None and (self._pictures[materials] > 1).any():
            self._switches[tile] = _switch(made, materials, chunk.labels[made.source], self._pictures)
            self._sort_out(tile)
            switch = self._switches[tile]
            self._uv[0].store[vertex + switch.vertices] = switch.u(self._states)

    def switch(self, states: Mapping[int, int] | None) -> None:
        """Show the pictures of these states from now on."""
        if same(states, self._states):
            return
        before, self._states = self._states, dict(states or {})  # who asked may change his own
        for label, _ in before.items() ^ self._states.items():  # a few of a city's lights change at a time
            state = self._states.get(label, 0)
            for tile, switch in self._parts.get(label, ()):
                self._uv[0].store[self._spans[tile].vertex + switch.vertices] = switch.u_at(state)

    def _sort_out(self, tile: int) -> None:
        """Note which objects a tile has switches of."""
        switch = self._switches[tile]
        for label in np.unique(switch.labels).tolist():
            self._parts.setdefault(label, []).append((tile, switch.of(label)))

    def tail(self, clusters: int, vertices: int, triangles: int) -> tuple[int, int, int]:
        """Room behind everything, for what lives for one picture; where it begins. `clear_tail` gives it back."""
        used = self._tail
        self._tail = (used[0] + clusters, used[1] + vertices, used[2] + triangles)
        moved = False
        for arrays, count in zip((self._by_cluster, self._by_vertex, self._by_triangle), self._tail, strict=True):
            if not arrays[0].has_room(count):  # the others are as long
                for array in arrays:
                    moved |= array.reserve(count)
        if moved:
            self.geometry = self._snapshot()
        return self._boxes.size + used[0], self._xyz[0].size + used[1], self._labels.size + used[2]

    def clear_tail(self) -> None:
        """Forget what `tail` was asked for."""
        self._tail = (0, 0, 0)

    def _snapshot(self) -> Geometry:
        self.nbytes = sum(array.nbytes for array in (*self._by_cluster, *self._by_vertex, *self._by_triangle))
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


def _switch(
    made: Clusters, materials: NDArray[np.int32], labels: NDArray[np.int32], pictures: NDArray[np.int32]
) -> Switch:  # fmt: skip
    """What can be switched in a tile's clusters; vertices count from its first one."""
    chosen = np.flatnonzero(pictures[materials] > 1)
    owner = np.searchsorted(made.cluster_triangles[:, 0], chosen, side="right") - 1
    vertices = made.cluster_vertices[owner, 0][:, None] + made.corners[chosen].astype(np.int64)
    unique, first = np.unique(vertices, return_index=True)
    triangle = chosen[first // 3]
    return Switch(unique, labels[triangle], pictures[materials[triangle]], made.uvs[unique, 0].copy())
