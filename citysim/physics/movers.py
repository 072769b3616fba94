"""Movers: people who pass a walker, as upright capsules that go straight on for a few substeps."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.physics.space import Array, Space

MOST = 256
"""More than can come near a walker."""


class Movers(NamedTuple):
    """Capsules near a walker and how they move.

    rows   (C, 8) float64: foot point, radius, height, metres a substep east, north and up
    first  substeps that they have moved already since `rows`
    """

    rows: Array
    first: int


NOBODY = Movers(np.empty((0, 8)), 0)


def feet_at(movers: Movers, substep: int) -> Array:
    """(C, 3) foot points after so many more substeps: multiplied, not summed, so that any split of a walk is equal."""
    return movers.rows[:, :3] + movers.rows[:, 5:] * float(movers.first + substep)


class MoverBodies:
    """Movers as capsules of a space, for engines that know of no other way; kept from one call to the next."""

    def __init__(self, space: Space) -> None:
        self._space = space
        self._used: list[tuple[tuple[float, float], int]] = []

    def place(self, movers: Movers, substep: int) -> None:
        """Have exactly these capsules in the space, where they are after so many more substeps."""
        sizes: NDArray[np.float64] = movers.rows[:, 3:5]
        shapes = [(float(radius), float(height)) for radius, height in sizes]
        if shapes != [shape for shape, _ in self._used]:
            self.clear()
            feet = feet_at(movers, substep)
            self._used = [
                (shape, self._space.add_capsule(*shape, foot)) for shape, foot in zip(shapes, feet, strict=True)
            ]
        else:
            for (_, body), foot in zip(self._used, feet_at(movers, substep), strict=True):
                self._space.move(body, foot)

    def clear(self) -> None:
        """Take them all out."""
        for _, body in self._used:
            self._space.remove(body)
        self._used = []
