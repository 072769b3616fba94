"""Surfaces of seats and tables on which things are left, and where on one a thing lies wholly."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import Xy

STEP = 0.03  # metres between places tried
EDGE = 0.012  # metres that a thing keeps from the edge: the lattice moves it by less
APART = 0.015  # metres between two things


@dataclass(frozen=True)
class Surface:
    """A level surface in its host's axes, metres: `share` of its `spots` at `height` have something near them.

    `rest` are its rectangles (x0, y0, x1, y1); one with `round_m` is a round top of that radius about the origin.
    `posts` are circles (x, y, radius) that nothing may touch, such as a pole through a table.
    """

    height: float
    spots: tuple[Xy, ...]
    share: float
    rest: tuple[tuple[float, float, float, float], ...] = ()
    round_m: float = 0.0
    posts: tuple[tuple[float, float, float], ...] = ()

    @cached_property
    def shape(self) -> BaseGeometry:
        """Where things may lie."""
        parts = [shapely.box(*box) for box in self.rest]
        if self.round_m:
            parts.append(shapely.Point(0.0, 0.0).buffer(self.round_m))
        whole = shapely.union_all([part.buffer(-EDGE, join_style="mitre") for part in parts])
        return shapely.difference(whole, shapely.union_all([shapely.Point(x, y).buffer(r) for x, y, r in self.posts]))

    @cached_property
    def _places(self) -> NDArray[np.float64]:
        x0, y0, x1, y1 = self.shape.bounds
        x, y = np.meshgrid(np.arange(x0, x1, STEP), np.arange(y0, y1, STEP), indexing="ij")
        return np.column_stack([x.ravel(), y.ravel()])

    def place(self, outline: BaseGeometry, near: Xy, taken: list[BaseGeometry]) -> Xy | None:
        """The place next to `near` where a thing lies wholly on the surface and clear of `taken`; None without one.

        `outline` is the thing's silhouette from above about its own origin, already turned.
        """
        tries = np.vstack([[near], self._places])
        order = np.argsort(np.hypot(*(tries - near).T), kind="stable")
        tries = tries[order]
        ring = shapely.get_coordinates(outline)
        shapes = shapely.polygons(ring[None, :, :] + tries[:, None, :])
        good = shapely.contains(self.shape, shapes)
        for other in taken:
            good &= shapely.distance(shapes, other) > APART
        found = np.flatnonzero(good)
        return (float(tries[found[0], 0]), float(tries[found[0], 1])) if len(found) else None


TOP = 0.33  # metres from the middle of a round table (an octagon) to its nearest edge
SURFACES: dict[str, Surface] = {
    "bench": Surface(0.45, ((-0.6, 0.02), (0.0, 0.02), (0.55, 0.02)), 0.22, ((-0.9, -0.18, 0.9, 0.22),)),
    "cafe_table": Surface(0.74, ((-0.16, 0.1), (0.16, -0.08)), 0.55, round_m=TOP),
    "parasol_table": Surface(0.74, ((-0.18, 0.12), (0.18, -0.1), (0.05, 0.2)), 0.5, round_m=TOP,
                             posts=((0.0, 0.0, 0.04),)),
    "picnic_table": Surface(0.75, ((-0.6, 0.1), (0.1, -0.15), (0.6, 0.12)), 0.4, ((-0.9, -0.375, 0.9, 0.375),)),
    "bus_shelter": Surface(0.47, ((-1.1, -0.42), (-0.3, -0.42)), 0.25, ((-1.55, -0.59, 0.35, -0.25),)),
    "table_tennis": Surface(0.77, ((1.0, 0.4),), 0.2, ((0.02, -0.76, 1.37, 0.76),)),
}  # fmt: skip
