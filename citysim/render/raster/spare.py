"""Spare: memory of pictures that nobody holds any more, given out again.

Fresh memory of this size comes from the system page by page, which takes long. Whether a caller still
holds a picture, or a view of it, is what CPython's reference counts say; elsewhere memory is always fresh.
"""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

KEPT = 6  # pieces of one size
SIZES = 8  # sizes, the latest ones


class Spare:
    """`array` gives memory with anything in it, which belongs to the caller as long as he holds it."""

    def __init__(self) -> None:
        self._held: dict[int, list[NDArray[np.uint8]]] = {}

    def array(self, count: int, kind: type) -> NDArray[Any]:
        """(count,) of a type."""
        if not count:
            return np.empty(0, dtype=kind)
        size = count * np.dtype(kind).itemsize
        held = self._held.pop(size, [])
        self._held[size] = held  # the latest
        free = _unused(held)
        if free >= 0:
            return held[free].view(kind)
        made = np.empty(size, dtype=np.uint8)
        if len(held) < KEPT:
            held.append(made)
        while len(self._held) > SIZES:
            del self._held[next(iter(self._held))]
        return made.view(kind)


def _unused(held: list[NDArray[np.uint8]]) -> int:
    """Place of a piece that only the list holds, -1 for none."""
    for number in range(len(held)):
        if _references(held[number]) == _ALONE:
            return number
    return -1


def _references(thing: object) -> int:
    return sys.getrefcount(thing)


def _alone() -> int:
    """What `_references` says of an array that only a list holds, asked in the way of `_unused`; -1: never."""
    if sys.implementation.name != "cpython":
        return -1
    held = [np.empty(1, dtype=np.uint8)]
    for number in range(len(held)):
        return _references(held[number])
    return -1


_ALONE = _alone()
