"""Rollout: one agent's episodes, without Gymnasium's shell: begin, act, say what must be drawn, observe."""

import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces

from citysim.conditions import Conditions
from citysim.envs.actions import make_actions
from citysim.envs.moment import Moment
from citysim.envs.places import Place, Places
from citysim.envs.sensors import make_sensor
from citysim.envs.settings import Settings
from citysim.errors import InputError, SimulationFault
from citysim.living.spec import CrowdSpec
from citysim.pose import Pose
from citysim.render.base import Bodies, Frame, View
from citysim.render.bodies import joined
from citysim.snapshot import conditions_at
from citysim.tasks.base import Facts, Goal, Verdict
from citysim.tasks.sampling import sampler_of
from citysim.tasks.text import shown
from citysim.world import STEP_S, World

NO_VERDICT = Verdict(False, False, "", 0.0)


class Rollout:
    """The state machine inside CityEnv and CityVectorEnv; after `begin` or `act` come `view`, `observe`, `info`.

    `places` may be shared by several. Randomness comes from the generator that `begin` is given, and from nothing else.
    """

    def __init__(self, settings: Settings, places: Places) -> None:
        self.settings = settings
        self.actions = make_actions(settings.action)
        self._single = isinstance(settings.sensors, str)
        names = (settings.sensors,) if isinstance(settings.sensors, str) else tuple(settings.sensors)
        if not names:
            raise InputError("one or more sensors", "none", "sensors=('rays', 'goal')")
        self._sensors = {name: make_sensor(name, settings) for name in names}
        boxes = {name: sensor.space for name, sensor in self._sensors.items()}
        self.observation_space: spaces.Space[Any] = boxes[names[0]] if self._single else spaces.Dict(boxes)
        self._draws = frozenset(output for sensor in self._sensors.values() for output in sensor.draws)
        self._rewards, self._task = settings.weights, settings.chosen
        self._places, self._worlds = places, OrderedDict[Place, World]()
        self._enter(0)
        self._goal: Goal | None = None
        self._start()

    def _start(self) -> None:
        self._verdict, self._before, self._moved_s = NO_VERDICT, Pose(0.0, 0.0, 0.0), 0.0
        self._path: list[Pose] = []
        self._frame: Frame | None = None
        self._left = self.reward = 0.0
        self.terms: dict[str, float] = {}
        self.terminated = self.truncated = False
        self.fault = ""
        self.cost = 0

    @property
    def goal(self) -> Goal:
        """What the running episode asks for; raises InputError before the first reset."""
        if self._goal is None:
            raise InputError("an episode under way", "none", "env.reset()")
        return self._goal

    def begin(self, rng: np.random.Generator, options: Mapping[str, Any] | None = None) -> None:
        """Start an episode: city, goal, conditions and crowd are drawn in this order where several are possible."""
        settings, given = self.settings, _checked(options)
        place = int(rng.integers(len(settings.places))) if len(settings.places) > 1 else 0
        self._enter(place)
        goal = given.get("goal")
        self._goal = goal if goal is not None else self._task.choose(self.place.city, rng)
        conditions = given.get("conditions")
        if conditions is None:
            time, weather = _drawn(settings.times, rng), _drawn(settings.weathers, rng)
            conditions = conditions_at(self.place.city, time=time, weather=weather)
        crowd: CrowdSpec | None = given.get("crowd", settings.people)
        if crowd is not None and crowd is settings.people:
            crowd = replace(crowd, seed=int(rng.integers(1 << 62)))
        self.world.reset(self._goal.start, conditions, crowd=crowd, closures=given.get("closures", settings.closures))
        self._start()
        self._before = self.world.pose
        self._path = [self._before]
        self._verdict = self._judge()
        self._left = self._remaining(self._verdict)

    def act(self, action: Any) -> None:
        """Hold an action for one control step; raises InputError for actions outside the space."""
        goal, command, world = self.goal, self.actions.command(action), self.world
        self._before, verdict, self._frame = world.pose, self._verdict, None
        walls, people = world.building_collisions, world.pedestrian_collisions
        self._moved_s = self.settings.steps * STEP_S
        try:
            world.advance(command, self.settings.steps)
        except SimulationFault as error:
            self.fault = str(error)
        self._path.append(world.pose)
        self._verdict = self._judge()
        left = self._remaining(self._verdict)
        self.cost = world.pedestrian_collisions - people
        self.terms = self._rewards.terms(
            nearer_m=self._left - left,
            reached=self._verdict.success and not verdict.success,
            collisions=world.building_collisions - walls,
            contacts=self.cost,
        )
        self.reward = math.fsum(self.terms.values())
        self._left, self.terminated, self.truncated = left, bool(self._verdict.done), bool(self.fault)
        assert goal is self._goal

    def view(self, *, look: bool = False) -> View | None:
        """What to draw for the sensors, or for whoever looks; None where nothing is."""
        if self._frame is not None or not (self._draws or look):
            return None
        world, draws = self.world, self._draws
        return View(
            world.camera(self.settings.image_size, self.settings.fov_deg), world.conditions, depth="depth" in draws,
            labels="labels" in draws, bodies=world.bodies(), states=world.states(),
        )  # fmt: skip

    def show(self, frame: Frame) -> None:
        """Take the frame of `view`."""
        self._frame = frame

    def draw(self, *, look: bool = False, bodies: Bodies | None = None) -> None:
        """Draw the view by oneself, with further bodies in it where there are any."""
        view = self.view(look=look)
        if view is not None and bodies is not None:
            both = [bodies] if view.bodies is None else [view.bodies, bodies]
            view = replace(view, bodies=joined(both) if len(both) > 1 else bodies)
        if view is not None:
            self.show(self.place.renderer.render(view))

    @property
    def frame(self) -> Frame | None:
        """The picture of this moment, once it is drawn."""
        return self._frame

    def observe(self) -> Any:
        """What the sensors read now, in fresh arrays."""
        world = self.world
        moment = Moment(world, self.place, world.pose, self._before, self._moved_s, self.goal, self._frame, self._path)
        if self._single:
            return next(iter(self._sensors.values())).read(moment)
        return {name: sensor.read(moment) for name, sensor in self._sensors.items()}

    def info(self) -> dict[str, Any]:
        """Facts of this moment, in a fresh dictionary."""
        world, verdict = self.world, self._verdict
        pose = world.pose
        facts = {
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
        if len(self._path) == 1:
            facts |= {"instruction": self.goal.instruction, "city": self.place.city.name}
            facts |= {"shortest_path_m": self.goal.shortest_path_m}
        else:
            facts |= {"reward_terms": dict(self.terms), "cost": float(self.cost)}
        return facts | ({"fault": self.fault} if self.fault else {})

    def close(self) -> None:
        """Free all worlds; calling it twice is fine."""
        while self._worlds:
            self._worlds.popitem()[1].close()

    def _enter(self, number: int) -> None:
        self.place = place = self._places.enter(self.settings.places[number])
        if place not in self._worlds:
            self._worlds[place] = World(place.city, physics=self.settings.physics)
            while len(self._worlds) > self.settings.kept_cities:
                self._worlds.popitem(last=False)[1].close()
        self._worlds.move_to_end(place)
        self.world = self._worlds[place]

    def _judge(self) -> Verdict:
        world = self.world
        facts = Facts(
            pose=world.pose,
            path=self._path,
            path_length_m=world.path_length_m,
            elapsed_s=world.time_s,
            actions=len(self._path) - 1,
            building_collisions=world.building_collisions,
            pedestrian_collisions=world.pedestrian_collisions,
        )
        return self._task.judge(facts, self.goal)

    def _remaining(self, verdict: Verdict) -> float:
        """Metres that progress is the difference of."""
        if self.settings.progress == "straight":
            return float(verdict.distance_m)
        goal, pose = self.goal, self.world.pose
        sampler = sampler_of(self.place.city)
        ends = [stop.position for stop in goal.targets] or [goal.position]
        left = min(sampler.field(end).at((pose.east, pose.north, pose.up)) for end in ends)
        return left if math.isfinite(left) else self._left


def _checked(options: Mapping[str, Any] | None) -> Mapping[str, Any]:
    if options is not None and not isinstance(options, Mapping):
        raise InputError("options by name", shown(options), "env.reset(seed=0)")
    given = dict(options or {})
    known = not given.keys() - {"goal", "conditions", "crowd", "closures"}
    kinds = {"goal": Goal | None, "conditions": Conditions, "crowd": CrowdSpec | None}
    if not (known and all(isinstance(given[name], kind) for name, kind in kinds.items() if name in given)):
        raise InputError(
            "options 'goal' (a Goal), 'conditions' (Conditions), 'crowd' (a CrowdSpec) and 'closures'",
            shown(options),
            "env.reset(seed=0)",
        )
    return given


def _drawn(values: tuple[str, ...], rng: np.random.Generator) -> str:
    return values[int(rng.integers(len(values)))] if len(values) > 1 else values[0]
