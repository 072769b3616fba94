"""Placing: people come out of doors, or stand about the city at the start, only where nobody is."""

from typing import Any

import numpy as np

from citysim.crowd.hashing import unit
from citysim.crowd.people import BACK, BODY, GOAL, LATERAL, PARTY, SEGMENT, TASTE, TRIP, UNTIL, WAY
from citysim.crowd.rows import (
    CLEAR,
    DENSITY,
    EX,
    EY,
    FX,
    FY,
    GOAL_X,
    GOAL_Y,
    HOLD,
    LEVEL_M,
    RADIUS,
    STEP_X,
    STEP_Y,
    STEP_Z,
    VX,
    VY,
    X,
    Y,
    Z,
)  # fmt: skip
from citysim.crowd.ways import LEG_ASIDE, LEG_LENGTH, LEG_RISE, LEG_UX, LEG_UY, LEG_X, LEG_Y, LEG_Z, TASTES
from citysim.geometry.jit import inlined, kernel

CELL_M = 1.0
ROOM_M = 0.1  # kept between those placed
TRIES = 24
AGAIN_S = 1.0
LIFT_CLEAR_M = 0.8  # from the agent: no one steps out of a lift into it
_LEFT_BEHIND = 3


@kernel
def place(
    time: float, key: Any, everywhere: bool, window: Any, state: Any, active: Any, ints: Any, reals: Any, legs: Any,
    leg: Any, ends: Any, passing: Any, into: Any, table: Any, goals: Any,
    weights: Any, spread: Any, heads: Any, nexts: Any,
) -> int:  # fmt: skip
    """Let out those whose time has come, in order of number; gives how many. Whoever finds no room tries again later.

    weights (G,) cumulative shares of the destinations; spread (W,) cumulative lengths of `ways.into`: with
    `everywhere`, people start along the ways instead of at destinations. window (5,): east, north, height (NaN for all
    heights) around which nobody appears nearer and nobody further than so many metres. heads (M,), nexts (N,) int32:
    work arrays.
    """
    due = False
    for i in range(state.shape[1]):
        due = due or (not active[i] and reals[UNTIL, i] <= time)
    if not due:
        return 0
    heads[:] = -1
    mask, placed = heads.shape[0] - 1, 0
    for i in range(state.shape[1]):
        if active[i]:
            _list(i, state, heads, nexts, mask)
    for i in range(state.shape[1]):
        if active[i] or reals[UNTIL, i] > time:
            continue
        reals[UNTIL, i] = time + AGAIN_S
        if ints[SEGMENT, i] < 0:
            if _step_out(i, window, state, ints, reals, legs, leg, heads, nexts, mask):
                active[i] = 1
                _list(i, state, heads, nexts, mask)
                placed += 1
            continue
        for turn in range(TRIES if everywhere else 4):
            if _try(
                i,
                turn,
                key,
                everywhere,
                window,
                state,
                ints,
                reals,
                legs,
                leg,
                ends,
                passing,
                into,
                table,
                goals,
                weights,
                spread,
                heads,
                nexts,
                mask,
            ):
                active[i] = 1
                _list(i, state, heads, nexts, mask)
                placed += 1
                break
    return placed


@kernel
def leave(
    time: float, east: float, north: float, radius: float, state: Any, active: Any, ints: Any, reals: Any
) -> None:
    """Take those indoors who are further than `radius` from a place, and those with whose first walker they go."""
    for i in range(state.shape[1]):
        if active[i]:
            j = ints[PARTY, i] if active[ints[PARTY, i]] else i
            dx, dy, fx, fy = state[X, i] - east, state[Y, i] - north, state[X, j] - east, state[Y, j] - north
            if max(dx * dx + dy * dy, fx * fx + fy * fy) > radius * radius:
                active[i] = _LEFT_BEHIND
    for i in range(state.shape[1]):
        if active[i] == _LEFT_BEHIND:
            active[i] = 0
            ints[TRIP, i] += 1
            reals[UNTIL, i] = time


