"""Cut-out panels: railings and fences with holes between their bars."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.textures.noise import fbm, pixels, tinted


def bars(key: str, color: str, count: int, size: int = 128) -> NDArray[np.uint8]:
    """(size, size, 4): `count` upright bars between a top and a foot rail; alpha 0 between them."""
    x = ((np.arange(size) + 0.5) * count / size) % 1.0
    y = (np.arange(size) + 0.5) / size
    upright = np.abs(x - 0.5) < 0.14
    rail = (y < 0.06) | ((y > 0.86) & (y < 0.92))
    alpha = (upright[None, :] & (y < 0.97)[:, None]) | rail[:, None]
    edge = np.where(np.abs(x - 0.5) < 0.06, 1.12, 0.9)
    return pixels(tinted(color, edge[None, :] * (0.94 + 0.12 * fbm(key, size, 4, 4))), alpha.astype(np.float64))


def mesh(key: str, color: str, count: int, size: int = 128) -> NDArray[np.uint8]:
    """(size, size, 4): welded wire mesh with posts at the sides."""
    at = ((np.arange(size) + 0.5) * count / size) % 1.0
    wire = np.abs(at - 0.5) < 0.13
    edge = np.arange(size)
    post = (edge < 4) | (edge >= size - 4)
    alpha = wire[None, :] | wire[:, None] | post[None, :] | (edge < 3)[:, None]
    return pixels(tinted(color, 0.92 + 0.16 * fbm(key, size, 4, 4)), alpha.astype(np.float64))


def blocks(key: str, colors: tuple[str, str], size: int = 128) -> NDArray[np.uint8]:
    """(size, size, 3): two blocks of plastic side by side, with a groove along their middle and gaps between them."""
    x = (np.arange(size) + 0.5) / size
    one, other = (tinted(color, np.ones((size, 1))) for color in colors)
    rgb = np.where((x < 0.5)[None, :, None], one, other)
    gap = np.abs((x * 2.0) % 1.0 - 0.5) > 0.47
    groove = np.abs(x - 0.45) < 0.05
    shade = np.where(gap[None, :], 0.35, np.where(groove[:, None], 0.8, 1.0)) * (0.92 + 0.12 * fbm(key, size, 4, 4))
    return pixels(rgb * shade[..., None])


def nothing(size: int = 8) -> NDArray[np.uint8]:
    """(size, size, 4): what stops a body and is not seen."""
    return np.zeros((size, size, 4), dtype=np.uint8)
