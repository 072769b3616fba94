"""Suites and their instances: frozen values with a JSON form, so that an episode can be written to a file."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

from citysim.city import City
from citysim.city.checks import number
from citysim.conditions import Conditions, parse_time
from citysim.errors import FormatError, InputError
from citysim.pose import Pose
from citysim.storage import canonical_json, sha256_hex
from citysim.tasks.base import Goal
from citysim.tasks.parts import LonLat, Passers, Question, Stop, Zone, lonlat_of, point_json, point_of

DAY = {"date": "2026-06-15", "time": "14:00", "weather": "sunny"}


@dataclass(frozen=True, slots=True)
class Instance:
    """One episode of a suite, complete in itself.

    `seed` feeds everything random in the episode except the agent; `conditions` are date, time and weather at its
    start. Poses are local metres of the city's frame, rounded to millimetres and 0.1 degrees when it was made. From
    `stated` on, the fields are those parts of a Goal that only some types have; `source` is the id of the instance that
    this one varies (other weather, other hour), "" for a base instance.
    """

    id: str
    type: str
    level: str
    city: str
    city_sha256: str
    seed: int
    start: Pose
    start_lonlat: LonLat
    goal: tuple[float, float, float]
    goal_lonlat: LonLat
    goal_name: str
    radius_m: float
    instruction: str
    shortest_path_m: float
    conditions: Mapping[str, str] = field(default_factory=lambda: dict(DAY))
    stated: bool = True
    question: Question | None = None
    stops: tuple[Stop, ...] = ()
    zones: tuple[Zone, ...] = ()
    category: str = ""
    targets: tuple[Stop, ...] = ()
    passers: Passers | None = None
    source: str = ""

    @classmethod
    def of(
        cls,
        goal: Goal,
        city: City,
        *,
        id: str,
        type: str,
        level: str,
        seed: int,
        conditions: Mapping[str, str] | None = None,
        source: str = "",
    ) -> "Instance":
        """Make an instance of a drawn goal."""
        start = Pose.from_heading(
            round(goal.start.east, 3), round(goal.start.north, 3), round(goal.start.up, 3),
            round(goal.start.heading_deg, 1) % 360.0,
        )  # fmt: skip
        east, north, up = (round(float(v), 3) for v in goal.position)
        return cls(
            id, type, level, city.name, city.content_sha256, seed,
            start, lonlat_of(city.frame, (start.east, start.north, start.up)),
            (east, north, up), lonlat_of(city.frame, (east, north, up)),
            goal.name, goal.radius_m, goal.instruction, round(goal.shortest_path_m, 3), dict(conditions or DAY),
            goal.stated, goal.question, goal.stops, goal.zones, goal.category, goal.targets, goal.passers, source,
        )  # fmt: skip

    def to_goal(self) -> Goal:
        """The goal as tasks and episodes use it."""
        return Goal(
            self.start, self.goal, self.instruction, self.radius_m, self.goal_name, self.shortest_path_m,
            self.start_lonlat, self.goal_lonlat, self.stated, self.question, self.stops, self.zones, self.category,
            self.targets, self.passers,
        )  # fmt: skip

    @property
    def clock_s(self) -> float:
        """Seconds since midnight at the start."""
        return parse_time(self.conditions["time"])

    def conditions_in(self, city: City) -> Conditions:
        """Clock, date and weather at the start, with the sun of the city's place."""
        return Conditions(
            parse_time(self.conditions["time"]), self.conditions["weather"],
            dt.date.fromisoformat(self.conditions["date"]), city.frame.lat, city.frame.lon, city.utc_offset_h,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """The JSON form; equal instances give equal canonical text. Parts it lacks are left out."""
        start = self.start
        value = {
            "id": self.id,
            "type": self.type,
            "level": self.level,
            "city": self.city,
            "city_sha256": self.city_sha256,
            "seed": self.seed,
            "start": {
                **point_json((start.east, start.north, start.up), self.start_lonlat),
                "heading_deg": round(start.heading_deg, 1),
            },
            "goal": {**point_json(self.goal, self.goal_lonlat), "name": self.goal_name, "radius_m": self.radius_m},
            "instruction": self.instruction,
            "shortest_path_m": self.shortest_path_m,
            "conditions": dict(self.conditions),
        }
        parts = {
            "stated": None if self.stated else False,
            "question": self.question and self.question.to_json(),
            "stops": [stop.to_json() for stop in self.stops],
            "zones": [zone.to_json() for zone in self.zones],
            "category": self.category,
            "targets": [target.to_json() for target in self.targets],
            "passers": self.passers and self.passers.to_json(),
            "source": self.source,
        }
        return value | {key: part for key, part in parts.items() if part not in (None, "", [])}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Instance":
        """Read the JSON form back; raises FormatError when something is missing or of the wrong kind."""
        try:
            start, goal = value["start"], value["goal"]
            (place, start_lonlat), (aim, goal_lonlat) = point_of(start), point_of(goal)
            question, passers = value.get("question"), value.get("passers")
            return cls(
                str(value["id"]), str(value["type"]), str(value["level"]), str(value["city"]),
                str(value["city_sha256"]), int(value["seed"]),
                Pose.from_heading(*place, number(start["heading_deg"])), start_lonlat, aim, goal_lonlat,
                str(goal["name"]), number(goal["radius_m"]), str(value["instruction"]),
                number(value["shortest_path_m"]), {str(k): str(v) for k, v in value["conditions"].items()},
                bool(value.get("stated", True)), Question.from_json(question) if question else None,
                tuple(map(Stop.from_json, value.get("stops", ()))), tuple(map(Zone.from_json, value.get("zones", ()))),
                str(value.get("category", "")), tuple(map(Stop.from_json, value.get("targets", ()))),
                Passers.from_json(passers) if passers else None, str(value.get("source", "")),
            )  # fmt: skip
        except (KeyError, TypeError, ValueError, AttributeError, InputError) as error:
            raise FormatError(
                "an instance with id, start, goal and instruction", f"{type(error).__name__}: {error}", "another file"
            ) from None


@dataclass(frozen=True)
class Suite:
    """A named, versioned list of instances; `sha256` covers the version and every instance."""

    name: str
    version: str
    instances: tuple[Instance, ...]

    @cached_property
    def sha256(self) -> str:
        """Content hash: suites of equal hash ask exactly the same."""
        return sha256_hex(canonical_json({"version": self.version, "instances": [i.to_json() for i in self.instances]}))

    def select(self, ids: str | Sequence[str] | None = None, limit: int | None = None) -> tuple[Instance, ...]:
        """Instances whose id matches one of the glob patterns (`ids` may be comma-separated), at most `limit`.

        Raises InputError when nothing matches or the limit is not positive.
        """
        patterns = ids.split(",") if isinstance(ids, str) else list(ids or ["*"])
        for pattern in patterns:
            if not any(fnmatchcase(i.id, pattern.strip()) for i in self.instances):
                known = f"{self.instances[0].id} to {self.instances[-1].id}" if self.instances else "(none)"
                raise InputError(
                    f"ids of suite '{self.name}' ({known})", repr(pattern), "an id, or a pattern such as 'starter-00*'"
                )
        if limit is not None and limit < 1:
            raise InputError("a limit of at least 1", str(limit), "--limit 5")
        chosen = [i for i in self.instances if any(fnmatchcase(i.id, p.strip()) for p in patterns)]
        return tuple(chosen[:limit])

    def check_city(self, city: City, instances: Sequence[Instance] | None = None) -> None:
        """Raise InputError unless every instance (or each of those given) was made for exactly this city."""
        for instance in self.instances if instances is None else instances:
            if instance.city_sha256 != city.content_sha256:
                raise InputError(
                    f"the city '{instance.city}' that suite '{self.name}' was made for"
                    f" (content {instance.city_sha256[:12]})",
                    f"'{city.name}' with content {city.content_sha256[:12]}",
                    "the same city package, or making the suite for this city",
                )

    def to_json(self) -> dict[str, Any]:
        """The form `citysim suite show --json` prints."""
        return {
            "suite": self.name,
            "version": self.version,
            "sha256": self.sha256,
            "instances": [instance.to_json() for instance in self.instances],
        }
