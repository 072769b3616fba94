"""CityEnv: the one Gymnasium environment; a city, a world, a renderer and a task put together."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from citysim.catalog import load_city
from citysim.city import City
from citysim.conditions import Conditions
from citysim.envs.actions import make_actions
from citysim.envs.rewards import RewardWeights
from citysim.envs.sensors import Moment, make_sensor
from citysim.errors import InputError, SimulationFault
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import MAX_SIZE, Camera, View
from citysim.snapshot import conditions_at
from citysim.tasks.base import Facts, Goal, Task, Verdict
from citysim.tasks.point_goal import PointGoal
from citysim.tasks.text import shown
from citysim.world import STEP_S, Closure, CrowdSpec, World

PHYSICS_HZ = 60
MIN_SIZE = 16


class CityEnv(gymnasium.Env[Any, Any]):
    """Walk a city towards a goal.

    city          a City, a package folder or a preset name
    task          chooses goals and judges; None for a point goal 60 to 120 m of walking away
    sensors       names of sensors for a flat Dict observation, or one name for a bare Box
    image_size    (width, height) of `rgb`; fov_deg is its vertical angle of view
    action        "discrete" (see DiscreteActions for the table) or "continuous" (see ContinuousActions)
    physics       "bullet" or "native"; None for PyBullet where it is installed
    control_hz    actions a simulated second; physics runs at 60 Hz, so it must divide 60
    rewards       weights of the reward terms, which `info["reward_terms"]` lists
    crowd         people on the street, seen and bumped into; their seed is drawn anew in every episode
    closures      lines that are closed in every episode

    `terminated` when the task is done; `truncated` when the walker fell out of the city (a fault of the city, named
    in `info["fault"]`) or by the time limit of the registered id. `reset(options={"goal": …, "conditions": …})` sets
    what to do and when instead of drawing it; `crowd` and `closures` are options as well, and an option's crowd keeps
    its own seed. Not to be subclassed: tasks and sensors are what varies.
    Raises InputError for arguments out of range, UnknownNameError for names, DependencyError for a missing engine.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        city: City | str | Path = "mini",
        *,
        task: Task | None = None,
        sensors: str | Sequence[str] = ("rgb", "goal", "velocity"),
        image_size: tuple[int, int] = (84, 84),
        fov_deg: float = 90.0,
        renderer: str = "raster",
        physics: str | None = None,
        action: str = "discrete",
        control_hz: int = 10,
        rewards: RewardWeights | None = None,
        time: str = "14:00",
        weather: str = "sunny",
        crowd: CrowdSpec | None = None,
        closures: Sequence[Closure] = (),
        render_mode: str | None = None,
    ) -> None:
        self._size = checked_size(image_size)
        self._fov_deg = Camera(Pose(0.0, 0.0, 0.0), self._size, fov_deg).fov_deg  # refuses what no camera can show
        self._steps = _checked_steps(control_hz)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError("render_mode None or 'rgb_array'", repr(render_mode), "render_mode='rgb_array'")
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": control_hz}
        self._actions = make_actions(action)
        self.action_space = self._actions.space
        self._single = isinstance(sensors, str)
        names = (sensors,) if isinstance(sensors, str) else tuple(sensors)
        self._sensors = {name: make_sensor(name, self._size) for name in names}
        boxes = {name: sensor.space for name, sensor in self._sensors.items()}
        self.observation_space = boxes[names[0]] if self._single else spaces.Dict(boxes)
        self._rewards = rewards if rewards is not None else RewardWeights()
        self._task = task if task is not None else PointGoal(60.0, 120.0)
        if not isinstance(city, City | str | Path):
            raise InputError("a City, a package folder or a preset's name as city", shown(city), "city='mini'")
        self.city = load_city(city)
        self._conditions = conditions_at(self.city, time=time, weather=weather)
        if not isinstance(crowd, CrowdSpec | None):
            raise InputError("a CrowdSpec as crowd", shown(crowd), "crowd=CrowdSpec(32, seed=0, radius_m=40)")
        self._crowd, self._closures = crowd, tuple(closures)
        self._world = World(self.city, physics=physics)
        self._renderer = make_renderer(renderer, self.city)
        self._goal: Goal | None = None
        self._verdict = Verdict(False, False, "", 0.0)
        self._path: list[Pose] = []
        self._frame: NDArray[np.uint8] | None = None
        self._open = True

    @property
    def world(self) -> World:
        """The world inside, for wrappers and experts that may look."""
        return self._world

    @property
    def goal(self) -> Goal:
        """What the running episode asks for; raises InputError before the first reset."""
        if self._goal is None:
            raise InputError("an episode under way", "none", "env.reset()")
        return self._goal

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode; the same seed gives the same bytes."""
        self._check_open()
        super().reset(seed=seed)
        if options is not None and not isinstance(options, Mapping):
            raise InputError("options by name", shown(options), "env.reset(seed=0)")
        given = dict(options or {})
        goal, conditions = given.pop("goal", None), given.pop("conditions", self._conditions)
        crowd, closures = given.pop("crowd", self._crowd), given.pop("closures", self._closures)
        known = isinstance(goal, Goal | None) and isinstance(conditions, Conditions)
        if given or not known or not isinstance(crowd, CrowdSpec | None):
            raise InputError(
                "options 'goal' (a Goal), 'conditions' (Conditions), 'crowd' (a CrowdSpec) and 'closures'",
                f"{options}",
                "env.reset(seed=0)",
            )
        self._goal = goal if goal is not None else self._task.choose(self.city, self.np_random)
        if crowd is not None and crowd is self._crowd:
            crowd = replace(crowd, seed=int(self.np_random.integers(1 << 62)))
        self._world.reset(self._goal.start, conditions, crowd=crowd, closures=closures)
        self._path = [self._world.pose]
        self._frame = None
        self._verdict = self._judge(self._goal)
        info = self._info() | {"instruction": self._goal.instruction}
        return self._observe(self._world.pose, 0.0), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Hold an action for one control step; raises InputError after `close` and for actions outside the space."""
        self._check_open()
        goal, command = self.goal, self._actions.command(action)
        before, verdict = self._world.pose, self._verdict
        collisions = self._world.building_collisions + self._world.pedestrian_collisions
        fault = ""
        try:
            self._world.advance(command, self._steps)
        except SimulationFault as error:
            fault = str(error)
        self._path.append(self._world.pose)
        self._frame = None
        self._verdict = self._judge(goal)
        collisions = self._world.building_collisions + self._world.pedestrian_collisions - collisions
        terms = self._rewards.terms(verdict, self._verdict, collisions)
        info = self._info() | {"reward_terms": terms} | ({"fault": fault} if fault else {})
        observation = self._observe(before, self._steps * STEP_S)
        return observation, math.fsum(terms.values()), bool(self._verdict.done), bool(fault), info

    def render(self) -> NDArray[np.uint8] | None:
        """The first-person view as a fresh (H, W, 3) uint8 array; None without a render mode."""
        self._check_open()
        return self._see() if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Free world and renderer; calling it twice is fine."""
        if self._open:
            self._open = False
            self._world.close()
            self._renderer.close()

    def _see(self) -> NDArray[np.uint8]:
        if self._frame is None:
            world = self._world
            view = View(
                world.camera(self._size, self._fov_deg), world.conditions, bodies=world.bodies(), states=world.states()
            )
            self._frame = self._renderer.render(view).rgb
        return self._frame.copy()

    def _observe(self, before: Pose, duration_s: float) -> Any:
        moment = Moment(self._world.pose, before, duration_s, self.goal, self._see)
        read = {name: sensor.read(moment) for name, sensor in self._sensors.items()}
        return next(iter(read.values())) if self._single else read

    def _judge(self, goal: Goal) -> Verdict:
        world = self._world
        facts = Facts(
            pose=world.pose,
            path=self._path,
            path_length_m=world.path_length_m,
            elapsed_s=world.time_s,
            actions=len(self._path) - 1,
            building_collisions=world.building_collisions,
            pedestrian_collisions=world.pedestrian_collisions,
        )
        return self._task.judge(facts, goal)

    def _info(self) -> dict[str, Any]:
        pose, verdict, world = self._world.pose, self._verdict, self._world
        return {
            "success": bool(verdict.success),
            "reason": verdict.reason,
            "distance_m": float(verdict.distance_m),
            "position": pose.position,
            "heading_deg": pose.heading_deg,
            "time_s": world.time_s,
            "path_length_m": world.path_length_m,
            "building_collisions": world.building_collisions,
            "pedestrian_collisions": world.pedestrian_collisions,
        }

    def _check_open(self) -> None:
        if not self._open:
            raise InputError("an open environment", "one that was closed", "gymnasium.make again")


def checked_size(image_size: tuple[int, int]) -> tuple[int, int]:
    """An image size as two whole numbers; raises InputError for anything else."""
    sides = tuple(image_size) if isinstance(image_size, Sequence) else ()
    whole = len(sides) == 2 and all(isinstance(s, int | np.integer) and MIN_SIZE <= s <= MAX_SIZE for s in sides)
    if not whole:
        raise InputError(
            f"image_size (width, height) of whole numbers from {MIN_SIZE} to {MAX_SIZE}", repr(image_size), "(84, 84)"
        )
    return int(sides[0]), int(sides[1])


def _checked_steps(control_hz: int) -> int:
    if not (isinstance(control_hz, int | np.integer) and control_hz > 0 and PHYSICS_HZ % control_hz == 0):
        raise InputError(
            f"a control_hz that divides the physics rate of {PHYSICS_HZ} Hz", repr(control_hz), "control_hz=10"
        )
    return PHYSICS_HZ // int(control_hz)
