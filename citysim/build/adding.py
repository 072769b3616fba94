"""plain_sum: sums of fractions that are the same under every Python."""

from collections.abc import Iterable


def plain_sum(values: Iterable[float]) -> float:
    """The sum from the first value to the last, rounded at every step.

    The built-in `sum` rounds only once since Python 3.12, which moved letters of signs by a lattice step.
    """
    found = 0.0
    for value in values:
        found += value
    return found
