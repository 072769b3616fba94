"""RasterRenderer: the software renderer behind the Renderer protocol."""

from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.render.atmosphere import Atmosphere, moment_of, same_moment
from citysim.render.base import Camera, Frame, View
from citysim.render.panorama import panorama
from citysim.render.raster.arena import GeometryArena
from citysim.render.raster.beside import Beside
from citysim.render.raster.buffers import Buffers, wide
from citysim.render.raster.casting import Casting
from citysim.render.raster.chooser import TileChooser
from citysim.render.raster.draw import draw
from citysim.render.raster.jobs import Job, outputs_of
from citysim.render.raster.layout import Array, Scratch, Tables, Target
from citysim.render.raster.moving import Moving
from citysim.render.raster.outdoors import Layer, Lighting, Outdoors
from citysim.render.raster.outputs import read_out
from citysim.render.raster.residents import Residents
from citysim.render.raster.shade import shade
from citysim.render.raster.shadows import NO_SHADOWS, ShadowMaps
from citysim.render.raster.spare import Spare
from citysim.render.raster.tables import make_tables, pack_camera, pack_light, place_light
from citysim.render.raster.textures import TextureArena
from citysim.render.skirts import Skirting
from citysim.render.switches import picture_counts, same

LEAST_SUN = 0.12  # sunlight (linear) below which its shadows could not be seen and are left out
MEMORY_MB = 512.0
SMALL = 160 * 120  # pictures up to this many pixels are drawn by one thread: the hand-over would cost more
STRIP = 320 * 240  # pixels of a strip: what is drawn into it is still in the cache when it is coloured
WAVE = 64  # pictures of a batch that are prepared together
T = TypeVar("T")


