"""Roof map: heights of what the sky looks down on around the eye, so that it rains on streets and not in arcades."""

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from citysim.pose import Pose
from citysim.render.base import Camera
from citysim.render.raster.jit import helper
from citysim.render.raster.layout import I64, Array, D, Real, U

WIDTH_M = 192.0  # on the ground
SIDE = 1024  # texels along it
GRID_M = 48.0  # the map's place snaps to this
TOP_M, DEPTH_M = 600.0, 1000.0  # it looks down from this far above the eye's level, this far
KEPT = 2
UNDER_M = 0.4  # a point this far below the height of the map is still in the open: steps, kerbs, coarse levels


class Roofs(NamedTuple):
    """Heights (SIDE * SIDE,) float32 in metres, rows from north to south; west, north, texels a metre in `place`."""

    heights: Array
    place: Array


class RoofMap:
    """Makes and keeps maps. `draw` fills a nearness picture (metres) of an orthographic camera, given its depth."""

    def __init__(self, draw: Callable[[Camera, float], Array]) -> None:
        self._draw = draw
        self._kept: OrderedDict[tuple[int, int, int], Roofs] = OrderedDict()

    def around(self, eye: Pose) -> Roofs:
        """The map for an eye's cell: the same whatever was drawn before."""
        key = (round(eye.east / GRID_M), round(eye.north / GRID_M), round(eye.up / 100.0))
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        east, north, level = key[0] * GRID_M, key[1] * GRID_M, key[2] * 100.0
        place = Pose(east, north, level + TOP_M, math.pi / 2.0, -math.pi / 2.0)
        camera = Camera(place, (SIDE, SIDE), near_m=0.5, far_m=DEPTH_M, ortho_height_m=WIDTH_M)
        nearness = self._draw(camera, DEPTH_M)
        bottom = np.float32(level + TOP_M - DEPTH_M)
        made = Roofs(
            _without_thin(np.asarray(nearness + bottom).reshape(SIDE, SIDE)).reshape(-1),
            np.array([east - 0.5 * WIDTH_M, north + 0.5 * WIDTH_M, SIDE / WIDTH_M]),
        )
        self._kept[key] = made
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return made


def _without_thin(heights: Array) -> Array:
    """The least of each texel and its neighbours: wires, railings and single leaves keep no rain off."""
    out = heights
    for axis in (0, 1):
        out = np.minimum(np.minimum(np.roll(out, 1, axis), np.roll(out, -1, axis)), out)
    return np.ascontiguousarray(out)


@helper
def exposed(roofs: Roofs, px: Real, py: Real, pz: Real) -> Real:
    """How far a point is under the open sky, 0 to 1: four heights around it, blended. Beyond the map all is open."""
    x = (px - roofs.place[0]) * roofs.place[2] - 0.5
    y = (roofs.place[1] - py) * roofs.place[2] - 0.5
    if not (x > 0.0 and y > 0.0 and x < SIDE - 2.0 and y < SIDE - 2.0):
        return 1.0
    column, row = I64(x), I64(y)
    fx, fy = x - column, y - row
    at = row * SIDE + column
    limit = pz + UNDER_M
    a, b = D(roofs.heights[U(at)] < limit), D(roofs.heights[U(at + 1)] < limit)
    c, d = D(roofs.heights[U(at + SIDE)] < limit), D(roofs.heights[U(at + SIDE + 1)] < limit)
    top, low = a + (b - a) * fx, c + (d - c) * fx
    return top + (low - top) * fy
