"""Pictures made of the pixels of others."""

import numpy as np

from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import I64, Array, U


@kernel
def blend(face: Array, side: int, pixels: Array, x: Array, y: Array, rgb: Array) -> None:
    """Fill pixels of rgb (N * 3,) uint8 with the bilinear mean of four pixels of a face (side * side * 3,)."""
    for n in range(len(pixels)):
        px, py = I64(x[n]), I64(y[n])
        fx, fy = px & 255, py & 255
        at = U(3 * ((py >> 8) * side + (px >> 8)))
        below = at + U(3 * side)
        to = U(3 * I64(pixels[n]))
        for c in range(3):
            k = U(c)
            top = I64(face[at + k]) * (256 - fx) + I64(face[at + k + U(3)]) * fx
            bottom = I64(face[below + k]) * (256 - fx) + I64(face[below + k + U(3)]) * fx
            rgb[to + k] = np.uint8((top * (256 - fy) + bottom * fy + 32768) >> 16)
