"""What persons are to each other, pair by pair: steering aside, density, pushes, and the gap to who is ahead.

The equations and their sources are told in `steering`. Sums run over pairs in order, so that they do not depend on how
persons are split into blocks.
"""

from typing import Any

from citysim.crowd.neighbours import (
    COLUMNS,
    CROWDED,
    GROUP,
    LATERAL,
    ME_EX,
    ME_EY,
    ME_GX,
    ME_GY,
    ME_RADIUS,
    ME_UX,
    ME_UY,
    ME_VX,
    ME_VY,
    PAIRS,
    PUSH_X,
    PUSH_Y,
    SLOWEST,
)
from citysim.crowd.rows import HOT_COLUMNS, HOT_EX, HOT_EY, HOT_RADIUS, HOT_VX, HOT_VY
from citysim.geometry.jit import inlined, root

ANTICIPATION_S = 1.0
STRENGTH = 1.5  # K of the lateral steering
RANGE_M = 0.2  # D, how fast the steering falls with the gap
BIAS_M = 0.1  # who comes straight on is passed on the customary side
SOFT_M = 0.4
SIGHT_M = 1.5  # h of the density kernel
CORE = 0.7  # hard core as a share of the radii; hard discs would block doors
CORE_WIDTH = 0.8
GAP_S = 0.3  # time gap
PRIORITY_GAP_S = 0.15


@inlined
def steer(n: int, pairs: Any, places: Any, hot: Any, mates: Any, me: Any, keep: float) -> None:
    """Add up LATERAL, CROWDED and the pushes of n pairs, see `neighbours`."""
    r1, h2 = 1.0 / (8.0 * RANGE_M), 1.0 / (SIGHT_M * SIGHT_M)
    for a in range(n):
        b, k = pairs[a] * COLUMNS, pairs[a + PAIRS] * HOT_COLUMNS
        rx, ry = places[a], places[a + PAIRS]
        gx, gy, jx, jy = me[b + ME_GX], me[b + ME_GY], hot[k + HOT_VX], hot[k + HOT_VY]
        square = rx * rx + ry * ry
        d = max(root(square), 1e-6)
        inverse = 1.0 / d
        nx, ny = rx * inverse, ry * inverse
        gap = d - (me[b + ME_RADIUS] + hot[k + HOT_RADIUS])
        left = max(gap - ((me[b + ME_VX] - jx) * nx + (me[b + ME_VY] - jy) * ny) * ANTICIPATION_S, 0.0)
        near = max(1.0 - left * r1, 0.0)
        near *= near
        near *= near
        near *= near
        ahead = max(max(gx * nx + gy * ny, me[b + ME_EX] * nx + me[b + ME_EY] * ny), 0.0)
        facing = STRENGTH * (1.5 - 0.5 * (gx * hot[k + HOT_EX] + gy * hot[k + HOT_EY]))
        side = gx * (ry + jy * ANTICIPATION_S) - gy * (rx + jx * ANTICIPATION_S) + keep * BIAS_M
        side = min(max(side * (1.0 / SOFT_M), -1.0), 1.0)
        own = me[b + GROUP]
        together = (own >= 0.0) & (mates[pairs[a + PAIRS]] == own)
        me[b + LATERAL] -= 0.0 if together else facing * near * ahead * side
        crowded = max(1.0 - square * h2, 0.0)
        me[b + CROWDED] += crowded * crowded if ahead > 0.0 else 0.0
        overlap = min(gap, 0.0)
        me[b + PUSH_X] += overlap * nx
        me[b + PUSH_Y] += overlap * ny


@inlined
def slow_down(n: int, pairs: Any, places: Any, hot: Any, me: Any, dt: float) -> None:
    """Set SLOWEST: the greatest speed (m/s) that leaves a time gap to everyone ahead, of n pairs.

    The gap is shorter for who sees me in front of them.
    """
    quick, usual = 1.0 / max(PRIORITY_GAP_S, 2.0 * dt), 1.0 / GAP_S
    for a in range(n):
        b, k = pairs[a] * COLUMNS, pairs[a + PAIRS] * HOT_COLUMNS
        rx, ry = places[a], places[a + PAIRS]
        ux, uy = me[b + ME_UX], me[b + ME_UY]
        core = CORE * (me[b + ME_RADIUS] + hot[k + HOT_RADIUS])
        along, across = ux * rx + uy * ry, abs(ux * ry - uy * rx)
        free = max(along - root(max(core * core - across * across, 0.0)), 0.0)
        seen = -(hot[k + HOT_EX] * rx + hot[k + HOT_EY] * ry)
        speed = free * (quick if seen > along else usual)
        slowest = me[b + SLOWEST]
        me[b + SLOWEST] = min(slowest, speed if (along > 0.0) & (across <= CORE_WIDTH * core) else 1e9)
