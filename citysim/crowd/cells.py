"""Cell lists without a grid: a counting sort into a linear hash whose neighbours in x lie side by side.

The bucket of cell (cx, cy) is (cx + cy STRIDE) mod M, so each row of cells is one range of buckets (two where it
wraps) and empty parts of a city cost nothing. Rows must stay apart or persons would be met twice: `buckets_for`
asserts it.
"""

from typing import Any

import numpy as np

from citysim.crowd.rows import EX, EY, HOT_COLUMNS, RADIUS, VX, VY, X, Y, Z
from citysim.geometry.jit import helper, inlined, kernel

STRIDE = 1000003
WIDEST = 2  # cells a search reaches to each side
FEWEST = 128


def buckets_for(rows: int) -> int:
    """How many buckets (a power of two) serve so many persons: about twice as many, with all rows apart."""
    buckets = FEWEST
    while buckets < 2 * rows:
        buckets *= 2
    while not _rows_apart(buckets):
        buckets *= 2
    return buckets


def _rows_apart(buckets: int) -> bool:
    offsets = [d * STRIDE % buckets for d in range(1, 2 * WIDEST + 1)]
    return all(2 * WIDEST < o < buckets - 2 * WIDEST for o in offsets)


@inlined
def cell_of(value: float, cell: float) -> Any:
    """Number of the cell along one axis."""
    return np.int64(np.floor(value / cell))


@kernel
def fill(
    state: Any, groups: Any, active: Any, bodies: Any, cell: float, starts: Any, order: Any, hot: Any, mates: Any
) -> int:
    """Sort active persons and `bodies` (A, 8) by cell, each cell by number; gives how many there are.

    starts (M + 1,) int32 first slot of each bucket; order (N + A,) int32 number of each slot, N and more for bodies;
    hot (N + A, 8) float64 and mates (N + A,) int32 (group, -1 alone) in slot order.
    """
    persons, mask = state.shape[1], starts.shape[0] - 2
    starts[:] = 0
    for i in range(persons):
        if active[i]:
            starts[_bucket(state[X, i], state[Y, i], cell, mask) + 1] += 1
    for a in range(bodies.shape[0]):
        starts[_bucket(bodies[a, 0], bodies[a, 1], cell, mask) + 1] += 1
    for b in range(mask + 1):
        starts[b + 1] += starts[b]
    total = starts[mask + 1]
    # `starts[b]` is used as the next free slot of b, which leaves it one bucket early; shifted back below
    for i in range(persons):
        if active[i]:
            b = _bucket(state[X, i], state[Y, i], cell, mask)
            slot = starts[b]
            starts[b] += 1
            order[slot], mates[slot] = i, groups[i]
            hot[slot, 0], hot[slot, 1] = state[X, i], state[Y, i]
            hot[slot, 2], hot[slot, 3] = state[VX, i], state[VY, i]
            hot[slot, 4], hot[slot, 5] = state[EX, i], state[EY, i]
            hot[slot, 6], hot[slot, 7] = state[RADIUS, i], state[Z, i]
    for a in range(bodies.shape[0]):
        b = _bucket(bodies[a, 0], bodies[a, 1], cell, mask)
        slot = starts[b]
        starts[b] += 1
        order[slot], mates[slot] = persons + a, -1
        for c in range(HOT_COLUMNS):
            hot[slot, c] = bodies[a, c]
    for b in range(mask + 1, 0, -1):
        starts[b] = starts[b - 1]
    starts[0] = 0
    return total


@helper
def _bucket(x: float, y: float, cell: float, mask: int) -> Any:
    return (cell_of(x, cell) + cell_of(y, cell) * STRIDE) & mask
