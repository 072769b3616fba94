"""Routes: where each person is on the way, where it leads, how fast, how high, and when to wait or to be there."""

from typing import Any

from citysim.crowd.gliding import going, turns
from citysim.crowd.hashing import unit
from citysim.crowd.kinds import LIFT_M_S
from citysim.crowd.people import BACK, GOAL, LATERAL, PACE, PARTY, SEGMENT, SIZE, STOP, TASTE, TRIP, UNTIL, WAY
from citysim.crowd.rows import (
    CLEAR,
    DENSITY,
    GAIT,
    GOAL_X,
    GOAL_Y,
    HOLD,
    LEAVING,
    LEGS,
    RADIUS,
    SPEED,
    STEP_X,
    STEP_Y,
    STEP_Z,
    VX,
    VY,
    X,
    Y,
    Z,
)
from citysim.crowd.signals import may_enter
from citysim.crowd.ways import LEG_ASIDE, LEG_LENGTH, LEG_RISE, LEG_UX, LEG_UY, LEG_X, LEG_Y, LEG_Z, MARGIN_M, TASTES
from citysim.geometry.jit import fetch, inlined, kernel, root

AHEAD_M = 4.0
AHEAD = 12  # persons whose legs are asked for in advance
NEAR_M = 1.0  # a corner is turned this far before it, on stairs as far as LAST_STEP_M
LAST_STEP_M, STEEP = 0.25, 0.12
FLAT_M = 0.3  # shorter segments are lifts or stubs
STAY_S = 40.0
CLIMB_M_S = 1.2
CABIN_M = 0.45
ASTRAY_M = 0.25  # beyond the edge of one's way
BACK_M = 1.5
HELD_AHEAD_M = 0.5  # along the line, where who is held up beside a wall aims
HELD_SHARE, HELD_CLEAR_M, HELD_DENSITY = 0.5, 0.1, 2.0
"""Held up: slower than this share of the wish, so near to a wall beyond the own radius, so few persons/m^2 ahead."""
PARTY_M = 12.0  # members further away are not waited for


@kernel
def follow(
    begin: int, end: int, dt: float, time: float, share: float, key: Any, state: Any, active: Any, ints: Any, reals:
    Any, legs: Any, leg: Any, ends: Any, paces: Any, phases: Any, table: Any, goals: Any,
) -> None:  # fmt: skip
    """Set goal direction, wished speed and climb of the active persons `begin` to before `end`.

    For the next `dt` seconds. Who arrives is LEAVING, and so is who is in a lift (see `placing`). Reads of others only
    what it does not write: any split of the persons gives the same bytes.
    `share` scales all speeds; `key` is the stream of stays.
    """
    flat = legs.ravel()
    for i in range(begin, end):
        j = min(i + AHEAD, end - 1)  # legs lie scattered
        fetch(flat, (leg[ints[WAY, j]] + ints[SEGMENT, j]) * 8)
        if active[i] and state[HOLD, i] <= 0.0:
            _follow_one(
                i, dt, time, share, key, state, active, ints, reals, legs, leg, ends, paces, phases, table, goals
            )


