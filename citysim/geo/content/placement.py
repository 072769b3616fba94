"""Puts triangles at their places: the inner loop of decoding, compiled."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

LATTICE = 1024.0  # decoded positions are multiples of 1/1024 m, so that every machine decodes the same bits
MAX_EXTENT = 2.0**31 / LATTICE  # metres from the local origin that lattice numbers can hold

Placed = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64], bool]


@numba.njit(cache=True, nogil=True, error_model="numpy")
def placed(
    positions: NDArray[Any], triangles: NDArray[np.uint32], matrices: NDArray[np.float64]
) -> Placed:  # pragma: no cover - compiled
    """Copies of positions and triangles through (N, 4, 4) matrices, without what cannot be kept.

    Takes (V, 3) float32 or float64 positions and (T, 3) uint32 triangles. Gives (M, 3) points on the lattice, (F, 3)
    triangles between them, (M,) which of the N V corners each point is, and whether corners were lost that are no
    numbers or too far away. Triangles with bad indices, lost corners or no area are left out, then the corners that
    none uses; where a matrix mirrors, triangles are turned over.
    """
    count, copies = len(positions), len(matrices)
    points = np.empty((count * copies, 3), np.float64)
    faces = np.empty((len(triangles) * copies, 3), np.int64)
    source = np.empty(count * copies, np.int64)
    sound = np.empty(count, np.bool_)
    number = np.empty(count, np.int64)
    made, kept, lost = 0, 0, False
    for copy in range(copies):
        m = matrices[copy]
        corner = points[made : made + count]  # the used ones move together below, only ever downwards
        for i in range(count):
            x, y, z = np.float64(positions[i, 0]), np.float64(positions[i, 1]), np.float64(positions[i, 2])
            sound[i] = True
            number[i] = -1
            for axis in range(3):
                value = m[axis, 0] * x + m[axis, 1] * y + m[axis, 2] * z + m[axis, 3]
                value = np.rint(value * LATTICE) / LATTICE
                corner[i, axis] = value
                if not abs(value) < MAX_EXTENT:  # true for what is no number
                    sound[i] = False
                    lost = True
        determinant = (
            m[0, 0] * (m[1, 1] * m[2, 2] - m[1, 2] * m[2, 1])
            - m[0, 1] * (m[1, 0] * m[2, 2] - m[1, 2] * m[2, 0])
            + m[0, 2] * (m[1, 0] * m[2, 1] - m[1, 1] * m[2, 0])
        )
        first = kept
        for t in range(len(triangles)):
            a, b, c = np.int64(triangles[t, 0]), np.int64(triangles[t, 1]), np.int64(triangles[t, 2])
            if max(a, b, c) >= count:
                continue
            if not (sound[a] and sound[b] and sound[c]):
                continue
            ux, uy, uz = corner[b, 0] - corner[a, 0], corner[b, 1] - corner[a, 1], corner[b, 2] - corner[a, 2]
            vx, vy, vz = corner[c, 0] - corner[a, 0], corner[c, 1] - corner[a, 1], corner[c, 2] - corner[a, 2]
            if uy * vz - uz * vy == 0.0 and uz * vx - ux * vz == 0.0 and ux * vy - uy * vx == 0.0:
                continue
            number[a] = number[b] = number[c] = 0
            faces[kept, 0], faces[kept, 1], faces[kept, 2] = a, b, c
            kept += 1
        for i in range(count):
            if number[i] == 0:
                number[i] = made
                for axis in range(3):
                    points[made, axis] = corner[i, axis]
                source[made] = copy * count + i
                made += 1
        for t in range(first, kept):
            a, b, c = number[faces[t, 0]], number[faces[t, 1]], number[faces[t, 2]]
            if determinant < 0.0:  # a mirrored instance turns its faces inside out
                a, c = c, a
            faces[t, 0], faces[t, 1], faces[t, 2] = a, b, c
    return points[:made], faces[:kept], source[:made], lost
