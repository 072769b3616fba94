"""Strand: a line that takes up points as others join it, until it is drawn."""

import math
from dataclasses import dataclass

from citysim.build.plans import Xy
from citysim.build.procedural.sketch import snapped


@dataclass
class Strand:
    """A polyline in the making."""

    points: list[Xy]

    def __post_init__(self) -> None:
        x, y = [p[0] for p in self.points], [p[1] for p in self.points]
        self._box = (min(x), min(y), max(x), max(y))

    def may_be_within(self, reach: float, low: Xy, high: Xy) -> bool:
        """Whether it may come within `reach` metres of the rectangle from `low` to `high`."""
        x0, y0, x1, y1 = self._box
        return low[0] - reach <= x1 and high[0] + reach >= x0 and low[1] - reach <= y1 and high[1] + reach >= y0

    def insert(self, xy: Xy, same: float = 0.05) -> Xy:
        """Put a point into the nearest piece; one nearer than `same` metres to a point it has is that point."""
        at = snapped(xy)
        for point in self.points:
            if math.dist(point, at) < same:
                return point
        k, _ = self._nearest(at)
        self.points.insert(k + 1, at)
        return at

    def project(self, xy: Xy) -> Xy:
        """The point of the strand nearest to `xy`."""
        return self._nearest(xy)[1]

    def _nearest(self, xy: Xy) -> tuple[int, Xy]:
        best = (math.inf, 0, xy)
        for k in range(len(self.points) - 1):
            (ax, ay), (bx, by) = self.points[k], self.points[k + 1]
            dx, dy = bx - ax, by - ay
            length2 = dx * dx + dy * dy
            t = min(max(((xy[0] - ax) * dx + (xy[1] - ay) * dy) / length2, 0.0), 1.0) if length2 else 0.0
            at = (ax + t * dx, ay + t * dy)
            best = min(best, (math.dist(at, xy), k, at))
        return best[1], best[2]
