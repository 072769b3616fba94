"""Metrics over episodes; each docstring gives the formula and its source."""

import math
from collections.abc import Iterable

Z95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""


def wilson_interval(successes: int, trials: int, z: float = Z95) -> tuple[float, float]:
    """Score interval of a proportion (Wilson 1927): stays within [0, 1] and is honest for few trials."""
    if trials <= 0:
        return 0.0, 1.0
    share, z2 = successes / trials, z * z
    middle = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    half = z / (1 + z2 / trials) * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    return max(0.0, middle - half), min(1.0, middle + half)


def spl(success: bool, shortest_m: float, walked_m: float) -> float:
    """One episode's share of success weighted by path length, S l / max(p, l) (Anderson et al. 2018)."""
    longest = max(walked_m, shortest_m)
    return shortest_m / longest if success and longest > 0.0 else float(success)


def network_adherence(states: Iterable[tuple[float, bool]]) -> float | None:
    """PNA of UrbanGround: sum of d_i over actions that end on the network, divided by the sum of all durations d_i.

    `states` are (duration in seconds, on the network after the action). None when no time passed.
    """
    on = total = 0.0
    for duration, on_network in states:
        total += duration
        on += duration if on_network else 0.0
    return on / total if total > 0.0 else None


def mean(values: Iterable[float | None]) -> float | None:
    """Mean of the values that are not None, None when there are none."""
    kept = [value for value in values if value is not None]
    return math.fsum(kept) / len(kept) if kept else None
