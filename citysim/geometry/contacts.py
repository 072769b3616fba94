"""Nearest points of an upright capsule and every triangle within reach."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.gather import load_triangle, triangles_in_box
from citysim.geometry.jit import helper, kernel
from citysim.geometry.tables import Tables
from citysim.geometry.upright import segment_gap


def capsule_contacts(
    tables: Tables, foot: NDArray[np.float64], radius: float, height: float, reach: float
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Contacts of the upright capsule that stands at `foot`, one a triangle nearer than `reach` metres.

    Returns (N, 7) distance (negative in an overlap), unit normal towards the capsule and point on the triangle, and
    the triangles' rows (N,) in the tables, in no particular order.
    """
    room = 64
    while True:
        rows, found = np.empty((room, 7)), np.empty(room, np.int32)
        x, y, z = float(foot[0]), float(foot[1]), float(foot[2])
        near, count = _contacts(tables, x, y, z, float(radius), float(height), float(reach), rows, found)
        if near <= room:
            return rows[:count], found[:count]
        room = 2 * near


@kernel
def _contacts(
    tables: Any, x: float, y: float, z: float, radius: float, height: float, reach: float, rows: Any, found: Any
) -> tuple[int, int]:
    """How many triangles may be near, and how many are; `found` first holds the former, then the latter."""
    grown = radius + reach
    box = np.array((x - grown, y - grown, z - reach, x + grown, y + grown, z + height + reach))
    near = triangles_in_box(tables, box, found)
    if near > len(found):
        return near, 0
    corners, normal = np.empty(9), np.empty(3)
    count = 0
    for k in range(near):
        load_triangle(tables, found[k], corners, normal)
        if contact(x, y, z + radius, z + height - radius, radius, reach, corners, normal, rows[count]):
            found[count] = found[k]
            count += 1
    return near, count


@helper
def contact(
    x: float, y: float, low: float, high: float, radius: float, reach: float, corners: Any, normal: Any, row: Any
) -> bool:
    """Write distance, normal and point of a capsule around an upright segment; False when out of reach."""
    base = normal[0] * (x - corners[0]) + normal[1] * (y - corners[1])
    first, second = base + normal[2] * (low - corners[2]), base + normal[2] * (high - corners[2])
    far = radius + reach + 1e-9
    if min(first, second) > far or max(first, second) < -far:
        return False
    gap, row[1], row[2], row[3], row[4], row[5], row[6] = segment_gap(x, y, low, high, corners, normal)
    row[0] = gap - radius
    return row[0] <= reach
