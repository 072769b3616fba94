"""Sun shadows: depth maps drawn from the sun, kept by place and sun angle, and read with 2x2 filtering.

Two maps of 2048 x 2048 lie around the eye, a fine one for the street at hand and a coarse one for what is far. Their
places snap to a grid and the sun's direction to whole degrees, so that a map serves many frames and depends on nothing
but the eye's cell and the hour: the same view has the same shadows whatever was drawn before. No map lies where it
would show less of the city than one further in: a small city has one of each. Large pictures have the fine map where
they look; in small ones, where a pixel is wider than what the coarse map loses, it lies around the eye, so that who
turns round needs no other.
"""

import math
from collections import OrderedDict
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.pose import Pose
from citysim.render.base import Camera
from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import SHADOW_SIDE, Array, D, Real, Shadows, U
from citysim.render.raster.tables import pack_camera

FINE_M, COARSE_M = 384.0, 3072.0  # widths on the ground
KEPT = {FINE_M: 4, COARSE_M: 2}  # maps kept of each width for one walker, 8 MB each
SMALL = 160 * 120  # pixels of the largest picture that has its maps around the eye
MOST_FINE = 12  # and for many eyes in one batch
DEPTH_STEPS = 65535.0
MAP_TEXELS = SHADOW_SIDE * SHADOW_SIDE


@kernel
def quantise(nearness: Array, scale: Real, out: Array) -> None:
    """Nearness in metres to uint16 steps."""
    for i in range(len(nearness)):
        value = D(nearness[U(i)]) * scale
        out[U(i)] = np.uint16(value if value < 65535.0 else 65535.0)


_NONE = np.zeros(0, np.uint16)
NO_SHADOWS = Shadows(_NONE, _NONE, _NONE, np.zeros(2, np.int64), np.zeros((2, 7, 3)), np.zeros((2, 3)))


class ShadowMaps:
    """Makes and keeps the maps of a city within `bounds` (west, south, east, north, local metres).

    `draw` fills a nearness picture (metres) of an orthographic camera, given its depth.
    """

    def __init__(self, draw: Callable[[Camera, float], Array], bounds: tuple[float, float, float, float]) -> None:
        self._draw = draw
        self._limits = {width: (_limits(width, *bounds[::2]), _limits(width, *bounds[1::2])) for width in KEPT}
        self._held: tuple[tuple[int, ...], Shadows, tuple[_Map, _Map]] | None = None  # of the last eye
        # One piece of memory for all, so that one kernel can read any; what is not used is never touched.
        self._pool = np.empty((KEPT[COARSE_M] + MOST_FINE) * MAP_TEXELS, dtype=np.uint16)
        self._room = dict(KEPT)
        self._kept: dict[float, OrderedDict[tuple[int, ...], _Map]] = {FINE_M: OrderedDict(), COARSE_M: OrderedDict()}

    def of(self, eye: Camera, sun: tuple[float, float, float], cam: Array | None = None) -> Shadows:
        """Both maps for an eye (`cam` is the same, packed) and a unit vector towards the sun.

        The maps are good as long as `would_forget` says so.
        """
        if cam is None:
            cam = pack_camera(eye, 1.0)
        angles = _whole_degrees(sun)
        fine_cell, coarse_cell = self._cell(eye, FINE_M), self._cell(eye, COARSE_M)
        key = (*angles, *fine_cell, *coarse_cell)
        if self._held is None or self._held[0] != key:
            maps = (self._map(FINE_M, *fine_cell, *angles), self._map(COARSE_M, *coarse_cell, *angles))
            fine, coarse = (self._slot(made.slot) for made in maps)
            slots, margins = np.array([made.slot for made in maps]), np.stack([made.margins for made in maps])
            self._held = key, Shadows(fine, coarse, self._pool, slots, NO_SHADOWS.rays, margins), maps
        _, held, maps = self._held
        rays = np.empty((2, 7, 3))
        for number, made in enumerate(maps):
            transform(cam, made.linear, made.place, rays[number])
        return held._replace(rays=rays)

    def fine_slot(self, eye: Camera, sun: tuple[float, float, float]) -> int | None:
        """Where the fine map of an eye lies, if it is there."""
        held = self._kept[FINE_M].get((*_whole_degrees(sun), *self._cell(eye, FINE_M)))
        return None if held is None else held.slot

    def fine_place(self, eye: Camera, sun: tuple[float, float, float]) -> "Place":
        """Where local metres lie in the fine map of an eye that `of` was asked for."""
        held = self._kept[FINE_M][(*_whole_degrees(sun), *self._cell(eye, FINE_M))]
        return Place(held.linear, held.place, held.step)

    def neighbourhood(self, eye: Camera) -> tuple[int, int]:
        """Eyes of one neighbourhood look at the same maps."""
        return self._cell(eye, FINE_M)

    def serve(self, neighbourhoods: int) -> None:
        """Keep fine maps for at least so many neighbourhoods from now on, up to MOST_FINE."""
        self._room[FINE_M] = min(max(self._room[FINE_M], neighbourhoods), MOST_FINE)

    def would_forget(self, eye: Camera, sun: tuple[float, float, float], slots: Collection[int]) -> bool:
        """Whether `of` would overwrite a map in one of these slots."""
        for width in (FINE_M, COARSE_M):
            kept = self._kept[width]
            key = (*_whole_degrees(sun), *self._cell(eye, width))
            if key not in kept and len(kept) == self._room[width] and next(iter(kept.values())).slot in slots:
                return True
        return False

    def _cell(self, eye: Camera, width: float) -> tuple[int, int]:
        """The grid place of the map around what an eye sees."""
        pose, grid = eye.pose, width / 3.0
        large = eye.ortho_height_m is None and eye.size[0] * eye.size[1] > SMALL
        reach = width / 8.0 if large else 0.0
        (west, east), (south, north) = self._limits[width]
        return (
            min(max(round((pose.east + reach * math.cos(pose.yaw)) / grid), west), east),
            min(max(round((pose.north + reach * math.sin(pose.yaw)) / grid), south), north),
        )

    def _slot(self, slot: int) -> NDArray[np.uint16]:
        return self._pool[slot * MAP_TEXELS : (slot + 1) * MAP_TEXELS]

    def _map(self, width: float, east: int, north: int, azimuth: int, elevation: int) -> "_Map":
        """A map, drawn when it is not there."""
        kept = self._kept[width]
        key = (azimuth, elevation, east, north)
        if key in kept:
            kept.move_to_end(key)
            return kept[key]
        camera, depth = _sun_camera(width, east, north, azimuth, elevation)
        nearness = self._draw(camera, depth)
        if len(kept) < self._room[width]:
            slot = len(kept) + (0 if width == COARSE_M else KEPT[COARSE_M])
        else:
            slot = kept.popitem(last=False)[1].slot
        quantise(nearness, DEPTH_STEPS / depth, self._slot(slot))
        kept[key] = _Map(slot, *_transform(camera, depth))
        return kept[key]


