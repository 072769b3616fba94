"""`Walker.step` as one kernel over many substeps."""

from typing import Any

import numpy as np

from citysim.geometry.jit import helper, kernel
from citysim.geometry.tables import Tables
from citysim.physics.config import STEP_S
from citysim.physics.nativeground import feel, levels_off
from citysim.physics.nativelocal import (
    FALL,
    GRAVITY,
    JUMP,
    NEEDED,
    RADIUS,
    SKIN,
    STEP,
    VALID,
    Near,
    find_planes,
    gather,
    move_people,
)
from citysim.physics.nativeslide import slide
from citysim.physics.touch import AWAY_M, IDLE_SUBSTEPS

BUMP_LOSS, PUSH_LOSS = 0.10, 0.02
STEEP_LIFT_M = 0.02
SLIDE_SPEED = 3.0

# Places in the state: position, vertical speed, grounded, resting, the touch of static and of moving surfaces (total,
# active, idle, east, north, away_east, away_north).
EAST, NORTH, UP, SPEED, GROUNDED, RESTING, STATIC, MOVING, STATE = 0, 1, 2, 3, 4, 5, 6, 13, 20
# Why the kernel came back.
DONE, MORE_ROOM, MORE_CHUNKS = 0, 1, 2
_AROUND_M = 4.0  # beyond what a substep's queries span


@kernel
def walk_substeps(
    corners: Any, owners: Any, ids: Any, boxes: Any, links: Any, origins: Any, ranks: Any, roots: Any,
    store: Any, feet: Any, planes: Any, people: Any, rays: Any, desk: Any,
    state: Any, window: Any, wishes: Any, jump_at: int, first: int, path: Any,
) -> Any:  # fmt: skip
    """Carry out wishes[first:] (N, 2) metres a second; returns how many are done in all, and why it stopped.

    The arrays of `Tables` and of `Near` come one by one, which numba takes in a tenth of the time. `state` and `desk`
    change; `path` (N, 4) gets foot points and whether grounded. A substep whose surroundings do not fit the arrays,
    or reach out of the loaded `window`, leaves the state as it was before it.
    """
    tables = Tables(corners, owners, ids, boxes, links, origins, ranks, roots)
    near = Near(store, feet, planes, people, rays, desk)
    before, motion = np.empty(STATE), np.empty(11)
    for k in range(first, len(wishes)):
        east, north, jump = wishes[k, 0] * STEP_S, wishes[k, 1] * STEP_S, k == jump_at
        around = _AROUND_M + np.sqrt(east * east + north * north)
        x, y = state[EAST], state[NORTH]
        if x - around < window[0] or y - around < window[1] or x + around > window[2] or y + around > window[3]:
            return k, MORE_CHUNKS
        move_people(near, k + 1)
        if state[RESTING] == 1.0 and not jump and east == 0.0 and north == 0.0 and desk[VALID] == 1.0:
            _released(state, STATIC)
            _released(state, MOVING)
        else:
            before[:] = state
            _substep(near, tables, state, motion, east, north, jump)
            if desk[NEEDED] > 0.0:
                state[:] = before
                return k, MORE_ROOM
        path[k, 0], path[k, 1], path[k, 2], path[k, 3] = state[EAST], state[NORTH], state[UP], state[GROUNDED]
    return len(wishes), DONE


