"""Tileable hashed noise.

Only integer hashing, additions and multiplications: numpy's transcendental functions differ in the last bit between
processors, these do not.
"""

import hashlib
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

Field = NDArray[np.float64]


def lattice(key: str, height: int, width: int) -> Field:
    """(height, width) independent values in [0, 1), a function of `key` and of the place only."""
    seed = int.from_bytes(hashlib.blake2b(key.encode(), digest_size=4).digest(), "big")
    place = np.arange(height * width, dtype=np.uint32) * np.uint32(0x9E3779B1) + np.uint32(seed)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 0x27D4EB2F)):
        place = (place ^ (place >> np.uint32(shift))) * np.uint32(factor)
    place ^= place >> np.uint32(15)
    return (place.astype(np.float64) / 2.0**32).reshape(height, width)


def value_noise(key: str, height: int, width: int, cells_y: int, cells_x: int) -> Field:
    """(height, width) smooth noise in [0, 1) of `cells_y` x `cells_x` cells that repeats at its borders."""
    grid = lattice(key, cells_y, cells_x)
    y = (np.arange(height) + 0.5) * cells_y / height
    x = (np.arange(width) + 0.5) * cells_x / width
    y0, x0 = np.floor(y).astype(np.intp), np.floor(x).astype(np.intp)
    fy, fx = y - y0, x - x0
    fy, fx = (fy * fy * (3 - 2 * fy))[:, None], (fx * fx * (3 - 2 * fx))[None, :]
    across = grid[:, x0 % cells_x] * (1 - fx) + grid[:, (x0 + 1) % cells_x] * fx  # few rows: cheap
    return across[y0 % cells_y] * (1 - fy) + across[(y0 + 1) % cells_y] * fy


def fbm(key: str, size: int, cells: int = 4, octaves: int = 5, gain: float = 0.5) -> Field:
    """(size, size) sum of noise octaves, each twice as fine and `gain` as strong, scaled into [0, 1]."""
    total, weight = np.zeros((size, size)), 0.0
    for octave in range(octaves):
        n = cells << octave
        if n > size:
            break
        strength = gain**octave
        total += strength * value_noise(f"{key}/{octave}", size, size, n, n)
        weight += strength
    return total / weight


def grain(key: str, size: int, amplitude: float) -> Field:
    """(size, size) independent values in [-amplitude, amplitude)."""
    return (lattice(key, size, size) * 2 - 1) * amplitude


def pixels(rgb: Field, alpha: Field | None = None) -> NDArray[np.uint8]:
    """(H, W, 3) colours 0-255 as uint8, with (H, W) alpha 0-1 as fourth channel where given."""
    color = np.clip(np.floor(rgb + 0.5), 0, 255).astype(np.uint8)
    if alpha is None:
        return color
    mask = np.clip(np.floor(alpha * 255 + 0.5), 0, 255).astype(np.uint8)
    return np.concatenate([color, mask[..., None]], axis=2)


def rgb(color: str) -> Field:
    """(3,) components 0-255 of "#rrggbb"."""
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)


def tinted(color: str, tone: Field) -> Field:
    """(H, W, 3): `color` times a tone field."""
    return rgb(color)[None, None, :] * tone[..., None]


def halved(image: "Image") -> NDArray[np.uint8]:
    """A picture at half its size, each texel the mean of four; colour under alpha 0 stays (Pillow would blacken it)."""
    full = np.asarray(image, dtype=np.uint16)
    height, width, channels = full.shape
    four = full.reshape(height // 2, 2, width // 2, 2, channels).sum(axis=(1, 3))
    return ((four + 2) // 4).astype(np.uint8)
