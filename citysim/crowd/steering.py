"""The movement model: a hybrid anticipation-velocity model, one step of some persons, nothing applied.

First order in speed, so it is stable at steps of 0.1 s. Parts and their sources:
- lateral anticipation after Q. Xu, M. Chraibi, A. Seyfried, Anticipation in a velocity-based model for pedestrian
  dynamics, Transportation Research Part C 133 (2021), 103464, with a compact kernel (1 - x/8)^8 for exp(-x);
- speed from the time gap to who is ahead after A. Tordeux, M. Chraibi, A. Seyfried, Collision-free speed model for
  pedestrian dynamics, in Traffic and Granular Flow '15 (2016), 225-232, with a soft core and right of way;
- the steering turns nobody by more than WIDEST_TURN: unbounded, persons who met head-on beside a door pushed each other
  back for ever, and narrow doors never emptied;
- speed under density after Weidmann (1993), see `weidmann`;
- overlaps are pushed apart, walls are slid along (`sliding`).
Parameters are those of a study on corridors and doors; the tests measure other corridors, doors and seeds.
"""

from typing import Any

import numpy as np

from citysim.crowd.neighbours import (
    COLUMNS,
    CROWDED,
    GROUP,
    LATERAL,
    ME_CLEARANCE,
    ME_DT,
    ME_EX,
    ME_EY,
    ME_GX,
    ME_GY,
    ME_LENGTH,
    ME_RADIUS,
    ME_UX,
    ME_UY,
    ME_VX,
    ME_VY,
    ME_Z,
    PAIRS,
    PUSH_X,
    PUSH_Y,
    ROOM,
    SLOWEST,
    gather,
    sift,
)
from citysim.crowd.pairs import SIGHT_M, slow_down, steer
from citysim.crowd.rows import (
    CLEAR,
    DENSITY,
    EX,
    EY,
    GOAL_X,
    GOAL_Y,
    HOLD,
    RADIUS,
    SPEED,
    STATE_ROWS,
    STEP_X,
    STEP_Y,
    STEP_Z,
    VX,
    VY,
    X,
    Y,
    Z,
)
from citysim.crowd.sliding import BUFFER_M, RISE_COSTS, along_walls, nearest_wall, out_of_walls
from citysim.crowd.weidmann import ENTRIES, JAM_DENSITY
from citysim.geometry.jit import fetch, inlined, kernel, root

TURN_S = 0.4  # tau of the heading
WIDEST_TURN = 1.2  # tangent of the angle
ACCELERATION = 2.0  # m/s^2; braking is not limited
PUSH_RATE = 8.0  # 1/s
PUSH_LIMIT_M = 0.15  # a decision
SLACK_M = 0.01
NEAR_M, FAR_M = 1.2, 3.0  # bounds of the search radius
MET = 12.0  # persons a search should meet
BLOCK = 128  # persons that are worked on together, at most
AHEAD = 8  # persons whose values are asked for in advance


@kernel
def move(
    first: int, last: int, state: Any, starts: Any, order: Any, hot: Any, mates: Any, walls: Any, heads: Any, ids: Any,
    table: Any, cell: float, keep: float, dt: float, rounds: int,
) -> None:  # fmt: skip
    """Decide for the persons in slots `first` to before `last` how they move for the next `dt` seconds.

    Others are read from their hot rows alone, which are copies, and everyone's own values are written: any split of
    the slots gives the same bytes. `keep` is 1 where people keep right, -1 left. What depends on pairs is done for all
    pairs of a block of persons in one go: loops over a handful of neighbours cost more in branches than in sums. Who
    meets nobody decides for `rounds` times `dt`, and is left out until then.
    """
    pairs, places = np.empty(2 * PAIRS, np.uint32), np.empty(2 * PAIRS)
    me, who = np.empty(BLOCK * COLUMNS), np.empty(BLOCK, np.uint32)
    persons, inverse, slot, values = state.shape[1], 1.0 / cell, first, state.T.ravel()
    while slot < last:
        count, n = 0, 0
        while slot < last and count < BLOCK and n < PAIRS - ROOM:
            i = order[slot]
            soon = np.int64(order[min(slot + AHEAD, last - 1)]) * STATE_ROWS
            for line in range(3):  # people lie scattered: in a large crowd their values are far away
                fetch(values, min(soon + 8 * line, values.shape[0] - 1))
            fetch(values, min(soon + STATE_ROWS - 1, values.shape[0] - 1))
            if i < persons:
                if state[HOLD, i] > 0.0:
                    state[HOLD, i] -= 1.0
                else:
                    n = _look(i, mates[slot], count, n, state, starts, hot, inverse, pairs, places, me)
                    who[count] = i
                    count += 1
            slot += 1
        n = sift(0, n, who, me, order, hot, pairs, places)
        for b in range(count):
            me[b * COLUMNS + ME_DT] = rounds * dt
        for a in range(n):
            me[pairs[a] * COLUMNS + ME_DT] = dt
        steer(n, pairs, places, hot, mates, me, keep)
        for b in range(count):
            _turn(who[b], b, state, walls, heads, ids, me)
        slow_down(n, pairs, places, hot, me, dt)
        for b in range(count):
            _go(who[b], b, state, walls, heads, ids, table, me)
            state[HOLD, who[b]] = 0.0 if me[b * COLUMNS + ME_DT] == dt else rounds - 1.0


