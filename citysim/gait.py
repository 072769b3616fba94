"""Gait: how far a step reaches and how tall people are: one formula for the crowd that walks and those who are drawn.

A *turn* is a double step: from one touch of the left heel to its next. A person of size 1 has a hip joint 0.9 m above
the ground. Stride lengths follow measured adults (0.75 m + 0.5 s times the speed is 1.42 m at 1.34 m/s, against
1.4 m in R. W. Bohannon, Age and Ageing 26, 1997) and shrink with the legs; below `SLOW_M_S` steps become short
instead of slow, and who stands shifts the weight once in 6.7 s.
"""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STRIDE_M, STRIDE_S = 0.75, 0.5  # of a turn at size 1: metres, and metres more for each m/s
STANDING_HZ = 0.15
STANCE = 0.625  # share of a turn that a foot is on the ground: five of eight key poses
REACH_AHEAD = 0.24  # share of the stride that the foot lands before the hip
TOE_AHEAD, FOOT_SIDE = 0.18, 0.0855  # metres at size 1 of the toes ahead of the ankle, of a foot beside the middle
SLOW_M_S, SLOW_SLOPE = 0.5657, 0.703  # where the line from STANDING_HZ touches the curve of walkers, and its slope

AGES = (1.0, 5.0, 8.0, 11.0, 14.0, 17.0, 60.0, 90.0)
SIZES = (0.46, 0.66, 0.76, 0.85, 0.94, 1.0, 1.0, 0.96)
SPREAD = 0.05
"""Sizes by age after the WHO's growth references (medians of both sexes, over 1.7 m), and how far people differ."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_MIX = np.uint64(0xBF58476D1CE4E5B9)


def turns(speed: Array) -> Array:
    """(N,) turns a second of people of size 1 who walk at (N,) m/s."""
    walking = speed / (STRIDE_M + STRIDE_S * speed)
    return np.where(speed > SLOW_M_S, walking, STANDING_HZ + SLOW_SLOPE * speed)


def stride(speed: Array) -> Array:
    """(N,) metres of a turn of people of size 1 at (N,) m/s: 0 for those who stand."""
    return speed / turns(speed)


def sizes(ages: Array, ids: NDArray[np.int64]) -> Array:
    """(N,) size of people by age in years and number; times `turns` divided by it, they step as their legs allow."""
    share = (scattered(ids) >> np.uint64(40)).astype(np.float64) * 2.0**-24
    grown: Array = np.interp(ages, AGES, SIZES) * (1.0 - SPREAD + 2.0 * SPREAD * share)
    return grown


def scattered(ids: NDArray[np.int64]) -> NDArray[np.uint64]:
    """(N,) uint64 of evenly spread bits, one value a number."""
    mixed = (ids.astype(np.uint64) + np.uint64(1)) * _ODD
    mixed = (mixed ^ (mixed >> np.uint64(30))) * _MIX
    return mixed ^ (mixed >> np.uint64(31))
