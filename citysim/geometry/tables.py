"""Tables: what the kernels read of a scene."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

STACK = 192
"""Entries a traversal may hold: two trees of at most 64 levels above each other, and some to spare."""


class Tables(NamedTuple):
    """Flat arrays of all hierarchies of a scene under one root; metres.

    corners  (T, 9) float32, relative to the origin of the triangle's mesh
    owners   (T,) int32, row of that mesh in `origins` and `ranks`
    ids      (T,) int32, row of the triangle in its mesh
    boxes    (N, 12) float32 and links (N, 2) int32, see `treebuild.build_tree`
    origins  (M, 3) float64
    ranks    (M,) int64, from the mesh's content: which of two triangles at the same distance is named
    roots    (1,) int32, link of the root
    """

    corners: NDArray[np.float32]
    owners: NDArray[np.int32]
    ids: NDArray[np.int32]
    boxes: NDArray[np.float32]
    links: NDArray[np.int32]
    origins: NDArray[np.float64]
    ranks: NDArray[np.int64]
    roots: NDArray[np.int32]
