"""CrowdSpec: which people an episode has."""

import math
from dataclasses import dataclass

from citysim.crowd.crowd import MOST_PEOPLE
from citysim.errors import InputError


@dataclass(frozen=True, slots=True)
class CrowdSpec:
    """So many people of a seed, at the hour of the episode's clock.

    population  how many live in the crowd; at times some are indoors
    seed        any integer: the same people with the same plans; one more moves no other
    keep        1 where people keep right, -1 left
    radius_m    None spreads them over the whole city; a number keeps all within so many metres of the walker, wherever
                it goes: 64 in 60 m make a busy street
    """

    population: int
    seed: int
    keep: int = 1
    radius_m: float | None = None

    def __post_init__(self) -> None:
        for name in ("population", "seed", "keep"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int):
                raise InputError(
                    f"a whole number for the crowd's {name}", repr(value), "CrowdSpec(population=64, seed=0)"
                )
        if not 0 <= self.population <= MOST_PEOPLE:
            raise InputError(f"a population from 0 to {MOST_PEOPLE}", str(self.population), "population=64")
        if self.keep not in (1, -1):
            raise InputError("keep=1 (right) or keep=-1 (left)", str(self.keep), "keep=1")
        if self.radius_m is not None and not (math.isfinite(self.radius_m) and self.radius_m >= 5.0):
            raise InputError("a crowd's radius of 5 m or more, or None", str(self.radius_m), "radius_m=60")
