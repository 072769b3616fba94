"""RasterRenderer: the software renderer behind the Renderer protocol."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.render.atmosphere import Atmosphere, moment_of
from citysim.render.base import Camera, Frame, View
from citysim.render.panorama import panorama
from citysim.render.raster.arena import GeometryArena
from citysim.render.raster.beside import Beside
from citysim.render.raster.buffers import Buffers
from citysim.render.raster.chooser import TileChooser
from citysim.render.raster.draw import draw
from citysim.render.raster.layout import Array, Scratch, Tables, Target
from citysim.render.raster.outdoors import Lighting, Outdoors
from citysim.render.raster.outputs import read_out
from citysim.render.raster.residents import Residents
from citysim.render.raster.shade import shade
from citysim.render.raster.shadows import NO_SHADOWS, ShadowMaps
from citysim.render.raster.tables import make_tables, pack_camera, pack_light, place_light
from citysim.render.raster.textures import TextureArena

LEAST_SUN = 0.12  # sunlight (linear) below which its shadows could not be seen and are left out
MEMORY_MB = 512.0
SMALL = 160 * 120  # pictures up to this many pixels are drawn by one thread: the hand-over would cost more


class RasterRenderer:
    """Draws one city on the CPU: no display, no driver, the same bytes everywhere.

    Tiles and textures are loaded when a view needs them; above `memory_mb` those used longest ago go again. Neither
    that nor `threads`, how many strips of one picture are drawn in parallel, changes a pixel. `shadows` is whether the
    sun casts them. Not for use by two threads at once.
    """

    name = "raster"

    def __init__(self, city: City, *, threads: int = 1, shadows: bool = True, memory_mb: float = MEMORY_MB) -> None:
        if threads < 1:
            raise InputError("at least 1 thread", f"{threads}", "threads=1")
        self.city = city
        self._threads = threads
        self._textures = TextureArena(city)
        self._arena = GeometryArena(self._textures.flags)
        self._residents = Residents(self._arena, self._textures, int(memory_mb * 1e6))
        self._chooser = TileChooser(city)
        self._buffers = Buffers()
        self._beside = Beside()
        self._atmosphere: tuple[Conditions, Tables, NDArray[np.float64], Atmosphere] | None = None
        self._cuts: dict[tuple[int, int], list[NDArray[np.int64]]] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._outdoors = Outdoors(city, self._nearness)
        self._shadow_maps = ShadowMaps(self._nearness) if shadows else None

    def render(self, view: View) -> Frame:
        """Draw one view; raises SimulationFault when a tile's content cannot be had."""
        camera = view.camera
        if camera.panorama:
            return panorama(self.render, view)
        width, height = camera.size
        self._residents.next_view()
        cam = self._chooser.pack(camera)
        ranges = self._load(cam, width, height)
        tables, light, atmosphere = self._light(view.conditions)
        place_light(light, atmosphere, camera.pose.up, view.conditions.clock_s)
        shadows = NO_SHADOWS
        if self._shadow_maps is not None and max(atmosphere.sun_color) >= LEAST_SUN and len(ranges):
            shadows = self._shadow_maps.of(camera, atmosphere.light_direction, cam)
        rgb = np.empty((height, width, 3), dtype=np.uint8)
        depth = np.empty(width * height if view.depth else 0, dtype=np.float32)
        labels = np.empty(width * height if view.labels else 0, dtype=np.int32)
        normals = np.empty(3 * width * height if view.normals else 0, dtype=np.float32)
        extras = self._outdoors.extras(atmosphere)
        roofs = self._outdoors.roofs(camera, atmosphere)
        strips = self._strips(width, height)
        scratches: dict[int, Scratch] = {}
        target = self._buffers.target(width, height)

        def strip(number: int) -> None:
            rect, flat = strips[number], rgb.reshape(-1)
            count, scratch = self._draw(number, cam, rect, ranges, target, self._buffers)
            scratches[number] = scratch
            more = self._beside.of(number, width if extras is not None else 0)
            shade(
                cam, rect, light, self._arena.geometry, self._textures.looks, tables, shadows, target, scratch, count,
                self._buffers.lit(number), flat, extras, more,
            )  # fmt: skip
            if view.depth or view.labels or view.normals:
                read_out(cam, rect, self._arena.geometry, target, scratch, depth, labels, normals)

        self._each(strip, len(strips))
        if camera.ortho_height_m is None:
            frame, flat = Lighting(cam, light, tables), rgb.reshape(-1)
            for layers in self._outdoors.passes(frame, atmosphere, view.conditions.clock_s, roofs, flat):
                self._each(
                    lambda n, layers=layers: [layer(strips[n], target, scratches[n], flat) for layer in layers],
                    len(strips),
                )
        return Frame(
            rgb,
            depth.reshape(height, width) if view.depth else None,
            labels.reshape(height, width) if view.labels else None,
            normals.reshape(height, width, 3) if view.normals else None,
        )

    def close(self) -> None:
        """Free the worker threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _each(self, work: Callable[[int], object], count: int) -> None:
        """Do some work for every strip, by threads where there are several."""
        if count == 1:
            work(0)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="citysim-raster")
        list(self._pool.map(work, range(count)))

    def _draw(
        self, number: int, cam: Array, rect: Array, ranges: Array, target: Target, buffers: Buffers
    ) -> tuple[int, Scratch]:
        """Run the geometry pass of one strip, with more room for records as long as it asks for it."""
        scratch = buffers.scratch(number, self._arena.cluster_count)
        while True:
            count = draw(cam, rect, ranges, self._arena.geometry, self._textures.looks, target, scratch)
            if count >= 0:
                return count, scratch
            scratch = buffers.more_records(number)

    def _nearness(self, camera: Camera, depth: float) -> Array:
        """(H * W,) float32 metres before `depth`, as an orthographic camera sees the scene: for shadow maps."""
        width, height = camera.size
        cam = pack_camera(camera, depth)
        ranges = self._load(cam, width, height)
        buffers = Buffers()  # not the frames' own: these are large and needed rarely
        target = buffers.target(width, height)
        self._draw(0, cam, np.array([0, width, 0, height, width, height, 3], dtype=np.int64), ranges, target, buffers)
        return target.nearness

    def _load(self, cam: Array, width: int, height: int) -> NDArray[np.int32]:
        """Choose the tiles of a view, load the missing ones, and return their cluster ranges, (N, 2)."""
        return self._residents.ranges_of(self._chooser.choose_packed(cam, width, height), self.city.chunk)

    def _light(self, conditions: Conditions) -> tuple[Tables, NDArray[np.float64], Atmosphere]:
        moment = moment_of(conditions)
        if self._atmosphere is None or self._atmosphere[0] != moment:
            atmosphere = Atmosphere.of(moment)
            self._atmosphere = (moment, make_tables(atmosphere), pack_light(atmosphere), atmosphere)
        return self._atmosphere[1:]

    def _strips(self, width: int, height: int) -> list[NDArray[np.int64]]:
        """Rectangles to draw: columns in multiples of 8 pixels, so that Hi-Z tiles and mip steps stay whole."""
        if (width, height) in self._cuts:
            return self._cuts[width, height]
        shift = 2 if width * height <= 128 * 128 else 3
        parts = 1 if self._threads == 1 or width * height <= SMALL or width < 64 else 2 * self._threads
        cuts = [((width * i // parts) >> 3) << 3 for i in range(parts)] + [width]
        self._cuts = {  # of the last size only
            (width, height): [
                np.array([a, b, 0, height, width, height, shift], dtype=np.int64) for a, b in pairwise(cuts) if b > a
            ]
        }
        return self._cuts[width, height]
