"""Panoramas: the whole sphere around an eye, resampled from six perspective faces of a cube.

The faces are level (the cube turns with the panorama's yaw and never tilts), larger than a right angle by a few pixels,
so that every sample has its four neighbours on one face, and finer than the panorama, so that it is as sharp as they
are. Where a sample lies is kept in whole 256ths of a pixel: nothing after that depends on the last bit of a sine.
"""

import dataclasses
import math
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.pose import Pose
from citysim.render.camera import Camera

if TYPE_CHECKING:
    from citysim.render.base import Frame, View

FINER = 2.0  # pixels of a face's middle for each one of the panorama
MARGIN = 4  # pixels of a face beyond a right angle, and
BEYOND = 0.08  # of its half: halos of lamps just beside a face reach into it
# Yaw and pitch of each face in degrees, and the rows of level (right, down, forward) axes that give its own.
FACES = (
    (0, 0, (0, 1, 2), (1, 1, 1)),
    (-90, 0, (2, 1, 0), (-1, 1, 1)),
    (180, 0, (0, 1, 2), (-1, 1, -1)),
    (90, 0, (2, 1, 0), (1, 1, -1)),
    (0, 90, (0, 2, 1), (1, 1, -1)),
    (0, -90, (0, 2, 1), (1, -1, 1)),
)


class Patch(NamedTuple):
    """The pixels of a panorama that one face fills."""

    pixels: NDArray[np.int32]  # (n,) flat places in the panorama
    x: NDArray[np.int32]  # (n,) 256ths of a face's pixel, from the centre of its first
    y: NDArray[np.int32]
    stretch: NDArray[np.float32]  # (n,) distance from the eye for each metre along the face's axis


def panorama(render: "Callable[[View], Frame]", view: "View") -> "Frame":
    """Draw a view whose camera is a panorama, with a renderer's `render` for perspective cameras.

    Colours are blended from four pixels of a face; depth, labels and normals are those of the nearest pixel.
    """
    from citysim.render.base import Frame
    from citysim.render.raster.blending import blend

    camera = view.camera
    width, height = camera.size
    side, focal = face_size(height)
    # Rounded, so that panoramas of a walk that looks up and down by tiny amounts share their tables.
    patches = remap(height, round(camera.pose.pitch, 9))
    rgb = np.empty((height * width, 3), dtype=np.uint8)
    depth = np.empty(height * width, dtype=np.float32) if view.depth else None
    labels = np.empty(height * width, dtype=np.int32) if view.labels else None
    normals = np.empty((height * width, 3), dtype=np.float32) if view.normals else None
    pose = camera.pose
    for (yaw, pitch, _, _), patch in zip(FACES, patches, strict=True):
        place = Pose(pose.east, pose.north, pose.up, pose.yaw + math.radians(yaw), math.radians(pitch))
        fov = 2.0 * math.degrees(math.atan(side / (2.0 * focal)))
        face = render(
            dataclasses.replace(view, camera=Camera(place, (side, side), fov, camera.near_m, camera.far_m))
        )  # fmt: skip
        blend(face.rgb.reshape(-1), side, patch.pixels, patch.x, patch.y, rgb.reshape(-1))
        nearest = ((patch.y + 128) >> 8) * side + ((patch.x + 128) >> 8)
        if depth is not None and face.depth is not None:
            depth[patch.pixels] = face.depth.reshape(-1)[nearest] * patch.stretch
        if labels is not None and face.labels is not None:
            labels[patch.pixels] = face.labels.reshape(-1)[nearest]
        if normals is not None and face.normals is not None:
            normals[patch.pixels] = face.normals.reshape(-1, 3)[nearest]
    return Frame(
        rgb.reshape(height, width, 3),
        None if depth is None else depth.reshape(height, width),
        None if labels is None else labels.reshape(height, width),
        None if normals is None else normals.reshape(height, width, 3),
    )


def face_size(height: int) -> tuple[int, float]:
    """Pixels along a face's side, and its focal length in pixels, for a panorama so many pixels high."""
    focal = FINER * height / math.pi
    side = 2 * (math.ceil(focal * (1.0 + BEYOND)) + MARGIN)
    return side, focal


@lru_cache(maxsize=4)
def remap(height: int, pitch: float) -> tuple[Patch, ...]:
    """Where each pixel of a panorama `height` pixels high, tilted by `pitch` radians, lies on the six faces."""
    side, focal = face_size(height)
    lens = Camera(Pose(0.0, 0.0, 0.0, 0.0, pitch), (2 * height, height), panorama=True)
    y, x = np.divmod(np.arange(2 * height * height), 2 * height)
    _, rays = lens.rays(np.stack([x + 0.5, y + 0.5], axis=1))
    level = rays @ Camera(Pose(0.0, 0.0, 0.0)).rotation.T  # right, down, forward of the untilted eye
    # Rounded before they are compared: a ray through an edge belongs to the same face on every machine.
    size = np.round(np.abs(level), 12)
    axis = np.argmax(size, axis=1)
    positive = np.take_along_axis(level, axis[:, None], axis=1)[:, 0] > 0
    patches = []
    for _, _, order, signs in FACES:
        chosen = np.flatnonzero((axis == order[2]) & (positive == (signs[2] > 0)))
        own = level[chosen][:, order] * np.array(signs)
        across, down = own[:, 0] / own[:, 2], own[:, 1] / own[:, 2]
        place = [np.round((a * focal + 0.5 * side - 0.5) * 256.0).astype(np.int32) for a in (across, down)]
        stretch = np.sqrt(1.0 + across * across + down * down).astype(np.float32)
        patches.append(Patch(chosen.astype(np.int32), place[0], place[1], stretch))
    return tuple(patches)
