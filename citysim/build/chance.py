"""Hash-addressed randomness: a value depends on the seed and on a path such as "block/12/lot/3", on nothing else."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from citysim.build.adding import plain_sum

T = TypeVar("T")


class Chance:
    """Random values addressed by path; adding a draw somewhere never moves a draw elsewhere."""

    def __init__(self, seed: int, path: str = "") -> None:
        self.seed, self.path = seed, path

    def child(self, name: str | int) -> "Chance":
        """The same source one step further down the path."""
        return Chance(self.seed, f"{self.path}/{name}")

    def unit(self, name: str | int = "") -> float:
        """A float in [0, 1) with 53 bits."""
        digest = hashlib.blake2b(f"{self.seed}:{self.path}/{name}".encode(), digest_size=8).digest()
        return (int.from_bytes(digest, "big") >> 11) / 2.0**53

    def uniform(self, low: float, high: float, name: str | int = "") -> float:
        """A float in [low, high)."""
        return low + (high - low) * self.unit(name)

    def integer(self, low: int, high: int, name: str | int = "") -> int:
        """An integer in [low, high)."""
        return low + int((high - low) * self.unit(name))

    def choice(self, options: Sequence[T], name: str | int = "") -> T:
        """One of the options."""
        return options[self.integer(0, len(options), name)]

    def weighted(self, options: Sequence[tuple[T, float]], name: str | int = "") -> T:
        """One of (option, weight) pairs by weight."""
        left = self.unit(name) * plain_sum(weight for _, weight in options)
        for option, weight in options:
            left -= weight
            if left < 0:
                return option
        return options[-1][0]
