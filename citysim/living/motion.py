"""Command and Transition: what a walker tries to do, and what came of it."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.living.contacts import PedestrianContact
from citysim.pose import Pose


@dataclass(frozen=True, slots=True)
class Command:
    """What the walker tries to do: metres a second ahead and to its left, radians a second, seconds from now.

    `yaw_rate` is positive to the left, `pitch_rate` positive upwards. `jump_after_s` is rounded to a step.
    """

    forward: float = 0.0
    left: float = 0.0
    yaw_rate: float = 0.0
    pitch_rate: float = 0.0
    jump_after_s: float | None = None

    def __post_init__(self) -> None:
        values = (self.forward, self.left, self.yaw_rate, self.pitch_rate, self.jump_after_s or 0.0)
        if not all(map(math.isfinite, values)):
            raise InputError("finite command values", str(values), "numbers without NaN or infinity")
        if self.jump_after_s is not None and self.jump_after_s < 0.0:
            raise InputError("a jump now or later", f"jump_after_s={self.jump_after_s}", "jump_after_s=0")


@dataclass(frozen=True, slots=True)
class Transition:
    """What happened during one `advance`.

    path                   (K, 3) float64 foot points, local metres, at 10 Hz with both ends
    distance_m             horizontal metres walked
    building_collisions    new touches of the city's surfaces, pedestrian_collisions of people
    fell                   whether a free fall of more than 3 m ended
    contacts               the touches of people, in order of time
    notices                texts that were delivered, and `disclosed` the labels of their closures
    crossed                labels of closures that were crossed, or touched, after their notice
    rained_on_s            seconds in the rain, and sheltered_s under shelter while it rained; in tenths
    """

    before: Pose
    after: Pose
    path: NDArray[np.float64]
    distance_m: float
    building_collisions: int
    pedestrian_collisions: int
    fell: bool
    contacts: tuple[PedestrianContact, ...] = ()
    notices: tuple[str, ...] = ()
    crossed: tuple[str, ...] = ()
    rained_on_s: float = 0.0
    sheltered_s: float = 0.0
    disclosed: tuple[str, ...] = ()
    duration_s: float = 0.0
