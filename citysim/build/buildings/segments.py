"""Segment: a straight piece of visible wall at ground level, where doors and signs can go."""

import math
from dataclasses import dataclass

from citysim.build.buildings.exposure import Panel
from citysim.build.plans import Xy

STRAIGHT = 0.02  # metres that outline points may leave the chord


@dataclass(frozen=True, slots=True)
class Segment:
    """The chord from `a` to `b` (building on its left) of a panel between the run distances s0 and s1."""

    panel: Panel
    s0: float
    s1: float
    a: Xy
    b: Xy

    @property
    def length(self) -> float:
        """Metres from a to b."""
        return math.sqrt((self.b[0] - self.a[0]) ** 2 + (self.b[1] - self.a[1]) ** 2)

    @property
    def normal(self) -> Xy:
        """Unit vector pointing away from the building."""
        return ((self.b[1] - self.a[1]) / self.length, -(self.b[0] - self.a[0]) / self.length)

    def at(self, u: float, out: float = 0.0) -> Xy:
        """The point `u` metres from a and `out` metres in front of the wall."""
        t, (nx, ny) = u / self.length, self.normal
        return (
            self.a[0] + (self.b[0] - self.a[0]) * t + nx * out,
            self.a[1] + (self.b[1] - self.a[1]) * t + ny * out,
        )

    def nearest(self, xy: Xy) -> tuple[float, float]:
        """(distance, u) of the segment's point nearest to `xy`."""
        dx, dy = (self.b[0] - self.a[0]) / self.length, (self.b[1] - self.a[1]) / self.length
        u = min(max((xy[0] - self.a[0]) * dx + (xy[1] - self.a[1]) * dy, 0.0), self.length)
        x, y = self.at(u)
        return math.sqrt((xy[0] - x) ** 2 + (xy[1] - y) ** 2), u


def segments_of(panel: Panel) -> list[Segment]:
    """Split a panel where its run bends."""
    marks = panel.run.columns(panel.s0, panel.s1)
    points = [panel.run.at(m) for m in marks]
    found: list[Segment] = []
    first = 0
    for last in range(1, len(marks)):
        at_end = last == len(marks) - 1
        if at_end or _leaves(points[first : last + 2]):
            if marks[last] - marks[first] > 0.3:
                found.append(Segment(panel, marks[first], marks[last], points[first], points[last]))
            first = last
    return found


def _leaves(points: list[Xy]) -> bool:
    (ax, ay), (bx, by) = points[0], points[-1]
    size = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    if size < 1e-6:
        return True
    return any(abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / size > STRAIGHT for x, y in points[1:-1])
