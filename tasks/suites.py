"""The tables of suites and of judges: one line each."""

from collections.abc import Callable
from pathlib import Path

from citysim.city import City
from citysim.errors import InputError, UnknownNameError
from citysim.tasks.base import Judge
from citysim.tasks.point_goal import PointGoal
from citysim.tasks.starter import starter
from citysim.tasks.suite import Suite
from citysim.tasks.suitefile import read_suite
from citysim.tasks.urbanground.conditions import CONDITIONS, under
from citysim.tasks.urbanground.families import FAMILIES

DRAWN: dict[str, tuple[Callable[[City, int], Suite], str]] = {
    "starter": (starter, "20 point goals of 60 to 280 m for any city, from a seed"),
}
"""Suites that are drawn for a city when they are asked for."""
COMMITTED: dict[str, str] = {
    "urbanground": "UrbanGround: 810 instances of 13 families in five embedded cities",
    "urbanground-mini": "41 instances of the same families in 'mini', to try things out",
    "urbanground-helsinki": "the same families in central Helsinki",
}
"""Suites that lie in this folder as files, each bound to its cities by their hashes."""
JUDGES: dict[str, Judge] = {
    PointGoal.type: PointGoal(),
    **{type: family.judge for type, family in FAMILIES.items()},
}
FOLDER = Path(__file__).parent / "suites"


def suite_names() -> dict[str, str]:
    """Name -> one line about it, of the suites that can be loaded."""
    names = {name: title for name, (_, title) in DRAWN.items()}
    for name, title in COMMITTED.items():
        if (FOLDER / f"{name}.jsonl").is_file():
            names[name] = title
            names |= {f"{name}-{word}": f"its level 1 and SN, {told(word)}" for word in CONDITIONS}
    return names


def told(condition: str) -> str:
    """A variant's conditions in words."""
    time, weather = CONDITIONS[condition]
    return f"{weather.replace('_', ' ')}, at {time}"


def needs_city(name: str) -> bool:
    """Whether a suite is drawn for a city, rather than bound to its own."""
    return name in DRAWN


def load_suite(name: str | Path, city: City | None = None, seed: int = 0) -> Suite:
    """The suite of a name, or of a file that `citysim suite build` wrote; `city` and `seed` are for drawn ones.

    Raises UnknownNameError, InputError when a city cannot carry it, StorageError or FormatError for a file.
    """
    path = Path(name)
    if path.suffix == ".jsonl":
        return read_suite(path)
    name = str(name)
    if name in DRAWN:
        if city is None:
            raise InputError(f"a city to draw '{name}' for", "none", "--city mini")
        return DRAWN[name][0](city, seed)
    base, _, condition = name.rpartition("-")
    if base in COMMITTED and condition in CONDITIONS:
        return under(load_suite(base), condition)
    if name not in COMMITTED or not (FOLDER / f"{name}.jsonl").is_file():
        raise UnknownNameError.of("a suite (or a .jsonl file)", name, suite_names())
    return read_suite(FOLDER / f"{name}.jsonl")


def proofs_path(name: str | Path) -> Path:
    """Where the proofs of a suite lie: beside it."""
    path = Path(name)
    beside = path if path.suffix == ".jsonl" else FOLDER / f"{name}.jsonl"
    return beside.with_suffix(".proofs.jsonl.gz")


def judge_of(type: str) -> Judge:
    """The rule that judges instances of a type; raises UnknownNameError."""
    if type not in JUDGES:
        raise UnknownNameError.of("a task type", type, JUDGES)
    return JUDGES[type]
