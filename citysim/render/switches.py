"""Switches: surfaces that show one of several pictures, by the state of their object.

A material whose name ends in `#` and a number has a texture with so many pictures of equal width side by side; its
triangles are mapped to the first one.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import Material

_COUNT = re.compile(r"#([2-9]|[1-5][0-9]|6[0-4])$")  # 2 to 64


class Switch(NamedTuple):
    """The vertices of one tile that move over to another picture."""

    vertices: NDArray[np.int64]  # (N,)
    labels: NDArray[np.int32]  # (N,) their objects
    counts: NDArray[np.int32]  # (N,) pictures side by side
    first: NDArray[np.float32]  # (N,) u of the first picture

    def u(self, states: Mapping[int, int] | None) -> NDArray[np.float32]:
        """(N,) float32 texture coordinate of each vertex; states beyond the last picture begin again."""
        if not states:
            return self.first
        state = np.array([states.get(label, 0) for label in self.labels.tolist()], dtype=np.int64) % self.counts
        return (self.first + state / self.counts).astype(np.float32)

    def of(self, label: int) -> "Switch":
        """What of it belongs to one object."""
        mine = self.labels == label
        return Switch(self.vertices[mine], self.labels[mine], self.counts[mine], self.first[mine])

    def u_at(self, state: int) -> NDArray[np.float32]:
        """(N,) float32, as `u` where all objects are in one state."""
        return (self.first + np.int64(state) % self.counts / self.counts).astype(np.float32)


def picture_counts(materials: Sequence[Material]) -> NDArray[np.int32]:
    """(M + 1,) how many pictures each material's texture has, 1 for most, and for the white one after the last."""
    found = [_COUNT.search(material.name) for material in materials]
    return np.array([*(int(m[1]) if m else 1 for m in found), 1], dtype=np.int32)


def same(a: Mapping[int, int] | None, b: Mapping[int, int] | None) -> bool:
    """Whether two views ask for the same states."""
    return a is b or (a or {}) == (b or {})
