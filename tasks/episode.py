"""Episode: an agent's turn by turn dealings with a world, from the first observation to the verdict."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import InputError, SimulationFault
from citysim.pose import Pose
from citysim.render.base import Renderer, View
from citysim.storage import canonical_json
from citysim.tasks.actions import Action, parse_action
from citysim.tasks.base import Facts, Goal, Task, Verdict
from citysim.tasks.facts import facts_of
from citysim.tasks.motion import carry_out
from citysim.tasks.record import StepRecord, rounded
from citysim.tasks.text import LONGEST, encodable, shown
from citysim.world import Transition, World

BUDGET = 100
"""UrbanGround's budget of actions."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an agent is given: how many actions, and pictures of which size (width, height) and vertical angle."""

    actions: int = BUDGET
    image_size: tuple[int, int] = (320, 240)
    fov_deg: float = 60.0

    def __post_init__(self) -> None:
        if self.actions < 1:
            raise InputError("a budget of at least one action", str(self.actions), f"{BUDGET}")


@dataclass(frozen=True, slots=True)
class Observation:
    """What a person in the agent's place would know, and no more: no distance left, no route, no position.

    `rgb` (H, W, 3) uint8 sRGB from eye height, None where the episode has no renderer; the instruction; the compass
    heading and pitch in degrees; the clock; actions taken and left; notices about the last action.
    """

    rgb: NDArray[np.uint8] | None
    instruction: str
    heading_deg: float
    pitch_deg: float
    time: str
    weather: str
    step: int
    steps_left: int
    mode: str = "first_person"
    notices: tuple[str, ...] = ()


class Episode:
    """One try at one goal. Call `observe` and `act` in turn until `done`.

    Ends on arrival, on `terminate`, or when the budget is used up. A refused action costs a step and no time. After
    every action the task judges the records so far, so that judging them again later gives the same verdict.
    """

    def __init__(
        self,
        world: World,
        renderer: Renderer | None,
        task: Task,
        goal: Goal,
        *,
        conditions: Conditions | None = None,
        limits: Limits | None = None,
        records: list[StepRecord] | None = None,
    ) -> None:
        """Stand at the goal's start; `records` is filled as the episode goes, for callers who need them in any case.

        Raises SimulationFault when there is no room to stand at the start.
        """
        self.world, self.renderer, self.task, self.goal = world, renderer, task, goal
        self.limits = limits if limits is not None else Limits()
        world.reset(_standing(world, goal.start), conditions)
        self.start = rounded(world.pose)
        self.records: list[StepRecord] = records if records is not None else []
        self.verdict: Verdict = self._judge()

    @property
    def city(self) -> City:
        """The city the episode happens in."""
        return self.world.city

    @property
    def facts(self) -> Facts:
        """What the task judges."""
        return facts_of(self.start, self.records)

    @property
    def done(self) -> bool:
        """Whether no further action is taken."""
        return self.stop_reason != ""

    @property
    def stop_reason(self) -> str:
        """Why the episode ended ("arrived", "terminated", "budget"), "" while it goes on."""
        return self.verdict.reason or ("budget" if len(self.records) >= self.limits.actions else "")

    def observe(self) -> Observation:
        """What the agent perceives now."""
        rgb = None
        conditions = self.world.conditions
        if self.renderer is not None:
            camera = self.world.camera(self.limits.image_size, self.limits.fov_deg)
            rgb = self.renderer.render(View(camera, conditions)).rgb
        pose, last = self.world.pose, self.records[-1] if self.records else None
        return Observation(
            rgb,
            self.goal.instruction,
            round(pose.heading_deg, 1) % 360.0,
            round(float(np.degrees(pose.pitch)), 1),
            conditions.time,
            conditions.weather,
            len(self.records),
            self.limits.actions - len(self.records),
            notices=_notices(last),
        )

    def act(self, action: Any, *, frame: str | None = None) -> StepRecord:
        """Take one action in any accepted encoding; raises InputError when the episode has ended.

        `frame` names the picture that the agent acted on, for the record.
        """
        if self.done:
            raise InputError("an episode that goes on", f"one that ended: {self.stop_reason}", "a new episode")
        before = rounded(self.world.pose)
        parsed: Action | None = None
        done: Transition | None = None
        invalid = ""
        notices: tuple[str, ...] = ()
        try:
            parsed, notices = parse_action(action)
        except InputError as error:
            invalid = encodable(str(error))
        if parsed is not None:
            done = carry_out(self.world, parsed)
        after = rounded(self.world.pose)
        lon, lat, _ = self.city.frame.to_geodetic(after.position)
        record = StepRecord(
            index=len(self.records) + 1,
            action=parsed.to_json() if parsed is not None else _shown(action),
            steps=parsed.steps if parsed is not None else 0,
            before=before,
            after=after,
            lonlat=(round(float(lon), 9), round(float(lat), 9)),
            on_network=self.city.network.on_network(after.position),
            path_m=round(done.distance_m, 6) if done else 0.0,
            building_collisions=done.building_collisions if done else 0,
            pedestrian_collisions=done.pedestrian_collisions if done else 0,
            terminated=parsed is not None and parsed.name == "terminate",
            notices=tuple(map(encodable, notices)),
            invalid=invalid,
            frame=frame,
        )
        self.records.append(record)
        self.verdict = self._judge()
        return record

    def _judge(self) -> Verdict:
        return self.task.judge(self.facts, self.goal)


def _standing(world: World, start: Pose) -> Pose:
    """The start with its foot on the ground; a start without room for a walker is our fault, not the agent's."""
    try:
        return world.ground_pose(start.east, start.north, start.heading_deg, up_hint=start.up)
    except InputError as error:
        raise SimulationFault(error.expected, error.found, "making the suite anew or citysim city validate") from None


def _notices(last: StepRecord | None) -> tuple[str, ...]:
    if last is None:
        return ()
    refused = (f"refused: {last.invalid}",) if last.invalid else ()
    bumped = ("you bumped into something",) if last.building_collisions else ()
    met = ("you bumped into somebody",) if last.pedestrian_collisions else ()
    return (*refused, *last.notices, *bumped, *met)


def _shown(action: Any) -> Any:
    """A refused value as JSON that can be written down: a copy, shortened where it is long."""
    try:
        text = encodable(canonical_json(action))
    except (TypeError, ValueError, RecursionError):
        return {"refused": shown(action)}
    return json.loads(text) if len(text) <= LONGEST else {"refused": text[:LONGEST]}
