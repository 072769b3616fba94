"""Between decisions: everyone goes on as decided, and the gait with them."""

from typing import Any

import numpy as np

from citysim.crowd.rows import GAIT, PHASE, STEP_X, STEP_Y, STEP_Z, X, Y, Z
from citysim.gait import SLOW_M_S, SLOW_SLOPE, STANDING_HZ, STRIDE_M, STRIDE_S
from citysim.geometry.jit import inlined, kernel


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


@inlined
def turns(speed: float) -> float:
    """Turns of the gait a second at a speed; what `citysim.gait.turns` gives."""
    return speed / (STRIDE_M + STRIDE_S * speed) if speed > SLOW_M_S else STANDING_HZ + SLOW_SLOPE * speed
