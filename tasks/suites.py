"""The tables of suites and of task types: one line each."""

from collections.abc import Callable

from citysim.city import City
from citysim.errors import UnknownNameError
from citysim.tasks.base import Judge
from citysim.tasks.point_goal import PointGoal
from citysim.tasks.starter import starter
from citysim.tasks.suite import Suite
from citysim.tasks.urbanground.families import FAMILIES

SUITES: dict[str, tuple[Callable[[City, int], Suite], str]] = {
    "starter": (starter, "20 point goals of 60 to 280 m for any city, from a seed"),
}
JUDGES: dict[str, Judge] = {
    PointGoal.type: PointGoal(),
    **{type: family.judge for type, family in FAMILIES.items()},
}


def suite_names() -> dict[str, str]:
    """Name -> one line about it."""
    return {name: title for name, (_, title) in SUITES.items()}


def load_suite(name: str, city: City, seed: int = 0) -> Suite:
    """The suite `name` for a city; raises UnknownNameError, or InputError when the city cannot carry it."""
    if name not in SUITES:
        raise UnknownNameError.of("a suite", name, SUITES)
    return SUITES[name][0](city, seed)


def judge_of(type: str) -> Judge:
    """The rule that judges instances of a type; raises UnknownNameError."""
    if type not in JUDGES:
        raise UnknownNameError.of("a task type", type, JUDGES)
    return JUDGES[type]