def _whole_degrees(sun: tuple[float, float, float]) -> tuple[int, int]:
    """Azimuth and elevation of a map's sun, never too low for a map."""
    elevation = max(round(math.degrees(math.asin(max(-1.0, min(1.0, sun[2]))))), 3)
    return round(math.degrees(math.atan2(sun[1], sun[0]))) % 360, elevation


class Place(NamedTuple):
    """How local metres become coordinates of a map (texels, texels, steps)."""

    linear: NDArray[np.float64]  # (3 map, 3 local)
    origin: NDArray[np.float64]  # (3,) the local origin in map coordinates
    step: float  # steps a metre


class _Map(NamedTuple):
    """Where a map lies in the pool, and how local metres become its coordinates (texels, texels, steps)."""

    slot: int
    linear: NDArray[np.float64]  # (3 map, 3 local)
    place: NDArray[np.float64]  # (3,) the local origin in map coordinates
    margins: NDArray[np.float64]
    step: float  # steps a metre


def _limits(width: float, low: float, high: float) -> tuple[int, int]:
    """The first and the last place on the grid, along one axis, of maps of a city from `low` to `high`.

    A map shows at least the square whose diagonal is its width, however the sun turns it: one further out than where
    that square reaches the city's end would show nothing more.
    """
    grid, half = width / 3.0, width / math.sqrt(8.0)
    first, last = math.floor((low + half) / grid), math.ceil((high - half) / grid)
    return (first, last) if first <= last else ((first + last) // 2,) * 2


def _sun_camera(width: float, east: int, north: int, azimuth: int, elevation: int) -> tuple[Camera, float]:
    grid = width / 3.0
    back = 500.0 + width
    yaw, pitch = math.radians(azimuth), math.radians(elevation)
    flat = back * math.cos(pitch)
    place = Pose(
        east * grid + flat * math.cos(yaw), north * grid + flat * math.sin(yaw), back * math.sin(pitch),
        yaw + math.pi, -pitch,
    )  # fmt: skip
    camera = Camera(place, (SHADOW_SIDE, SHADOW_SIDE), near_m=0.5, far_m=2.0 * back, ortho_height_m=width)
    return camera, 2.0 * back


@kernel
def transform(cam: Array, linear: Array, place: Array, rays: Array) -> None:
    """Rows eye, right, down, forward, east, north, up in map coordinates to rays (7, 3).

    A point eye + s (forward + right x + down y) is the same combination of these rows.
    """
    for k in range(3):
        rays[0, k] = place[k]
        for axis in range(3):
            rays[0, k] += linear[k, axis] * cam[9 + axis]
            rays[4 + axis, k] = linear[k, axis]
        for row in range(3):
            rays[1 + row, k] = (
                linear[k, 0] * cam[3 * row] + linear[k, 1] * cam[3 * row + 1] + linear[k, 2] * cam[3 * row + 2]
            )


def _transform(
    sun: Camera, depth: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], float]:
    """The fields of _Map after the slot.

    Margins: metres to move a point along its normal, steps to move it towards the sun, 0.
    """
    scale = SHADOW_SIDE / float(sun.ortho_height_m or 1.0)
    steps = DEPTH_STEPS / depth
    linear = np.stack([sun.rotation[0] * scale, sun.rotation[1] * scale, -sun.rotation[2] * steps])
    linear = np.round(linear * 2.0**32) / 2.0**32  # another libm's sine does not move a pixel
    place = (0.5 * SHADOW_SIDE, 0.5 * SHADOW_SIDE, depth * steps) - linear @ sun.pose.position
    texel = 1.0 / scale
    margins = np.array([1.2 * texel + 0.02, (0.35 * texel + 0.04) * steps, 0.0])
    return linear, place, margins, float(np.sqrt((linear[2] ** 2).sum()))
