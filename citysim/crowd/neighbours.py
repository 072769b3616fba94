"""Who is near and ahead: the search through the cell lists."""

from typing import Any

import numpy as np

from citysim.crowd.cells import STRIDE, WIDEST, cell_of
from citysim.crowd.rows import LEVEL_M
from citysim.geometry.jit import inlined

ROOM = 264
"""Most neighbours looked at: many times what fits into the search radius."""

TOUCH_M = 0.3  # persons this near beyond the own radius are kept even behind, to be pushed apart


@inlined
def gather(
    x: float, y: float, z: float, radius: float, gx: float, gy: float, ex: float, ey: float, reach: float, slot: int,
    starts: Any, hot: Any, mates: Any, cell: float, F: Any,
) -> int:  # fmt: skip
    """Copy who is within `reach`, on the same level, and in front of goal or heading; gives their number.

    Columns of F (ROOM floats each): position relative to the person, velocity, heading, radius, 1 or 0 for others or
    members of the same group. Written without branches: the next free entry is overwritten until someone fits.
    """
    n, mask, own = 0, starts.shape[0] - 2, mates[slot]
    wide: Any = min(np.int64(np.ceil(reach / cell)), WIDEST)
    column, line = cell_of(x, cell), cell_of(y, cell)
    square, touch = reach * reach, (radius + TOUCH_M) * (radius + TOUCH_M)
    for row in range(line - wide, line + wide + 1):
        begin = (column - wide + row * STRIDE) & mask
        end = begin + 2 * wide + 1
        for part in range(2):
            low, high = starts[begin], starts[min(end, mask + 1)]
            if part == 1:  # the rest of a row that wraps
                low, high = 0, starts[max(end - mask - 1, 0)]
            for k in range(low, high):
                rx, ry = hot[k, 0] - x, hot[k, 1] - y
                d2 = rx * rx + ry * ry
                if d2 >= square:
                    continue
                front = (gx * rx + gy * ry >= 0.0) | (ex * rx + ey * ry >= 0.0) | (d2 < touch)
                F[n], F[ROOM + n] = rx, ry
                F[2 * ROOM + n], F[3 * ROOM + n] = hot[k, 2], hot[k, 3]
                F[4 * ROOM + n], F[5 * ROOM + n] = hot[k, 4], hot[k, 5]
                F[6 * ROOM + n] = hot[k, 6]
                F[7 * ROOM + n] = 0.0 if own >= 0 and mates[k] == own else 1.0
                n += front & (abs(hot[k, 7] - z) < LEVEL_M) & (k != slot)
                n = min(n, ROOM - 1)
    return n
