"""Tables that kernels use instead of libm, and the packing of cameras and atmospheres into plain vectors.

Made with Python's correctly rounded-to-a-hair float functions and then rounded to bytes or float32: another libm's last
bit does not reach a pixel.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from citysim.render.atmosphere import WIND, Atmosphere
from citysim.render.base import Camera
from citysim.render.raster.clouds import SIDE, cloud_field
from citysim.render.raster.layout import (
    CAM_SIZE,
    EXTRA_SIZE,
    LIGHT_DENSITY,
    LIGHT_DRIFT,
    LIGHT_HAZE,
    LIGHT_LAYER,
    LIGHT_SIZE,
    Array,
    Tables,
)

_NO_CLOUDS: Array = np.zeros(0, dtype=np.uint16)
LAYER = 84.0  # texels of the cloud field that are as wide as the layer is high
CLOUD_HEIGHT_M = 1500.0
SHOULDER = 0.55  # linear light up to which the tone curve is the identity


def srgb_to_linear(value: float) -> float:
    """IEC 61966-2-1 decoding of a value in [0, 1]."""
    return value / 12.92 if value <= 0.04045 else math.pow((value + 0.055) / 1.055, 2.4)


def linear_to_srgb(value: float) -> float:
    """IEC 61966-2-1 encoding of a value in [0, 1]."""
    return value * 12.92 if value <= 0.0031308 else 1.055 * math.pow(value, 1.0 / 2.4) - 0.055


def tone_curve(value: float) -> float:
    """Linear scene light to linear display light: identity, then a smooth shoulder so that white keeps its form."""
    if value <= SHOULDER:
        return value
    return SHOULDER + (1.0 - SHOULDER) * (1.0 - math.exp(-(value - SHOULDER) / (1.0 - SHOULDER)))


@lru_cache(maxsize=1)
def fixed_tables() -> tuple[Array, Array, Array, Array, Array]:
    """The tables that no atmosphere changes: linear, linear_fine, fog, tone, halo."""
    fine = np.array([srgb_to_linear(min(i / 1020.0, 1.0)) for i in range(1024)], dtype=np.float32)
    linear = np.array([srgb_to_linear(i / 255.0) for i in range(256)], dtype=np.float32)
    fog = np.array([1.0 - math.exp(-i / 512.0) for i in range(4096)], dtype=np.float32)
    tone = np.array(
        [int(255.0 * linear_to_srgb(tone_curve((i + 0.5) / 4096.0)) + 0.5) for i in range(16384 + 3)], dtype=np.uint8
    )
    halo = np.array([0.12 * (i / 512.0) ** 8 + 0.25 * (i / 512.0) ** 64 for i in range(512)], dtype=np.float32)
    return linear, fine, fog, tone, halo


def sky_table(atmosphere: Atmosphere) -> NDArray[np.float32]:
    """(1024, 4) float32 linear sky colour by sine of elevation, and the share of what is behind the haze there."""
    rows = []
    for i in range(1024):
        sine = (i + 0.5 - 512.0) / 512.0
        clear = atmosphere.clear_at(sine)
        rows.append((*atmosphere.sky_at(sine), clear))
    return np.array(rows, dtype=np.float32)


def make_tables(atmosphere: Atmosphere) -> Tables:
    """All tables for one atmosphere."""
    clouds = cloud_field() if atmosphere.cloud_cover > 0.0 else _NO_CLOUDS
    return Tables(*fixed_tables(), sky_table(atmosphere), clouds)


def _cloud_numbers(a: Atmosphere) -> list[float]:
    """LIGHT_EDGE to LIGHT_BASE, without the drift, which moves with the clock: see `drift_of`."""
    if a.cloud_cover <= 0.0:
        return [0.0, 0.0, 0.0, 0.0, a.sun_disc, *[0.0] * (LIGHT_HAZE - LIGHT_LAYER)]
    full = a.cloud_cover >= 1.0
    edge = -0.9 if full else 1.0 - a.cloud_cover
    east, north, _ = a.sun_direction
    flat = math.sqrt(east * east + north * north) + 1e-9
    step = (4.0 * east / flat, 4.0 * north / flat)
    return [edge, 1.0 if full else 5.5, 0.0, 0.0, a.sun_disc, LAYER, *step, *a.cloud_color, *a.cloud_shade]


def place_light(light: NDArray[np.float64], atmosphere: Atmosphere, eye_up: float, clock_s: float) -> None:
    """Write into a packed light what depends on eye and clock: haze and the drift of clouds."""
    light[LIGHT_DENSITY], light[LIGHT_HAZE + 1] = atmosphere.haze_at(eye_up)
    light[LIGHT_DRIFT], light[LIGHT_DRIFT + 1] = drift_of(clock_s)


def drift_of(clock_s: float) -> tuple[float, float]:
    """How far clouds have drifted by a clock time, in texels of their field, on a lattice of 1/1024."""
    texels = clock_s * LAYER / CLOUD_HEIGHT_M
    east, north = (round(-speed * texels % SIDE * 1024.0) / 1024.0 for speed in WIND)
    return east, north


def pack_light(atmosphere: Atmosphere) -> NDArray[np.float64]:
    """(LIGHT_SIZE,) float64 in the order of the LIGHT_ constants."""
    a = atmosphere
    return np.array(
        [
            *a.light_direction, *a.sun_color, *a.sky_ambient, *a.ground_ambient, *a.bounce, *a.fog_color,
            a.fog_density, a.emissive_gain, *a.unlit_gain, *a.glow_color, *_cloud_numbers(a),
            a.fog_height, 1.0,
        ]
    ).reshape(LIGHT_SIZE)  # fmt: skip


def pack_extras(atmosphere: Atmosphere) -> NDArray[np.float64]:
    """(EXTRA_SIZE,) float64 in the order of the EXTRA_ constants."""
    a = atmosphere
    return np.array([a.room_share, *a.room_color, a.sign_gain, a.lamp_light]).reshape(EXTRA_SIZE)


def pack_camera(camera: Camera, deepest: float) -> NDArray[np.float64]:
    """(CAM_SIZE,) float64 in the order of the CAM_ constants; `deepest` bounds the depth of an orthographic scene.

    The rotation is rounded to a 2^-40 lattice, so that another libm's sine cannot move a pixel.
    """
    pose, focal = camera.pose, camera.focal_px
    return np.array(
        [
            *[round(value * 2.0**40) * 2.0**-40 for value in camera.axes], pose.east, pose.north, pose.up,
            round(focal * 2.0**24) / 2.0**24 if focal > 2.0**-10 else focal, 0.5 * camera.size[0],
            0.5 * camera.size[1], camera.near_m, camera.far_m, deepest, 0.0 if camera.ortho_height_m is None else 1.0,
        ]
    ).reshape(CAM_SIZE)  # fmt: skip
