"""What is not the city's surface in a picture, by the raster renderer's own kernels: sky, stars, moon, halos, rain."""

import numpy as np
from numpy.typing import NDArray

from citysim.render.base import Camera
from citysim.render.raster.arena import GeometryArena
from citysim.render.raster.buffers import Buffers
from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import Array, Geometry, Scratch, Tables, Target
from citysim.render.raster.sky import put, shade_sky
from citysim.render.raster.tables import pack_camera


def sky_picture(camera: Camera, light: Array, tables: Tables) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: the sky in every pixel; the fog's colour in orthographic views."""
    width, height = camera.size
    rgb = np.empty((height, width, 3), dtype=np.uint8)
    paint_sky(pack_camera(camera, 1.0), light, tables, width, height, rgb.reshape(-1))
    return rgb


def as_target(
    depth: NDArray[np.float32], ground: NDArray[np.int32], buffers: Buffers
) -> tuple[Target, Scratch]:  # fmt: skip
    """A perspective picture as the raster renderer's layers read one: of depths, and codes of material and slope.

    A code is 0 for sky, else 1 + 2 x material, and one more where the surface is flat enough to mirror. There is one
    record, and one triangle of `grounds`, for each.
    """
    target, scratch = buffers.target(depth.shape[1], depth.shape[0]), buffers.scratch(0, 1)
    flat = depth.reshape(-1)
    there = np.isfinite(flat)
    np.divide(1.0, flat, out=target.nearness, where=there)
    target.nearness[~there] = 0.0
    target.record[:] = np.where(there, np.maximum(ground.reshape(-1) - 1, 0), -1)
    while len(scratch.records) <= int(ground.max()):
        scratch = buffers.more_records(0)
    count = len(scratch.records)
    scratch.records[:, 11] = np.arange(count) & 1
    scratch.record_triangle[:] = np.arange(count) >> 1
    return target, scratch


def grounds(materials: int) -> Geometry:
    """One triangle of each material, as far as layers read them."""
    return GeometryArena(np.zeros(1, dtype=np.uint8)).geometry._replace(materials=np.arange(materials, dtype=np.int32))


def whole(camera: Camera) -> NDArray[np.int64]:
    """The rectangle of all of a picture, as kernels take it."""
    width, height = camera.size
    return np.array([0, width, 0, height, width, height, 3], dtype=np.int64)


@kernel
def paint_sky(cam: Array, light: Array, tables: Tables, width: int, height: int, rgb: Array) -> None:
    """Fill rgb (H * W * 3,) uint8."""
    for y in range(height):
        if cam[18] != 0.0:
            for x in range(width):
                put(rgb, y * width + x, tables.tone, light[15], light[16], light[17])
        else:
            shade_sky(cam, light, tables, y * width, 0, width, (y + 0.5 - cam[14]) * (1.0 / cam[12]), rgb)
