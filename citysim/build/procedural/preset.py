"""What an embedded city is: a name, one line about it, and how its plan is made."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from citysim.build.plans import CityPlan
from citysim.errors import InputError


@dataclass(frozen=True, slots=True)
class Preset:
    """A procedural city by name."""

    name: str
    title: str  # one line for `citysim city list`
    make: Callable[[int, float], CityPlan]  # seed, side length in metres
    size: float  # default side length, metres
    sizes: tuple[float, float]  # smallest and largest side length, metres

    def plan(self, seed: int = 0, size: float | None = None) -> CityPlan:
        """The plan for a seed and a side length in metres. Raises InputError for a size outside `sizes`."""
        side = self.size if size is None else float(size)
        low, high = self.sizes
        if not low <= side <= high:
            raise InputError(
                f"a size of {low:g} to {high:g} metres for the city {self.name!r}",
                f"{side:g}",
                f"--size {min(max(side, low), high):g}" if side == side else f"--size {self.size:g}",
            )
        return self.make(int(seed), side)


def lazily(module: str, name: str) -> Callable[[int, float], CityPlan]:
    """The function `name` of a module that is imported when the function is called first."""

    def make(seed: int, size: float) -> CityPlan:
        plan: CityPlan = getattr(import_module(module), name)(seed, size)
        return plan

    return make
