"""Routes: where each person is on the way, where it leads, how fast, how high, and when to wait or to be there."""

from typing import Any

import numpy as np

from citysim.crowd.hashing import unit
from citysim.crowd.kinds import LIFT_M_S
from citysim.crowd.people import BACK, GOAL, LATERAL, PACE, PARTY, SEGMENT, SIZE, STOP, TASTE, TRIP, UNTIL, WAY
from citysim.crowd.rows import GOAL_X, GOAL_Y, SPEED, X, Y, Z
from citysim.crowd.signals import may_enter
from citysim.crowd.ways import TASTES
from citysim.geometry.jit import inlined, kernel

AHEAD_M = 4.0
NEAR_M = 1.0  # a corner is turned this far before it
MARGIN_M = 0.45  # kept from the edge of the way
FLAT_M = 0.3  # shorter segments are lifts or stubs
STAY_S = 40.0
CLIMB_M_S = 1.2
PARTY_M = 12.0  # members further away are not waited for


@kernel
def follow(
    dt: float, time: float, share: float, key: Any, state: Any, active: Any, ints: Any, reals: Any, points: Any, first:
    Any, ends: Any, half: Any, paces: Any, phases: Any,
    table: Any, goals: Any,
) -> None:  # fmt: skip
    """Set goal direction, wished speed and height of all active persons; who arrives becomes inactive.

    Reads of others only what it does not write (positions). `share` scales all speeds; `key` is the stream of stays.
    """
    for i in range(state.shape[1]):
        if active[i]:
            _follow_one(
                i,
                dt,
                time,
                share,
                key,
                state,
                active,
                ints,
                reals,
                points,
                first,
                ends,
                half,
                paces,
                phases,
                table,
                goals,
            )


@inlined
def _follow_one(
    i: int, dt: float, time: float, share: float, key: Any, state: Any, active: Any, ints: Any, reals: Any, points:
    Any, first: Any, ends: Any, half: Any, paces: Any,
    phases: Any, table: Any, goals: Any,
) -> None:  # fmt: skip
    x, y, z = state[X, i], state[Y, i], state[Z, i]
    wish = reals[PACE, i] * share
    for _ in range(6):
        a, b = segment_ends(first, ints[WAY, i], ints[SEGMENT, i])
        hx, hy, hz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], 0.0
        hz = points[b, 2] - points[a, 2]
        length = np.sqrt(hx * hx + hy * hy)
        if length < FLAT_M:
            left = points[b, 2] - z
            if abs(left) > LIFT_M_S * dt and abs(hz) > FLAT_M:  # in a lift: carried, and standing
                state[Z, i] = z + (LIFT_M_S * dt if left > 0.0 else -LIFT_M_S * dt)
                state[SPEED, i] = 0.0
                return
            z = points[b, 2] if abs(hz) > FLAT_M else z
            along = left = 0.0
        else:
            along = ((x - points[a, 0]) * hx + (y - points[a, 1]) * hy) / length
            left = length - along
        if left >= NEAR_M:
            break
        step = _onwards(i, time, ints, reals, points, first, ends, phases, table, goals)
        if step == ARRIVED:
            active[i] = 0
            ints[TRIP, i] += 1
            reals[UNTIL, i] = time + STAY_S * (0.25 + unit(key, ints[PARTY, i], ints[TRIP, i]))
            return
        if step != MOVED:
            wish = 0.0 if step == LOST or left < reals[STOP, i] else wish
            break
    edge = ints[WAY, i] >> 1
    a, b = segment_ends(first, ints[WAY, i], ints[SEGMENT, i])
    ax, ay, az = points[a, 0], points[a, 1], points[a, 2]
    hx, hy = points[b, 0] - ax, points[b, 1] - ay
    length = max(np.sqrt(hx * hx + hy * hy), 1e-6)
    along = ((x - ax) * hx + (y - ay) * hy) / length
    if along >= 0.0:
        height = az + (points[b, 2] - az) * min(along / length, 1.0)
    else:  # a corner turned early: still on the segment before
        px, py, pz = reals[BACK + 0, i], reals[BACK + 1, i], reals[BACK + 2, i]
        bx, by = ax - px, ay - py
        square = bx * bx + by * by
        part = ((x - px) * bx + (y - py) * by) / square if square > 1e-6 else 1.0
        height = pz + (az - pz) * min(max(part, 0.0), 1.0)
    climb = CLIMB_M_S * dt
    state[Z, i] = z + min(max(height - z, -climb), climb)
    reach = min(max(along, 0.0) + AHEAD_M, length)
    aside = reals[LATERAL, i] * max(half[edge] - MARGIN_M, 0.0)
    gx = ax + hx / length * reach + hy / length * aside - x
    gy = ay + hy / length * reach - hx / length * aside - y
    far = np.sqrt(gx * gx + gy * gy)
    if far > 1e-6:
        gx, gy = gx / far, gy / far
    else:
        gx, gy = hx / length, hy / length
    if ints[SIZE, i] > 1:
        gx, gy, wish = _with_party(i, gx, gy, wish, state, active, ints)
    state[GOAL_X, i], state[GOAL_Y, i] = gx, gy
    state[SPEED, i] = wish * paces[ints[WAY, i]]


