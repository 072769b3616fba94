"""Random numbers addressed by what they are for: (seed, person, trip, purpose) gives a number, nothing else moves it.

So a larger population, another order or another thread count leaves every other person's choices as they were. The
mixer is SplitMix64's finaliser (G. Steele, D. Lea, C. Flood, Fast splittable pseudorandom number generators, 2014).
"""

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.jit import inlined

MASK = (1 << 64) - 1


def stream(seed: int, name: str) -> np.uint64:
    """The child stream of a seed (any integer) with a name."""
    return np.uint64(_mixed(_mixed(seed) + (zlib.crc32(name.encode()) << 32) + 0x9E3779B97F4A7C15))


def units(key: np.uint64, ids: NDArray[np.int64], turn: int = 0) -> NDArray[np.float64]:
    """(N,) float64 in [0, 1), one for each id, of the `turn`-th draw: what `unit` gives in kernels."""
    with np.errstate(over="ignore"):
        mixed = _mixed_array(ids.astype(np.uint64) + key)
        mixed = _mixed_array(mixed + np.uint64(turn))
    return (mixed >> np.uint64(11)).astype(np.float64) * 2.0**-53


def normals(key: np.uint64, ids: NDArray[np.int64], first_turn: int = 0) -> NDArray[np.float64]:
    """(N,) float64 of mean 0 and variance 1, close to normal: twelve uniforms (no library function), within 6."""
    total = np.zeros(len(ids))
    for turn in range(first_turn, first_turn + 12):
        total += units(key, ids, turn)
    return total - 6.0


@inlined
def unit(key: Any, number: int, turn: int) -> Any:
    """A float64 in [0, 1) for an id and a turn (int64) of a stream (uint64)."""
    mixed = mix(np.uint64(number) + key)
    mixed = mix(mixed + np.uint64(turn))
    return np.float64(mixed >> np.uint64(11)) * 1.1102230246251565e-16


@inlined
def mix(x: Any) -> Any:
    """SplitMix64's finaliser on a uint64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _mixed(x: int) -> int:
    x &= MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def _mixed_array(x: NDArray[np.uint64]) -> NDArray[np.uint64]:
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))
