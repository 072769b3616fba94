"""Sensors: each turns the moment's facts into one array of a fixed space; arrays are fresh every time.

=========== ======================= =====================================================================
name        array                   content
=========== ======================= =====================================================================
rgb         (H, W, 3) uint8         sRGB from eye height
depth       (H, W, 1) float32       metres along the view axis, 100 for the sky and what is further away
labels      (H, W) int32            ids of objects as in objects.jsonl, people and closures above (see World)
semantic    (H, W, 1) uint8         classes of `citysim.envs.semantics.CLASSES`
goal        (3,) float32            horizontal metres to the goal; sine and cosine of its bearing, left positive
velocity    (3,) float32            mean m/s ahead and to the left, rad/s to the left, over the last action
rays        (N,) float32            metres to what level rays meet all around, people included; ahead first, then left;
                                    one ring after the other where `ray_heights_m` has several
trail       (10,) float32           metres ahead and to the left of where the body was 2, 5, 10, 20 and 40 s ago
map         (32, 32) uint8          16 m around, ahead up: 0 not seen, 1 free ground, 2 surface, 3 person
category    (12,) float32           one-hot of the category that ExploreGoal asks for
=========== ======================= =====================================================================
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from citysim.envs.localmap import MapSensor
from citysim.envs.moment import Moment
from citysim.envs.scan import Scan
from citysim.envs.semantics import CLASSES, semantic
from citysim.envs.settings import Settings
from citysim.errors import UnknownNameError
from citysim.pose import wrap_angle
from citysim.tasks.explore_goal import CATEGORIES

FAR_M = 100_000.0
FASTEST = 60.0
FARTHEST_M = 100.0  # of depth pictures
TRAIL_S = (2.0, 5.0, 10.0, 20.0, 40.0)


class Sensor(Protocol):
    """One entry of an observation; `draws` names the outputs of a picture that it needs."""

    space: spaces.Box
    draws: tuple[str, ...]

    def read(self, moment: Moment) -> NDArray[Any]:
        """The sensor's array now, a member of `space`."""


@dataclass(slots=True)
class Picture:
    """A sensor that is made from the frame."""

    space: spaces.Box
    draws: tuple[str, ...]
    of: Callable[[Moment], NDArray[Any]]

    def read(self, moment: Moment) -> NDArray[Any]:
        """The array."""
        return self.of(moment)


def _rgb(settings: Settings) -> Sensor:
    width, height = settings.image_size
    return Picture(spaces.Box(0, 255, (height, width, 3), np.uint8), ("rgb",), lambda moment: moment.drawn.rgb)


def _depth(settings: Settings) -> Sensor:
    width, height = settings.image_size

    def read(moment: Moment) -> NDArray[Any]:
        assert moment.drawn.depth is not None
        return np.minimum(moment.drawn.depth, np.float32(FARTHEST_M))[:, :, None]

    return Picture(spaces.Box(0.0, FARTHEST_M, (height, width, 1), np.float32), ("depth",), read)


def _labels(settings: Settings) -> Sensor:
    width, height = settings.image_size

    def read(moment: Moment) -> NDArray[Any]:
        assert moment.drawn.labels is not None
        return moment.drawn.labels.copy()

    return Picture(spaces.Box(0, np.iinfo(np.int32).max, (height, width), np.int32), ("labels",), read)


def _semantic(settings: Settings) -> Sensor:
    width, height = settings.image_size

    def read(moment: Moment) -> NDArray[Any]:
        labels, depth = moment.drawn.labels, moment.drawn.depth
        assert labels is not None
        assert depth is not None
        return semantic(labels, depth, moment.place.classes)[:, :, None]

    space = spaces.Box(0, len(CLASSES) - 1, (height, width, 1), np.uint8)
    return Picture(space, ("labels", "depth"), read)


class GoalSensor:
    """Where the goal is, as the table above says."""

    draws: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        self.space = spaces.Box(np.array([0, -1, -1], np.float32), np.array([FAR_M, 1, 1], np.float32))

    def read(self, moment: Moment) -> NDArray[np.float32]:
        """Distance and bearing."""
        east, north = moment.goal.position[0] - moment.pose.east, moment.goal.position[1] - moment.pose.north
        bearing = math.atan2(north, east) - moment.pose.yaw
        distance = min(math.hypot(east, north), FAR_M)
        return np.array([distance, math.sin(bearing), math.cos(bearing)], dtype=np.float32)


class VelocitySensor:
    """How the body moved, as the table above says."""

    draws: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
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
        values = (east * cos + north * sin, north * cos - east * sin, turn)
        return np.array([min(max(v / moment.duration_s, -FASTEST), FASTEST) for v in values], dtype=np.float32)


class RaySensor:
    """The scan's distances."""

    draws: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        heights = settings.ray_heights_m
        self._scans = [Scan(settings.rays, settings.ray_range_m, height) for height in heights]
        self.space = spaces.Box(0.0, settings.ray_range_m, (settings.rays * len(heights),), np.float32)

    def read(self, moment: Moment) -> NDArray[np.float32]:
        """Metres."""
        rings = [scan.measure(moment.world)[0] for scan in self._scans]
        return (rings[0] if len(rings) == 1 else np.concatenate(rings)).astype(np.float32)


class TrailSensor:
    """Where the body came from, as it knows from its own movements: a memory for policies that have none.

    Before an episode is so old it is where the episode began. Distances end at `FARTHEST_M`.
    """

    draws: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        self._back = [round(seconds * settings.control_hz) for seconds in TRAIL_S]
        self.space = spaces.Box(-FARTHEST_M, FARTHEST_M, (2 * len(TRAIL_S),), np.float32)

    def read(self, moment: Moment) -> NDArray[np.float32]:
        """Pairs of metres, the latest first."""
        pose, path, last = moment.pose, moment.path, len(moment.path) - 1
        sin, cos = math.sin(pose.yaw), math.cos(pose.yaw)
        values: list[float] = []
        for back in self._back:
            east, north = path[max(last - back, 0)].east - pose.east, path[max(last - back, 0)].north - pose.north
            values += (east * cos + north * sin, north * cos - east * sin)
        return np.array([min(max(v, -FARTHEST_M), FARTHEST_M) for v in values], dtype=np.float32)


class CategorySensor:
    """Which kind of place is looked for; all zeros where none of `CATEGORIES` is."""

    draws: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        self.space = spaces.Box(0.0, 1.0, (len(CATEGORIES),), np.float32)

    def read(self, moment: Moment) -> NDArray[np.float32]:
        """One-hot."""
        values = np.zeros(len(CATEGORIES), dtype=np.float32)
        if moment.goal.category in CATEGORIES:
            values[CATEGORIES.index(moment.goal.category)] = 1.0
        return values


_SENSORS: dict[str, Callable[[Settings], Sensor]] = {
    "category": CategorySensor,
    "depth": _depth,
    "goal": GoalSensor,
    "labels": _labels,
    "map": MapSensor,
    "rays": RaySensor,
    "rgb": _rgb,
    "semantic": _semantic,
    "trail": TrailSensor,
    "velocity": VelocitySensor,
}


def make_sensor(name: str, settings: Settings) -> Sensor:
    """The sensor called `name`; raises UnknownNameError for another name."""
    if name not in _SENSORS:
        raise UnknownNameError.of("a sensor", str(name), _SENSORS)
    return _SENSORS[name](settings)
