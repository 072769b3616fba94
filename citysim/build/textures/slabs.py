"""Surfaces of pieces with joints: slabs, setts, bricks, blocks, tiles, planks, treads."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.textures.noise import Field, fbm, grain, lattice, pixels, rgb, tinted


def grid(size: int, rows: int, cols: int, bond: float) -> tuple[NDArray[np.intp], Field, Field]:
    """Number of the piece each texel lies on, its place inside (0-1 down, across); odd rows shifted by `bond`."""
    y = (np.arange(size) + 0.5) * rows / size
    x = (np.arange(size) + 0.5) * cols / size
    row = np.floor(y).astype(np.intp)
    shifted = x[None, :] + bond * (row % 2)[:, None]
    col = np.floor(shifted).astype(np.intp)
    return row[:, None] * cols + col % cols, np.broadcast_to((y - row)[:, None], (size, size)), shifted - col


def pieces(
    key: str,
    color: str,
    rows: int,
    cols: int,
    *,
    size: int = 512,
    bond: float = 0.5,
    joint: float = 2.0,
    joint_color: str = "#6e6a63",
    spread: float = 0.08,
    rough: float = 0.14,
    speckle: float = 6.0,
    dome: float = 0.0,
    bevel: float = 0.05,
    tones: tuple[str, ...] = (),
) -> NDArray[np.uint8]:
    """(size, size, 3): rows x cols pieces in running bond.

    `spread` varies their tone, `rough` the surface, `dome` darkens towards their edges, `bevel` lights upper and
    shades lower edges, `joint` texels of `joint_color` lie between them, `tones` are other colours they may have.
    """
    number, v, u = grid(size, rows, cols, bond)
    draw = lattice(f"{key}/pieces", rows, cols).reshape(-1)
    pick = lattice(f"{key}/tones", rows, cols).reshape(-1)
    tone = (1.0 + spread * (2 * draw - 1))[number]
    tone = tone * (1.0 - rough / 2 + rough * fbm(f"{key}/surface", size, 8, 6))
    du = np.minimum(u, 1 - u) * size / cols
    dv = np.minimum(v, 1 - v) * size / rows
    edge = np.minimum(du, dv)
    if dome:
        tone = tone * (1.0 - dome * (1.0 - np.minimum(1.0, edge / (0.35 * size / max(rows, cols)))) ** 2)
    near = (edge < joint / 2 + 2.0) & (edge >= joint / 2)
    upper = near & (((v < 0.5) & (dv <= du)) | ((u < 0.5) & (du < dv)))
    tone = np.where(upper, tone * (1 + bevel), np.where(near, tone * (1 - bevel), tone))
    palette = np.stack([rgb(c) for c in (color, *tones)])
    base = palette[np.minimum((pick * len(palette)).astype(np.intp), len(palette) - 1)][number]
    surface = base * tone[..., None]
    gap = tinted(joint_color, 0.85 + 0.3 * fbm(f"{key}/joint", size, 32, 3))
    mask = (edge < joint / 2)[..., None]
    return pixels(np.where(mask, gap, surface) + grain(f"{key}/grain", size, speckle)[..., None])


def tactile(key: str, color: str, size: int = 128) -> NDArray[np.uint8]:
    """(size, size, 3): four by four raised studs on a slab of 0.3 m."""
    number, v, u = grid(size, 4, 4, 0.0)
    away = (u - 0.5) ** 2 + (v - 0.5) ** 2
    tone = np.where(away < 0.09, 1.08, 0.94) * np.where((away < 0.13) & (away >= 0.09) & (v > 0.5), 0.78, 1.0)
    tone = tone * (0.95 + 0.1 * fbm(key, size, 8, 4))
    border = (np.arange(size) < 1)[:, None] | (np.arange(size) < 1)[None, :]
    del number
    return pixels(tinted(color, np.where(border, 0.7, tone)) + grain(f"{key}/grain", size, 5)[..., None])


def seams(key: str, color: str, count: int, size: int = 256) -> NDArray[np.uint8]:
    """(size, size, 3): sheet metal with `count` standing seams down the slope."""
    x = ((np.arange(size) + 0.5) * count / size) % 1.0 * size / count
    tone = np.where(x < 2, 1.18, np.where(x < 5, 0.72, 1.0))
    field = tone[None, :] * (0.92 + 0.16 * fbm(key, size, 4, 5))
    return pixels(tinted(color, field) + grain(f"{key}/grain", size, 2)[..., None])
