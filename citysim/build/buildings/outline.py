"""Run: a chain of outline edges that the eye takes for one wall, straight or gently curved."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from shapely.geometry import Polygon
from shapely.geometry.polygon import orient

from citysim.build.plans import Xy

CORNER_COSINE = 0.906  # a turn above 25 degrees ends a wall


@dataclass(frozen=True, slots=True)
class Run:
    """Points of the wall's foot with the building on the left; outward is to the right of the walking direction.

    `marks` are the distances of the points from the first one, metres. `exterior` is false in courtyards. `before`
    and `after` are the outline's points next to the ends.
    """

    points: tuple[Xy, ...]
    marks: tuple[float, ...]
    exterior: bool
    before: Xy
    after: Xy

    @property
    def length(self) -> float:
        """Length of the whole wall in metres."""
        return self.marks[-1]

    def edge_at(self, s: float) -> int:
        """Index of the edge that holds the distance `s`."""
        for i in range(len(self.marks) - 2):
            if s < self.marks[i + 1]:
                return i
        return len(self.marks) - 2

    def at(self, s: float, out: float = 0.0) -> Xy:
        """The point `s` metres along the wall and `out` metres in front of it."""
        i = self.edge_at(s)
        (ax, ay), (bx, by) = self.points[i], self.points[i + 1]
        length = self.marks[i + 1] - self.marks[i]
        t = (s - self.marks[i]) / length
        nx, ny = (by - ay) / length, -(bx - ax) / length
        return (ax + (bx - ax) * t + nx * out, ay + (by - ay) * t + ny * out)

    def normal_at(self, s: float) -> Xy:
        """Unit outward normal at the distance `s`."""
        i = self.edge_at(s)
        (ax, ay), (bx, by) = self.points[i], self.points[i + 1]
        length = self.marks[i + 1] - self.marks[i]
        return ((by - ay) / length, -(bx - ax) / length)

    def sharpness(self, start: bool) -> float:
        """Metres along the wall by which the next wall moves its end for every metre that both move inwards.

        The cotangent of half the corner's angle: 1 at a right angle, more at sharper ones, negative at hollow ones.
        """
        a, b, c = (self.before, *self.points[:2]) if start else (*self.points[-2:], self.after)
        (nx, ny), (mx, my) = _right(a, b), _right(b, c)
        return (nx * my - ny * mx) / max(1.0 + nx * mx + ny * my, 1e-6)

    def columns(self, s0: float, s1: float) -> list[float]:
        """Distances at which a strip from s0 to s1 needs vertices: both ends and every bend between them."""
        return [s0, *(m for m in self.marks[1:-1] if s0 + 1e-3 < m < s1 - 1e-3), s1]

    def mitred(self, s: float, out: float) -> Xy:
        """Like `at`, but at a bend or end the offset follows the bisector, so that neighbouring strips meet."""
        chain = (self.before, *self.points, self.after)
        for i, mark in enumerate(self.marks):
            if abs(mark - s) < 1e-3:
                return miter(chain[i], chain[i + 1], chain[i + 2], out)
        return self.at(s, out)


def miter(before: Xy, here: Xy, after: Xy, out: float) -> Xy:
    """The corner `here` moved so that both its edges shift by `out` to their right; at most three times `out`."""
    n1, n2 = _right(before, here), _right(here, after)
    x, y = n1[0] + n2[0], n1[1] + n2[1]
    squared = x * x + y * y
    if squared < 0.3:
        return (here[0] + n1[0] * out, here[1] + n1[1] * out)
    factor = 2.0 * out / squared
    return (here[0] + x * factor, here[1] + y * factor)


def _right(a: Xy, b: Xy) -> Xy:
    length = math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) or 1.0
    return ((b[1] - a[1]) / length, -(b[0] - a[0]) / length)


def clean_ring(coords: Sequence[Sequence[float]]) -> list[Xy]:
    """Ring without its repeated last point and without points closer than 1 cm to the one before."""
    ring: list[Xy] = []
    for x, y in ((c[0], c[1]) for c in coords[:-1]):
        if not ring or abs(x - ring[-1][0]) + abs(y - ring[-1][1]) > 0.01:
            ring.append((x, y))
    while len(ring) > 1 and abs(ring[0][0] - ring[-1][0]) + abs(ring[0][1] - ring[-1][1]) <= 0.01:
        ring.pop()
    return ring


def rings(polygon: Polygon) -> list[list[Xy]]:
    """Exterior counter-clockwise, then holes clockwise: the inside is always on the left."""
    turned = orient(polygon, 1.0)
    found = [clean_ring(turned.exterior.coords)] + [clean_ring(hole.coords) for hole in turned.interiors]
    return [ring for ring in found if len(ring) >= 3]


def runs(polygon: Polygon) -> list[Run]:
    """The walls of a polygon, exterior first."""
    return [run for k, ring in enumerate(rings(polygon)) for run in _runs_of_ring(ring, k == 0)]


def _runs_of_ring(ring: list[Xy], exterior: bool) -> list[Run]:
    count = len(ring)
    corners = [i for i in range(count) if _is_corner(ring[i - 1], ring[i], ring[(i + 1) % count])]
    if not corners:
        return [_run([*ring, ring[0]], exterior, ring[-1], ring[1])]
    walls = []
    for k, start in enumerate(corners):
        stop = corners[(k + 1) % len(corners)]
        span = (stop - start) % count or count
        points = [ring[(start + j) % count] for j in range(span + 1)]
        walls.append(_run(points, exterior, ring[start - 1], ring[(stop + 1) % count]))
    return walls


def _is_corner(a: Xy, b: Xy, c: Xy) -> bool:
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - b[0], c[1] - b[1]
    return ux * vx + uy * vy < CORNER_COSINE * math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy))


def _run(points: list[Xy], exterior: bool, before: Xy, after: Xy) -> Run:
    marks = [0.0]
    for a, b in itertools.pairwise(points):
        marks.append(marks[-1] + math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2))
    return Run(tuple(points), tuple(marks), exterior, before, after)
