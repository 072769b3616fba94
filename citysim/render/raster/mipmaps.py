"""Mip chains: box-filtered in linear light, colour weighted by alpha, holes kept at every level."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.render.raster.layout import Array
from citysim.render.raster.tables import fixed_tables, linear_to_srgb

MAX_SIDE = 4096
MAX_LEVELS = 16
MUCH, FEW = 0.2, 8  # a level of at least so many columns that covers so much more than the original is drawn anew


def power_of_two(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture as (H, W, 4) with power-of-two sides of at most 4096: the next larger ones, resampled if needed.

    Raises InputError for anything but a uint8 picture of 1, 3 or 4 channels.
    """
    if pixels.dtype != np.uint8 or pixels.ndim not in (2, 3) or 0 in pixels.shape or pixels.shape[2:] not in (
        (), (1,), (3,), (4,),
    ):  # fmt: skip
        raise InputError(
            "a texture as (H, W), (H, W, 3) or (H, W, 4) uint8", f"{pixels.shape} {pixels.dtype}", "converting it"
        )
    grey = pixels.reshape(*pixels.shape[:2], -1)
    color = np.repeat(grey, 3, axis=2) if grey.shape[2] == 1 else grey
    if color.shape[2] == 3:
        color = np.concatenate([color, np.full((*color.shape[:2], 1), 255, dtype=np.uint8)], axis=2)
    height, width = (min(1 << max(side - 1, 0).bit_length(), MAX_SIDE) for side in color.shape[:2])
    if (height, width) != color.shape[:2]:
        from PIL import Image

        color = np.asarray(Image.fromarray(color, "RGBA").resize((width, height), Image.Resampling.BICUBIC))
    return np.ascontiguousarray(color)


def mip_chain(pixels: NDArray[np.uint8], cutoff: int, *, blend: bool = True) -> list[NDArray[np.uint8]]:
    """All levels of a (H, W, 4) picture with power-of-two sides, down to 1x1.

    `blend` weighs colours by alpha; without it alpha is a channel like the others, such as a glow.

    With a `cutoff` above 0, alpha of each level is scaled so that as many texels reach it as in the original
    (Castano 2010): leaves neither vanish nor close up with distance.
    """
    levels = [pixels]
    linear = fixed_tables()[0]
    color = linear[pixels[..., :3]]
    alpha = pixels[..., 3].astype(np.float32) / np.float32(255.0)
    coverage = float((_between(pixels[..., 3].astype(np.float32)) >= cutoff).mean()) if cutoff else 0.0
    while color.shape[0] > 1 or color.shape[1] > 1:
        plain, alpha_next = _halve(color), _halve(alpha)
        if blend:
            weighted = _halve(color * alpha[..., None])
            plain = np.where(alpha_next[..., None] > 0.0, weighted / np.maximum(alpha_next, 1e-6)[..., None], plain)
        color = plain
        alpha = alpha_next
        out = np.empty((*alpha.shape, 4), dtype=np.uint8)
        out[..., :3] = _encode(color)
        out[..., 3] = _covering(alpha, coverage, cutoff) if cutoff else np.round(alpha * 255.0)
        levels.append(out)
    return levels


def bordered(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A level with its first column and row repeated at the end, so that neighbours of a texel lie side by side."""
    return np.pad(pixels, ((0, 1), (0, 1), (0, 0)), mode="wrap")


def _halve(values: Array) -> Array:
    """Mean of neighbours along each axis longer than 1; pairwise sums in a fixed order."""
    if values.shape[0] > 1:
        values = (values[0::2] + values[1::2]) * np.float32(0.5)
    if values.shape[1] > 1:
        values = (values[:, 0::2] + values[:, 1::2]) * np.float32(0.5)
    return values


def _between(alpha: Array) -> Array:
    """Bilinear values a quarter texel from each texel's centre, in four directions: what a renderer meets."""
    made = []
    for side in (-1, 1):
        across = alpha * np.float32(0.75) + np.roll(alpha, side, axis=1) * np.float32(0.25)
        made += [across * np.float32(0.75) + np.roll(across, up, axis=0) * np.float32(0.25) for up in (-1, 1)]
    return np.stack(made)


def _covering(alpha: Array, coverage: float, cutoff: int) -> NDArray[np.uint8]:
    """Alpha bytes scaled so that the share of the surface at or above the cutoff is nearest to `coverage`."""
    flat = np.sort(_between(alpha), axis=None)[::-1]
    wanted = min(max(round(coverage * flat.size), 0), flat.size)
    if wanted == 0 or flat[wanted - 1] <= 0.0:
        return np.round(alpha * np.float32(255.0)).astype(np.uint8)
    scale = np.float32((cutoff + 2.0) / 255.0) / flat[wanted - 1]  # kernels truncate up to 2 away
    scaled = np.round(np.minimum(alpha * scale, np.float32(1.0)) * np.float32(255.0)).astype(np.uint8)
    share = float((_between(scaled.astype(np.float32)) >= cutoff).mean())
    return scaled if share - coverage < MUCH or alpha.shape[1] < FEW else _barred(alpha, coverage)


def _barred(alpha: Array, coverage: float) -> NDArray[np.uint8]:
    """Alpha bytes, 0 or 255, of a level whose bars have run together: fewer and wider bars that cover as much.

    The texels of most alpha stay; among equals those of columns far apart.
    """
    width = alpha.shape[1]
    bits = width.bit_length() - 1
    spread = np.array([int(f"{column:0{bits}b}"[::-1], 2) for column in range(width)])
    order = np.lexsort((np.broadcast_to(spread, alpha.shape).ravel(), -np.round(alpha * 16.0).ravel()))
    out = np.zeros(alpha.size, dtype=np.uint8)
    out[order[: round(coverage * alpha.size)]] = 255
    return out.reshape(alpha.shape)


_STEPS = 8192


def _encode(linear: Array) -> NDArray[np.uint8]:
    """Linear light to sRGB bytes by table."""
    table = _encode_table()
    return table[np.clip(linear * np.float32(_STEPS), 0, _STEPS - 1).astype(np.int32)]


@lru_cache(maxsize=1)
def _encode_table() -> NDArray[np.uint8]:
    return np.array([int(255.0 * linear_to_srgb((i + 0.5) / _STEPS) + 0.5) for i in range(_STEPS)], dtype=np.uint8)
