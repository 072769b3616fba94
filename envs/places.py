"""Places: cities with their renderers, kept for the next episode; one set serves all environments of a batch."""

from collections import OrderedDict
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim.catalog import load_city
from citysim.city import City
from citysim.envs.semantics import class_table
from citysim.render import make_renderer
from citysim.render.base import Renderer

KEPT = 4


class Place:
    """A city, its renderer (made when something is drawn), and what sensors derive from it once."""

    def __init__(self, city: City, renderer: str, threads: int) -> None:
        self.city, self._renderer, self._threads = city, renderer, threads

    @cached_property
    def renderer(self) -> Renderer:
        """The city's renderer."""
        return make_renderer(self._renderer, self.city, threads=self._threads)

    @cached_property
    def classes(self) -> NDArray[np.uint8]:
        """Semantic class by object id."""
        return class_table(self.city)

    def close(self) -> None:
        """Free the renderer, if there is one."""
        if "renderer" in self.__dict__:
            self.renderer.close()


class Places:
    """The last `kept` cities used, by name; `City` objects count as names of themselves."""

    def __init__(self, renderer: str, *, threads: int = 1, kept: int = KEPT) -> None:
        self._renderer, self._threads, self._kept = renderer, threads, max(1, kept)
        self._places: OrderedDict[City | str, Place] = OrderedDict()
        self._users = 0

    def enter(self, city: City | str | Path) -> Place:
        """The place of a city, loaded (and built, if need be) when it is not among those kept."""
        key = city if isinstance(city, City) else str(city)
        if key not in self._places:
            self._places[key] = Place(load_city(city), self._renderer, self._threads)
            while len(self._places) > self._kept:
                self._places.popitem(last=False)  # whoever is there goes on until it leaves; nothing needs closing
        self._places.move_to_end(key)
        return self._places[key]

    def close(self) -> None:
        """Free all renderers; calling it twice is fine."""
        while self._places:
            self._places.popitem()[1].close()
