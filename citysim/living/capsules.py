"""People as upright capsules at a moment: what rays and other walkers meet."""

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.rows import RADIUS
from citysim.living.company import ADULT_M, CHILD_M, CHILD_RADIUS
from citysim.living.life import Life

NO_CAPSULES: NDArray[np.float64] = np.empty((0, 5))


def capsules_of(life: Life, step: int) -> NDArray[np.float64]:
    """(N, 5) foot point, radius and height of everyone on the street after `step` substeps."""
    company = life.company
    if company is None:
        return NO_CAPSULES
    rows, out = company.crowd.rows, company.crowd.active
    capsules = np.empty((len(out), 5))
    capsules[:, :3] = company.positions(step).T
    capsules[:, 3] = rows[RADIUS]
    capsules[:, 4] = np.where(rows[RADIUS] < CHILD_RADIUS, CHILD_M, ADULT_M)
    return capsules if out.all() else capsules[out]