@inlined
def _follow_one(
    i: int, dt: float, time: float, share: float, key: Any, state: Any, active: Any, ints: Any, reals: Any, legs: Any,
    leg: Any, ends: Any, paces: Any, phases: Any, table: Any, goals: Any,
) -> None:  # fmt: skip
    x, y, z = state[X, i], state[Y, i], state[Z, i]
    vx, vy = state[VX, i], state[VY, i]
    state[GAIT, i] = turns(going(i, state)) * state[LEGS, i]
    wish = reals[PACE, i] * share
    way, at, along, length, left = 0, 0, 0.0, 0.0, 0.0
    for _ in range(6):
        way = ints[WAY, i]
        at = leg[way] + ints[SEGMENT, i]
        length = legs[at, LEG_LENGTH]
        if length < FLAT_M:
            rise, left = legs[at, LEG_RISE], legs[at, LEG_Z] + legs[at, LEG_RISE] - z
            if abs(rise) > FLAT_M and abs(left) > 0.02:  # a lift: takes in who stands at its door
                dx, dy = legs[at, LEG_X] - x, legs[at, LEG_Y] - y
                if dx * dx + dy * dy > CABIN_M * CABIN_M:
                    break
                active[i] = LEAVING
                ints[SEGMENT, i] = -1 - ints[SEGMENT, i]
                reals[UNTIL, i] = time + abs(rise) / LIFT_M_S
                return
            along = left = 0.0
        else:
            along = (x - legs[at, LEG_X]) * legs[at, LEG_UX] + (y - legs[at, LEG_Y]) * legs[at, LEG_UY]
            left = length - along
        if left >= (NEAR_M if abs(legs[at, LEG_RISE]) <= STEEP * length else LAST_STEP_M):
            break
        step = _onwards(i, way, at, time, ints, reals, legs, leg, ends, phases, table, goals)
        if step == ARRIVED:
            active[i] = LEAVING
            ints[TRIP, i] += 1
            reals[UNTIL, i] = time + STAY_S * (0.25 + unit(key, ints[PARTY, i], ints[TRIP, i]))
            return
        if step != MOVED:
            wish = 0.0 if step == LOST or left < reals[STOP, i] else wish
            break
        way = ints[WAY, i]
        at = leg[way] + ints[SEGMENT, i]
    ux, uy, length = legs[at, LEG_UX], legs[at, LEG_UY], legs[at, LEG_LENGTH]
    ax, ay, az = legs[at, LEG_X], legs[at, LEG_Y], legs[at, LEG_Z]
    along = (x - ax) * ux + (y - ay) * uy
    ahead = along + (vx * ux + vy * uy) * dt
    if length < FLAT_M:
        height = z
    elif ahead >= 0.0:
        height = az + legs[at, LEG_RISE] * min(ahead / max(length, 1e-6), 1.0)
    else:  # a corner turned early: still on the segment before
        px, py, pz = reals[BACK + 0, i], reals[BACK + 1, i], reals[BACK + 2, i]
        bx, by = ax - px, ay - py
        square = bx * bx + by * by
        part = ((x + vx * dt - px) * bx + (y + vy * dt - py) * by) / square if square > 1e-6 else 1.0
        height = pz + (az - pz) * min(max(part, 0.0), 1.0)
    state[STEP_Z, i] = 0.0 if height == z else min(max((height - z) / dt, -CLIMB_M_S), CLIMB_M_S)
    reach = min(max(along, 0.0) + AHEAD_M, length)
    aside = reals[LATERAL, i] * legs[at, LEG_ASIDE]
    lateral = (x - ax) * uy - (y - ay) * ux
    if along > NEAR_M and abs(lateral) > legs[at, LEG_ASIDE] + MARGIN_M + ASTRAY_M:
        reach = max(along - BACK_M, 0.0)  # got beside the way, perhaps behind a wall: back to where it was left
    elif wish > 0.0 and _held_up(i, wish, state):
        reach, aside = min(max(along, 0.0) + HELD_AHEAD_M, length), 0.0  # by a wall: the line itself is free
    gx = ax + ux * reach + uy * aside - x
    gy = ay + uy * reach - ux * aside - y
    far = gx * gx + gy * gy
    if far > 1e-12:
        far = 1.0 / root(far)
        gx, gy = gx * far, gy * far
    else:
        gx, gy = ux, uy
    if ints[SIZE, i] > 1:
        gx, gy, wish = _with_party(i, gx, gy, wish, state, active, ints)
    state[GOAL_X, i], state[GOAL_Y, i] = gx, gy
    state[SPEED, i] = wish * paces[way]


@inlined
def _held_up(i: int, wish: float, state: Any) -> bool:
    """Whether someone beside a wall hardly gets on though few are ahead: at a corner that the next leg leads across."""
    sx, sy, slow = state[STEP_X, i], state[STEP_Y, i], HELD_SHARE * wish
    beside = state[CLEAR, i] < state[RADIUS, i] + HELD_CLEAR_M and state[DENSITY, i] < HELD_DENSITY
    return beside and sx * sx + sy * sy < slow * slow


MOVED, WAITS, LOST, ARRIVED = 0, 1, 2, 3


@inlined
def _onwards(
    i: int, way: int, at: int, time: float, ints: Any, reals: Any, legs: Any, leg: Any, ends: Any, phases: Any, table:
    Any, goals: Any,
) -> int:  # fmt: skip
    """Go to the next leg of the way, or to the next way where it is open."""
    if at + 1 < leg[way + 1]:
        ints[SEGMENT, i] += 1
    else:
        node = ends[1 - (way & 1), way >> 1]
        if node == goals[ints[GOAL, i]]:
            return ARRIVED
        following = table[ints[GOAL, i] * TASTES + ints[TASTE, i], node]
        if following < 0:
            return LOST
        if not may_enter(phases, following, time):
            return WAITS
        ints[WAY, i], ints[SEGMENT, i] = following, 0
    reals[BACK + 0, i], reals[BACK + 1, i] = legs[at, LEG_X], legs[at, LEG_Y]
    reals[BACK + 2, i] = legs[at, LEG_Z]
    return MOVED


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
    size = root(tx * tx + ty * ty)
    return tx / size, ty / size, wish
