"""Sighted: where those people whom a picture may show stand, and how, in one pass over all of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.gliding import going
from citysim.crowd.rows import FX, FY, GAIT, PHASE, X, Y, Z
from citysim.gait import SLOW_M_S, SLOW_SLOPE, STANDING_HZ, STRIDE_M, STRIDE_S
from citysim.geometry.jit import kernel
from citysim.living.footing import AGO, NOW

Array = NDArray[np.float64]


@kernel
def sighted(
    state: Any, active: Any, before: Any, faced: Any, feet: Any, share: float, left_s: float, alike: float,
    east: float, north: float, reach: float, seen: Any, place: Any, facing: Any, phase: Any, stride: Any, shifts: Any,
) -> int:  # fmt: skip
    """How many people are on the street within `reach` metres of a place at a share of a tick; fills what is after it.

    state, active, before, faced and feet as `Company` has them; left_s  seconds to the tick's end; alike  cosine of
    the turn above which a body turns at once
    seen     (N,) int64 their numbers, in order
    place    (N, 4) float64 foot point; the last column is left alone
    facing   (N, 2) float64 the direction they face, not normalised
    phase    (N,) float64 turns of the gait, perhaps below 0
    stride   (N,) float64 metres of a turn at size 1, as `gait.stride`
    shifts   (N, 2, 3) float64 metres in the world by which both feet are beside where the gait has them
    """
    count = 0
    for i in range(state.shape[1]):
        if not active[i]:
            continue
        x = before[0, i] + (state[X, i] - before[0, i]) * share
        y = before[1, i] + (state[Y, i] - before[1, i]) * share
        dx, dy = x - east, y - north
        if not dx * dx + dy * dy < reach * reach:
            continue
        seen[count] = i
        place[count, 0], place[count, 1] = x, y
        place[count, 2] = before[2, i] + (state[Z, i] - before[2, i]) * share
        ahead, aside = state[FX, i], state[FY, i]
        if faced[0, i] * ahead + faced[1, i] * aside > alike:  # between ticks bodies turn evenly as well
            ahead, aside = faced[0, i] + (ahead - faced[0, i]) * share, faced[1, i] + (aside - faced[1, i]) * share
        facing[count, 0], facing[count, 1] = ahead, aside
        phase[count] = state[PHASE, i] - state[GAIT, i] * left_s
        speed = going(i, state)
        walking = speed / (STRIDE_M + STRIDE_S * speed)
        stride[count] = speed / (walking if speed > SLOW_M_S else STANDING_HZ + SLOW_SLOPE * speed)
        for side in range(2):
            for c in range(3):
                ago = feet[i, side, AGO + c]
                shifts[count, side, c] = ago + (feet[i, side, NOW + c] - ago) * share
        count += 1
    return count
