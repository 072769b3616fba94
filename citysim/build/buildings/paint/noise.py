"""Tileable hashed value noise: integer hashes and basic arithmetic only, so that every machine gets the same."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]


def lattice(rows: int, columns: int, seed: int) -> Image:
    """(rows, columns) float32 in [0, 1): a hash of the cell and the seed."""
    y, x = np.mgrid[0:rows, 0:columns].astype(np.uint32)
    with np.errstate(over="ignore"):
        h = x * np.uint32(374761393) + y * np.uint32(668265263) + np.uint32(seed * 2246822519 & 0xFFFFFFFF)
        h = (h ^ (h >> np.uint32(13))) * np.uint32(1274126177)
        h = (h ^ (h >> np.uint32(16))) * np.uint32(2654435761)
        h = h ^ (h >> np.uint32(15))
    return (h >> np.uint32(8)).astype(np.float32) / np.float32(1 << 24)


def value_noise(height: int, width: int, cell: tuple[int, int], seed: int) -> Image:
    """Smooth noise in [0, 1) that repeats at the picture's edges; `cell` is (rows, columns) in pixels."""
    rows, columns = max(1, height // cell[0]), max(1, width // cell[1])
    grid = lattice(rows, columns, seed)
    y = np.arange(height, dtype=np.float32) * np.float32(rows / height)
    x = np.arange(width, dtype=np.float32) * np.float32(columns / width)
    y0, x0 = y.astype(np.int64), x.astype(np.int64)
    fy, fx = y - y0, x - x0
    fy, fx = (fy * fy * (3 - 2 * fy))[:, None], (fx * fx * (3 - 2 * fx))[None, :]
    y1, x1 = (y0 + 1) % rows, (x0 + 1) % columns
    across = grid[:, x0] * (1 - fx) + grid[:, x1] * fx  # few rows: cheap
    return np.asarray(across[y0] * (1 - fy) + across[y1] * fy, dtype=np.float32)


def fbm(height: int, width: int, seed: int, cells: Sequence[int] = (128, 64, 32, 16, 8)) -> Image:
    """Sum of value noise with halving amplitudes, scaled to [0, 1)."""
    total = np.zeros((height, width), dtype=np.float32)
    weight, sum_of_weights = 1.0, 0.0
    for k, cell in enumerate(cells):
        total += np.float32(weight) * value_noise(height, width, (cell, cell), seed + 101 * k)
        sum_of_weights += weight
        weight *= 0.5
    return total / np.float32(sum_of_weights)


def grain(height: int, width: int, seed: int) -> Image:
    """White noise in [-1, 1)."""
    return lattice(height, width, seed) * 2 - 1
