"""Company: the crowd of an episode with the walker in it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.crowd.crowd import Crowd, CrowdSnapshot
from citysim.crowd.rows import FX, FY, RADIUS, X, Y, Z
from citysim.crowd.streets import Streets
from citysim.geometry.jit import helper, kernel
from citysim.living.contacts import (
    EAST,
    FOUND,
    NORTH,
    PERSON,
    SHARE,
    SPEED,
    SUBSTEP,
    UP,
    PedestrianContact,
    find_contacts,
)
from citysim.living.footing import empty_feet, set_feet
from citysim.living.sighted import sighted
from citysim.living.spec import CrowdSpec
from citysim.physics.config import STEP_S, WalkerConfig
from citysim.physics.movers import MOST, Movers
from citysim.render.bodies import Bodies

Array = NDArray[np.float64]
TICK = 3
"""Physics substeps a step of the crowd: 20 Hz. In between people go straight on."""

JUMP_M = 0.5
ALIKE = 0.8  # cosine of a turn that a tick cannot make: who has just come out faces as he does
REACH_M = 2.5  # further away nobody comes near within a tick
ROOM_M = 0.15
"""People leave so much room around the walker beyond its body. Each other they may brush past, since the model's hard
core is 0.7 of the radii, but to the walker that is a touch: who stood in a busy street had 55 in 8 minutes, now one."""

ADULT_M, CHILD_M, CHILD_RADIUS = 1.70, 1.25, 0.18
PACES = {"rainy": 0.92, "thunderstorm": 0.85}
"""Share of the free speed in rain: own estimates, not measured."""


class Sight(NamedTuple):
    """People in sight, S of them: their numbers or a slice of all, and for `Bodies` place, phase in turns, stride
    in metres at size 1, and feet.
    """

    seen: NDArray[np.int64] | slice
    place: Array
    phase: Array
    stride: Array
    feet: Array


class CompanySnapshot(NamedTuple):
    """A company's whole state, besides what it was made from."""

    crowd: CrowdSnapshot
    before: Array
    faced: Array
    feet: Array
    was_out: NDArray[np.uint8]
    touched: NDArray[np.uint8]
    rows: Array
    people: NDArray[np.int64]
    agent: Array
    trail: Array


