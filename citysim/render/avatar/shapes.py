"""Shapes: tubes, boxes and plates in many poses at once, gathered into one figure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from citysim.render.bodies import BodyMesh

Array = NDArray[np.float64]
Corners = NDArray[np.int64]

GRAIN = 4096.0  # a metre: places are whole grains, so that another machine's sine gives the same figure


class Sculpture:
    """Gathers pieces, each with one part number; `mesh` is the figure made of them."""

    def __init__(self) -> None:
        self._points: list[Array] = []
        self._corners: list[Corners] = []
        self._parts: list[int] = []

    def add(self, points: Array, corners: Corners, part: int) -> None:
        """(F, V, 3) points and (T, 3) corners of one part."""
        self._corners.append(corners + len(self._parts))
        self._points.append(points)
        self._parts += [part] * points.shape[1]

    def mesh(self, gaits: int = 1, lamp: int = -1) -> BodyMesh:
        """Everything added so far, whose poses are those of so many gaits; `lamp` is the part that shines at night."""
        points = np.round(np.concatenate(self._points, axis=1) * GRAIN) / GRAIN
        corners = np.concatenate(self._corners).astype(np.int32)
        return BodyMesh(points.astype(np.float32), corners, np.array(self._parts, dtype=np.int32), gaits, lamp)

    def tube(
        self, part: int, centers: Array, radii: Sequence[tuple[float, float]], sides: int, *, across: Array,
        left: Array, low: bool = False, high: bool = False, start: float = 0.5,
    ) -> None:  # fmt: skip
        """Rings around centers, the first below or outermost, the last above or innermost, joined by a skin.

        centers (F, R, 3); radii (R) of half depth along `across` and half width along `left`, each (F, R, 3) or
        (F, 1, 3) unit vectors; `low` and `high` close the ends. `start` turns the first corner, in corners.
        """
        corners = ring_skin(len(radii), sides, low, high)
        self.add(rings(centers, np.array(radii), sides, across, left, start), corners, part)

    def box(self, part: int, center: Array, axes: Array, half: tuple[float, float, float], taper: float = 1.0) -> None:
        """A box around (F, 3) with (F, 3, 3) axes as rows; the face along the third axis is `taper` times as large."""
        signs = np.array([[x, y, z] for z in (-1, 1) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))], dtype=float)
        size = signs * half
        size[4:, :2] *= taper
        points = center[:, None, :] + np.einsum("vk,fkd->fvd", size, axes)
        self.add(points, ring_skin(2, 4, True, True), part)

    def plate(self, part: int, points: Array, *, both: bool = False) -> None:
        """(F, N, 3) the rim of a flat convex plate, counter-clockwise as seen; `both` shows its back as well."""
        fan = np.array([(0, k, k + 1) for k in range(1, points.shape[1] - 1)], dtype=np.int64)
        self.add(points, np.vstack([fan, fan[:, ::-1]]) if both else fan, part)


def rings(centers: Array, radii: Array, sides: int, across: Array, left: Array, start: float = 0.5) -> Array:
    """(F, R * sides, 3) corners of rings; counter-clockwise as seen from beyond the last one."""
    turn = 2.0 * np.pi * (np.arange(sides) + start) / sides
    c, s = np.cos(turn)[None, None, :, None], np.sin(turn)[None, None, :, None]
    deep, broad = radii[None, :, 0, None, None], radii[None, :, 1, None, None]
    points = centers[:, :, None, :] + c * deep * across[:, :, None, :] + s * broad * left[:, :, None, :]
    return np.asarray(points.reshape(len(centers), -1, 3))


def ring_skin(count: int, sides: int, low: bool, high: bool) -> Corners:
    """(T, 3) triangles between rings, seen from outside; closed below and above where asked for."""
    found = []
    for ring in range(count - 1):
        for k in range(sides):
            a, b = ring * sides + k, ring * sides + (k + 1) % sides
            found += [(a, b, b + sides), (a, b + sides, a + sides)]
    top = (count - 1) * sides
    if high:
        found += [(top, top + k, top + k + 1) for k in range(1, sides - 1)]
    if low:
        found += [(0, k + 1, k) for k in range(1, sides - 1)]
    return np.array(found, dtype=np.int64)