@helper
def _substep(near: Any, tables: Any, state: Any, motion: Any, move_east: float, move_north: float, jump: bool) -> None:
    """`motion` holds position, vertical speed, grounded, and the two pushes (flag, away from what)."""
    desk = near[5]
    x, y, z = state[EAST], state[NORTH], state[UP]
    motion[0], motion[1], motion[2], motion[3], motion[4] = x, y, z, state[SPEED], state[GROUNDED]
    motion[5], motion[8] = 0.0, 0.0
    fall = 0.0
    if jump and motion[4] == 1.0:
        motion[3], motion[4] = desk[JUMP], 0.0
    if motion[4] == 0.0:
        after = max(motion[3] - desk[GRAVITY] * STEP_S, -desk[FALL])
        fall, motion[3] = 0.5 * (motion[3] + after) * STEP_S, after
    longest = 0.5 * desk[RADIUS]
    size = np.sqrt(move_east * move_east + move_north * move_north)
    parts = max(1, int(np.ceil(max(size, abs(fall)) / longest)))
    loss = PUSH_LOSS if state[STATIC + 1] == 1.0 or state[MOVING + 1] == 1.0 else BUMP_LOSS
    for _ in range(parts):
        gather(near, tables, motion[0], motion[1], motion[2], size / parts, abs(fall) / parts)
        if motion[4] == 1.0:
            _walk(near, motion, move_east / parts, move_north / parts, loss)
        else:
            _fly(near, motion, move_east / parts, move_north / parts, fall / parts, loss)
    for c in range(5):
        state[c] = motion[c]
    rests = motion[4] == 1.0 and motion[0] == x and motion[1] == y and motion[2] == z
    state[RESTING] = 1.0 if rests else 0.0
    for which in range(2):
        touch, push = (STATIC, 5) if which == 0 else (MOVING, 8)
        if motion[push] == 1.0:
            _pushed(state, touch, motion[push + 1], motion[push + 2])
        else:
            _released(state, touch)


@helper
def _walk(near: Any, motion: Any, move_east: float, move_north: float, loss: float) -> None:
    """Slide along the walls, then follow the ground up or down."""
    desk = near[5]
    x, y, z, step_height = motion[0], motion[1], motion[2], desk[STEP]
    size = np.sqrt(move_east * move_east + move_north * move_north)
    count = find_planes(near, x, y, z, size + desk[SKIN])
    _, sx, sy = slide(near, count, move_east, move_north, 0.0, False, 0.0, 0.0, 0.0)
    _note_push(near, motion, count, move_east, move_north, sx, sy, loss)
    height, steep, nx, ny, _ = feel(near, x + sx, y + sy, z, step_height)
    if (
        _too_steep(height, steep, nx, ny, z, sx, sy)
        and steep > feel(near, x, y, z, step_height)[1]
        and not levels_off(near, x, y, z, nx, ny)
    ):
        _, sx, sy = slide(near, count, move_east, move_north, 0.0, True, nx, ny, 0.0)
        height, steep, nx, ny, _ = feel(near, x + sx, y + sy, z, step_height)
        if _too_steep(height, steep, nx, ny, z, sx, sy):
            sx, sy = 0.0, 0.0
            height, steep, nx, ny, _ = feel(near, x, y, z, step_height)
    bevel = (sx != 0.0 or sy != 0.0) and steep > max(height, z - STEEP_LIFT_M)
    if bevel and levels_off(near, x, y, z, nx, ny):
        height = steep
    if height == -np.inf:
        motion[0], motion[1] = x + sx, y + sy
        motion[4], motion[3] = 0.0, 0.0
        return
    fits, fx, fy = _fit(near, motion, sx, sy, height - z)
    if fits:
        motion[0], motion[1], motion[2] = x + fx, y + fy, height
    elif height < z:
        motion[0], motion[1] = x + sx, y + sy