class Company:
    """Steps a crowd every `TICK` substeps and says who stands in the walker's way; `made` is what it was made from:
    the spec, the place it was around, hour and day of the week.

    A tick computes where everyone will be at its end, from where all are at its start; until then people move there
    straight. So any split of a walk into calls gives the same bytes.
    """

    def __init__(
        self, city: City, streets: Streets, spec: CrowdSpec, around: tuple[float, float], clock: tuple[float, int], *,
        config: WalkerConfig, threads: int = 1,
    ) -> None:  # fmt: skip
        self.made = (spec, around, clock)
        hour, day = clock
        self.crowd = Crowd(
            city, population=spec.population, seed=spec.seed, hour=hour, keep=spec.keep, threads=threads,
            streets=streets, around=around, radius_m=spec.radius_m, day=day,
        )  # fmt: skip
        self.figures: dict[bool, Bodies] = {}  # everyone's look, dry and in rain, for whoever draws them
        self._size = np.array([config.radius, config.height])
        count = spec.population
        self._before = np.array(self.crowd.rows[X : Z + 1])
        self._faced = np.array(self.crowd.rows[FX : FY + 1])
        self._was_out = self.crowd.active.astype(np.uint8)
        self._feet = empty_feet(count)
        all_new = np.zeros_like(self._was_out)
        set_feet(0.0, self.crowd.rows, self.crowd.active, all_new, self._before, JUMP_M, self._feet)
        self._touched = np.zeros(count, np.uint8)
        self._rows, self._people, self._count = np.zeros((MOST, 8)), np.zeros(MOST, np.int64), 0
        self._found = np.empty((MOST, FOUND))
        self._agent = np.full(3, np.nan)  # at the last tick
        self._trail = np.full((2, 3), np.nan)  # the walker's foot two substeps ago and one ago

    def begin(self, step: int, foot: tuple[float, float, float], conditions: Conditions, set_at: int) -> Movers:
        """Who is near the walker in the substeps after `step`, up to the next tick.

        The conditions are those of step `set_at`.
        """
        if step % TICK == 0:
            if set_at or conditions.time_scale != 1.0:
                self.crowd.hour = conditions.after((step - set_at) * STEP_S).hour
            self._tick(foot, conditions)
        return Movers(self._rows[: self._count], step % TICK)

    def end(self, step: int, foot: tuple[float, float, float], path: Array) -> list[PedestrianContact]:
        """The touches that began in the substeps from `step` on, given the walker's place before and (N, 4) after."""
        places = np.empty((len(path) + 2, 3))
        places[1], places[2:] = foot, path[:, :3]
        places[0] = self._trail[0] if self._trail[1, 0] == foot[0] and self._trail[1, 1] == foot[1] else foot
        self._trail[:] = places[-2:]
        if not self._count:
            return []
        number = find_contacts(
            places, self._rows, self._people, self._count, step % TICK, self._size, STEP_S, self._touched, self._found
        )
        return [_contact(row, step) for row in self._found[:number].tolist()]

    def positions(self, step: int) -> Array:
        """(3, N) where everyone's feet are after `step` substeps; of those indoors nothing is said."""
        now = self.crowd.rows[X : Z + 1]
        return self._before + (now - self._before) * ((step % TICK or TICK) / TICK)

    def sight(self, step: int, east: float, north: float, reach: float) -> Sight | None:
        """Those within `reach` metres of a place after `step` substeps; None for nobody. Faces are made with the
        machine's own atan2: for showing only.
        """
        count, substep = len(self._was_out), step % TICK or TICK
        seen, place, facing = np.empty(count, np.int64), np.empty((count, 4)), np.empty((count, 2))
        phase, stride, feet = np.empty(count), np.empty(count), np.empty((count, 2, 3))
        found = sighted(
            self.crowd.rows, self.crowd.active, self._before, self._faced, self._feet, substep / TICK,
            (TICK - substep) * STEP_S, ALIKE, east, north, reach, seen, place, facing, phase, stride, feet,
        )  # fmt: skip
        if not found:
            return None
        place[:found, 3] = np.arctan2(facing[:found, 1], facing[:found, 0])
        who = slice(None) if found == count else seen[:found]
        return Sight(who, place[:found], phase[:found], stride[:found], feet[:found])

    def snapshot(self) -> CompanySnapshot:
        """The whole state, copied."""
        return CompanySnapshot(
            self.crowd.snapshot(),
            self._before.copy(),
            self._faced.copy(),
            self._feet.copy(),
            self._was_out.copy(),
            self._touched.copy(),
            self._rows[: self._count].copy(),
            self._people[: self._count].copy(),
            self._agent.copy(),
            self._trail.copy(),
        )

    def restore(self, kept: CompanySnapshot) -> None:
        """Go back to a state of this company, or of one made with the same arguments."""
        self.crowd.restore(kept.crowd)
        self._before[:], self._faced[:], self._feet[:] = kept.before, kept.faced, kept.feet
        self._was_out[:], self._touched[:] = kept.was_out, kept.touched
        self._count = len(kept.rows)
        self._rows[: self._count], self._people[: self._count] = kept.rows, kept.people
        self._agent[:], self._trail[:] = kept.agent, kept.trail

    def _tick(self, foot: tuple[float, float, float], conditions: Conditions) -> None:
        crowd, span = self.crowd, TICK * STEP_S
        vx, vy = (foot[0] - self._agent[0]) / span, (foot[1] - self._agent[1]) / span
        if not vx * vx + vy * vy < 400.0:  # the first tick, or put elsewhere
            vx = vy = 0.0
        self._agent[:] = foot
        self._before[:], self._faced[:] = crowd.rows[X : Z + 1], crowd.rows[FX : FY + 1]
        self._was_out[:] = crowd.active
        crowd.step(span, np.array([*foot, vx, vy, self._size[0] + ROOM_M]), PACES.get(conditions.weather, 1.0))
        self._count = _settle(
            span, crowd.rows, crowd.active, self._was_out, self._before, self._feet, foot[0], foot[1], self._touched,
            self._rows, self._people,
        )  # fmt: skip


@kernel
def _settle(
    span: float, state: Any, active: Any, was_out: Any, before: Any, feet: Any, east: float, north: float,
    touched: Any, rows: Any, people: Any,
) -> int:  # fmt: skip
    """Bring feet to the end of a tick, and list who is near the walker in it."""
    set_feet(span, state, active, was_out, before, JUMP_M, feet)
    return int(_near(state, active, was_out, before, east, north, touched, rows, people))


@helper
def _near(
    state: Any, active: Any, was_out: Any, before: Any, east: float, north: float, touched: Any, rows: Any, people: Any
) -> int:
    """Fill `rows` and `people` with those within reach of the walker, by number; who has just come out stood there."""
    count = 0
    for i in range(state.shape[1]):
        if not active[i]:
            touched[i] = 0
            continue
        mx, my = state[X, i] - before[0, i], state[Y, i] - before[1, i]
        if was_out[i] == 0 or mx * mx + my * my > JUMP_M * JUMP_M:  # went in and came out elsewhere
            before[0, i], before[1, i], before[2, i] = state[X, i], state[Y, i], state[Z, i]
        dx, dy = state[X, i] - east, state[Y, i] - north
        if dx * dx + dy * dy > REACH_M * REACH_M:
            touched[i] = 0
        elif count < rows.shape[0]:
            for c in range(3):
                rows[count, c] = before[c, i]
                rows[count, 5 + c] = (state[X + c, i] - before[c, i]) / TICK
            rows[count, 3] = state[RADIUS, i]
            rows[count, 4] = CHILD_M if state[RADIUS, i] < CHILD_RADIUS else ADULT_M
            people[count] = i
            count += 1
    return count


def _contact(row: list[float], step: int) -> PedestrianContact:
    place = (row[EAST], row[NORTH], row[UP])
    time = (step + int(row[SUBSTEP]) + 1) * STEP_S
    return PedestrianContact(time, place, row[SPEED], int(row[PERSON]), row[SHARE])
