"""Train and test cities: which seeds of a preset a policy may learn from, and on which it is judged.

The rule: seed s of any preset is a *test* seed when s % 5 == 4, and a *train* seed otherwise. So 0, 1, 2, 3, 5, 6, …
are for learning, 4, 9, 14, … for judging; no seed is in both, whatever the preset and however many are used.
"""

from collections.abc import Sequence
from itertools import count, islice

from citysim.errors import InputError, UnknownNameError

SPLITS = ("train", "test")
EVERY, HELD_OUT = 5, 4


def split_of(seed: int) -> str:
    """The half that a city's seed belongs to, "train" or "test"."""
    return "test" if seed % EVERY == HELD_OUT else "train"


def split_seeds(split: str, number: int) -> tuple[int, ...]:
    """The first seeds of a split; raises UnknownNameError for other names and InputError for less than one."""
    if split not in SPLITS:
        raise UnknownNameError.of("a split", str(split), SPLITS)
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        raise InputError("1 or more city seeds", repr(number), "city_seeds=8")
    return tuple(islice((seed for seed in count() if split_of(seed) == split), number))


def cities_of(presets: Sequence[str], split: str, number: int) -> tuple[str, ...]:
    """PRESET@SEED for every preset and each of the first seeds of a split.

    Raises InputError for names that carry a seed of their own or are no presets.
    """
    seeds = split_seeds(split, number)
    from citysim.build.procedural import PRESETS

    for name in presets:
        if name not in PRESETS:
            advice = f"one of {', '.join(PRESETS)}, or no split"
            raise InputError("names of presets where a split chooses the seeds", repr(name), advice)
    return tuple(f"{name}@{seed}" for name in presets for seed in seeds)
