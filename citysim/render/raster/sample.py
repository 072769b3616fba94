"""Texture reads inside kernels: packed 8-bit texels, wrapped, bilinear and trilinear, in integer arithmetic.

Four bytes are spread over the four 16-bit lanes of one 64-bit word, so that one multiplication weighs all channels.
"""

import numpy as np

from citysim.render.raster.jit import helper
from citysim.render.raster.layout import I64, Array, D, F, Int, Real, U

LOW = U(0x00FF00FF)
HIGH = U(0xFF00FF00)
LANES = U(0x00FF00FF00FF00FF)
S8, S24 = U(8), U(24)


@helper
def log2_256(value: Real) -> Int:
    """log2 of a positive number in 1/256, piecewise linear between powers of two (error below 0.09)."""
    return (I64(F(value).view(np.int32)) - 0x3F800000) >> 15


@helper
def spread(texel: Int) -> Int:
    """Bytes r, g, b, a of a texel to lanes r, b, g, a."""
    word = U(texel)
    return (word & LOW) | ((word & HIGH) << S24)


@helper
def bilinear(texels: Array, first: Int, log_width: Int, log_height: Int, fu: Int, fv: Int) -> Int:
    """Lanes of the texture level at `first`, at fu, fv in 1/256 texel counted from the first texel's centre."""
    wrap_x, wrap_y = (1 << log_width) - 1, (1 << log_height) - 1
    x0, y0 = (fu >> 8) & wrap_x, (fv >> 8) & wrap_y
    top = first + (y0 << log_width) + y0 + x0  # rows are one texel longer than wide: see `bordered`
    bottom = top + wrap_x + 2
    # One weight a texel, together 256: one truncation in all, and no lane can overflow.
    wx, wy = fu & 255, fv & 255
    both = (wx * wy) >> 8
    return (
        (
            spread(texels[U(top)]) * U(256 - wx - wy + both)
            + spread(texels[U(top + 1)]) * U(wx - both)
            + spread(texels[U(bottom)]) * U(wy - both)
            + spread(texels[U(bottom + 1)]) * U(both)
        )
        >> S8
    ) & LANES


@helper
def level_lanes(
    texels: Array, levels: Array, texture: Int, log_width: Int, log_height: Int, level: Int, iu: Int, iv: Int
) -> Int:
    """Lanes of one mip level at iu, iv in 1/256 texel of the finest level."""
    w, h = log_width - level, log_height - level
    w, h = w if w > 0 else 0, h if h > 0 else 0
    return bilinear(texels, I64(levels[U(texture), U(level)]), w, h, (iu >> level) - 128, (iv >> level) - 128)


@helper
def alpha_at(texels: Array, shape: Array, levels: Array, texture: Int, u: Real, v: Real, area: Real) -> Int:
    """Alpha byte at u, v on the level where one texel covers about one pixel; `area` is uv area a pixel."""
    log_width, log_height = I64(shape[U(texture), U(0)]), I64(shape[U(texture), U(1)])
    level = I64(0)
    texels_a_pixel = area * D(1 << (log_width + log_height))
    if texels_a_pixel > 1.0:
        top = I64(shape[U(texture), U(2)]) - 1
        level = (log2_256(texels_a_pixel) + 128) >> 9
        level = level if level < top else top
    iu = I64(np.floor(u * D(256 << log_width)))
    iv = I64(np.floor(v * D(256 << log_height)))
    return I64(level_lanes(texels, levels, texture, log_width, log_height, level, iu, iv) >> U(48))