@inlined
def _look(
    i: int, own: int, b: int, n: int, state: Any, starts: Any, hot: Any, inverse: float, pairs: Any, places: Any,
    me: Any,
) -> int:  # fmt: skip
    """Put person i into row b of the block, and those they meet into the pairs; gives the number of pairs."""
    at = b * COLUMNS
    radius, before, wish = state[RADIUS, i], state[DENSITY, i], state[SPEED, i]
    gx, gy, ex, ey = state[GOAL_X, i], state[GOAL_Y, i], state[EX, i], state[EY, i]
    reach = FAR_M
    if before > 0.42:
        reach = min(max(root(MET / (np.pi * before)), NEAR_M), FAR_M)
    me[at + ME_RADIUS], me[at + ME_GX], me[at + ME_GY] = radius, gx, gy
    me[at + ME_EX], me[at + ME_EY], me[at + GROUP] = ex, ey, own
    me[at + ME_VX], me[at + ME_VY] = wish * gx, wish * gy
    me[at + LATERAL], me[at + CROWDED], me[at + PUSH_X], me[at + PUSH_Y], me[at + SLOWEST] = 0.0, 0.0, 0.0, 0.0, 1e9
    me[at + ME_Z] = state[Z, i]
    return gather(state[X, i], state[Y, i], reach, b, n, starts, hot, inverse, pairs, places)


@inlined
def _turn(i: int, b: int, state: Any, walls: Any, heads: Any, ids: Any, me: Any) -> None:
    """Turn the heading vector: towards the goal, aside for others, along walls."""
    at = b * COLUMNS
    lateral = min(max(me[at + LATERAL], -WIDEST_TURN), WIDEST_TURN)
    gx, gy, ex, ey, radius = me[at + ME_GX], me[at + ME_GY], me[at + ME_EX], me[at + ME_EY], me[at + ME_RADIUS]
    tx, ty = gx - lateral * gy, gy + lateral * gx
    inverse, share = 1.0 / root(tx * tx + ty * ty + 1e-18), min(1.0, me[at + ME_DT] / TURN_S)
    ex += (tx * inverse - ex) * share
    ey += (ty * inverse - ey) * share
    clearance = -1.0
    if state[CLEAR, i] < radius + BUFFER_M:
        x, y, z = state[X, i], state[Y, i], state[Z, i]
        wall, clearance, clear = nearest_wall(x, y, z, walls, heads, ids)
        state[CLEAR, i] = clear
        if clearance < radius + BUFFER_M:
            ex, ey = along_walls(x, y, z, radius, ex, ey, wall, walls, heads, ids)
    length = root(ex * ex + ey * ey)
    inverse = 1.0 / max(length, 1e-9)
    me[at + ME_EX], me[at + ME_EY], me[at + ME_LENGTH], me[at + ME_CLEARANCE] = ex, ey, length, clearance
    me[at + ME_UX], me[at + ME_UY] = (ex * inverse, ey * inverse) if length > 1e-9 else (gx, gy)


@inlined
def _go(i: int, b: int, state: Any, walls: Any, heads: Any, ids: Any, table: Any, me: Any) -> None:
    """Set the speed and the step until the next decision, walls heeded."""
    at = b * COLUMNS
    dt = me[at + ME_DT]
    ex, ey, ux, uy, radius = me[at + ME_EX], me[at + ME_EY], me[at + ME_UX], me[at + ME_UY], me[at + ME_RADIUS]
    density = me[at + CROWDED] * (6.0 / (np.pi * SIGHT_M * SIGHT_M))
    place = min(density / JAM_DENSITY, 1.0) * (ENTRIES - 1)
    entry = min(int(place), ENTRIES - 2)
    cap = table[entry] + (table[entry + 1] - table[entry]) * (place - entry)
    vx, vy = state[VX, i], state[VY, i]
    pace = min(state[SPEED, i] * cap * min(me[at + ME_LENGTH], 1.0), root(vx * vx + vy * vy) + ACCELERATION * dt)
    pace = min(pace, me[at + SLOWEST])
    push = min(0.5, PUSH_RATE * dt)
    px, py = me[at + PUSH_X] * push, me[at + PUSH_Y] * push
    pushed = root(px * px + py * py)
    if pushed > PUSH_LIMIT_M:
        px, py, pushed = px * (PUSH_LIMIT_M / pushed), py * (PUSH_LIMIT_M / pushed), PUSH_LIMIT_M
    vx, vy = ux * pace, uy * pace
    sx, sy = vx * dt + px, vy * dt + py
    way, clear = pace * dt + pushed, state[CLEAR, i]
    if clear < radius + way + SLACK_M:
        x, y, z, clearance = state[X, i], state[Y, i], state[Z, i], me[at + ME_CLEARANCE]
        if clearance < 0.0:
            _, clearance, clear = nearest_wall(x, y, z, walls, heads, ids)
        if clearance < radius + way + SLACK_M:
            nx, ny = out_of_walls(x, y, x + sx, y + sy, z, radius, clearance, walls, heads, ids)
            sx, sy = nx - x, ny - y
            way = root(sx * sx + sy * sy)
    rate = 1.0 / dt
    state[STEP_X, i], state[STEP_Y, i] = sx * rate, sy * rate
    state[VX, i], state[VY, i] = vx, vy
    state[EX, i], state[EY, i] = ex, ey
    state[DENSITY, i], state[CLEAR, i] = density, clear - way - RISE_COSTS * abs(state[STEP_Z, i]) * dt
