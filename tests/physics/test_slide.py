"""The step nearest to a wish, against brute force."""

import math

from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.physics.slide import Line, nearest_step

number = st.floats(-1.0, 1.0).map(lambda v: round(v, 3))
angle = st.integers(0, 359)
line = st.tuples(angle, number).map(
    lambda pair: (math.cos(math.radians(pair[0])), math.sin(math.radians(pair[0])), pair[1])
)


def allowed(x: float, y: float, lines: list[Line], slack: float) -> bool:
    return all(a * x + b * y >= c - slack for a, b, c in lines)


def candidates(x: float, y: float, lines: list[Line]) -> list[tuple[float, float]]:
    """The wish, its projection on each line and every crossing: the nearest allowed step is one of these."""
    points = [(x, y)]
    for i, (a, b, c) in enumerate(lines):
        short = c - a * x - b * y
        points.append((x + short * a, y + short * b))
        for a2, b2, c2 in lines[:i]:
            det = a * b2 - a2 * b
            if abs(det) > 1e-6:
                points.append(((c * b2 - c2 * b) / det, (a * c2 - a2 * c) / det))
    return points


@settings(max_examples=400, deadline=None)
@given(number, number, st.lists(line, max_size=6))
def test_nearest_step_is_the_best_of_all_candidates(x: float, y: float, lines: list[Line]) -> None:
    found = nearest_step(x, y, lines)
    good = [p for p in candidates(x, y, lines) if allowed(*p, lines, 1e-7)]
    if found is None:
        assert not any(allowed(*p, lines, -1e-6) for p in good)
        return
    assert allowed(*found, lines, 1e-5)
    best = min((math.hypot(px - x, py - y) for px, py in good), default=math.inf)
    assert math.hypot(found[0] - x, found[1] - y) <= best + 1e-5


def test_a_corner_stops_a_push_into_it() -> None:
    assert nearest_step(1.0, 1.0, [(-1.0, 0.0, 0.0), (0.0, -1.0, 0.0)]) == (0.0, 0.0)


def test_opposite_walls_too_near_leave_no_step() -> None:
    assert nearest_step(0.0, 0.0, [(1.0, 0.0, 0.1), (-1.0, 0.0, 0.1)]) is None


def test_a_plane_without_horizontal_part_allows_all_or_nothing() -> None:
    assert nearest_step(1.0, 0.0, [(0.0, 0.0, -0.1)]) == (1.0, 0.0)
    assert nearest_step(1.0, 0.0, [(0.0, 0.0, 0.1)]) is None
