"""Corners: where the pavement lines of two streets that follow each other round a junction meet."""

import math
from dataclasses import dataclass

from citysim.build.plans import Xy
from citysim.build.procedural.district.graph import Arm
from citysim.build.procedural.sketch import snapped

STRAIGHT = 0.2  # sine: arms that turn less than this go straight on
BEYOND = 0.6  # metres from the end of the curve between two kerbs to the middle of a crossing at a right angle
MOST = 0.45  # share of a street's length that a corner may take


@dataclass(frozen=True, slots=True)
class Corner:
    """Between `first` and the arm `second` that follows it counter-clockwise: the end of first's left line and of
    second's right line, with how far from the node they lie along their streets, and how far crossings keep off.
    """

    first: Arm
    second: Arm
    left_end: Xy
    right_end: Xy
    along_first: float
    along_second: float
    clear_first: float
    clear_second: float


def corner(node: Xy, first: Arm, second: Arm) -> Corner:
    """The corner between two arms of a node; `second` may be `first` again, at the end of a street."""
    walk_a, walk_b = first.edge.street.walk, second.edge.street.walk
    a, b = _limit(first), _limit(second)
    sine, cosine = _turn(first, second)
    if first is second:
        back = walk_a
        return Corner(first, second, _side(node, first, -back, walk_a), _side(node, second, -back, -walk_b),
                      -back, -back, 0.0, 0.0)  # fmt: skip
    if abs(sine) < STRAIGHT:
        if cosine > 0.0:  # side by side: no corner can be told
            a, b = min(a, 6.0), min(b, 6.0)
            return Corner(first, second, _side(node, first, a, walk_a), _side(node, second, b, -walk_b), a, b, a, b)
        left, right = _side(node, first, 0.0, walk_a), _side(node, second, 0.0, -walk_b)
        if math.dist(left, right) < 0.6:
            left = right = snapped(((left[0] + right[0]) / 2, (left[1] + right[1]) / 2))
        return Corner(first, second, left, right, 0.0, 0.0, 0.0, 0.0)
    along_a, along_b = _meeting(first, second, walk_a, walk_b)
    kerb_a, kerb_b = _meeting(first, second, first.edge.street.half, second.edge.street.half)
    inner = sine > 0.0  # the two arms enclose less than half a turn
    radius = max(first.edge.street.kerb_radius, second.edge.street.kerb_radius) + BEYOND
    off = radius * min((1.0 + cosine) / max(sine, 0.1), 1.6) if inner else 0.0
    if along_a > a or along_b > b:
        along_a, along_b = min(along_a, a), min(along_b, b)
        left, right = _side(node, first, along_a, walk_a), _side(node, second, along_b, -walk_b)
    else:
        left = right = _side(node, first, along_a, walk_a)
    return Corner(first, second, left, right, along_a, along_b, kerb_a + off, kerb_b + off)


def _limit(arm: Arm) -> float:
    return MOST * arm.edge.length


def _turn(first: Arm, second: Arm) -> Xy:
    (ux, uy), (vx, vy) = first.outward, second.outward
    return ux * vy - uy * vx, ux * vx + uy * vy


def _side(node: Xy, arm: Arm, along: float, left: float) -> Xy:
    ux, uy = arm.outward
    return snapped((node[0] + ux * along - uy * left, node[1] + uy * along + ux * left))


def _meeting(first: Arm, second: Arm, left: float, right: float) -> tuple[float, float]:
    """How far along both arms the line `left` of the first meets the line `right` of the second."""
    sine, cosine = _turn(first, second)
    return (right + left * cosine) / sine, (left + right * cosine) / sine
