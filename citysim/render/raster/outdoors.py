"""Outdoors: what nights and weather add to a frame, made when a frame first needs it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.render.atmosphere import Atmosphere
from citysim.render.raster.lamps import LampGrid
from citysim.render.raster.layout import Array, Extras, Tables, Target
from citysim.render.raster.sparks import add_halos, add_moon, add_stars
from citysim.render.raster.tables import pack_extras
from citysim.render.stars import star_table

Layer = Callable[[Array, Target, Array], None]
"""Changes the pixels of a rectangle: (rect, target, rgb)."""


class Outdoors:
    """Extras of the light of one city, and the layers laid over its pictures."""

    def __init__(self, city: City) -> None:
        self._city = city
        self._lamps: LampGrid | None = None

    def extras(self, atmosphere: Atmosphere) -> Extras | None:
        """What the hour and the weather add to light, None when nothing."""
        if atmosphere.lamp_light <= 0.0:
            return None
        grid = self._grid()
        return Extras(grid.lamps, grid.cells, grid.grid, pack_extras(atmosphere))

    def layers(self, cam: Array, light: NDArray[np.float64], tables: Tables, atmosphere: Atmosphere) -> list[Layer]:
        """What is laid over a picture in perspective once all of it is drawn, in order."""
        found: list[Layer] = []
        if atmosphere.stars > 0.0:
            axes, stars = np.array(atmosphere.star_axes), star_table()

            def sparkle(rect: Array, target: Target, rgb: Array) -> None:
                add_stars(cam, rect, light, tables, stars, axes, atmosphere.stars, target, rgb)

            found.append(sparkle)
        if atmosphere.moon_light > 0.02 and atmosphere.moon_direction[2] > -0.01 and atmosphere.cloud_cover < 1.0:
            moon, sun = np.array(atmosphere.moon_direction), np.array(atmosphere.sun_direction)
            strength = 0.3 + 0.7 * atmosphere.night

            def moonrise(rect: Array, target: Target, rgb: Array) -> None:
                add_moon(cam, rect, light, tables, moon, sun, strength, target, rgb)

            found.append(moonrise)
        if atmosphere.lamp_light > 0.0:
            lamps, haze = self._grid().lamps, 40.0 * atmosphere.fog_density

            def shine(rect: Array, target: Target, rgb: Array) -> None:
                add_halos(cam, rect, lamps, atmosphere.lamp_light, haze, target, rgb)

            found.append(shine)
        return found

    def _grid(self) -> LampGrid:
        if self._lamps is None:
            self._lamps = LampGrid.of(self._city)
        return self._lamps
