"""Moment: the facts that sensors may look at."""

from collections.abc import Sequence
from dataclasses import dataclass

from citysim.envs.places import Place
from citysim.errors import SimulationFault
from citysim.pose import Pose
from citysim.render.base import Frame
from citysim.tasks.base import Goal
from citysim.world import World


@dataclass(frozen=True, slots=True)
class Moment:
    """`pose` now, reached from `before` within `duration_s`; the world; `frame`, with what the sensors asked for.

    `path` are the poses of the episode, one an action after the first.
    """

    world: World
    place: Place
    pose: Pose
    before: Pose
    duration_s: float
    goal: Goal
    frame: Frame | None
    path: Sequence[Pose] = ()

    @property
    def drawn(self) -> Frame:
        """The picture; raises SimulationFault where none was drawn."""
        if self.frame is None:
            raise SimulationFault("a picture for the sensors", "none drawn", "reporting this")
        return self.frame
