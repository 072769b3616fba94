"""Overhead wires between utility poles."""

import math
from collections.abc import Sequence

from citysim.build.adding import plain_sum
from citysim.build.draft import CityDraft
from citysim.build.props.model import Model, Xyz, give_bounds

REACH = (12.0, 48.0)  # metres between two poles that share wires
STRAIGHT = math.cos(math.radians(50.0))
SAG = 0.022  # of the span
RADIUS = 0.022
PIECES = 3


def string_wires(draft: CityDraft, poles: Sequence[tuple[int, Xyz, float, float]]) -> None:
    """Wires from each pole (object id, foot, heading in degrees, height) to the next one along its street.

    A pole looks along its street; the nearest one before and the nearest behind it are its neighbours.
    """
    joined: set[tuple[int, int]] = set()
    for label, at, heading, tall in poles:
        a = math.radians(heading)
        along = (math.sin(a), math.cos(a))
        for side in (1.0, -1.0):
            best: tuple[float, int] | None = None
            for k, (other, foot, _, _) in enumerate(poles):
                dx, dy = foot[0] - at[0], foot[1] - at[1]
                far = math.hypot(dx, dy)
                if other == label or not REACH[0] <= far <= REACH[1] or abs(foot[2] - at[2]) > 6.0:
                    continue
                if side * (dx * along[0] + dy * along[1]) / far >= STRAIGHT and (best is None or far < best[0]):
                    best = far, k
            if best is None:
                continue
            other, foot, turned, high = poles[best[1]]
            key = (min(label, other), max(label, other))
            if key not in joined:
                joined.add(key)
                _span(draft, label, (at, heading, tall), (foot, turned, high))


def _span(draft: CityDraft, pole: int, a: tuple[Xyz, float, float], b: tuple[Xyz, float, float]) -> None:
    """Three wires that hang between two poles."""
    model = Model()
    ends = [_arm(*a), _arm(*b)]
    straight = _cost(ends[0], ends[1]) <= _cost(ends[0], ends[1][::-1])
    for p, q in zip(ends[0], ends[1] if straight else ends[1][::-1], strict=True):
        sag = SAG * math.dist(p, q)
        points = []
        for k in range(PIECES + 1):
            t = k / PIECES
            x, y, z = (u + (v - u) * t for u, v in zip(p, q, strict=True))
            points.append((x, y, z - 4.0 * sag * t * (1.0 - t)))
        for k in range(PIECES):
            model.tube(points[k], points[k + 1], (RADIUS, RADIUS), "#1d1f21", sides=3, caps="")
    label = draft.add_object("overhead_wire", ends[0][1], parent=pole)
    give_bounds(draft, label, model.stand(draft, (0.0, 0.0, 0.0), 0.0, label))


def _arm(at: Xyz, heading: float, tall: float) -> list[Xyz]:
    """The insulators of a pole's upper arm."""
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    return [(at[0] + x * c, at[1] - x * s, at[2] + tall - 0.33) for x in (-0.75, 0.0, 0.75)]


def _cost(a: list[Xyz], b: list[Xyz]) -> float:
    return plain_sum(math.dist(p, q) for p, q in zip(a, b, strict=True))
