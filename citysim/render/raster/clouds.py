"""The cloud layer: one tiling field of density, made once from hashes, that the sky reads where a ray meets the layer.

Only additions, multiplications and square roots of IEEE numbers are used, so that it is the same on every machine.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

SIDE = 512  # texels along the field
Real64 = NDArray[np.float64]


@lru_cache(maxsize=1)
def cloud_field() -> NDArray[np.uint16]:
    """(SIDE * SIDE,) uint16 density of clouds, tiling, its values spread evenly from 0 to 65535.

    Sums of smooth value noise shaped by cellular noise (puffs), then ranked, so that the share of sky above a value `v`
    is 1 - v / 65535.
    """
    smooth = sum(_value_noise(4 << k, k) * (0.5**k) for k in range(6)) / 1.97
    puffs = sum(_cells(8 << k, 16 + k) * weight for k, weight in enumerate((0.5, 0.3, 0.2)))
    density = smooth * (0.62 + 0.55 * puffs)
    order = np.argsort(density, axis=None, kind="stable")
    field = np.empty(SIDE * SIDE, dtype=np.uint16)
    field[order] = (np.arange(SIDE * SIDE, dtype=np.int64) * 65535) // (SIDE * SIDE - 1)
    field.setflags(write=False)
    return field


def _hash(x: NDArray[np.int64], y: NDArray[np.int64], seed: int) -> NDArray[np.uint32]:
    """A 32-bit hash a pair: multiply and fold."""
    h = (x * 0x9E3779B1 + y * 0x85EBCA77 + seed * 0xC2B2AE3D).astype(np.uint64) & np.uint64(0xFFFFFFFF)
    for multiplier, shift in ((0x85EBCA6B, 16), (0xC2B2AE35, 13)):
        h ^= h >> np.uint64(shift)
        h = (h * np.uint64(multiplier)) & np.uint64(0xFFFFFFFF)
    return np.asarray(h ^ (h >> np.uint64(16)), dtype=np.uint32)


def _unit(x: NDArray[np.int64], y: NDArray[np.int64], seed: int) -> Real64:
    return np.asarray(_hash(x, y, seed) / 4294967296.0, dtype=np.float64)


def _value_noise(cells: int, seed: int) -> Real64:
    """(SIDE, SIDE) in 0..1: values at the corners of `cells` squares a side, joined smoothly."""
    at = (np.arange(SIDE, dtype=np.float64) + 0.5) * (cells / SIDE)
    low = at.astype(np.int64)
    t = at - low
    t = t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
    a, b = low % cells, (low + 1) % cells
    corner = [[_unit(x[None, :], y[:, None], seed) for x in (a, b)] for y in (a, b)]
    upper = corner[0][0] + (corner[0][1] - corner[0][0]) * t[None, :]
    lower = corner[1][0] + (corner[1][1] - corner[1][0]) * t[None, :]
    return upper + (lower - upper) * t[:, None]


def _cells(cells: int, seed: int) -> Real64:
    """(SIDE, SIDE) in 0..1: 1 at one point in each of `cells` squares a side, falling off towards the next ones."""
    at = (np.arange(SIDE, dtype=np.float64) + 0.5) * (cells / SIDE)
    x, y = at[None, :], at[:, None]
    column, row = x.astype(np.int64), y.astype(np.int64)
    nearest = np.full((SIDE, SIDE), 9.0)
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            cx, cy = column + dx, row + dy
            px = cx + _unit(cx % cells, cy % cells, seed)
            py = cy + _unit(cx % cells, cy % cells, seed + 64)
            nearest = np.minimum(nearest, (px - x) ** 2 + (py - y) ** 2)
    return np.asarray(1.0 - np.sqrt(np.minimum(nearest, 1.0)))
