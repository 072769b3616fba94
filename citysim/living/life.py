"""Life: what goes on around the walker in an episode, substep by substep."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.crowd.lights import Lights
from citysim.crowd.people import AGE, GOAL, TRIP
from citysim.crowd.signals import build_signals
from citysim.crowd.streets import Streets
from citysim.errors import InputError
from citysim.living.closures import Closure, closed_edges, crosses
from citysim.living.company import Company
from citysim.living.contacts import PedestrianContact
from citysim.living.exposure import SAMPLE_STEPS, Exposure, Sky, intensity, rain_hits
from citysim.living.kept import Kept
from citysim.living.lights import SignalState, signal_states
from citysim.living.residents import Registry, Resident
from citysim.living.spec import CrowdSpec
from citysim.physics.config import STEP_S, WalkerConfig
from citysim.physics.movers import NOBODY, Movers
from citysim.render.bodies import Bodies

Array = NDArray[np.float64]
Foot = tuple[float, float, float]


@dataclass
class Happened:
    """What `Life` saw since it was last asked."""

    contacts: list[PedestrianContact]
    notices: list[str]
    disclosed: list[str]
    crossed: list[str]


class Life:
    """People, closures and rain of one episode. The world walks; this says who is in the way, and watches.

    All that changes is in `keep()`; nothing of it depends on how a walk is split into calls.
    """

    def __init__(self, city: City, sky: Sky, config: WalkerConfig, threads: int) -> None:
        self._city, self.sky, self._config, self._threads = city, sky, config, threads
        self.barriers: tuple[tuple[Closure, ...], Bodies] | None = None  # of the last closures drawn, for `scene`
        self._streets: Streets | None = None
        self._registry: Registry | None = None
        self._phases: Array | None = None
        self._lights: tuple[Array, Lights] | None = None
        self.company: Company | None = None
        self.closures: tuple[Closure, ...] = ()
        self._due: list[int] = []  # the substep after which each closure's notice is given
        self._delivered = 0  # how many notices, in order of time
        self._contacts = 0
        self.crossed: tuple[str, ...] = ()
        self._wet: dict[str, int] = {}  # samples in the open, by weather
        self._dry = 0
        self._happened = Happened([], [], [], [])

    def start(self, foot: Foot, conditions: Conditions, crowd: CrowdSpec | None, closures: Sequence[Closure]) -> None:
        """A new episode.

        Raises InputError for closures with the same label, or people in a city without a network.
        """
        labels = [closure.label for closure in closures]
        if len(set(labels)) < len(labels):
            raise InputError("closures of different labels", ", ".join(sorted(labels)), "closure_1, closure_2")
        self.closures = tuple(sorted(closures, key=lambda c: c.notice_at_s))
        self._due = [math.ceil(c.notice_at_s / STEP_S - 1e-6) for c in self.closures]
        self._delivered = self._contacts = self._dry = 0
        self._wet, self.crossed = {}, ()
        self.people(crowd, foot, conditions)
        self._deliver(0)
        self.take()

    def people(self, crowd: CrowdSpec | None, foot: Foot, conditions: Conditions) -> None:
        """Have these people from now on, instead of whoever was there."""
        self._gather(crowd, (foot[0], foot[1]), (conditions.hour, conditions.weekday))
        self._close()

    def _gather(self, crowd: CrowdSpec | None, around: tuple[float, float], clock: tuple[float, int]) -> None:
        if crowd is None:
            self.company = None
            return
        self.company = Company(
            self._city, self._ground, crowd, around, clock, config=self._config, threads=self._threads
        )

    @property
    def _ground(self) -> Streets:
        if self._streets is None:
            self._streets = Streets.of(self._city)
        return self._streets

    @property
    def notices(self) -> tuple[str, ...]:
        """Texts of all notices given so far."""
        return tuple(closure.notice_text for closure in self.closures[: self._delivered])

    @property
    def enforced(self) -> tuple[Closure, ...]:
        """The closures whose notice was given."""
        return self.closures[: self._delivered]

    @property
    def contacts(self) -> int:
        """Touches with people since the start."""
        return self._contacts

    @property
    def watches(self) -> bool:
        """Whether anything needs to know of every substep."""
        return self.company is not None or bool(self.closures)

    def until(self, step: int) -> int:
        """How many substeps from `step` on may be walked in one go."""
        from citysim.living.company import TICK

        ends = [due for due in self._due[self._delivered :] if due > step]
        if self.company is not None:
            ends.append(step + TICK - step % TICK)
        return min(ends) - step if ends else 1 << 40

    def begin(self, step: int, foot: Foot, conditions: Conditions, set_at: int) -> Movers:
        """Who is in the way in the substeps after `step`, in the conditions of step `set_at`."""
        return NOBODY if self.company is None else self.company.begin(step, foot, conditions, set_at)

    def end(self, step: int, foot: Foot, path: Array) -> None:
        """Take note of the (N, 4) walked in the substeps from `step` on, starting at `foot`."""
        if self.company is not None:
            found = self.company.end(step, foot, path)
            self._contacts += len(found)
            self._happened.contacts += found
        if self._delivered:
            feet = np.vstack([foot, path[:, :3]])
            labels = [c.label for c in self.enforced if crosses(feet, c)]
            self._happened.crossed += labels
            self.crossed = tuple(dict.fromkeys((*self.crossed, *labels)))
        if self._delivered < len(self._due):
            self._deliver(step + len(path))

    def rain(self, step: int, path: Array, conditions: Conditions) -> tuple[float, float]:
        """Take note of the rain; seconds in it and seconds sheltered from it in the substeps from `step` on."""
        if not intensity(conditions.weather):
            return 0.0, 0.0
        wet = dry = 0
        for k in range(len(path)):
            if (step + k + 1) % SAMPLE_STEPS == 0:
                if self._covered(path[k]):
                    dry += 1
                else:
                    wet += 1
        self._dry += dry
        self._wet[conditions.weather] = self._wet.get(conditions.weather, 0) + wet
        return wet * SAMPLE_STEPS * STEP_S, dry * SAMPLE_STEPS * STEP_S

    def exposure(self, foot: Foot, conditions: Conditions) -> Exposure:
        """The walker and the rain at a place, and since the start."""
        covered = self._covered(foot)
        raining = intensity(conditions.weather) > 0.0
        tenths = SAMPLE_STEPS * STEP_S
        wet = sum(self._wet.values()) * tenths
        return Exposure(raining and not covered, covered, wet, self._dry * tenths, rain_hits(self._wet))

    def resident(self, person: int) -> Resident:
        """Who a person is; raises InputError for a number that none has."""
        if self.company is None or not 0 <= person < self.company.made[0].population:
            count = 0 if self.company is None else self.company.made[0].population
            raise InputError(f"the number of one of {count} people", str(person), "a number in world.crowd's arrays")
        if self._registry is None:
            self._registry = Registry(self._city)
        crowd = self.company.crowd
        ints = crowd.people.ints[:, person]
        towards = self._ground.ways.places[self._ground.attraction.goals[ints[GOAL]]]
        age = float(crowd.people.reals[AGE, person])
        return self._registry.resident(self.company.made[0].seed, person, age, towards, int(ints[TRIP]))

    def signals(self, time_s: float) -> tuple[SignalState, ...]:
        """The signals at crossings: those that the people heed, or those of the city where there are none."""
        if self.company is not None:
            return signal_states(self._city.network, self.company.crowd.signals, self.company.crowd.time)
        if self._phases is None:
            self._phases = build_signals(self._city.network, 0)
        return signal_states(self._city.network, self._phases, time_s)

    def shown(self, time_s: float) -> dict[int, int]:
        """Which picture each traffic signal shows, for `View.states`."""
        if self.company is not None:
            phases, time_s = self.company.crowd.signals, self.company.crowd.time
        else:
            if self._phases is None:
                self._phases = build_signals(self._city.network, 0)
            phases = self._phases
        if self._lights is None or self._lights[0] is not phases:
            self._lights = phases, Lights(self._city, phases)
        return self._lights[1].states(time_s)

    def take(self) -> Happened:
        """What happened since the last call."""
        happened, self._happened = self._happened, Happened([], [], [], [])
        return happened

    def keep(self) -> Kept:
        """Everything about the episode that changes, and what its crowd is made from."""
        made: Any = None
        if self.company is not None:
            made = (self.company.made, self.company.snapshot())
        closed = (self.closures, self._delivered, self.crossed)
        return Kept((made, closed, self._contacts, tuple(sorted(self._wet.items())), self._dry))

    def restore(self, kept: Kept) -> None:
        """Go back to that."""
        made, (closures, self._delivered, self.crossed), self._contacts, wet, self._dry = kept.values
        self.closures, self._wet = closures, dict(wet)
        self._due = [math.ceil(c.notice_at_s / STEP_S - 1e-6) for c in closures]
        self.take()
        if made is None:
            self.company = None
            return
        source, snapshot = made
        if self.company is None or self.company.made != source:
            self._gather(*source)
        assert self.company is not None
        self.company.restore(snapshot)

    def _deliver(self, step: int) -> None:
        before = self._delivered
        while self._delivered < len(self._due) and self._due[self._delivered] <= step:
            closure = self.closures[self._delivered]
            self._happened.notices.append(closure.notice_text)
            self._happened.disclosed.append(closure.label)
            self._delivered += 1
        if self._delivered > before:
            self._close()

    def _close(self) -> None:
        if self.company is not None and self.enforced:
            self.company.crowd.close(closed_edges(self._city.network, self.enforced))

    def _covered(self, foot: Any) -> bool:
        return self.sky.covered(float(foot[0]), float(foot[1]), float(foot[2]) + self._config.height)
