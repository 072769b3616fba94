"""The sky behind a picture, by the raster renderer's own kernel: gradient, sun, clouds and what else stands there."""

import numpy as np
from numpy.typing import NDArray

from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera
from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import LIGHT_DRIFT, Array, Tables
from citysim.render.raster.sky import put, shade_sky
from citysim.render.raster.tables import drift_of, make_tables, pack_camera, pack_light


def sky_picture(camera: Camera, atmosphere: Atmosphere, clock_s: float) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: the sky in every pixel at a clock time; the fog's colour in orthographic views."""
    width, height = camera.size
    rgb = np.empty((height, width, 3), dtype=np.uint8)
    light = pack_light(atmosphere)
    light[LIGHT_DRIFT : LIGHT_DRIFT + 2] = drift_of(clock_s)
    paint_sky(pack_camera(camera, 1.0), light, make_tables(atmosphere), width, height, rgb.reshape(-1))
    return rgb


@kernel
def paint_sky(cam: Array, light: Array, tables: Tables, width: int, height: int, rgb: Array) -> None:
    """Fill rgb (H * W * 3,) uint8."""
    for y in range(height):
        if cam[18] != 0.0:
            for x in range(width):
                put(rgb, y * width + x, tables.tone, light[15], light[16], light[17])
        else:
            shade_sky(cam, light, tables, y * width, 0, width, (y + 0.5 - cam[14]) * (1.0 / cam[12]), rgb)
