"""Free room on a map: oriented boxes that names have taken, and where the next one fits."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

Corner = tuple[float, float]


@dataclass(slots=True)
class FreeRoom:
    """The boxes taken so far in a picture `width` by `height` pixels."""

    width: int
    height: int
    taken: list[tuple[Corner, ...]] = field(default_factory=list)
    _bounds: list[tuple[float, float, float, float]] = field(default_factory=list)  # of each taken box

    def fits(self, box: tuple[Corner, ...]) -> bool:
        """Whether a box (four corners in turn) lies inside the picture and touches none that is taken."""
        x0, y0, x1, y1 = _around(box)
        if not (x0 >= 1 and y0 >= 1 and x1 <= self.width - 1 and y1 <= self.height - 1):
            return False
        for (a0, b0, a1, b1), other in zip(self._bounds, self.taken, strict=True):
            if x0 < a1 and a0 < x1 and y0 < b1 and b0 < y1 and _overlap(box, other):
                return False
        return True

    def take(self, box: tuple[Corner, ...]) -> None:
        """Keep later names off a box."""
        self.taken.append(box)
        self._bounds.append(_around(box))

    def first_fit(
        self, anchors: Iterable[Corner], width: float, height: float, angle: float = 0.0
    ) -> Corner | None:  # fmt: skip
        """The first of the middles at which a box fits, which is taken then; None when it fits nowhere."""
        for x, y in anchors:
            box = oriented(x, y, width, height, angle)
            if self.fits(box):
                self.take(box)
                return x, y
        return None


def oriented(x: float, y: float, width: float, height: float, angle: float = 0.0) -> tuple[Corner, ...]:
    """Corners of a box around a pixel, turned counter-clockwise as seen by `angle` degrees."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    halves = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(
        (x + i * width / 2 * c + j * height / 2 * s, y - i * width / 2 * s + j * height / 2 * c) for i, j in halves
    )


def _around(box: tuple[Corner, ...]) -> tuple[float, float, float, float]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = box
    return min(ax, bx, cx, dx), min(ay, by, cy, dy), max(ax, bx, cx, dx), max(ay, by, cy, dy)


def _overlap(a: tuple[Corner, ...], b: tuple[Corner, ...]) -> bool:
    """Separating axes of two convex quadrilaterals."""
    for shape in (a, b):
        for k in range(2):
            nx, ny = shape[k][1] - shape[k + 1][1], shape[k + 1][0] - shape[k][0]
            first = [nx * x + ny * y for x, y in a]
            second = [nx * x + ny * y for x, y in b]
            if max(first) <= min(second) or max(second) <= min(first):
                return False
    return True
