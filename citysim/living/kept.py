"""Kept: a state of nested tuples and arrays that can be compared."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, eq=False)
class Kept:
    """Values of an episode's state; equal where every value and every byte of every array is."""

    values: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Kept) and _same(self.values, other.values)

    def __hash__(self) -> int:
        return hash(len(self.values))


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        alike = isinstance(a, np.ndarray) and isinstance(b, np.ndarray)
        return alike and a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return bool(a == b)
