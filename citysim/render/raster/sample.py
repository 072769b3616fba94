"""Texture reads inside kernels: packed 8-bit texels, wrapped, bilinear and trilinear, in integer arithmetic.

Four bytes are spread over the four 16-bit lanes of one 64-bit word, so that one multiplication weighs all channels.
"""

import numpy as np
from numba import njit

from citysim.render.raster.layout import Array

U = np.uint64
LOW = np.uint64(0x00FF00FF)
HIGH = np.uint64(0xFF00FF00)
LANES = np.uint64(0x00FF00FF00FF00FF)
S8, S24 = np.uint64(8), np.uint64(24)
FULL = np.uint64(256)


@njit(cache=True, nogil=True, error_model="numpy")
def log2_256(value: float) -> int:
    """log2 of a positive number in 1/256, piecewise linear between powers of two (error below 0.09)."""
    return (np.int64(np.float32(value).view(np.int32)) - 0x3F800000) >> 15


@njit(cache=True, nogil=True, error_model="numpy")
def spread(texel: int) -> int:
    """Bytes r, g, b, a of a texel to lanes r, b, g, a."""
    word = U(texel)
    return (word & LOW) | ((word & HIGH) << S24)


@njit(cache=True, nogil=True, error_model="numpy")
def lerp_lanes(a: int, b: int, weight: int) -> int:
    """a + (b - a) * weight / 256 in each lane, 0 <= weight <= 256."""
    return ((a * (FULL - weight) + b * weight) >> S8) & LANES


@njit(cache=True, nogil=True, error_model="numpy")
def bilinear(texels: Array, first: int, log_width: int, log_height: int, fu: int, fv: int) -> int:
    """Lanes of the texture level at `first`, at fu, fv in 1/256 texel counted from the first texel's centre."""
    wrap_x, wrap_y = (1 << log_width) - 1, (1 << log_height) - 1
    x0, y0 = (fu >> 8) & wrap_x, (fv >> 8) & wrap_y
    x1 = (x0 + 1) & wrap_x
    top, bottom = first + (y0 << log_width), first + (((y0 + 1) & wrap_y) << log_width)
    wx, wy = U(fu & 255), U(fv & 255)
    a = lerp_lanes(spread(texels[U(top + x0)]), spread(texels[U(top + x1)]), wx)
    b = lerp_lanes(spread(texels[U(bottom + x0)]), spread(texels[U(bottom + x1)]), wx)
    return lerp_lanes(a, b, wy)


@njit(cache=True, nogil=True, error_model="numpy")
def trilinear(texels: Array, shape: Array, levels: Array, u: float, v: float, lod: int) -> int:
    """Lanes of one texture (its rows of `shape` and `levels`) at u, v; `lod` is the mip level in 1/256."""
    log_width, log_height = np.int64(shape[U(0)]), np.int64(shape[U(1)])
    iu = np.int64(np.floor(u * np.float64(256 << log_width)))
    iv = np.int64(np.floor(v * np.float64(256 << log_height)))
    top = np.int64(shape[U(2)]) - 1
    level = min(max(lod, 0) >> 8, top)
    near = bilinear(
        texels, levels[U(level)], max(log_width - level, 0), max(log_height - level, 0),
        (iu >> level) - 128, (iv >> level) - 128,
    )  # fmt: skip
    weight = max(lod, 0) & 255
    if weight == 0 or level == top:
        return near
    level += 1
    far = bilinear(
        texels, levels[U(level)], max(log_width - level, 0), max(log_height - level, 0),
        (iu >> level) - 128, (iv >> level) - 128,
    )  # fmt: skip
    return lerp_lanes(near, far, U(weight))


@njit(cache=True, nogil=True, error_model="numpy")
def alpha_at(texels: Array, shape: Array, levels: Array, u: float, v: float, area: float) -> int:
    """Alpha byte at u, v on the level where one texel covers about one pixel; `area` is uv area a pixel."""
    log_width, log_height = np.int64(shape[U(0)]), np.int64(shape[U(1)])
    level = np.int64(0)
    texels_a_pixel = area * np.float64(1 << (log_width + log_height))
    if texels_a_pixel > 1.0:
        level = min((log2_256(texels_a_pixel) + 128) >> 9, np.int64(shape[U(2)]) - 1)
    iu = np.int64(np.floor(u * np.float64(256 << log_width)))
    iv = np.int64(np.floor(v * np.float64(256 << log_height)))
    lanes = bilinear(
        texels, levels[U(level)], max(log_width - level, 0), max(log_height - level, 0),
        (iu >> level) - 128, (iv >> level) - 128,
    )  # fmt: skip
    return np.int64(lanes >> U(48))
