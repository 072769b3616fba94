"""What a task is: it chooses goals and judges facts; it does not move, draw or observe."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from citysim.city import City
from citysim.pose import Pose
from citysim.tasks.parts import LonLat, Passers, Point, Question, Stop, Zone


@dataclass(frozen=True, slots=True)
class Goal:
    """One episode to be: where it starts and what it asks for.

    `start` is the walker's pose (foot point), `position` the goal's foot point in local metres. An episode that only
    has to come near a point is done within `radius_m`. `shortest_path_m` is the shortest walk along the network that
    arrives: from the start until the route first comes within `radius_m` of the goal.

    `start_lonlat` and `lonlat` are start and goal in degrees and metres of height, for tasks that measure on the globe
    as UrbanGround does. `stated` says whether the agent is told where the goal is (the map then shows it). The rest are
    parts that some tasks have: a `question`, `stops` (in order where they have times), closed `zones`, a `category` of
    place that is looked for with all its `targets`, and `passers` on the street.
    """

    start: Pose
    position: Point
    instruction: str = ""
    radius_m: float = 15.0
    name: str = ""
    shortest_path_m: float = 0.0
    start_lonlat: LonLat | None = None
    lonlat: LonLat | None = None
    stated: bool = True
    question: Question | None = None
    stops: tuple[Stop, ...] = ()
    zones: tuple[Zone, ...] = ()
    category: str = ""
    targets: tuple[Stop, ...] = ()
    passers: Passers | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """All that a task may look at after an action.

    `pose` now and `path`, the poses at the start and after every action; `path_length_m` walked, `elapsed_s` simulated,
    `actions` taken, `terminated` when the agent declared itself done; collisions counted since the start.

    `lonlats` are longitude and latitude of `path`; `times_s` the simulated seconds at each of its poses and `clock_s`
    the clock at the start; `answer` what was answered to a question ("" before, None for no valid letter); `crossed`
    the labels of closures that were crossed while they were in force, `disclosed` those whose notice was given.
    """

    pose: Pose
    path: Sequence[Pose] = ()
    path_length_m: float = 0.0
    elapsed_s: float = 0.0
    actions: int = 0
    terminated: bool = False
    building_collisions: int = 0
    pedestrian_collisions: int = 0
    lonlats: Sequence[tuple[float, float]] = ()
    times_s: Sequence[float] = ()
    clock_s: float = 0.0
    answer: str | None = ""
    crossed: Sequence[str] = ()
    disclosed: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a task found: `done` ends the episode, `success` is its outcome so far, `reason` why it ended ("" if not).

    `distance_m` is what is left to the goal as the task measures it; rewards are differences of it. `metrics` holds
    whatever else the task scores.
    """

    done: bool
    success: bool
    reason: str
    distance_m: float
    metrics: Mapping[str, float] = field(default_factory=dict)


class Judge(Protocol):
    """The rule that decides an episode."""

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """Judge the facts; pure, so that any record can be judged again."""


class Task(Judge, Protocol):
    """A family of goals and the rule that judges them."""

    type: str

    def choose(self, city: City, rng: np.random.Generator) -> Goal:
        """Draw a goal for a city; raises InputError when the city has none to offer."""
