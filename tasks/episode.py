"""Episode: an agent's turn by turn dealings with a world, from the first observation to the verdict."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.render.base import Renderer, View
from citysim.storage import canonical_json
from citysim.tasks.actions import MAP_NAMES, Action, parse_action
from citysim.tasks.answers import parse_answer
from citysim.tasks.base import Facts, Goal, Judge, Verdict
from citysim.tasks.facts import facts_of
from citysim.tasks.maptool import MapTool
from citysim.tasks.motion import carry_out
from citysim.tasks.record import StepRecord, rounded
from citysim.tasks.setting import city_facts, reset_world
from citysim.tasks.status import status_line
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

    `rgb` (H, W, 3) uint8 sRGB from eye height or of the open map, None where the episode has no renderer; the
    instruction, and a question's options; the compass heading and pitch in degrees; the clock; actions taken and left;
    `mode` "first_person", "map" or (when only the answer is left to give) "answer"; notices about the last action and
    the city; `status`, how far a schedule or a tour is done.
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
    options: tuple[str, ...] = ()
    status: str = ""


class Episode:
    """One try at one goal. Call `observe` and `act` in turn until `done`.

    Ends when the judge says so (arrival, `terminate`, …) or when the budget is used up. Where there is a question, it
    is asked then: one more `act` takes the answer, which costs no action. A refused action costs a step and no time.
    After every action the judge looks at the records so far, so that judging them again later gives the same verdict.
    """

    def __init__(
        self,
        world: World,
        renderer: Renderer | None,
        judge: Judge,
        goal: Goal,
        *,
        conditions: Conditions | None = None,
        limits: Limits | None = None,
        records: list[StepRecord] | None = None,
        seed: int = 0,
    ) -> None:
        """Stand at the goal's start; `records` is filled as the episode goes, for callers who need them in any case.

        `seed` draws the people on the street. Raises SimulationFault when there is no room to stand at the start.
        """
        self.world, self.renderer, self.judge, self.goal = world, renderer, judge, goal
        self.limits = limits if limits is not None else Limits()
        reset_world(world, goal, conditions, seed)
        self._clock_s = world.conditions.clock_s
        self.map = MapTool(world.city, renderer, self.limits.image_size, goal)
        self.start = rounded(world.pose)
        self.records: list[StepRecord] = records if records is not None else []
        self.verdict: Verdict = self._judge()

    @property
    def city(self) -> City:
        """The city the episode happens in."""
        return self.world.city

    @property
    def facts(self) -> Facts:
        """What the judge looks at."""
        return facts_of(self.start, self.records, self.goal, self._clock_s)

    @property
    def mode(self) -> str:
        """What the agent is doing: "first_person", "map", or "answer" when only a question's answer is left to give."""
        asked = self.goal.question is not None and not self.verdict.done
        over = self._spent or any(record.terminated for record in self.records)
        return "answer" if asked and over else self.map.mode

    @property
    def done(self) -> bool:
        """Whether no further action is taken."""
        return self.stop_reason != ""

    @property
    def stop_reason(self) -> str:
        """Why the episode ended ("arrived", "terminated", "budget", ...), "" while it goes on."""
        if self.verdict.done or self.goal.question is not None:
            return self.verdict.reason
        return "budget" if self._spent else ""

    @property
    def _spent(self) -> bool:
        return len(self.records) >= self.limits.actions

    def observe(self) -> Observation:
        """What the agent perceives now."""
        conditions, pose, mode = self.world.conditions, self.world.pose, self.mode
        last = self.records[-1] if self.records else None
        question, facts = self.goal.question, self.facts
        return Observation(
            self._seen(),
            self.goal.instruction,
            round(pose.heading_deg, 1) % 360.0,
            round(float(np.degrees(pose.pitch)), 1),
            conditions.time,
            conditions.weather,
            facts.actions,
            self.limits.actions - facts.actions,
            mode,
            _notices(last) if last is not None else self.world.notices,
            question.options if question is not None else (),
            status_line(facts, self.goal),
        )

    def act(self, action: Any, *, frame: str | None = None, said: str = "") -> StepRecord:
        """Take one action in any accepted encoding, or the answer; raises InputError when the episode has ended.

        `frame` names the picture that the agent acted on, `said` what it gave as its reason, both for the record.
        """
        if self.done:
            raise InputError("an episode that goes on", f"one that ended: {self.stop_reason}", "a new episode")
        before, mode = rounded(self.world.pose), self.mode
        known = [closure.label for closure in self.world.closures]
        parsed: Action | None = None
        done: Transition | None = None
        invalid = ""
        notices: tuple[str, ...] = ()
        if mode == "answer":
            if parse_answer(action) is None:
                invalid = encodable(f"expected an answer A, B, C or D, found {shown(action)}; it counts as wrong")
        else:
            try:
                parsed, notices = parse_action(action, mode)
            except InputError as error:
                invalid = encodable(str(error))
        if parsed is not None:
            if parsed.name in MAP_NAMES or parsed.name == "open_map":
                notices += self.map.act(parsed, self.world.pose)
            done = carry_out(self.world, parsed)
            notices += done.notices
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
            mode=mode,
            notices=tuple(map(encodable, notices)),
            invalid=invalid,
            frame=frame,
            said=encodable(said[:LONGEST]),
            **city_facts(self.world, done, known),
        )
        self.records.append(record)
        self.verdict = self._judge()
        return record

    def _seen(self) -> NDArray[np.uint8] | None:
        if self.renderer is None:
            return None
        drawn = self.map.picture(self.world.pose, [closure.line for closure in self.world.closures])
        if drawn is not None:
            return drawn
        camera = self.world.camera(self.limits.image_size, self.limits.fov_deg)
        world = self.world
        view = View(camera, world.conditions, bodies=world.bodies(), states=world.states())
        return self.renderer.render(view).rgb

    def _judge(self) -> Verdict:
        return self.judge.judge(self.facts, self.goal)


def _notices(last: StepRecord) -> tuple[str, ...]:
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
