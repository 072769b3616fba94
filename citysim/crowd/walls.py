"""Walls: segments that persons slide along and never cross, each over a band of heights."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.errors import InputError

CELL_M = 2.0
MARGIN_M = 1.0  # a cell lists what lies this near to it: more than a step and a radius
EVERYONE = (-1e9, 1e9, 0.0)


class Walls(NamedTuple):
    """Segments with their cell lists.

    segments (S, 8) float64: x, y of both ends, lowest and highest foot height they hold for, metres; 1 where they hold
             for those on their right only, as seen from the first end, 0 for everyone; 1 over the squared length, 0 for
             a point
    starts   (M + 1,) uint32 first entry of each bucket of cells, entries (E,) uint32 segment numbers, rising
    """

    segments: NDArray[np.float64]
    starts: NDArray[np.uint32]
    entries: NDArray[np.uint32]


def build_walls(segments: ArrayLike) -> Walls:
    """Cell lists of (S, 4) or (S, 7) segments: x, y of both ends and perhaps the next three columns of `Walls`.

    Raises InputError for another shape or values that are not finite.
    """
    given = np.asarray(segments, dtype=np.float64)
    if given.size == 0:
        given = np.empty((0, 7))
    if given.ndim != 2 or given.shape[1] not in (4, 7) or not np.isfinite(given).all():
        raise InputError("(S, 4) or (S, 7) finite wall segments", f"shape {given.shape}", "x, y of both ends a row")
    if given.shape[1] == 4:
        given = np.hstack([given, np.tile(EVERYONE, (len(given), 1))])
    low = np.floor((np.minimum(given[:, 0:2], given[:, 2:4]) - MARGIN_M) / CELL_M).astype(np.int64)
    high = np.floor((np.maximum(given[:, 0:2], given[:, 2:4]) + MARGIN_M) / CELL_M).astype(np.int64)
    wide = high - low + 1
    counts = wide[:, 0] * wide[:, 1]
    owners = np.repeat(np.arange(len(given)), counts)
    place = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    cells = low[owners] + np.column_stack([place % wide[owners, 0], place // wide[owners, 0]])
    near = _near(cells, given[owners])
    cells, owners = cells[near], owners[near]
    size = 1 << max(4, int(2 * len(cells)).bit_length())
    buckets = bucket_of(cells[:, 0], cells[:, 1], size - 1)
    order = np.lexsort((owners, buckets))
    buckets, owners = buckets[order], owners[order]
    fresh = np.r_[True, (np.diff(buckets) != 0) | (np.diff(owners) != 0)][: len(buckets)]  # two cells, one bucket
    starts = np.searchsorted(buckets[fresh], np.arange(size + 1)).astype(np.uint32)
    square = ((given[:, 2:4] - given[:, 0:2]) ** 2).sum(axis=1)
    inverse = np.divide(1.0, square, out=np.zeros(len(given)), where=square > 0.0)
    return Walls(np.column_stack([given, inverse]), starts, owners[fresh].astype(np.uint32))


def bucket_of(column: Any, line: Any, mask: int) -> Any:
    """Bucket of a cell; the same formula is used in `sliding`."""
    return (column + line * 1000003) & mask


def _near(cells: NDArray[np.int64], rows: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(C,) whether each row's segment comes within the margin of its cell (of the circle around it, to be safe)."""
    centres = (cells + 0.5) * CELL_M
    start, step = rows[:, 0:2], rows[:, 2:4] - rows[:, 0:2]
    square = (step * step).sum(axis=1)
    along = ((centres - start) * step).sum(axis=1)
    share = np.clip(np.divide(along, square, out=np.zeros(len(cells)), where=square > 0.0), 0.0, 1.0)
    away = centres - start - share[:, None] * step
    return np.asarray((away * away).sum(axis=1) <= (MARGIN_M + CELL_M * 0.7072) ** 2)
