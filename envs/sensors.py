"""Sensors: each turns the moment's facts into one array of a fixed space; arrays are fresh every time."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from citysim.errors import UnknownNameError
from citysim.pose import Pose, wrap_angle
from citysim.tasks.base import Goal

FAR_M = 100_000.0
FASTEST = 60.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What sensors may look at: `pose` now, reached from `before` within `duration_s`; `see` draws the view from it."""

    pose: Pose
    before: Pose
    duration_s: float
    goal: Goal
    see: Callable[[], NDArray[np.uint8]]


class Sensor(Protocol):
    """One entry of an observation."""

    space: spaces.Box

    def read(self, moment: Moment) -> NDArray[Any]:
        """The sensor's array now, a member of `space`."""


class RgbSensor:
    """(H, W, 3) uint8 sRGB from eye height."""

    def __init__(self, image_size: tuple[int, int]) -> None:
        width, height = image_size
        self.space = spaces.Box(0, 255, (height, width, 3), np.uint8)

    def read(self, moment: Moment) -> NDArray[np.uint8]:
        """The rendered view."""
        return moment.see()


class GoalSensor:
    """(3,) float32: horizontal metres to the goal; sine and cosine of its bearing off the view, left positive."""

    def __init__(self, image_size: tuple[int, int]) -> None:
        self.space = spaces.Box(np.array([0, -1, -1], np.float32), np.array([FAR_M, 1, 1], np.float32))

    def read(self, moment: Moment) -> NDArray[np.float32]:
        """Distance and bearing."""
        east, north = moment.goal.position[0] - moment.pose.east, moment.goal.position[1] - moment.pose.north
        bearing = math.atan2(north, east) - moment.pose.yaw
        distance = min(math.hypot(east, north), FAR_M)
        return np.array([distance, math.sin(bearing), math.cos(bearing)], dtype=np.float32)


class VelocitySensor:
    """(3,) float32: mean speed ahead and to the left, m/s, and turn to the left, rad/s, over the last control step."""

    def __init__(self, image_size: tuple[int, int]) -> None:
        self.space = spaces.Box(-FASTEST, FASTEST, (3,), np.float32)

    def read(self, moment: Moment) -> NDArray[np.float32]:
        """What the body really did, walls included."""
        if moment.duration_s <= 0.0:
            return np.zeros(3, dtype=np.float32)
        pose, before = moment.pose, moment.before
        east, north = pose.east - before.east, pose.north - before.north
        turn = wrap_angle(pose.yaw - before.yaw)
        # The mean direction of view during the step, so that walking in a circle reads as walking ahead.
        sin, cos = math.sin(pose.yaw - turn / 2.0), math.cos(pose.yaw - turn / 2.0)
        values = np.array([east * cos + north * sin, north * cos - east * sin, turn]) / moment.duration_s
        return np.clip(values, -FASTEST, FASTEST).astype(np.float32)


_SENSORS: dict[str, Callable[[tuple[int, int]], Sensor]] = {
    "goal": GoalSensor,
    "rgb": RgbSensor,
    "velocity": VelocitySensor,
}


def make_sensor(name: str, image_size: tuple[int, int]) -> Sensor:
    """The sensor called `name`; raises UnknownNameError for another name."""
    if name not in _SENSORS:
        raise UnknownNameError.of("a sensor", name, _SENSORS)
    return _SENSORS[name](image_size)
