"""Differences between two runs over the same instances, with what chance alone would give."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

DRAWS = 5_000
SEED = 20260615
LEVEL = 0.95
CHUNK = 500_000
"""Numbers drawn at once."""


def bootstrap_interval(values: Sequence[float], draws: int = DRAWS, seed: int = SEED) -> tuple[float, float] | None:
    """95 % percentile interval of the mean by resampling the values (Efron 1979); None without values.

    For paired differences the values are the differences of each instance. Seeded: equal values, equal bounds.
    """
    if not values:
        return None
    data = np.asarray(values, dtype=np.float64)
    return _bounds(_resamples(len(data), draws, seed) @ data / len(data))


def ratio_interval(
    above: Sequence[float], below: Sequence[float], draws: int = DRAWS, seed: int = SEED
) -> tuple[float, float] | None:
    """The same for a ratio of sums: pairs are resampled together; None where the sums below can be zero."""
    if not below or min(below) < 0.0 or max(below) <= 0.0:
        return None
    counts = _resamples(len(below), draws, seed)
    sums = counts @ np.asarray(below, dtype=np.float64)
    kept = sums > 0.0
    return _bounds((counts @ np.asarray(above, dtype=np.float64))[kept] / sums[kept])


def _bounds(drawn: NDArray[np.floating[Any]]) -> tuple[float, float]:
    low, high = np.quantile(drawn, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0])
    return round(float(low), 6), round(float(high), 6)


@lru_cache(maxsize=4)
def _resamples(n: int, draws: int, seed: int) -> NDArray[np.float32]:
    """(draws, n) how often each value is drawn; kept, since a table asks for many intervals of equally many values."""
    rng, counts = np.random.default_rng(seed), np.empty((draws, n), dtype=np.float32)
    rows = max(1, CHUNK // n)
    for first in range(0, draws, rows):
        part = counts[first : first + rows]
        drawn = rng.integers(0, n, part.shape) + np.arange(len(part))[:, None] * n
        part[:] = np.bincount(drawn.ravel(), minlength=part.size).reshape(part.shape)
    return counts


def mcnemar_p(only_first: int, only_second: int) -> float:
    """Exact two-sided p of McNemar's test: both runs won alone equally often, Binomial(n, 1/2) (McNemar 1947).

    The arguments count the instances that one run solved and the other did not.
    """
    n, few = only_first + only_second, min(only_first, only_second)
    if n == 0:
        return 1.0
    tail = sum(math.comb(n, k) for k in range(few + 1))
    return min(1.0, 2 * tail / 2**n)


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values adjusted for testing all of them at once (Holm 1979), in the given order."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = highest
    return adjusted


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs over the same instances.

    `difference` is the first's success rate minus the second's, `interval` its 95 % paired bootstrap interval;
    `only_first` and `only_second` count what one solved and the other did not, `p` is McNemar's. `spl_difference` and
    `spl_interval` are the same for SPL, None where a run has none.
    """

    first: str
    second: str
    n: int
    difference: float
    interval: tuple[float, float]
    only_first: int
    only_second: int
    p: float
    spl_difference: float | None = None
    spl_interval: tuple[float, float] | None = None


def pair(
    names: tuple[str, str],
    wins: tuple[Sequence[bool], Sequence[bool]],
    spls: tuple[Sequence[float], Sequence[float]] | None = None,
) -> Pair:
    """Compare two runs; both sequences hold the same instances in the same order."""
    first, second = wins
    deltas = [float(a) - float(b) for a, b in zip(first, second, strict=True)]
    interval = bootstrap_interval(deltas)
    assert interval is not None, "pairs are made of at least one instance"
    one, two = sum(d > 0 for d in deltas), sum(d < 0 for d in deltas)
    change, bounds = None, None
    if spls is not None:
        changes = [a - b for a, b in zip(*spls, strict=True)]
        change, bounds = round(math.fsum(changes) / len(changes), 6), bootstrap_interval(changes)
    mean = round(math.fsum(deltas) / len(deltas), 6)
    return Pair(*names, len(deltas), mean, interval, one, two, mcnemar_p(one, two), change, bounds)
