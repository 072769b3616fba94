"""What the renderers of one process make of the same figures, made once: people look alike in every city."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from citysim.render.bodies import BodyMesh

V = TypeVar("V")
KEPT = 4


class ByFigures(Generic[V]):
    """The last few values made of tuples of figures; a tuple is known by its identity, and kept as long as its value.

    Two threads that ask at once may both make a value, which are equal.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[int, Hashable], tuple[tuple[BodyMesh, ...], V]] = {}

    def get(self, meshes: tuple[BodyMesh, ...], more: Hashable, make: Callable[[], V]) -> V:
        """The value of these figures and whatever else it depends on."""
        key = (id(meshes), more)
        found = self._kept.get(key)
        if found is None:
            found = (meshes, make())
            kept = [*self._kept.items()][1 - KEPT :]
            self._kept = {**dict(kept), key: found}
        return found[1]
