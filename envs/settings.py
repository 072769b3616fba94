"""Settings: what the episodes of an environment are like, checked once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

from citysim.city import City
from citysim.conditions import WEATHERS, parse_time
from citysim.envs.rewards import RewardWeights
from citysim.envs.scan import HEIGHT_M
from citysim.envs.splits import cities_of
from citysim.errors import InputError, UnknownNameError
from citysim.living.closures import Closure
from citysim.living.spec import CrowdSpec
from citysim.pose import Pose
from citysim.render.base import MAX_SIZE, Camera
from citysim.render.make import RENDERERS
from citysim.tasks.base import Task
from citysim.tasks.explore_goal import ExploreGoal
from citysim.tasks.point_goal import PointGoal
from citysim.tasks.text import shown

PHYSICS_HZ = 60
MIN_SIZE = 16
DIFFICULTIES = {"easy": (50.0, 80.0), "medium": (60.0, 120.0), "hard": (120.0, 280.0)}
"""Metres of walking from start to goal, where the task is not given."""
TASKS = ("point", "explore")
PROGRESS = ("straight", "walking")
RADIUS_M = 40.0  # a crowd given as a number stays this near


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Arguments of CityEnv and CityVectorEnv; see CityEnv for what they mean. Raises InputError for wrong ones."""

    city: City | str | Path = "mini"
    cities: Sequence[City | str | Path] | None = None
    split: str | None = None
    city_seeds: int = 8
    kept_cities: int = 4
    task: Task | str | None = None
    difficulty: str = "medium"
    sensors: str | Sequence[str] = ("rgb", "goal", "velocity")
    image_size: tuple[int, int] = (84, 84)
    fov_deg: float = 90.0
    rays: int = 32
    ray_range_m: float = 12.0
    ray_heights_m: Sequence[float] = (HEIGHT_M,)
    renderer: str = "raster"
    physics: str | None = None
    action: str = "discrete"
    control_hz: int = 10
    rewards: RewardWeights | Mapping[str, float] | None = None
    progress: str = "straight"
    time: str | Sequence[str] = "14:00"
    weather: str | Sequence[str] = "sunny"
    crowd: CrowdSpec | int | None = None
    closures: Sequence[Closure] = ()

    def __post_init__(self) -> None:
        set_(self, "image_size", checked_size(self.image_size))
        Camera(Pose(0.0, 0.0, 0.0), self.image_size, self.fov_deg)  # refuses what no camera can show
        checked_steps(self.control_hz)
        _whole("rays", self.rays, 1, 1024)
        _whole("kept_cities", self.kept_cities, 1, 1000)
        if not (isinstance(self.ray_range_m, int | float) and 0.5 <= self.ray_range_m <= 200.0):
            raise InputError("a ray_range_m from 0.5 to 200", repr(self.ray_range_m), "ray_range_m=12")
        heights = self.ray_heights_m
        if not (isinstance(heights, Sequence) and 1 <= len(heights) <= 8 and all(map(_height, heights))):
            raise InputError(
                "one to eight ray_heights_m from 0.05 to 3", shown(heights), f"ray_heights_m=(0.4, {HEIGHT_M})"
            )
        for kind, name, known in (
            ("a renderer", self.renderer, RENDERERS),
            ("a difficulty", self.difficulty, DIFFICULTIES),
            ("progress", self.progress, PROGRESS),
        ):
            if name not in known:
                raise UnknownNameError.of(kind, str(name), known)
        if isinstance(self.task, str) and self.task not in TASKS:
            raise UnknownNameError.of("a task", self.task, TASKS)
        set_(self, "rewards", _weights(self.rewards))
        set_(self, "cities", self._cities())
        for name in _several("weather", self.weather):
            if name not in WEATHERS:
                raise UnknownNameError.of("weather", name, WEATHERS)
        for text in _several("time", self.time):
            parse_time(text)
        crowd = self.crowd
        if isinstance(crowd, int) and not isinstance(crowd, bool):
            set_(self, "crowd", CrowdSpec(crowd, seed=0, radius_m=RADIUS_M) if crowd else None)
        elif not isinstance(crowd, CrowdSpec | None):
            raise InputError(
                "a CrowdSpec or a number of people as crowd", shown(crowd), "crowd=CrowdSpec(32, seed=0, radius_m=40)"
            )
        set_(self, "closures", tuple(self.closures))

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Names of all arguments."""
        return tuple(field.name for field in fields(cls))

    @property
    def times(self) -> tuple[str, ...]:
        """Times to draw from."""
        return _several("time", self.time)

    @property
    def weathers(self) -> tuple[str, ...]:
        """Weathers to draw from."""
        return _several("weather", self.weather)

    @property
    def chosen(self) -> Task:
        """The task."""
        if self.task == "explore":
            return ExploreGoal()
        if self.task is None or isinstance(self.task, str):
            return PointGoal(*DIFFICULTIES[self.difficulty])
        return self.task

    @property
    def weights(self) -> RewardWeights:
        """The reward's weights."""
        assert isinstance(self.rewards, RewardWeights)
        return self.rewards

    @property
    def people(self) -> CrowdSpec | None:
        """The crowd as a spec."""
        assert not isinstance(self.crowd, int)
        return self.crowd

    @property
    def places(self) -> tuple[City | str | Path, ...]:
        """Cities to draw from."""
        return tuple(self.cities or ())

    @property
    def steps(self) -> int:
        """Physics steps an action."""
        return checked_steps(self.control_hz)

    def _cities(self) -> tuple[City | str | Path, ...]:
        given = (self.city,) if self.cities is None else self.cities
        if isinstance(given, City | str | Path) or not len(given):
            raise InputError("one or more cities", shown(given), "cities=('mini', 'harbour')")
        for city in given:
            if not isinstance(city, City | str | Path):
                raise InputError("a City, a package folder or a preset's name as city", shown(city), "city='mini'")
        if self.split is None:
            return tuple(given)
        return cities_of(
            [city if isinstance(city, str) else shown(city) for city in given], self.split, self.city_seeds
        )


