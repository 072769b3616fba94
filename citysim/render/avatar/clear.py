"""Where barriers and boards have room: nothing of the city may be in them."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ground = Callable[[Array], Array]
"""(N,) heights of the ground at (N, 3) places near it."""
Free = Callable[[Array, Array], NDArray[np.bool_]]
"""(N,) whether nothing is between (N, 3) places and (N, 3) others."""

CELL_M = 0.1  # a line is looked at in pieces so long
AWAY_M = 0.06  # what stands so near beyond an end is in the way as well
HEIGHTS_M = (0.2, 0.45, 0.6, 0.85, 1.05, 1.25)  # above the ground, of the looks along a barrier
DEEP_M = 0.22  # to each side of the line, of the feet and of looks across
NARROWEST_M = 1.05  # what is narrower gets no barrier

BOARD_HEIGHTS_M, BOARD_HALF_M = (0.25, 0.6, 1.1, 1.3, 1.6, 2.0), 0.76


def free_spans(a: Array, b: Array, ground: Ground | None, free: Free | None) -> list[tuple[float, float]]:
    """Shares (from, to) of the way from a to b, both (3,), that have room for barriers; all of it where none has."""
    length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
    if ground is None or free is None:
        return [(0.0, 1.0)]
    count = max(int(np.ceil(length / CELL_M)), 1)
    shares = np.linspace(0.0, 1.0, count + 1)
    spots = a + shares[:, None] * (b - a)
    spots[:, 2] = ground(spots)
    side = DEEP_M / length * np.array([b[1] - a[1], a[0] - b[0], 0.0])
    clear = np.ones(count, dtype=np.bool_)
    for height in HEIGHTS_M:
        up = np.array([0.0, 0.0, height])
        for beside in (-side, 0.0 * side, side):
            clear &= free(spots[:-1] + up + beside, spots[1:] + up + beside)
        middles = (spots[:-1] + spots[1:]) / 2.0 + up
        clear &= free(middles - side, middles + side)
    low, high = np.array([0.0, 0.0, HEIGHTS_M[0]]), np.array([0.0, 0.0, HEIGHTS_M[-1]])
    for beside in (-0.6 * side, 0.6 * side):
        middles = (spots[:-1] + spots[1:]) / 2.0 + beside
        clear &= free(middles + low, middles + high)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], clear.astype(np.int64), [0]])))
    found = []
    for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        start, stop = shares[first], shares[end]
        start += AWAY_M / length if first else 0.0
        stop -= AWAY_M / length if end < count else 0.0
        if (stop - start) * length >= min(NARROWEST_M, 0.95 * length):
            found.append((float(start), float(stop)))
    return found or [(0.0, 1.0)]


def board_fits(spots: Array, yaw: float, free: Free) -> NDArray[np.bool_]:
    """(N,) whether a board that faces `yaw` has room at each of (N, 3) places on the ground."""
    side = BOARD_HALF_M * np.array([-np.sin(yaw), np.cos(yaw), 0.0])
    ahead = 0.3 * np.array([np.cos(yaw), np.sin(yaw), 0.0])
    clear = np.ones(len(spots), dtype=np.bool_)
    for height in BOARD_HEIGHTS_M:
        at = spots + np.array([0.0, 0.0, height])
        clear &= free(at - side, at + side) & free(at - side - 0.5 * ahead, at + side - 0.5 * ahead)
        for share in (-0.9, -0.45, 0.0, 0.45, 0.9):
            clear &= free(at + share * side - 0.5 * ahead, at + share * side + ahead)
    return clear