def tile_shift(width: int, height: int) -> int:
    """log2 of the side of a Hi-Z tile."""
    return 2 if width * height <= 128 * 128 else 3


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
        self._textures = TextureArena(city, int(memory_mb * 1e6))
        self._arena = GeometryArena(self._textures.flags, picture_counts(city.materials))
        self._residents = Residents(self._arena, self._textures, int(memory_mb * 1e6))
        self._skirting = Skirting(city)
        self._chooser = TileChooser(city)
        self._buffers = Buffers()
        self._beside = Beside()
        self._conditions: Conditions | None = None
        self._atmosphere: tuple[Conditions, Tables, NDArray[np.float64], Atmosphere] | None = None
        self._cuts: dict[tuple[int, int], list[NDArray[np.int64]]] = {}
        self._pool: ThreadPoolExecutor | None = None
        self._batch: list[Buffers] = []  # one for each thread that draws whole pictures
        self._spare = Spare()
        self._moving = Moving(self._arena, len(self._textures.flags) - 2)
        self._outdoors = Outdoors(city, self._nearness)
        self._shadow_maps = ShadowMaps(self._nearness, city.bounds) if shadows else None
        self._casting = Casting()

    def render(self, view: View) -> Frame:
        """Draw one view; raises SimulationFault when a tile's content cannot be had."""
        if view.camera.panorama:
            return panorama(self.render, view)
        self._begin()
        job = self._with_bodies(self._prepare(view))
        strips = self._strips(*view.camera.size)
        target = self._buffers.target(*view.camera.size)
        self._each(lambda n: self._paint(job, strips[n], n, target, self._buffers), len(strips))
        for layers in self._layers(job):

            def lay(n: int, layers: list[Layer] = layers) -> None:
                for layer in layers:
                    layer(strips[n], target, job.scratches[n], job.rgb)

            self._each(lay, len(strips))
        return job.frame()

    def render_batch(self, views: Sequence[View]) -> list[Frame]:
        """Draw many views, several at once where the renderer has several threads: one thread draws one picture.

        The same bytes as `render` gives for each, at less cost than its turns. Raises what `render` raises.
        """
        frames: dict[int, Frame] = {}
        waiting: dict[int, Job] = {}
        order: Sequence[int] = range(len(views))
        if self._shadow_maps is not None:
            near = [self._shadow_maps.neighbourhood(view.camera) for view in views]
            self._shadow_maps.serve(len(set(near)))
            order = sorted(order, key=near.__getitem__)  # each sun map is drawn once
        for place in order:
            view = views[place]
            if view.camera.panorama:
                frames |= self._finish(waiting)
                frames[place] = self.render(view)
                continue
            if self._crowded(waiting.values(), view):
                frames |= self._finish(waiting)
            if not waiting:
                self._begin()
            waiting[place] = self._prepare(view)
        frames |= self._finish(waiting)
        return [frames[place] for place in range(len(views))]

    def _begin(self) -> None:
        """Make room: nothing that is held is being drawn."""
        self._residents.next_view()
        self._arena.clear_tail()
        self._casting.lift()

    def _crowded(self, waiting: Collection[Job], view: View) -> bool:
        """Whether preparing a view could take away what those that wait need: sun maps, or too much memory."""
        if len(waiting) >= WAVE or any(not same(job.view.states, view.states) for job in waiting):
            return True
        if self._shadow_maps is None or not waiting:
            return False
        atmosphere = self._light(view.conditions)[2]
        slots = {int(slot) for job in waiting for slot in job.shadows.slots}
        slot = self._shadow_maps.fine_slot(view.camera, atmosphere.light_direction)
        if slot is not None and self._casting.conflicts(slot, view.bodies, view.camera):
            return True
        return self._shadow_maps.would_forget(view.camera, atmosphere.light_direction, slots)

    def _prepare(self, view: View) -> Job:
        """All of a picture that changes the renderer, and so is not for threads."""
        camera = view.camera
        width, height = camera.size
        cam = self._chooser.pack(camera)
        ranges = self._load(cam, width, height)
        self._arena.switch(view.states)
        tables, light, atmosphere = self._light(view.conditions)
        light = light.copy()
        place_light(light, atmosphere, camera.pose.up, view.conditions.clock_s)
        shadows = NO_SHADOWS
        if self._shadow_maps is not None and max(atmosphere.sun_color) >= LEAST_SUN and len(ranges):
            sun = atmosphere.light_direction
            shadows = self._shadow_maps.of(camera, sun, cam)
            place = self._shadow_maps.fine_place(camera, sun)
            self._casting.cast(view.bodies, shadows.pool, int(shadows.slots[0]), place, camera)
        extras, roofs = self._outdoors.extras(atmosphere), self._outdoors.roofs(camera, atmosphere)
        return Job(
            view, cam, ranges, tables, light, atmosphere, shadows, extras, roofs, *outputs_of(view, self._spare), {}
        )

    def _with_bodies(self, job: Job) -> Job:
        """The picture with its bodies, behind all tiles: a tile that is loaded after this would take their place."""
        view = job.view
        if view.bodies is None or not len(view.bodies):
            return job
        rect = np.array([0, view.camera.size[0], 0, view.camera.size[1]], dtype=np.int64)
        ranges = np.empty((len(job.ranges) + 1, 2), dtype=np.int32)
        ranges[:-1], ranges[-1] = job.ranges, self._moving.add(view.bodies, job.cam, rect)
        return job._replace(ranges=ranges)

    def _paint(self, job: Job, rect: Array, number: int, target: Target, buffers: Buffers) -> None:
        """Draw one rectangle of a picture, with the working memory of this number."""
        count, scratch = self._draw(number, job.cam, rect, job.ranges, target, buffers)
        job.scratches[number] = scratch
        geometry = self._arena.geometry
        more = self._beside.of(number, int(rect[4]) if job.extras is not None else 0)
        shade(
            job.cam, rect, job.light, geometry, self._textures.looks, job.tables, job.shadows, target, scratch, count,
            buffers.lit(number), job.rgb, job.extras, more,
        )  # fmt: skip
        view = job.view
        if view.depth or view.labels or view.normals:
            read_out(job.cam, rect, target, scratch, job.depth, job.labels, job.normals)

    def _layers(self, job: Job) -> Iterator[list[Layer]]:
        """What is laid over a picture when all of it is drawn."""
        if job.view.camera.ortho_height_m is None:
            frame = Lighting(job.cam, job.light, job.tables, self._arena.geometry)
            yield from self._outdoors.passes(
                frame, job.atmosphere, job.view.conditions.clock_s, job.roofs, job.rgb
            )  # fmt: skip

    def _finish(self, waiting: dict[int, Job]) -> dict[int, Frame]:
        """Draw prepared pictures, each whole by one thread, and let them go."""
        ready = [(place, self._with_bodies(job)) for place, job in waiting.items()]
        turn = iter(ready)  # a thread takes the next picture that none has taken

        def some(number: int) -> dict[int, Frame]:
            done: dict[int, Frame] = {}
            buffers = self._batch[number]
            for place, job in turn:
                width, height = job.view.camera.size
                target = buffers.target(width, height)
                rect = np.array([0, width, 0, height, width, height, tile_shift(width, height)], dtype=np.int64)
                self._paint(job, rect, number, target, buffers)
                for layers in self._layers(job):
                    for layer in layers:
                        layer(rect, target, job.scratches[number], job.rgb)
                done[place] = job.frame()
            return done

        while len(self._batch) < self._threads:
            self._batch.append(Buffers())
        try:
            parts = self._each(some, min(self._threads, len(waiting)))
        finally:
            waiting.clear()
        return {place: frame for part in parts for place, frame in part.items()}

    def close(self) -> None:
        """Free the worker threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def _each(self, work: Callable[[int], T], count: int) -> list[T]:
        """Do some work for every number below `count`, by threads where there are several."""
        if count == 1 or self._threads == 1:
            return [work(number) for number in range(count)]
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="citysim-raster")
        parts = [self._pool.submit(work, number) for number in range(count)]
        wait(parts)  # all of them, also where one fails: nothing may be drawn into what is used next
        return [part.result() for part in parts]

    def _draw(
        self, number: int, cam: Array, rect: Array, ranges: Array, target: Target, buffers: Buffers, keep: int = 1
    ) -> tuple[int, Scratch]:
        """Run the geometry pass of one strip, with more room for records as long as it asks for it.

        Where `keep` is 0 only the nearness of the target is good.
        """
        scratch = buffers.scratch(number, self._arena.cluster_count)
        while True:
            count = draw(cam, rect, ranges, self._arena.geometry, self._textures.looks, target, scratch, keep)
            if count >= 0:
                return count, scratch
            scratch = buffers.more_records(number)

    def _nearness(self, camera: Camera, depth: float) -> Array:
        """(H * W,) float32 metres before `depth`, as an orthographic camera sees the scene: for shadow maps."""
        width, height = camera.size
        cam = pack_camera(camera, depth)
        ranges = self._load(cam, width, height)
        buffers = wide()
        target = buffers.target(width, height)
        rect = np.array([0, width, 0, height, width, height, 3], dtype=np.int64)
        self._draw(0, cam, rect, ranges, target, buffers, keep=0)
        return target.nearness

    def _load(self, cam: Array, width: int, height: int) -> NDArray[np.int32]:
        """Choose the tiles of a view, load the missing ones, and return their cluster ranges, (N, 2)."""
        return self._residents.ranges_of(self._chooser.choose_packed(cam, width, height), self._skirting.chunk)

    def _light(self, conditions: Conditions) -> tuple[Tables, NDArray[np.float64], Atmosphere]:
        if conditions is self._conditions and self._atmosphere is not None:
            return self._atmosphere[1:]
        self._conditions = conditions
        if self._atmosphere is None or not same_moment(self._atmosphere[0], conditions):
            moment = moment_of(conditions)
            atmosphere = Atmosphere.of(moment)
            self._atmosphere = (moment, make_tables(atmosphere), pack_light(atmosphere), atmosphere)
        return self._atmosphere[1:]

    def _strips(self, width: int, height: int) -> list[NDArray[np.int64]]:
        """Rectangles to draw: columns in multiples of 8 pixels, so that Hi-Z tiles and mip steps stay whole."""
        if (width, height) in self._cuts:
            return self._cuts[width, height]
        shift = tile_shift(width, height)
        parts = 1 if self._threads == 1 or width * height <= SMALL else 2 * self._threads
        parts = max(min(max(parts, round(width * height / STRIP)), width // 64), 1)
        cuts = [((width * i // parts) >> 3) << 3 for i in range(parts)] + [width]
        self._cuts = {  # of the last size only
            (width, height): [
                np.array([a, b, 0, height, width, height, shift], dtype=np.int64) for a, b in pairwise(cuts) if b > a
            ]
        }
        return self._cuts[width, height]
