"""Pictures for people: drawn several times as large and shrunk, which smooths edges and sharpens what is small."""

import dataclasses
import math

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.render.base import MAX_SIZE, Frame, Renderer, View
from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import I64, Array, U

SAMPLES = (1, 4, 9, 16)


def render_smooth(renderer: Renderer, view: View, samples: int = 4) -> Frame:
    """Draw a view with the colour of each pixel the mean of `samples` (1, 4, 9 or 16); the rest stays exact.

    Fewer samples are taken where the larger picture would be too large, and one of panoramas, which are smooth
    already. Raises InputError for another number.
    """
    if samples not in SAMPLES:
        raise InputError(f"a number of samples of {SAMPLES}", f"{samples}", "4")
    width, height = view.camera.size
    finer = min(math.isqrt(samples), MAX_SIZE // max(width, height))
    if finer <= 1 or view.camera.panorama:
        return renderer.render(view)
    large = dataclasses.replace(view.camera, size=(finer * width, finer * height))
    plain = renderer.render(dataclasses.replace(view, camera=large, depth=False, labels=False, normals=False))
    rgb = block_means(plain.rgb, finer)
    if not (view.depth or view.labels or view.normals):
        return Frame(rgb)
    return dataclasses.replace(renderer.render(view), rgb=rgb)


def block_means(rgb: NDArray[np.uint8], side: int) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 -> (H / side, W / side, 3) uint8: means of blocks of side x side pixels."""
    out = np.empty((rgb.shape[0] // side, rgb.shape[1] // side, 3), dtype=np.uint8)
    fill_means(rgb, side, out)
    return out


@kernel
def fill_means(rgb: Array, side: int, out: Array) -> None:
    """Fill out (h, w, 3) with block means."""
    count = side * side
    for row in range(out.shape[0]):
        for column in range(out.shape[1]):
            r, g, b = I64(0), I64(0), I64(0)
            for y in range(row * side, row * side + side):
                for x in range(column * side, column * side + side):
                    r += rgb[U(y), U(x), U(0)]
                    g += rgb[U(y), U(x), U(1)]
                    b += rgb[U(y), U(x), U(2)]
            out[U(row), U(column), U(0)] = (r + count // 2) // count
            out[U(row), U(column), U(1)] = (g + count // 2) // count
            out[U(row), U(column), U(2)] = (b + count // 2) // count
