"""Where things lie in the crowd's arrays."""

import numpy as np
from numpy.typing import NDArray

# Rows of the state, (STATE_ROWS, N) float64; in memory a person's values lie side by side, see `empty_state`.
X, Y, Z = 0, 1, 2  # foot point, local metres
STEP_X, STEP_Y, STEP_Z = 3, 4, 5  # m/s at which the foot point moves until the next decision, pushes included
PHASE, GAIT = 6, 7  # of the gait, in [0, 1), and turns a second
VX, VY = 8, 9  # velocity without being pushed, m/s
EX, EY = 10, 11  # heading vector, at most 1 long: not normalised, or it could never turn about
SPEED = 12  # wished for now, m/s: 0 while waiting
RADIUS = 13
DENSITY = 14  # persons/m^2 ahead, at the last decision
CLEAR = 15  # metres that nobody has to look at walls for: set to 0 whoever is put elsewhere
GOAL_X, GOAL_Y = 16, 17  # unit vector to where the route leads
LEGS = 18  # 1 over the size of the legs, for the gait
HOLD = 19  # rounds of decisions that a person who met nobody leaves out
FX, FY = 20, 21  # unit vector of where the body faces: the heading's direction, as fast as bodies turn
STATE_ROWS = 22

# Columns of the hot rows, (N, 8) float64, one cache line a person.
HOT_X, HOT_Y, HOT_VX, HOT_VY, HOT_EX, HOT_EY, HOT_RADIUS, HOT_Z = range(8)
HOT_COLUMNS = 8
"""Also the columns of the bodies that are read but not moved: the agent, and stand-ins in tests."""

LINE = 8  # values in a cache line

LEAVING = 2
"""In `active`: still there, and taken away before the next decision of how to move."""

LEVEL_M = 1.8
"""Persons whose feet are further apart in height do not meet: one walks on the bridge, one below."""


def empty_state(persons: int) -> NDArray[np.float64]:
    """(STATE_ROWS, N) zeros whose columns are contiguous: a step reads nearly all of a person and one row of nobody."""
    state = roomy(persons * STATE_ROWS).reshape(persons, STATE_ROWS).T
    state[LEGS] = 1.0
    return state


def roomy(values: int) -> NDArray[np.float64]:
    """(values,) float64 zeros that begin a cache line: a row of eight then lies in one line, not across two.

    Zeros are written, not asked for: NumPy has large arrays that it must write itself lie in huge pages.
    """
    raw = np.empty(values + LINE, dtype=np.float64)
    raw[:] = 0.0
    first = (-raw.ctypes.data % (8 * LINE)) // 8
    return raw[first : first + values]
