"""Action spaces: how what a policy puts out becomes a walker's command."""

import math
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces

from citysim.errors import InputError, UnknownNameError
from citysim.world import Command

WALK_M_S = 1.5
SPRINT_M_S = 4.5
TURN_RAD_S = math.pi / 2.0

DISCRETE = (
    ("stop", Command()),
    ("forward", Command(WALK_M_S)),
    ("turn_left", Command(yaw_rate=TURN_RAD_S)),
    ("turn_right", Command(yaw_rate=-TURN_RAD_S)),
    ("forward_left", Command(WALK_M_S, yaw_rate=TURN_RAD_S)),
    ("forward_right", Command(WALK_M_S, yaw_rate=-TURN_RAD_S)),
    ("backward", Command(-WALK_M_S)),
    ("sprint", Command(SPRINT_M_S)),
)
"""Name and command of each discrete action; the place in this table is the action's number and never changes."""


class ActionMap(Protocol):
    """A Gymnasium space and the meaning of its members."""

    space: spaces.Space[Any]

    def command(self, action: Any) -> Command:
        """The command of an action; raises InputError for one outside the space."""


class DiscreteActions:
    """One of the `DISCRETE` actions.

    ====== ============= ==========================================
    number name          held for one control step
    ====== ============= ==========================================
    0      stop          stand still (arriving ends an episode by itself)
    1      forward       walk ahead at 1.5 m/s
    2      turn_left     turn at 90 deg/s on the spot
    3      turn_right
    4      forward_left  walk ahead while turning
    5      forward_right
    6      backward      walk backwards at 1.5 m/s
    7      sprint        run ahead at 4.5 m/s
    ====== ============= ==========================================
    """

    def __init__(self) -> None:
        self.space = spaces.Discrete(len(DISCRETE))

    def command(self, action: Any) -> Command:
        """The command in the table."""
        if not (type(action) is int and 0 <= action < len(DISCRETE)) and not self.space.contains(action):
            raise InputError(f"an action from 0 to {len(DISCRETE) - 1}", repr(action), "env.action_space.sample()")
        return DISCRETE[int(action)][1]


class ContinuousActions:
    """Three numbers in [-1, 1]: ahead and left as shares of 1.5 m/s, turn to the left as a share of 90 deg/s.

    A diagonal is no faster than walking straight.
    """

    def __init__(self) -> None:
        self.space = spaces.Box(-1.0, 1.0, (3,), np.float32)

    def command(self, action: Any) -> Command:
        """The scaled command; values outside [-1, 1] are brought into it, NaN is refused."""
        try:
            values = np.asarray(action, dtype=np.float64)
        except (TypeError, ValueError):  # text, ragged lists
            values = np.empty(0)
        if values.shape != (3,) or not np.isfinite(values).all():
            raise InputError("three finite numbers [forward, left, turn]", repr(action), "env.action_space.sample()")
        forward, left, turn = np.clip(values, -1.0, 1.0).tolist()
        scale = WALK_M_S / max(1.0, math.hypot(forward, left))
        return Command(forward * scale, left * scale, turn * TURN_RAD_S)


def make_actions(name: str) -> ActionMap:
    """The action map called "discrete" or "continuous"; raises UnknownNameError for another name."""
    kinds: dict[str, type[DiscreteActions] | type[ContinuousActions]] = {
        "discrete": DiscreteActions,
        "continuous": ContinuousActions,
    }
    if name not in kinds:
        raise UnknownNameError.of("an action space", name, kinds)
    return kinds[name]()
