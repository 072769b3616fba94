"""Between decisions: everyone goes on as decided, and the gait with them."""

from typing import Any

import numpy as np

from citysim.crowd.rows import EX, EY, FX, FY, GAIT, PHASE, STEP_X, STEP_Y, STEP_Z, VX, VY, X, Y, Z
from citysim.gait import SLOW_M_S, SLOW_SLOPE, STANDING_HZ, STRIDE_M, STRIDE_S
from citysim.geometry.jit import inlined, kernel, root

TURN_RAD_S = 5.0  # how fast a body turns on the spot
SETTLES_S = 0.15  # in which most of a small turn is done
FACELESS = 0.1  # length of a heading below which it has no direction


@kernel
def glide(first: int, last: int, dt: float, state: Any, active: Any) -> None:
    """Let `dt` seconds pass for the persons `first` to before `last` who are active."""
    for i in range(first, last):
        if active[i]:
            state[X, i] += state[STEP_X, i] * dt
            state[Y, i] += state[STEP_Y, i] * dt
            state[Z, i] += state[STEP_Z, i] * dt
            turned = state[PHASE, i] + state[GAIT, i] * dt
            state[PHASE, i] = turned - np.floor(turned)
            _face(i, dt, state)


@inlined
def _face(i: int, dt: float, state: Any) -> None:
    """Turn the body towards the heading, at most so fast; a heading that is nearly nothing has no direction."""
    ex, ey = state[EX, i], state[EY, i]
    square = ex * ex + ey * ey
    if square < FACELESS * FACELESS:
        return
    size, fx, fy = root(square), state[FX, i], state[FY, i]
    ex, ey = ex / size, ey / size
    if fx * ex + fy * ey > 0.5:  # small turns take a moment: headings that waver do not shake bodies
        share = min(dt / SETTLES_S, 1.0)
        ex, ey = fx + (ex - fx) * share, fy + (ey - fy) * share
        size = root(ex * ex + ey * ey)
        ex, ey = ex / size, ey / size
    step = min(TURN_RAD_S * dt, 0.5)
    cosine = 1.0 - 0.5 * step * step
    if fx * ex + fy * ey < cosine and fx * fx + fy * fy > 0.5:
        side = step if fx * ey - fy * ex >= 0.0 else -step
        ex, ey = fx * cosine - fy * side, fy * cosine + fx * side
        size = root(ex * ex + ey * ey)
        ex, ey = ex / size, ey / size
    state[FX, i], state[FY, i] = ex, ey


@inlined
def going(i: int, state: Any) -> float:
    """Metres a second by which someone steps: as fast as he walks, but no faster than he gets on where he is held up.

    Pushes of others make nobody step faster.
    """
    vx, vy, sx, sy = state[VX, i], state[VY, i], state[STEP_X, i], state[STEP_Y, i]
    return root(min(vx * vx + vy * vy, sx * sx + sy * sy))


@inlined
def turns(speed: float) -> float:
    """Turns of the gait a second at a speed; what `citysim.gait.turns` gives."""
    return speed / (STRIDE_M + STRIDE_S * speed) if speed > SLOW_M_S else STANDING_HZ + SLOW_SLOPE * speed
