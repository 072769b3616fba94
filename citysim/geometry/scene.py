"""TriangleScene: many hierarchies under one, meshes added and removed one at a time."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.geometry.bvh import MOST_TRIANGLES, Bvh, outwards
from citysim.geometry.tables import LINKS, Tables

Scalar = TypeVar("Scalar", bound=np.generic)

_LINE_BYTES = 64
_EMPTY = -1  # link of a leaf of no triangles


class TriangleScene:
    """Meshes copied into common arrays (their trees stay as they are), and a small tree over their bounds.

    One set of arrays under one root costs a ray a quarter less than a tree of trees; copying a chunk takes
    microseconds. Answers depend on the meshes alone, not on the order in which they came.
    """

    def __init__(self) -> None:
        self._meshes: dict[int, Bvh] = {}  # slot -> mesh
        self._links: dict[int, int] = {}  # slot -> link of its root in the common arrays
        self._slots = self._triangles = self._inner = 0
        self._corners = np.empty((0, 9), np.float32)
        self._owners, self._ids = np.empty(0, np.int32), np.empty(0, np.int32)
        self._nodes = np.empty((0, 16), np.float32)
        self._origins, self._ranks = np.empty((0, 3)), np.empty(0, np.int64)
        self._tables: Tables | None = None
        self._holes = False  # meshes were removed and the rest has not moved up yet

    def __len__(self) -> int:
        """Number of meshes."""
        return len(self._meshes)

    def add(self, mesh: Bvh) -> int:
        """Add a mesh; returns its slot, as in `Tables.owners`."""
        slot = self._slots
        self._slots += 1
        self._meshes[slot] = mesh
        self._append(slot, mesh)
        self._tables = None
        return slot

    def remove(self, slot: int) -> None:
        """Take a mesh out; raises InputError for a slot that holds none."""
        if slot not in self._meshes:
            raise InputError("the slot of a mesh in this scene", str(slot), "a slot returned by add")
        del self._meshes[slot]
        self._tables, self._holes = None, True

    @property
    def tables(self) -> Tables:
        """Arrays for the kernels; a later `add` or `remove` makes new ones and leaves these useless."""
        if self._tables is None:
            if self._holes:
                self._move_up()
            self._tables = self._joined()
        return self._tables

    def _move_up(self) -> None:
        self._holes = False
        self._links.clear()
        self._triangles = self._inner = 0
        for slot, mesh in self._meshes.items():
            self._append(slot, mesh)

    def _append(self, slot: int, mesh: Bvh) -> None:
        triangles, nodes = self._triangles, self._inner
        end, last = triangles + len(mesh.ids), nodes + len(mesh.boxes)
        if end >= MOST_TRIANGLES:
            raise InputError(f"fewer than {MOST_TRIANGLES} triangles in a scene", str(end), "a smaller area")
        self._corners, self._owners = _grown(self._corners, end), _grown(self._owners, end)
        self._ids = _grown(self._ids, end)
        self._nodes = _grown(self._nodes, last)
        self._origins, self._ranks = _grown(self._origins, slot + 1), _grown(self._ranks, slot + 1)
        self._corners[triangles:end], self._owners[triangles:end] = mesh.corners, slot
        self._ids[triangles:end] = mesh.ids
        self._nodes[nodes:last, :12] = mesh.boxes
        self._nodes.view(np.int32)[nodes:last, 12:14] = np.where(
            mesh.links >= 0, mesh.links + nodes, mesh.links - 8 * triangles
        )
        self._origins[slot] = mesh.origin
        self._ranks[slot] = np.int64(int(mesh.key[:12], 16))
        self._links[slot] = mesh.root + nodes if mesh.root >= 0 else mesh.root - 8 * triangles
        self._triangles, self._inner = end, last

    def _joined(self) -> Tables:
        from citysim.geometry.treebuild import build_tree

        slots = sorted(slot for slot, mesh in self._meshes.items() if len(mesh.ids))
        root = self._links[slots[0]] if len(slots) == 1 else _EMPTY
        last = first = self._inner
        if len(slots) > 1:
            bounds = np.stack([self._meshes[slot].bounds for slot in slots])
            order, boxes, links, _ = build_tree(bounds[:, :3].copy(), bounds[:, 3:].copy(), 1)
            last, root = first + len(boxes), first
            self._nodes = _grown(self._nodes, last)
            meshes = np.array([self._links[slot] for slot in slots], np.int32)[order]
            leaves = meshes[np.maximum((-1 - links) // 8, 0)]
            self._nodes[first:last, :12] = outwards(boxes)
            self._nodes.view(np.int32)[first:last, LINKS : LINKS + 2] = np.where(links >= 0, links + first, leaves)
        return Tables(
            self._corners[: self._triangles],
            self._owners[: self._triangles],
            self._ids[: self._triangles],
            self._nodes[:last],
            self._nodes.view(np.int32)[:last],
            self._origins[: self._slots],
            self._ranks[: self._slots],
            np.array([root], np.int32),
        )


def _grown(array: NDArray[Scalar], rows: int) -> NDArray[Scalar]:
    """The array, or a copy with room for at least `rows` rows that begins on a cache line: a node fills one."""
    if rows <= len(array):
        return array
    shape = (max(rows, 2 * len(array)), *array.shape[1:])
    size = int(np.prod(shape)) * array.itemsize
    raw = np.empty(size + _LINE_BYTES, np.uint8)
    start = -raw.ctypes.data % _LINE_BYTES
    larger: NDArray[Scalar] = raw[start : start + size].view(array.dtype).reshape(shape)
    larger[: len(array)] = array
    return larger
