"""Which triangles of a scene come near a box."""

from typing import Any

import numpy as np

from citysim.geometry.jit import helper
from citysim.geometry.tables import LINKS, STACK


@helper
def triangles_in_box(tables: Any, box: Any, found: Any) -> int:
    """Rows of the triangles whose bounds meet a box (lower, upper corner); returns how many there are.

    Only as many as `found` holds are written: a larger answer asks for a larger array.
    """
    corners, owners, _, boxes, links, origins, _, roots = tables
    stack = np.empty(STACK, np.int32)
    stack[0] = roots[0]
    depth, count = 1, 0
    while depth > 0:
        depth -= 1
        link = stack[depth]
        if link >= 0:
            for side in range(2):
                at = 6 * side
                if (
                    boxes[link, at] <= box[3]
                    and boxes[link, at + 3] >= box[0]
                    and boxes[link, at + 1] <= box[4]
                    and boxes[link, at + 4] >= box[1]
                    and boxes[link, at + 2] <= box[5]
                    and boxes[link, at + 5] >= box[2]
                ):
                    stack[depth] = links[link, LINKS + side]
                    depth += 1
            continue
        code = -1 - link
        begin = code >> 3
        for k in range(begin, begin + (code & 7)):
            apart = False
            for axis in range(3):
                a, b, c = corners[k, axis], corners[k, axis + 3], corners[k, axis + 6]
                offset = origins[owners[k], axis]
                low, high = offset + min(a, b, c), offset + max(a, b, c)
                apart = apart or low > box[axis + 3] or high < box[axis]
            if not apart:
                if count < len(found):
                    found[count] = k
                count += 1
    return count


@helper
def load_triangle(tables: Any, row: int, corners: Any, normal: Any) -> None:
    """Write a triangle's nine coordinates in the frame of the scene, and its unit normal."""
    vertices, owners, _, _, _, origins, _, _ = tables
    for axis in range(3):
        offset = origins[owners[row], axis]
        corners[axis] = vertices[row, axis] + offset
        corners[axis + 3] = vertices[row, axis + 3] + offset
        corners[axis + 6] = vertices[row, axis + 6] + offset
    ux, uy, uz = corners[3] - corners[0], corners[4] - corners[1], corners[5] - corners[2]
    vx, vy, vz = corners[6] - corners[0], corners[7] - corners[1], corners[8] - corners[2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = np.sqrt(x * x + y * y + z * z)
    normal[0], normal[1], normal[2] = x / size, y / size, z / size
