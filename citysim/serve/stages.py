"""Stages: the renderers of a server's cities, shared by its sessions."""

import threading
from collections.abc import Sequence

from citysim.city import City
from citysim.render import make_renderer
from citysim.render.base import Frame, Renderer, View


class SharedRenderer:
    """A renderer that draws for one caller at a time."""

    def __init__(self, inner: Renderer) -> None:
        self.name, self._inner, self._lock = inner.name, inner, threading.Lock()

    def render(self, view: View) -> Frame:
        """Draw one view."""
        with self._lock:
            return self._inner.render(view)

    def close(self) -> None:
        """Keep it for the others."""

    def end(self) -> None:
        """Free it."""
        with self._lock:
            self._inner.close()


class Stages:
    """The renderer of each city, made when it is first needed."""

    def __init__(self, cities: Sequence[City], renderer: str) -> None:
        self._cities = {city.content_sha256: city for city in cities}
        self._renderer, self._made, self._lock = renderer, dict[str, SharedRenderer](), threading.Lock()

    def renderer(self, sha256: str) -> SharedRenderer:
        """The renderer of the city of a content hash."""
        with self._lock:
            if sha256 not in self._made:
                self._made[sha256] = SharedRenderer(make_renderer(self._renderer, self._cities[sha256]))
            return self._made[sha256]

    def close(self) -> None:
        """Free all of them."""
        with self._lock:
            made, self._made = list(self._made.values()), {}
        for renderer in made:
            renderer.end()
