"""Who is near and ahead: the search through the cell lists."""

from typing import Any

import numpy as np

from citysim.crowd.cells import GHOSTS, STRIDE, WIDEST, cell_of
from citysim.crowd.rows import HOT_COLUMNS, HOT_X, HOT_Y, HOT_Z, LEVEL_M
from citysim.geometry.jit import inlined

# Columns of a block's persons, (BLOCK COLUMNS,) float64: first what they are, then what pairs add up to
ME_RADIUS, ME_GX, ME_GY, ME_EX, ME_EY, ME_VX, ME_VY, ME_Z = range(8)
LATERAL, CROWDED, PUSH_X, PUSH_Y, SLOWEST, ME_UX, ME_UY, GROUP, ME_DT, ME_LENGTH, ME_CLEARANCE = range(8, 19)
COLUMNS = 20

ROOM = 264
"""Most neighbours of a person that are looked at: many times what fits into the search radius."""

PAIRS = 512 + ROOM
"""Room for the pairs of a block of persons."""

TOUCH_M = 0.3  # persons this near beyond the own radius are kept even behind, to be pushed apart


@inlined
def gather(
    x: float, y: float, reach: float, owner: int, n: int, starts: Any, hot: Any, inverse: float, K: Any, R: Any
) -> int:
    """Append who is within `reach` of a place to n pairs; gives their number.

    K (2 PAIRS,) uint32: numbers `owner` of the person, slots of the other; R (2 PAIRS,) float64: where the other is
    from the person. Hardly any branch depends on where people are: those cost more than the sums. Two of each row of
    cells are looked at whether they are there or not, and what does not fit is overwritten by the next.
    """
    most, mask = n + ROOM - 1, starts.shape[0] - 2 - GHOSTS
    wide: Any = min(np.int64(np.ceil(reach * inverse)), WIDEST)
    column, line = cell_of(x, inverse) - wide, cell_of(y, inverse)
    square, width = reach * reach, 2 * wide + 1
    for row in range(line - wide, line + wide + 1):
        begin = (column + row * STRIDE) & mask
        low, high = starts[np.uint64(begin)], starts[np.uint64(begin + width)]
        n = _meet(low, high, x, y, square, owner, n, hot, K, R)
        n = _meet(low + 1, high, x, y, square, owner, n, hot, K, R)
        for k in range(low + 2, high):
            n = min(_meet(k, high, x, y, square, owner, n, hot, K, R), most)
    return min(n, most)


@inlined
def _meet(k: int, high: int, x: float, y: float, square: float, owner: int, n: int, hot: Any, K: Any, R: Any) -> int:
    """Append the person in slot k, if k is below `high` and they are near."""
    at = np.uint64(k) * np.uint64(HOT_COLUMNS)
    rx, ry = hot[at + np.uint64(HOT_X)] - x, hot[at + np.uint64(HOT_Y)] - y
    free = np.uint64(n)
    K[free], K[free + np.uint64(PAIRS)] = owner, k
    R[free], R[free + np.uint64(PAIRS)] = rx, ry
    return n + ((rx * rx + ry * ry < square) & (k < high))


@inlined
def sift(first: int, n: int, who: Any, me: Any, order: Any, hot: Any, K: Any, R: Any) -> int:
    """Keep of the pairs `first` to before n those on the same level and in front of goal or heading, or in touch.

    Gives how many pairs there are then.
    """
    kept = first
    for a in range(first, n):
        b, k, rx, ry = K[a], K[a + PAIRS], R[a], R[a + PAIRS]
        at, touch = b * COLUMNS, me[b * COLUMNS + ME_RADIUS] + TOUCH_M
        front = (me[at + ME_GX] * rx + me[at + ME_GY] * ry >= 0.0) | (me[at + ME_EX] * rx + me[at + ME_EY] * ry >= 0.0)
        front |= rx * rx + ry * ry < touch * touch
        free = np.uint64(kept)
        K[free], K[free + np.uint64(PAIRS)] = b, k
        R[free], R[free + np.uint64(PAIRS)] = rx, ry
        level = abs(hot[k * HOT_COLUMNS + HOT_Z] - me[at + ME_Z]) < LEVEL_M
        kept += front & level & (order[k] != who[b])
    return kept
