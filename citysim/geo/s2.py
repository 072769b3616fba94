"""S2 cells (3DTILES_bounding_volume_S2) as points on Earth.

Geometry of the S2 library: six faces of a cube, each a Hilbert curve of 2**30 x 2**30 leaf cells, quadratic projection.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError

Array = NDArray[np.float64]
_LEVELS = 30
# the order in which the curve visits the four quarters (as 2 i + j) for each of its four orientations, and how each
# visit changes the orientation: bit 0 swaps the axes, bit 1 inverts them
_ORDER = ((0, 1, 3, 2), (0, 2, 3, 1), (3, 2, 0, 1), (3, 1, 0, 2))
_TURN = (1, 0, 0, 3)


def cell_of(token: Any) -> tuple[int, int, int, int]:
    """Face, i, j (of 2**level cells a side) and level of a cell token; raises FormatError for what is none."""
    text = token if isinstance(token, str) else ""
    try:
        number = int(text.ljust(16, "0"), 16) if 0 < len(text) <= 16 else 0
    except ValueError:
        number = 0
    lowest = number & -number
    face = number >> 61
    place = lowest.bit_length() - 1
    if number == 0 or face > 5 or place % 2 or place > 60:
        raise FormatError("the token of an S2 cell", f"{token!r:.40}", "exporting the tileset with boxes")
    level = _LEVELS - place // 2
    turn, i, j = face & 1, 0, 0
    for step in range(level):
        visit = number >> (59 - 2 * step) & 3
        quarter = _ORDER[turn][visit]
        i, j, turn = i << 1 | quarter >> 1, j << 1 | quarter & 1, turn ^ _TURN[visit]
    return face, i, j, level


def cell_lonlat(token: Any, grid: int) -> Array:
    """(grid, grid, 2) longitudes and latitudes in degrees of evenly spaced points of a cell, corners included.

    S2's directions are taken as geodetic ones, as 3D Tiles does. Raises FormatError.
    """
    face, i, j, level = cell_of(token)
    size = 2.0**level
    s, t = np.meshgrid((i + np.linspace(0.0, 1.0, grid)) / size, (j + np.linspace(0.0, 1.0, grid)) / size)
    u, v = _projected(s), _projected(t)
    one = np.ones_like(u)
    x, y, z = ((one, u, v), (-u, one, v), (-u, -v, one), (-one, -v, -u), (v, -one, -u), (v, u, -one))[face]
    return np.stack([np.degrees(np.arctan2(y, x)), np.degrees(np.arctan2(z, np.hypot(x, y)))], axis=-1)


def _projected(s: Array) -> Array:
    """S2's quadratic projection of cell coordinates in [0, 1] to the cube's face in [-1, 1]."""
    return np.where(s >= 0.5, (4.0 * s * s - 1.0) / 3.0, (1.0 - 4.0 * (1.0 - s) ** 2) / 3.0)