def set_(settings: Settings, name: str, value: object) -> None:
    """Give a field of frozen settings its checked value."""
    object.__setattr__(settings, name, value)


def checked_size(image_size: tuple[int, int]) -> tuple[int, int]:
    """An image size as two whole numbers; raises InputError for anything else."""
    sides = tuple(image_size) if isinstance(image_size, Sequence) else ()
    whole = len(sides) == 2 and all(isinstance(s, int | np.integer) and MIN_SIZE <= s <= MAX_SIZE for s in sides)
    if not whole:
        raise InputError(
            f"image_size (width, height) of whole numbers from {MIN_SIZE} to {MAX_SIZE}", repr(image_size), "(84, 84)"
        )
    return int(sides[0]), int(sides[1])


def checked_steps(control_hz: int) -> int:
    """Physics steps an action; raises InputError for a rate that does not divide the physics rate."""
    if not (isinstance(control_hz, int | np.integer) and control_hz > 0 and PHYSICS_HZ % control_hz == 0):
        raise InputError(
            f"a control_hz that divides the physics rate of {PHYSICS_HZ} Hz", repr(control_hz), "control_hz=10"
        )
    return PHYSICS_HZ // int(control_hz)


def _weights(given: RewardWeights | Mapping[str, float] | None) -> RewardWeights:
    if isinstance(given, RewardWeights):
        return given
    known = [field.name for field in fields(RewardWeights)]
    if not isinstance(given, Mapping | None) or set(given or ()) - set(known):
        raise InputError(f"RewardWeights or weights of {', '.join(known)}", shown(given), "rewards={'contact': -1.0}")
    return RewardWeights(**dict(given or {}))


def _whole(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f"{name} from {least} to {most}", shown(value), f"{name}={max(least, min(32, most))}")


def _height(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.05 <= value <= 3.0


def _several(name: str, given: str | Sequence[str]) -> tuple[str, ...]:
    values = (given,) if isinstance(given, str) else tuple(given)
    if not values or not all(isinstance(value, str) for value in values):
        raise InputError(f"a {name} or several to draw from", shown(given), f"{name} as one text")
    return values
