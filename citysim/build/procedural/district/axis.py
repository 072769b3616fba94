"""Axis: a street's middle line with distances along it; all answers lie on the lattice."""

import itertools
import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.plans import Xy
from citysim.build.procedural.sketch import snapped


@dataclass(frozen=True)
class Axis:
    """A polyline; `marks` are the distances of its points from the first one, metres."""

    points: tuple[Xy, ...]
    marks: tuple[float, ...]

    @classmethod
    def through(cls, points: Sequence[Xy]) -> "Axis":
        """The axis through two or more points, put on the lattice; repeated points are dropped."""
        kept: list[Xy] = []
        for point in points:
            at = snapped(point)
            if not kept or math.dist(at, kept[-1]) > 0.01:
                kept.append(at)
        marks = [0.0]
        for a, b in itertools.pairwise(kept):
            marks.append(marks[-1] + math.dist(a, b))
        return cls(tuple(kept), tuple(marks))

    @property
    def length(self) -> float:
        """Metres from end to end."""
        return self.marks[-1]

    def _piece(self, s: float) -> int:
        return min(max(bisect_right(self.marks, s) - 1, 0), len(self.points) - 2)

    def along(self, s: float) -> Xy:
        """Unit direction at the distance `s`."""
        (ax, ay), (bx, by) = self.points[self._piece(s)], self.points[self._piece(s) + 1]
        length = math.dist((ax, ay), (bx, by))
        return (bx - ax) / length, (by - ay) / length

    def at(self, s: float, across: float = 0.0) -> Xy:
        """The point `s` metres along and `across` metres to the left; before and after the ends straight on."""
        k = self._piece(s)
        (x, y), (u, v) = self.points[k], self.along(s)
        d = s - self.marks[k]
        return snapped((x + u * d - v * across, y + v * d + u * across))

    def offset(self, across: float) -> list[tuple[float, Xy]]:
        """(distance along, point) of the line `across` metres to the left: its ends and its mitred bends."""
        found = [(0.0, self.at(0.0, across))]
        for k in range(1, len(self.points) - 1):
            (u0, v0), (u1, v1) = self.along(self.marks[k] - 1e-6), self.along(self.marks[k])
            x, y = self.points[k]
            scale = across / max(1.0 + u0 * u1 + v0 * v1, 0.3)
            found.append((self.marks[k], snapped((x - (v0 + v1) * scale, y + (u0 + u1) * scale))))
        found.append((self.length, self.at(self.length, across)))
        return found

    def part(self, start: float, end: float) -> list[Xy]:
        """The points of the axis between two distances, both included."""
        inner = [p for p, m in zip(self.points, self.marks, strict=True) if start + 0.01 < m < end - 0.01]
        return [self.at(start), *inner, self.at(end)]

    def nearest(self, xy: Xy) -> tuple[float, float]:
        """(distance along, signed distance to the left) of the point of the axis nearest to `xy`."""
        best = (math.inf, 0.0, 0.0)
        for k in range(len(self.points) - 1):
            (ax, ay), (bx, by) = self.points[k], self.points[k + 1]
            dx, dy = bx - ax, by - ay
            length = self.marks[k + 1] - self.marks[k]
            t = min(max(((xy[0] - ax) * dx + (xy[1] - ay) * dy) / (length * length), 0.0), 1.0)
            away = math.hypot(xy[0] - ax - t * dx, xy[1] - ay - t * dy)
            side = 1.0 if dx * (xy[1] - ay) - dy * (xy[0] - ax) >= 0.0 else -1.0
            best = min(best, (away, self.marks[k] + t * length, side * away))
        return best[1], best[2]

    def heading_deg(self, s: float) -> float:
        """Compass heading of travel at the distance `s`, degrees."""
        u, v = self.along(s)
        return math.degrees(math.atan2(u, v)) % 360.0