@helper
def _fly(near: Any, motion: Any, move_east: float, move_north: float, rise: float, loss: float) -> None:
    """Rise or fall; land on walkable ground, slide off steep ground."""
    planes, desk = near[2], near[5]
    x, y, z, skin = motion[0], motion[1], motion[2], desk[SKIN]
    size = np.sqrt(move_east * move_east + move_north * move_north)
    count = find_planes(near, x, y, z, size + abs(rise) + skin)
    for k in range(count):
        if rise > 0.0 and planes[k, 3] < -0.7:
            free = max(0.0, planes[k, 0] - skin) / -planes[k, 3]
            if free < rise:
                rise, motion[3] = free, 0.0
    found, sx, sy = slide(near, count, move_east, move_north, rise, False, 0.0, 0.0, 0.0)
    if not found:
        motion[4], motion[3] = 1.0, 0.0
        return
    _note_push(near, motion, count, move_east, move_north, sx, sy, loss)
    if rise > 0.0:
        motion[0], motion[1], motion[2] = x + sx, y + sy, z + rise
        return
    walkable, steep, nx, ny, nz = feel(near, x + sx, y + sy, z, -rise)
    if walkable >= z + rise:
        fits, fx, fy = _fit(near, motion, sx, sy, walkable - z)
        if fits:
            motion[0], motion[1], motion[2] = x + fx, y + fy, walkable
            motion[4], motion[3] = 1.0, 0.0
            return
    elif steep > z + rise:
        aside = sx * nx + sy * ny + (steep - z - rise) * nz
        found, fx, fy = slide(near, count, move_east, move_north, rise, True, nx, ny, aside)
        if not found or np.sqrt(fx * fx + fy * fy) < 1e-3:
            motion[4], motion[3] = 1.0, 0.0
            return
        sx, sy, motion[3] = fx, fy, max(motion[3], -SLIDE_SPEED)
    motion[0], motion[1], motion[2] = x + sx, y + sy, z + rise


@helper
def _too_steep(height: float, steep: float, nx: float, ny: float, z: float, sx: float, sy: float) -> bool:
    return steep > max(height, z) + STEEP_LIFT_M and sx * nx + sy * ny < -1e-9


@helper
def _fit(near: Any, motion: Any, sx: float, sy: float, rise: float) -> tuple[bool, float, float]:
    if abs(rise) < 1e-9:
        return True, sx, sy
    reach = np.sqrt(sx * sx + sy * sy) + abs(rise) + near[5][SKIN]
    count = find_planes(near, motion[0], motion[1], motion[2], reach)
    return slide(near, count, sx, sy, rise, False, 0.0, 0.0, 0.0)


@helper
def _note_push(near: Any, motion: Any, count: int, wx: float, wy: float, sx: float, sy: float, loss: float) -> None:
    """Remember what stands in the way of the wished step, if it costs enough of it."""
    wished = wx * wx + wy * wy
    if count == 0 or wished < 1e-12 or wx * sx + wy * sy > (1.0 - loss) * wished:
        return
    static, moving = -1e-9, -1e-9
    planes, skin = near[2], near[5][SKIN]
    for k in range(count):
        px, py = planes[k, 1], planes[k, 2]
        over = wx * px + wy * py + planes[k, 0] - skin
        flat = np.sqrt(px * px + py * py)
        if flat > 0.1:
            if planes[k, 4] == 1.0 and over < moving:
                moving = over
                motion[8], motion[9], motion[10] = 1.0, px / flat, py / flat
            elif planes[k, 4] == 0.0 and over < static:
                static = over
                motion[5], motion[6], motion[7] = 1.0, px / flat, py / flat


@helper
def _pushed(state: Any, at: int, away_east: float, away_north: float) -> None:
    """`Touch.pushed`."""
    if not _still_near(state, at):
        state[at] += 1.0
    state[at + 1], state[at + 2], state[at + 3], state[at + 4] = 1.0, 0.0, state[EAST], state[NORTH]
    state[at + 5], state[at + 6] = away_east, away_north


@helper
def _released(state: Any, at: int) -> None:
    """`Touch.released`."""
    if state[at + 1] == 0.0:
        return
    if state[at + 2] + 1.0 > IDLE_SUBSTEPS or not _still_near(state, at):
        for c in range(1, 7):
            state[at + c] = 0.0
    else:
        state[at + 2] += 1.0


@helper
def _still_near(state: Any, at: int) -> bool:
    gone = (state[EAST] - state[at + 3]) * state[at + 5] + (state[NORTH] - state[at + 4]) * state[at + 6]
    return state[at + 1] == 1.0 and gone <= AWAY_M
