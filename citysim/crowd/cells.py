"""Cell lists without a grid: a counting sort into a linear hash whose neighbours in x lie side by side.

The bucket of cell (cx, cy) is (cx + cy STRIDE) mod M, so each row of cells is one range of buckets and empty parts of
a city cost nothing. Rows must stay apart or persons would be met twice: `buckets_for` asserts it. The first GHOSTS
buckets are listed once more behind the last, so that no range of buckets wraps.
"""

from typing import Any

import numpy as np

from citysim.crowd.rows import EX, EY, HOT_COLUMNS, LEAVING, RADIUS, VX, VY, X, Y, Z
from citysim.geometry.jit import fetch, inlined, kernel

STRIDE = 1000003
WIDEST = 2  # cells a search reaches to each side
GHOSTS = 2 * WIDEST + 1
FEWEST = 128
EACH = 4  # buckets a person
AHEAD = 8  # persons whose slots are asked for in advance: they lie scattered


def buckets_for(rows: int) -> int:
    """How many buckets (a power of two) serve so many persons: a few times as many, with all rows apart."""
    buckets = FEWEST
    while buckets < EACH * rows:
        buckets *= 2
    while not _rows_apart(buckets):
        buckets *= 2
    return buckets


def _rows_apart(buckets: int) -> bool:
    offsets = [d * STRIDE % buckets for d in range(1, 2 * WIDEST + 1)]
    return all(2 * WIDEST < o < buckets - 2 * WIDEST for o in offsets)


@inlined
def cell_of(value: float, inverse: float) -> Any:
    """Number of the cell along one axis, `inverse` being 1 over the cells' size."""
    return np.int64(np.floor(value * inverse))


@kernel
def fill(
    state: Any, groups: Any, active: Any, bodies: Any, cell: float, starts: Any, buckets: Any, order: Any, hot: Any,
    mates: Any,
) -> int:  # fmt: skip
    """Take away who is LEAVING; sort active persons and `bodies` (A, 8) by cell; gives how many there are.

    Each cell is in order of number. starts (M + GHOSTS + 1,) uint32 first slot of each bucket; buckets (N + A,) uint32
    work array; order (R,) uint32 number of each slot, N and more for bodies; hot (8 R,) float64 and mates
    (R,) int32 (group, -1 alone) in slot order. R is 2 (N + A) + 2.
    Slots from the given number on are the ghosts of the first.
    """
    persons, last = state.shape[1], starts.shape[0] - 1 - GHOSTS
    mask, inverse = last - 1, 1.0 / cell
    starts[:] = 0
    for i in range(persons):
        if active[i] == LEAVING:
            active[i] = 0
        elif active[i]:
            b = (cell_of(state[X, i], inverse) + cell_of(state[Y, i], inverse) * STRIDE) & mask
            buckets[i] = b
            starts[b] += 1
    for a in range(bodies.shape[0]):
        b = (cell_of(bodies[a, 0], inverse) + cell_of(bodies[a, 1], inverse) * STRIDE) & mask
        buckets[persons + a] = b
        starts[b] += 1
    total: Any = 0
    for b in range(last + 1):
        total += np.int64(starts[b])
        starts[b] = total
    # starts[b] is the end of bucket b now and becomes its first slot: filled from behind
    for a in range(bodies.shape[0] - 1, -1, -1):
        b = buckets[persons + a]
        slot = starts[b] - 1
        starts[b] = slot
        order[slot], mates[slot] = persons + a, -1
        for c in range(HOT_COLUMNS):
            hot[slot * HOT_COLUMNS + c] = bodies[a, c]
    for i in range(persons - 1, -1, -1):
        fetch(starts, np.int64(buckets[max(i - 2 * AHEAD, 0)]))
        fetch(hot, (np.int64(starts[buckets[max(i - AHEAD, 0)]]) - 1) * HOT_COLUMNS)
        if active[i]:
            b = buckets[i]
            slot = starts[b] - 1
            starts[b] = slot
            order[slot], mates[slot] = i, groups[i]
            at = slot * HOT_COLUMNS
            hot[at + 0], hot[at + 1] = state[X, i], state[Y, i]
            hot[at + 2], hot[at + 3] = state[VX, i], state[VY, i]
            hot[at + 4], hot[at + 5] = state[EX, i], state[EY, i]
            hot[at + 6], hot[at + 7] = state[RADIUS, i], state[Z, i]
    for b in range(GHOSTS):
        starts[last + b + 1] = total + starts[b + 1]
    for slot in range(np.int64(starts[GHOSTS])):
        ghost = total + slot
        order[ghost], mates[ghost] = order[slot], mates[slot]
        for c in range(HOT_COLUMNS):
            hot[ghost * HOT_COLUMNS + c] = hot[slot * HOT_COLUMNS + c]
    return total
