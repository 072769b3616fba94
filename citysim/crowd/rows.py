"""Where things lie in the crowd's arrays."""

# Rows of the state, (STATE_ROWS, N) float64.
X, Y, Z = 0, 1, 2  # foot point, local metres
VX, VY = 3, 4  # velocity of the last step without being pushed, m/s
EX, EY = 5, 6  # heading vector, at most 1 long: not normalised, or it could never turn about
SPEED = 7  # wished for now, m/s: 0 while waiting
RADIUS = 8
DENSITY = 9  # persons/m^2 ahead, of the last step
GOAL_X, GOAL_Y = 10, 11  # unit vector to where the route leads
STATE_ROWS = 12

# Columns of the hot rows, (N, 8) float64, one cache line a person.
HOT_X, HOT_Y, HOT_VX, HOT_VY, HOT_EX, HOT_EY, HOT_RADIUS, HOT_Z = range(8)
HOT_COLUMNS = 8
"""Also the columns of the bodies that are read but not moved: the agent, and stand-ins in tests."""

# Rows of what a step computes before anything is applied, (OUT_ROWS, N) float64.
OUT_X, OUT_Y, OUT_VX, OUT_VY, OUT_EX, OUT_EY, OUT_DENSITY = range(7)
OUT_ROWS = 7

LEVEL_M = 1.8
"""Persons whose feet are further apart in height do not meet: one walks on the bridge, one below."""
