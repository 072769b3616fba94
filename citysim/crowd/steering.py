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

from citysim.crowd.neighbours import ROOM, gather
from citysim.crowd.rows import DENSITY, EX, EY, GOAL_X, GOAL_Y, RADIUS, SPEED, VX, VY, X, Y, Z
from citysim.crowd.sliding import BUFFER_M, along_walls, nearest_wall, out_of_walls
from citysim.crowd.weidmann import ENTRIES, JAM_DENSITY
from citysim.geometry.jit import inlined, kernel

ANTICIPATION_S = 1.0
STRENGTH = 1.5  # K of the lateral steering
RANGE_M = 0.2  # D, how fast the steering falls with the gap
TURN_S = 0.4  # tau of the heading
WIDEST_TURN = 1.2  # tangent of the angle
BIAS_M = 0.1  # who comes straight on is passed on the customary side
SOFT_M = 0.4
SIGHT_M = 1.5  # h of the density kernel
CORE = 0.7  # hard core as a share of the radii; hard discs would block doors
CORE_WIDTH = 0.8
GAP_S = 0.3  # time gap
PRIORITY_GAP_S = 0.15
ACCELERATION = 2.0  # m/s^2; braking is not limited
PUSH_RATE = 8.0  # 1/s
PUSH_LIMIT_M = 0.15  # a step
NEAR_M, FAR_M = 1.2, 3.0  # bounds of the search radius
MET = 12.0  # persons a search should meet


@kernel
def move(
    first: int, last: int, state: Any, starts: Any, order: Any, hot: Any, mates: Any, walls: Any, heads: Any, ids: Any,
    table: Any,
    cell: float, keep: float, dt: float, out: Any,
) -> None:  # fmt: skip
    """Compute the step of the persons in slots `first` to before `last` into `out`; reads nothing that it writes.

    `keep` is 1 where people keep right, -1 left. Any split of the slots gives the same bytes.
    """
    scratch = np.empty(12 * ROOM)
    persons = state.shape[1]
    for slot in range(first, last):
        i = order[slot]
        if i < persons:
            _move_one(i, slot, state, starts, hot, mates, walls, heads, ids, table, cell, keep, dt, scratch, out)