MOVED, WAITS, LOST, ARRIVED = 0, 1, 2, 3


@inlined
def _onwards(
    i: int, time: float, ints: Any, reals: Any, points: Any, first: Any, ends: Any, phases: Any, table: Any, goals: Any
) -> int:
    """Go to the next segment of the way, or to the next way where it is open."""
    way, segment = ints[WAY, i], ints[SEGMENT, i]
    edge = way >> 1
    a, _ = segment_ends(first, way, segment)
    if segment + 1 < first[edge + 1] - first[edge] - 1:
        ints[SEGMENT, i] = segment + 1
    else:
        node = ends[1 - (way & 1), edge]
        if node == goals[ints[GOAL, i]]:
            return ARRIVED
        following = table[ints[GOAL, i] * TASTES + ints[TASTE, i], node]
        if following < 0:
            return LOST
        if phases[0, edge] <= 0.0 and not may_enter(phases, following >> 1, time):  # who is on a crossing goes on
            return WAITS
        ints[WAY, i], ints[SEGMENT, i] = following, 0
    for c in range(3):
        reals[BACK + c, i] = points[a, c]
    return MOVED


@inlined
def segment_ends(first: Any, way: int, segment: int) -> tuple[int, int]:
    """Points of the `segment`-th segment of a way, in walking direction."""
    edge = way >> 1
    if way & 1:
        last = first[edge + 1] - 1 - segment
        return last, last - 1
    return first[edge] + segment, first[edge] + segment + 1


@inlined
def _with_party(
    i: int, gx: float, gy: float, wish: float, state: Any, active: Any, ints: Any
) -> tuple[float, float, float]:
    """Keep abreast: slower ahead of the others, faster behind them, and towards them when they walk apart.

    Who walks together seeks a common centre: M. Moussaid et al., The walking behaviour of pedestrian social groups,
    PLoS ONE 5 (2010), e10047; here as a speed and a small turn, since the model has no forces.
    """
    cx, cy, met = 0.0, 0.0, 0
    for j in range(ints[PARTY, i], ints[PARTY, i] + ints[SIZE, i]):
        if j != i and active[j]:
            dx, dy = state[X, j] - state[X, i], state[Y, j] - state[Y, i]
            if dx * dx + dy * dy < PARTY_M * PARTY_M:
                cx, cy, met = cx + dx, cy + dy, met + 1
    if met == 0:
        return gx, gy, wish
    cx, cy = cx / met, cy / met
    behind = cx * gx + cy * gy
    wish *= min(max(1.0 + 0.25 * behind, 0.6), 1.2)
    aside = cy * gx - cx * gy
    pull = 0.15 * (min(max(abs(aside) - 0.7, 0.0), 2.0)) * (1.0 if aside > 0.0 else -1.0)
    tx, ty = gx - pull * gy, gy + pull * gx
    size = np.sqrt(tx * tx + ty * ty)
    return tx / size, ty / size, wish
