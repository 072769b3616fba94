"""Tables: what the kernels read of a scene."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

STACK = 192
"""Entries a traversal may hold: two trees of at most 64 levels above each other, and some to spare."""

LINKS = 12


class Tables(NamedTuple):
    """Flat arrays of all hierarchies of a scene under one root; metres.

    corners  (T, 9) float32, relative to the origin of the triangle's mesh
    owners   (T,) int32, row of that mesh in `origins` and `ranks`
    ids      (T,) int32, row of the triangle in its mesh
    boxes    (N, 16) float32, nodes of one cache line each: in 12 columns the boxes of `treebuild.build_tree`
    links    (N, 16) int32, the same memory: in columns LINKS and LINKS + 1 its links
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
