"""The step nearest to a wished step that respects a set of planes: a two-dimensional quadratic programme."""

import math
from collections.abc import Sequence

Line = tuple[float, float, float]  # (a, b, c) with a*x + b*y >= c for every allowed step (x, y)

_FLAT = 1e-9


def nearest_step(x: float, y: float, lines: Sequence[Line]) -> tuple[float, float] | None:
    """The (x, y) nearest to the wished one on the allowed side of every line; None when there is none.

    Incremental: a line that the best step so far violates must be tight in the best step that includes it, so the
    search goes on along that line only (Seidel 1991; used for steps by van den Berg et al., "Reciprocal n-body
    collision avoidance", 2011). Being a projection onto a convex set, the answer changes continuously with the
    wish and cannot swing from wall to wall in a corner.
    """
    best_x, best_y = x, y
    for index, (a, b, c) in enumerate(lines):
        if a * best_x + b * best_y >= c - _FLAT:
            continue
        size = math.hypot(a, b)
        if size < _FLAT:
            return None
        a, b, c = a / size, b / size, c / size
        # Points of the line: c * (a, b) + t * (-b, a); earlier lines leave an interval of t.
        low, high = -math.inf, math.inf
        for a2, b2, c2 in lines[:index]:
            slope = b2 * a - a2 * b
            room = c2 - c * (a2 * a + b2 * b)
            if abs(slope) < _FLAT:
                if room > _FLAT:
                    return None
            elif slope > 0.0:
                low = max(low, room / slope)
            else:
                high = min(high, room / slope)
        if low > high + _FLAT:
            return None
        t = min(max(a * y - b * x, low), high)
        best_x, best_y = c * a - t * b, c * b + t * a
    return best_x, best_y
