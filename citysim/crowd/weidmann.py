"""How walking speed falls with density: Weidmann's fundamental diagram as a table that is equal on every machine.

    v(rho) = v0 (1 - exp(-1.913 (1/rho - 1/5.4)))        rho in persons/m^2

U. Weidmann, Transporttechnik der Fussgänger, Schriftenreihe des IVT 90, ETH Zürich, 1993 (2nd ed.), the
Kladek formula fitted to his data; free speed 1.34 m/s with a standard deviation of 0.26 m/s.
"""

from decimal import Decimal, localcontext
from functools import cache

import numpy as np
from numpy.typing import NDArray

FREE_SPEED = 1.34
FREE_SPEED_SPREAD = 0.26
JAM_DENSITY = 5.4
STEEPNESS = "1.913"
ENTRIES = 128
SLOWEST = 0.1  # persons keep shuffling: without it nothing ever dissolves a jam


def speed_share(density: float) -> float:
    """Walking speed at a density in persons/m^2 as a share of the free speed, 0 at and above the jam density.

    `decimal` rounds its exponential correctly, so that the answer does not depend on the machine's own library.
    """
    if density <= 0.0:
        return 1.0
    with localcontext() as context:
        context.prec = 30
        exponent = -Decimal(STEEPNESS) * (1 / Decimal(density) - 1 / Decimal(str(JAM_DENSITY)))
        return max(float(1 - exponent.exp()), 0.0)


def speed_table() -> NDArray[np.float64]:
    """(ENTRIES,) shares of the free speed at densities from 0 to the jam density, never below SLOWEST."""
    return np.array(_shares())


@cache
def _shares() -> tuple[float, ...]:
    densities = (JAM_DENSITY * k / (ENTRIES - 1) for k in range(ENTRIES))
    return tuple(max(speed_share(density), SLOWEST) for density in densities)
