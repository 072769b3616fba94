"""Residents: who the people of a crowd are, drawn from the crowd's seed and a person's number alone."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City, CityObject, Place
from citysim.crowd.hashing import stream, units
from citysim.gait import scattered
from citysim.living.words import ERRANDS, FAMILY_NAMES, GIVEN_NAMES, OCCUPATIONS, PASSING
from citysim.render.avatar.looks import LOOKS
from citysim.render.avatar.people import OLDEST, look_table

HOMES = frozenset(
    (
        "apartments",
        "residential",
        "house",
        "detached",
        "terrace",
        "semidetached_house",
        "dormitory",
        "bungalow",
        "hotel",
    )
)
NEAR_M = 40.0  # places this near to where somebody goes may be what they go for


@dataclass(frozen=True, slots=True)
class Resident:
    """A person of the crowd.

    number, name, age in years and gender ("female" or "male"); look as the avatar is called; occupation; home: the
    address of a building of the city and its object id (None in a city without buildings); errand: what the present
    way is for, and destination: the place it leads to, "" for somebody who walks through.
    """

    number: int
    name: str
    age: int
    gender: str
    look: str
    occupation: str
    home: str
    home_building: int | None
    errand: str
    destination: str

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


class Registry:
    """The people of a city by the seed of their crowd."""

    def __init__(self, city: City) -> None:
        self._city = city

    def resident(self, seed: int, number: int, age: float, towards: NDArray[np.float64], trip: int) -> Resident:
        """Person `number`, who walks towards (3,) on their `trip`-th way."""
        look = LOOKS[look_table()[min(int(age), OLDEST), self._lot(seed, number)]].name
        gender = _gender(look, self._unit(seed, "gender", number))
        given, family = GIVEN_NAMES[gender], FAMILY_NAMES
        name = f"{_pick(given, self._unit(seed, 'given', number))} {_pick(family, self._unit(seed, 'family', number))}"
        home = self._pick_home(self._unit(seed, "home", number))
        place = self._goal(towards, self._unit(seed, "errand", number, trip))
        errand = PASSING if place is None else ERRANDS.get(place.category, "shopping at {}").format(place.name)
        return Resident(
            number, name, int(age), gender, look, _occupation(look, age, self._unit(seed, "occupation", number)),
            "" if home is None else _address(home), None if home is None else home.id, errand,
            "" if place is None else place.name,
        )  # fmt: skip

    @staticmethod
    def _unit(seed: int, name: str, number: int, turn: int = 0) -> float:
        return float(units(stream(seed, f"resident/{name}"), np.array([number], np.int64), turn)[0])

    @staticmethod
    def _lot(seed: int, number: int) -> int:
        who = scattered(np.array([number + looks_seed(seed) * 1_000_003], np.int64))[0]  # as `people_bodies` does
        return int(who >> np.uint64(6)) & 63

    @cached_property
    def _homes(self) -> tuple[CityObject, ...]:
        """Buildings that people live in; any building where none is known to be one."""
        buildings = [thing for thing in self._city.objects if thing.category == "building"]
        known = [thing for thing in buildings if thing.attributes.get("address")] or buildings
        return tuple(thing for thing in known if thing.attributes.get("kind") in HOMES) or tuple(known)

    def _pick_home(self, share: float) -> CityObject | None:
        """Tall buildings house more."""
        if not self._homes:
            return None
        floors = np.cumsum([max(int(thing.attributes.get("levels") or 1), 1) for thing in self._homes])
        return self._homes[int(np.searchsorted(floors, share * float(floors[-1]), side="right"))]

    @cached_property
    def _entrances(self) -> NDArray[np.float64]:
        return np.array([place.entrance for place in self._city.places], dtype=np.float64).reshape(-1, 3)

    def _goal(self, towards: NDArray[np.float64], share: float) -> Place | None:
        near = np.flatnonzero(np.linalg.norm(self._entrances - towards, axis=1) < NEAR_M)
        return self._city.places[int(near[min(int(share * len(near)), len(near) - 1)])] if len(near) else None


def looks_seed(seed: int) -> int:
    """The seed of looks of a crowd's people, small enough for their arithmetic."""
    return seed % (1 << 31)


def _pick(names: Sequence[str], share: float) -> str:
    return names[min(int(share * len(names)), len(names) - 1)]


def _gender(look: str, share: float) -> str:
    if "woman" in look or "girl" in look:
        return "female"
    if "man" in look or "boy" in look:
        return "male"
    return "female" if share < 0.5 else "male"


def _occupation(look: str, age: float, share: float) -> str:
    if age < 6.0:
        return "child"
    if age < 18.0:
        return "pupil"
    if "tourist" in look:
        return "visitor"
    if age >= 67.0:
        return "retired"
    kind = next((kind for kind in ("office", "worker", "student") if kind in look), "any")
    return _pick(OCCUPATIONS[kind], share)


def _address(home: CityObject) -> str:
    return str(home.attributes.get("address") or home.name or f"building {home.id}")