@inlined
def _move_one(
    i: int, slot: int, state: Any, starts: Any, hot: Any, mates: Any, walls: Any, heads: Any, ids: Any, table: Any,
    cell: float, keep: float,
    dt: float, F: Any, out: Any,
) -> None:  # fmt: skip
    x, y, z, radius = state[X, i], state[Y, i], state[Z, i], state[RADIUS, i]
    gx, gy, ex, ey = state[GOAL_X, i], state[GOAL_Y, i], state[EX, i], state[EY, i]
    wish, before = state[SPEED, i], state[DENSITY, i]
    reach = FAR_M
    if before > 0.42:
        reach = min(max(np.sqrt(MET / (np.pi * before)), NEAR_M), FAR_M)
    n = gather(x, y, z, radius, gx, gy, ex, ey, reach, slot, starts, hot, mates, cell, F)
    # pair terms, elementwise so that the compiler can take several at once; columns of the scratch as in `gather`
    vx, vy, r1 = wish * gx, wish * gy, 1.0 / (8.0 * RANGE_M)
    h2 = 1.0 / (SIGHT_M * SIGHT_M)
    for a in range(n):
        rx, ry, jx, jy = F[a], F[ROOM + a], F[2 * ROOM + a], F[3 * ROOM + a]
        d = max(np.sqrt(rx * rx + ry * ry), 1e-6)
        inverse = 1.0 / d
        nx, ny = rx * inverse, ry * inverse
        gap = d - (radius + F[6 * ROOM + a])
        left = max(gap - ((vx - jx) * nx + (vy - jy) * ny) * ANTICIPATION_S, 0.0)
        near = max(1.0 - left * r1, 0.0)
        near *= near
        near *= near
        near *= near
        to_goal, to_heading = gx * nx + gy * ny, ex * nx + ey * ny
        ahead = max(max(to_goal, to_heading), 0.0)
        facing = 1.5 - 0.5 * (gx * F[4 * ROOM + a] + gy * F[5 * ROOM + a])
        side = gx * (ry + jy * ANTICIPATION_S) - gy * (rx + jx * ANTICIPATION_S) + keep * BIAS_M
        side = min(max(side * (1.0 / SOFT_M), -1.0), 1.0)
        F[8 * ROOM + a] = STRENGTH * facing * near * ahead * F[7 * ROOM + a] * side
        crowded = max(1.0 - d * d * h2, 0.0)
        F[9 * ROOM + a] = crowded * crowded if ahead > 0.0 else 0.0
        overlap = min(gap, 0.0)
        F[10 * ROOM + a] = overlap * nx
        F[11 * ROOM + a] = overlap * ny
    lateral, density, px, py = 0.0, 0.0, 0.0, 0.0
    for a in range(n):
        lateral -= F[8 * ROOM + a]
        density += F[9 * ROOM + a]
        px += F[10 * ROOM + a]
        py += F[11 * ROOM + a]
    lateral = min(max(lateral, -WIDEST_TURN), WIDEST_TURN)
    density *= 6.0 / (np.pi * SIGHT_M * SIGHT_M)
    # heading
    tx, ty = gx - lateral * gy, gy + lateral * gx
    length = np.sqrt(tx * tx + ty * ty)
    share = min(1.0, dt / TURN_S)
    if length > 1e-9:
        ex += (tx / length - ex) * share
        ey += (ty / length - ey) * share
    wall, clearance = nearest_wall(x, y, z, walls, heads, ids)
    if clearance < radius + BUFFER_M:
        ex, ey = along_walls(x, y, z, radius, ex, ey, wall, walls, heads, ids)
    length = np.sqrt(ex * ex + ey * ey)
    ux, uy = (ex / length, ey / length) if length > 1e-9 else (gx, gy)
    # speed
    place = min(density / JAM_DENSITY, 1.0) * (ENTRIES - 1)
    entry = min(int(place), ENTRIES - 2)
    cap = table[entry] + (table[entry + 1] - table[entry]) * (place - entry)
    pace = min(
        wish * cap * min(length, 1.0),
        np.sqrt(state[VX, i] * state[VX, i] + state[VY, i] * state[VY, i]) + ACCELERATION * dt,
    )
    pace = min(pace, _gap_speed(n, radius, ux, uy, dt, F))
    push = min(0.5, PUSH_RATE * dt)
    px, py = px * push, py * push
    pushed = np.sqrt(px * px + py * py)
    if pushed > PUSH_LIMIT_M:
        px, py = px * (PUSH_LIMIT_M / pushed), py * (PUSH_LIMIT_M / pushed)
    nx, ny = x + ux * pace * dt + px, y + uy * pace * dt + py
    if clearance < radius + pace * dt + PUSH_LIMIT_M:
        nx, ny = out_of_walls(x, y, nx, ny, z, radius, walls, heads, ids)
    out[0, i], out[1, i], out[2, i], out[3, i] = nx, ny, ux * pace, uy * pace
    out[4, i], out[5, i], out[6, i] = ex, ey, density


@inlined
def _gap_speed(n: int, radius: float, ux: float, uy: float, dt: float, F: Any) -> float:
    """The greatest speed (m/s) that leaves a time gap to everyone ahead; shorter for who sees me in front of them."""
    quick, usual = 1.0 / max(PRIORITY_GAP_S, 2.0 * dt), 1.0 / GAP_S
    for a in range(n):
        rx, ry = F[a], F[ROOM + a]
        core = CORE * (radius + F[6 * ROOM + a])
        along, across = ux * rx + uy * ry, abs(ux * ry - uy * rx)
        free = max(along - np.sqrt(max(core * core - across * across, 0.0)), 0.0)
        seen = -(F[4 * ROOM + a] * rx + F[5 * ROOM + a] * ry)
        rate = quick if seen > along else usual
        F[8 * ROOM + a] = free * rate if along > 0.0 and across <= CORE_WIDTH * core else 1e9
    slowest = 1e9
    for a in range(n):
        slowest = min(slowest, F[8 * ROOM + a])
    return slowest


@kernel
def apply(order: Any, count: int, out: Any, state: Any) -> None:
    """Take over what `move` computed, for all persons in the slots."""
    for slot in range(count):
        i = order[slot]
        if i < state.shape[1]:
            state[X, i], state[Y, i], state[VX, i], state[VY, i] = out[0, i], out[1, i], out[2, i], out[3, i]
            state[EX, i], state[EY, i], state[DENSITY, i] = out[4, i], out[5, i], out[6, i]
