"""Footing: where feet are planted. A figure's gait goes straight on; whoever turns, stops or is pushed would slide.

Each foot has a shift in the world, from where the gait draws it to where it is. While a foot is down the shift keeps
it on its spot; while it swings the shift goes away; and a foot that has come too far from its place makes a step of
its own, as those do who turn where they stand. This is drawing only: it moves nobody.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.gliding import going
from citysim.crowd.rows import FX, FY, GAIT, LEGS, PHASE, X, Y
from citysim.gait import (
    FOOT_SIDE,
    REACH_AHEAD,
    SLOW_M_S,
    SLOW_SLOPE,
    STANCE,
    STANDING_HZ,
    STRIDE_M,
    STRIDE_S,
    TOE_AHEAD,
)
from citysim.geometry.jit import inlined, kernel, root

Array = NDArray[np.float64]

# Columns of a foot: its shift now (east, north, up), the same a tick ago, the spot it stands on, the shift it set off
# with, what it does, and the share of a swing at which it set off or the seconds left of a step of its own.
NOW, AGO, SPOT, FROM, DOES, WHEN = 0, 3, 6, 8, 10, 11
COLUMNS = 12
PLANTED, SWINGS, STEPS = 0.0, 1.0, 2.0

STILL_M = 0.15  # strides below are none: both feet stay down
STEP_S, STEP_UP_M = 0.25, 0.05  # of a step of one's own: how long, how high
LOOSE_M, LOOSE_STRIDE = 0.10, 0.35  # a foot may be so far from its place, and so much further for each metre of stride
WIDEST_M = 0.64  # of toes from the middle of the body: further no leg reaches, and a foot is taken along in a step


def empty_feet(count: int) -> Array:
    """(N, 2, COLUMNS) feet of people whose gait has them where they are; left ones first."""
    return np.zeros((count, 2, COLUMNS))


@kernel
def set_feet(dt: float, state: Any, active: Any, was_out: Any, before: Any, jump: float, feet: Any) -> None:
    """Bring `feet` to the end of a tick of `dt` seconds; who has come out or was put elsewhere stands as the gait says.

    before (3, N) where people were at its beginning; those more than `jump` metres away have been put elsewhere.
    """
    for i in range(state.shape[1]):
        if not active[i]:
            continue
        mx, my = state[X, i] - before[0, i], state[Y, i] - before[1, i]
        new = was_out[i] == 0 or mx * mx + my * my > jump * jump
        speed = going(i, state)
        if speed > SLOW_M_S:
            stride = STRIDE_M + STRIDE_S * speed
        else:
            stride = speed / (STANDING_HZ + SLOW_SLOPE * speed)
        for side in range(2):
            own = state[PHASE, i] + 0.5 * side
            own = own - np.floor(own)
            swing = max((own - STANCE) / (1.0 - STANCE), 0.0)
            size = 1.0 / state[LEGS, i]
            ahead = (REACH_AHEAD - min(own, STANCE) + _eased(swing) * STANCE) * stride + TOE_AHEAD
            aside = FOOT_SIDE if side == 0 else -FOOT_SIDE
            east = state[X, i] + (state[FX, i] * ahead - state[FY, i] * aside) * size
            north = state[Y, i] + (state[FY, i] * ahead + state[FX, i] * aside) * size
            foot = feet[i, side]
            if new:
                foot[:] = 0.0
                foot[SPOT], foot[SPOT + 1] = east, north
                foot[DOES] = SWINGS if swing > 0.0 and stride >= STILL_M else PLANTED
                continue
            for c in range(3):
                foot[AGO + c] = foot[NOW + c]
            if swing > 0.0 and stride >= STILL_M:
                _swing(foot, swing, state[GAIT, i])
            else:
                _stand(foot, feet[i, 1 - side], dt, east, north, state[X, i], state[Y, i], stride, size)


@inlined
def _eased(share: float) -> float:
    return share * share * (3.0 - 2.0 * share)


@inlined
def _swing(foot: Any, swing: float, rate: float) -> None:
    """A foot in the air; slow people's are back in their place after the usual time."""
    if foot[DOES] != SWINGS:
        foot[DOES], foot[WHEN] = SWINGS, min(swing, 0.9)
        foot[FROM], foot[FROM + 1] = foot[NOW], foot[NOW + 1]
    left = 1.0 - foot[WHEN]
    quick = max(left * (1.0 - STANCE) / (max(rate, 0.01) * 0.45), 1.0)
    share = 1.0 - _eased(min((swing - foot[WHEN]) / left * quick, 1.0))
    foot[NOW], foot[NOW + 1], foot[NOW + 2] = foot[FROM] * share, foot[FROM + 1] * share, foot[NOW + 2] * 0.5


@inlined
def _stand(
    foot: Any, other: Any, dt: float, east: float, north: float, x: float, y: float, stride: float, size: float
) -> None:
    """A foot on the ground, or in a step of its own, which begins where it is too far off and the other one stands."""
    if foot[DOES] == STEPS:
        foot[WHEN] -= dt
        share = max(foot[WHEN] / STEP_S, 0.0)
        down = _eased(share)
        foot[NOW], foot[NOW + 1] = foot[FROM] * down, foot[FROM + 1] * down
        foot[NOW + 2] = 4.0 * share * (1.0 - share) * STEP_UP_M * size
        if foot[WHEN] > 1e-9:
            return
        foot[DOES] = SWINGS
    if foot[DOES] == SWINGS:  # comes down here
        foot[DOES] = PLANTED
        foot[SPOT], foot[SPOT + 1], foot[NOW + 2] = east + foot[NOW], north + foot[NOW + 1], 0.0
        return
    dx, dy = foot[SPOT] - x, foot[SPOT + 1] - y
    far = root(dx * dx + dy * dy)
    foot[NOW], foot[NOW + 1], foot[NOW + 2] = foot[SPOT] - east, foot[SPOT + 1] - north, 0.0
    off = root(foot[NOW] * foot[NOW] + foot[NOW + 1] * foot[NOW + 1])
    loose = off > (LOOSE_M + LOOSE_STRIDE * min(stride, 1.0)) * size and other[DOES] == PLANTED
    if loose or far > WIDEST_M * size:
        foot[DOES], foot[WHEN] = STEPS, STEP_S
        foot[FROM], foot[FROM + 1] = foot[NOW], foot[NOW + 1]
