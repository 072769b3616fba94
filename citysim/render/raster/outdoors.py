"""Outdoors: what nights and weather add to a frame, made when a frame first needs it."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from citysim.city import City
from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera
from citysim.render.raster.clouds import cloud_field
from citysim.render.raster.lamps import LampGrid
from citysim.render.raster.layout import Array, Extras, Geometry, Scratch, Tables, Target
from citysim.render.raster.rain import add_flash, add_rain, flash_at
from citysim.render.raster.roofs import RoofMap, Roofs
from citysim.render.raster.sparks import add_halos, add_moon, add_stars
from citysim.render.raster.tables import pack_extras
from citysim.render.raster.wet import add_wet
from citysim.render.stars import star_table

SOAKING = ("grass", "lawn", "soil", "sand", "gravel", "foliage", "leaves", "hedge", "bark")


def sheen_of(material: str) -> float:
    """How far a wet surface mirrors, by its material's name: what soaks water up hardly does."""
    return 0.1 if any(word in material.lower() for word in SOAKING) else 1.0


class Lighting(NamedTuple):
    """Camera vector, light vector and tables of a frame, and the triangles that it shows."""

    cam: Array
    light: Array
    tables: Tables
    geometry: Geometry


Layer = Callable[[Array, Target, Scratch, Array], None]
"""Changes the pixels of a rectangle: (rect, target, scratch, rgb)."""


class Outdoors:
    """Extras of the light of one city, and the layers laid over its pictures.

    `draw` fills a nearness picture of an orthographic camera, as for shadow maps.
    """

    def __init__(self, city: City, draw: Callable[[Camera, float], Array]) -> None:
        self._city = city
        self._lamps: LampGrid | None = None
        self._roofs = RoofMap(draw)
        # the last ones are what moves: cloth and hair do not mirror
        self._sheen = np.array([sheen_of(material.name) for material in city.materials] + [0.0, 0.0])

    def extras(self, atmosphere: Atmosphere) -> Extras | None:
        """What the hour and the weather add to light, None when nothing."""
        if atmosphere.lamp_light <= 0.0:
            return None
        grid = self._grid()
        return Extras(grid.lamps, grid.cells, grid.grid, pack_extras(atmosphere))

    def roofs(self, camera: Camera, atmosphere: Atmosphere) -> Roofs | None:
        """Where it rains around an eye; None when it does not. To be had before a picture is begun."""
        wanted = (atmosphere.rain > 0.0 or atmosphere.wet > 0.0) and camera.ortho_height_m is None
        return self._roofs.around(camera.pose) if wanted else None

    def passes(
        self, frame: Lighting, atmosphere: Atmosphere, clock_s: float, roofs: Roofs | None, rgb: Array
    ) -> Iterator[list[Layer]]:
        """Layers for a picture in perspective all of which is drawn; those of one pass may run side by side."""
        first = self._lights(frame, atmosphere)
        if first:
            yield first
        if roofs is not None:
            yield self._rain(frame, atmosphere, clock_s, roofs, rgb.copy())

    def _lights(self, frame: Lighting, atmosphere: Atmosphere) -> list[Layer]:
        cam, light, tables, _ = frame
        found: list[Layer] = []
        if atmosphere.stars > 0.0:
            axes, stars = np.array(atmosphere.star_axes), star_table()

            def sparkle(rect: Array, target: Target, scratch: Scratch, rgb: Array) -> None:
                add_stars(cam, rect, light, tables, stars, axes, atmosphere.stars, target, rgb)

            found.append(sparkle)
        if atmosphere.moon_light > 0.02 and atmosphere.moon_direction[2] > -0.01 and atmosphere.cloud_cover < 1.0:
            moon, sun = np.array(atmosphere.moon_direction), np.array(atmosphere.sun_direction)
            strength = 0.3 + 0.7 * atmosphere.night

            def moonrise(rect: Array, target: Target, scratch: Scratch, rgb: Array) -> None:
                add_moon(cam, rect, light, tables, moon, sun, strength, target, rgb)

            found.append(moonrise)
        if atmosphere.lamp_light > 0.0:
            lamps, haze = self._grid().lamps, 40.0 * atmosphere.fog_density

            def shine(rect: Array, target: Target, scratch: Scratch, rgb: Array) -> None:
                add_halos(cam, rect, lamps, atmosphere.lamp_light, haze, target, rgb)

            found.append(shine)
        return found

    def _rain(self, frame: Lighting, atmosphere: Atmosphere, clock_s: float, roofs: Roofs, dry: Array) -> list[Layer]:
        cam, light, tables, geometry = frame
        field, extras = cloud_field(), self.extras(atmosphere)
        flash = flash_at(clock_s) if atmosphere.rain >= 1.0 else 0.0

        def fall(rect: Array, target: Target, scratch: Scratch, rgb: Array) -> None:
            half = int(rect[4]) // 2 + 1
            add_wet(
                cam, rect, light, tables, field, atmosphere.wet, clock_s, roofs, geometry, self._sheen, target, scratch,
                dry, np.empty(half, dtype=np.int64), np.empty((half, 4)), rgb,
            )  # fmt: skip
            add_rain(cam, rect, light, tables.tone, atmosphere.rain, clock_s, roofs, extras, target, rgb)
            if flash > 0.0:
                add_flash(rect, flash, target, rgb)

        return [fall]

    def _grid(self) -> LampGrid:
        if self._lamps is None:
            self._lamps = LampGrid.of(self._city)
        return self._lamps
