"""Parts that an episode's goal may have besides a point: a question, stops, closures, and people on the street."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from citysim.city.checks import is_text, is_whole, number
from citysim.errors import InputError
from citysim.geo.frames import LocalFrame

Point = tuple[float, float, float]
"""Foot point in local metres: east, north, up."""
LonLat = tuple[float, float, float]
"""Longitude and latitude in degrees, height in metres."""

LETTERS = "ABCD"


@dataclass(frozen=True, slots=True)
class Question:
    """A question with four options, exactly one of which is right; `evidence` are the objects that show the answer."""

    text: str
    options: tuple[str, str, str, str]
    answer: int
    evidence: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if len(self.options) != 4 or len({option.casefold() for option in self.options}) != 4 or not all(self.options):
            raise InputError("four different options", f"{self.options}", "four texts")
        if self.answer not in range(4):
            raise InputError("the number of an option, 0 to 3", f"{self.answer}", "0")

    @property
    def letter(self) -> str:
        """The right option's letter."""
        return LETTERS[self.answer]

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {
            "text": self.text,
            "options": list(self.options),
            "answer": self.answer,
            "evidence": list(self.evidence),
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Question":
        """Read the JSON form back."""
        a, b, c, d = map(_text, value["options"])
        return cls(_text(value["text"]), (a, b, c, d), int(value["answer"]), tuple(map(int, value["evidence"])))


@dataclass(frozen=True, slots=True)
class Stop:
    """A place to be visited, and when one has to be there.

    `deadline_s` is clock time in seconds since the midnight before the episode (it may exceed a day), None for no time.
    """

    name: str
    position: Point
    lonlat: LonLat
    deadline_s: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"name": self.name, **point_json(self.position, self.lonlat), "deadline_s": self.deadline_s}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Stop":
        """Read the JSON form back."""
        due = value["deadline_s"]
        return cls(_text(value["name"]), *point_of(value), None if due is None else number(due))


@dataclass(frozen=True, slots=True)
class Zone:
    """A closure: an open polyline that must not be crossed once its notice is given.

    `notice_at_s` is the simulated time of the notice in seconds after the start; 0 when it is told at the beginning.
    """

    label: str
    vertices: tuple[Point, ...]
    lonlats: tuple[LonLat, ...]
    notice: str
    notice_at_s: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        points = [point_json(p, g) for p, g in zip(self.vertices, self.lonlats, strict=True)]
        return {"label": self.label, "vertices": points, "notice": self.notice, "notice_at_s": self.notice_at_s}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Zone":
        """Read the JSON form back."""
        points = [point_of(p) for p in value["vertices"]]
        if len(points) < 2:
            raise ValueError("a closure of fewer than two points")
        vertices, lonlats = tuple(p for p, _ in points), tuple(g for _, g in points)
        return cls(_text(value["label"]), vertices, lonlats, _text(value["notice"]), number(value["notice_at_s"]))


@dataclass(frozen=True, slots=True)
class Passers:
    """People on the street: how many, and within how many metres of the walker they stay (None: in the whole city)."""

    population: int
    radius_m: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON form."""
        return {"population": self.population, "radius_m": self.radius_m}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Passers":
        """Read the JSON form back."""
        radius = value["radius_m"]
        if not is_whole(value["population"]):
            raise ValueError("a population that is no whole number")
        return cls(value["population"], None if radius is None else number(radius))


def point_json(position: Sequence[float], lonlat: Sequence[float]) -> dict[str, float]:
    """A point in both frames."""
    return {
        **dict(zip(("lon", "lat", "height"), lonlat, strict=True)),
        **dict(zip(("east", "north", "up"), position, strict=True)),
    }


def point_of(value: Mapping[str, Any]) -> tuple[Point, LonLat]:
    """(local metres, geodetic) of a point's JSON form; raises KeyError or ValueError."""
    east, north, up = (number(value[key]) for key in ("east", "north", "up"))
    lon, lat, height = (number(value[key]) for key in ("lon", "lat", "height"))
    return (east, north, up), (lon, lat, height)


def lonlat_of(frame: LocalFrame, local: Sequence[float]) -> LonLat:
    """Geodetic position of a local point as it is written down: 1e-9 degrees (0.1 mm) and millimetres."""
    lon, lat, height = frame.to_geodetic(local)
    return round(float(lon), 9), round(float(lat), 9), round(float(height), 3)


def _text(value: Any) -> str:
    if not is_text(value):
        raise ValueError(f"{value!r:.60} is no text")
    return str(value)
