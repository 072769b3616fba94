"""Walking a walker and keeping what happened."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.physics.walker import Walker, WalkerState


class Walk(NamedTuple):
    states: list[WalkerState]

    @property
    def end(self) -> WalkerState:
        return self.states[-1]

    @property
    def points(self) -> NDArray[np.float64]:
        return np.array([s[:3] for s in self.states])

    def at_height(self, height: float) -> NDArray[np.float64]:
        """Points of the body's axis this far above the foot."""
        return self.points + np.array((0.0, 0.0, height))

    @property
    def airborne(self) -> int:
        return sum(not s.grounded for s in self.states)

    @property
    def rises(self) -> NDArray[np.float64]:
        return np.diff(self.points[:, 2])

    @property
    def reversals(self) -> int:
        """Substeps on the ground that move by over 0.1 mm against the one before."""
        return int((self._reversed & self._on_ground).sum())

    @property
    def air_reversals(self) -> int:
        """The same off the ground, where walls that lean push a falling body aside."""
        return int((self._reversed & ~self._on_ground).sum())

    @property
    def _reversed(self) -> NDArray[np.bool_]:
        moves = np.diff(self.points[:, :2], axis=0)
        size = np.hypot(moves[:, 0], moves[:, 1])
        against = (moves[1:] * moves[:-1]).sum(axis=1) < 0
        reversed_: NDArray[np.bool_] = against & (size[1:] > 1e-4) & (size[:-1] > 1e-4)
        return reversed_

    @property
    def _on_ground(self) -> NDArray[np.bool_]:
        ground = np.array([s.grounded for s in self.states])
        return ground[2:] & ground[1:-1] & ground[:-2]


def walk(
    walker: Walker, seconds: float, speed: float = 1.5, yaw_deg: float = 0.0, jump_at: float | None = None
) -> Walk:
    """Walk in one direction (degrees counter-clockwise from east)."""
    east, north = speed * math.cos(math.radians(yaw_deg)), speed * math.sin(math.radians(yaw_deg))
    states = [walker.state]
    for k in range(round(seconds * 60)):
        states.append(walker.step(east, north, jump=jump_at is not None and k == round(jump_at * 60)))
    return Walk(states)
