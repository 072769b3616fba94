"""The sky as a picture, by the raster renderer's formula."""

import numpy as np
from numpy.typing import NDArray

from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera
from citysim.render.raster.tables import make_tables, sky_table


def sky_picture(camera: Camera, atmosphere: Atmosphere) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: the sky in every pixel; the fog's colour in orthographic views."""
    width, height = camera.size
    if camera.ortho_height_m is not None:
        linear = np.broadcast_to(np.array(atmosphere.fog_color), (height, width, 3))
    else:
        x = (np.arange(width) + 0.5 - width / 2) / camera.focal_px
        y = (np.arange(height) + 0.5 - height / 2) / camera.focal_px
        rays = np.stack([*np.broadcast_arrays(x[None, :], y[:, None]), np.ones((height, width))], axis=-1)
        rays = rays @ camera.rotation
        rays /= np.linalg.norm(rays, axis=-1, keepdims=True)
        step = np.clip((rays[..., 2] * 512.0 + 512.0).astype(np.int64), 0, 1023)
        toward = np.maximum(rays @ np.array(atmosphere.light_direction), 0.0)
        glow = 0.12 * toward**8 + 0.25 * toward**64 + 0.5 * toward**512 + 6.0 * toward**8192
        linear = sky_table(atmosphere)[step] + glow[..., None] * np.array(atmosphere.glow_color)
    tone = make_tables(atmosphere).tone
    return tone[np.clip(linear * 4096.0, 0, len(tone) - 1).astype(np.int64)]
