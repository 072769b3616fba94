"""TileChooser: which tiles a camera needs, the same for both renderers."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.city.tree import covered_below, request_spheres
from citysim.render.base import Camera
from citysim.render.raster.cull import select_tiles
from citysim.render.raster.layout import Array
from citysim.render.raster.tables import pack_camera

TOLERANCE_PX = 1.5  # geometric error, in pixels, up to which a coarser tile stands for its children


class TileChooser:
    """Screen-space-error selection over a city's tile tree."""

    def __init__(self, city: City) -> None:
        tiles = city.tiles
        self._centers = np.array([t.center for t in tiles], dtype=np.float64).reshape(-1, 3)
        self._radii = np.array([t.radius for t in tiles], dtype=np.float64)
        self._errors = np.array([t.geometric_error for t in tiles], dtype=np.float64)
        self._parents = np.array([t.parent for t in tiles], dtype=np.int64)
        self._kinds = np.array([t.has_content + 2 * (t.refine == "ADD") for t in tiles], dtype=np.uint8)
        self._refinable = covered_below(tiles)
        self._requests = request_spheres(tiles)
        self._space, self._opened = np.zeros((2, 6, 4)), np.zeros(len(tiles), dtype=np.uint8)
        self._chosen = np.zeros(len(tiles), dtype=np.int64)

    def choose(self, camera: Camera) -> list[int]:
        """Indexes of the tiles to draw."""
        return self.choose_packed(self.pack(camera), *camera.size)

    def choose_packed(self, cam: Array, width: int, height: int) -> list[int]:
        """The same for a camera already packed by `pack`."""
        count = select_tiles(
            cam, width, height, self._centers, self._radii, self._errors, self._parents, self._kinds, self._refinable,
            self._requests, TOLERANCE_PX, self._space, self._opened, self._chosen,
        )  # fmt: skip
        chosen: list[int] = self._chosen[:count].tolist()
        return chosen

    def pack(self, camera: Camera) -> NDArray[np.float64]:
        """The camera as a vector for the kernels, with a depth that no part of the scene exceeds."""
        deepest = 1.0
        if camera.ortho_height_m is not None and len(self._radii):
            depth = (self._centers - camera.pose.position) @ camera.rotation[2] + self._radii
            deepest = float(max(np.ceil(depth.max()) + 16.0, 16.0))
        return pack_camera(camera, deepest)