@inlined
def _try(
    i: int, turn: int, key: Any, everywhere: bool, window: Any, state: Any, ints: Any, reals: Any, legs: Any,
    leg: Any, ends: Any, passing: Any, into: Any, table: Any, goals: Any,
    weights: Any, spread: Any, heads: Any, nexts: Any, mask: int,
) -> bool:  # fmt: skip
    party, draw = ints[PARTY, i], (ints[TRIP, i] * 64 + turn) * 8
    goal = pick(weights, unit(key, party, draw))
    row = goal * TASTES + ints[TASTE, i]
    if everywhere:
        way = into[pick(spread, unit(key, party, draw + 1))]
        node = ends[1 - (way & 1), way >> 1]
        if table[row, node] < 0 and node != goals[goal]:
            return False
        share = unit(key, party, draw + 2)
    else:
        way = table[row, goals[pick(weights, unit(key, party, draw + 1))]]
        if way < 0:  # there already, or no way from there
            return False
        share = unit(key, i, draw + 2) * 0.3
    if passing[way >> 1]:
        return False
    parts = leg[way + 1] - leg[way]
    segment = min(int(share * parts), parts - 1)
    share = share * parts - segment
    at = leg[way] + segment
    ax, ay, az = legs[at, LEG_X], legs[at, LEG_Y], legs[at, LEG_Z]
    ux, uy, length = legs[at, LEG_UX], legs[at, LEG_UY], legs[at, LEG_LENGTH]
    if length < 1e-6:
        return False
    rank = i - party
    aside = reals[LATERAL, i] if rank == 0 else reals[LATERAL, party] + 0.6 * unit(key, i, draw + 3) - 0.3
    aside = min(max(aside, -1.0), 1.0) * legs[at, LEG_ASIDE]
    share = min(max(share + (0.5 * rank * (1 if turn & 1 else -1)) / length, 0.0), 1.0)
    x, y = ax + ux * length * share + uy * aside, ay + uy * length * share - ux * aside
    z = az + legs[at, LEG_RISE] * share
    ex, ey = x - window[0], y - window[1]
    square = ex * ex + ey * ey
    if square > window[4] * window[4] or (square < window[3] * window[3] and not abs(z - window[2]) >= LEVEL_M):
        return False
    if not _free(x, y, z, reals[BODY, i], state, heads, nexts, mask):
        return False
    ints[WAY, i], ints[SEGMENT, i], ints[GOAL, i] = way, segment, goal
    reals[BACK + 0, i], reals[BACK + 1, i], reals[BACK + 2, i] = ax, ay, az
    state[X, i], state[Y, i], state[Z, i] = x, y, z
    state[VX, i], state[VY, i], state[DENSITY, i], state[RADIUS, i] = 0.0, 0.0, 0.0, reals[BODY, i]
    state[STEP_X, i], state[STEP_Y, i], state[STEP_Z, i] = 0.0, 0.0, 0.0
    state[CLEAR, i], state[HOLD, i] = 0.0, 0.0
    state[EX, i], state[EY, i], state[GOAL_X, i], state[GOAL_Y, i] = ux, uy, ux, uy
    state[FX, i], state[FY, i] = ux, uy
    return True


@inlined
def _step_out(
    i: int, window: Any, state: Any, ints: Any, reals: Any, legs: Any, leg: Any, heads: Any, nexts: Any, mask: int
) -> bool:
    """Put person i, whose lift has arrived, at its other end, if nobody is there. Inside, SEGMENT is -1 - itself."""
    segment = -1 - ints[SEGMENT, i]
    at = leg[ints[WAY, i]] + segment
    x, y, z = legs[at, LEG_X], legs[at, LEG_Y], legs[at, LEG_Z] + legs[at, LEG_RISE]
    ex, ey = x - window[0], y - window[1]
    if ex * ex + ey * ey < LIFT_CLEAR_M * LIFT_CLEAR_M and not abs(z - window[2]) >= LEVEL_M:
        return False
    if not _free(x, y, z, reals[BODY, i], state, heads, nexts, mask):
        return False
    ints[SEGMENT, i] = segment
    state[X, i], state[Y, i], state[Z, i] = x, y, z
    state[VX, i], state[VY, i], state[DENSITY, i] = 0.0, 0.0, 0.0
    state[STEP_X, i], state[STEP_Y, i], state[STEP_Z, i] = 0.0, 0.0, 0.0
    state[CLEAR, i], state[HOLD, i] = 0.0, 0.0
    return True


@inlined
def pick(cumulative: Any, share: float) -> int:
    """Index drawn from cumulative weights."""
    wanted, low, high = share * cumulative[-1], 0, cumulative.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if cumulative[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low


@inlined
def _list(i: int, state: Any, heads: Any, nexts: Any, mask: int) -> None:
    bucket = _bucket(np.floor(state[X, i] / CELL_M), np.floor(state[Y, i] / CELL_M), mask)
    nexts[i] = heads[bucket]
    heads[bucket] = i


@inlined
def _free(x: float, y: float, z: float, radius: float, state: Any, heads: Any, nexts: Any, mask: int) -> bool:
    for column in range(-1, 2):
        for line in range(-1, 2):
            j = heads[_bucket(np.floor(x / CELL_M) + column, np.floor(y / CELL_M) + line, mask)]
            while j >= 0:
                dx, dy, apart = state[X, j] - x, state[Y, j] - y, state[RADIUS, j] + radius + ROOM_M
                if dx * dx + dy * dy < apart * apart and abs(state[Z, j] - z) < LEVEL_M:
                    return False
                j = nexts[j]
    return True


@inlined
def _bucket(column: float, line: float, mask: int) -> Any:
    return (np.int64(column) + np.int64(line) * 1000003) & mask
