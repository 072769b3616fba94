"""Contacts of the walker with people: found from where both are in every substep, counted once a touch.

A touch begins where the gap between the two upright cylinders is at most 2 cm, and is over once it was wider than
10 cm: the walker keeps 1 cm from everything, so that less would find nothing.
"""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from citysim.geometry.jit import kernel

TOUCH_M, APART_M = 0.02, 0.10
PERSON, SUBSTEP, EAST, NORTH, UP, SPEED, SHARE = range(7)
FOUND = 7


@dataclass(frozen=True, slots=True)
class PedestrianContact:
    """The walker and a person touched.

    time_s        simulated seconds since the start
    place         (east, north, up) between them at foot height, local metres
    speed_m_s     closing speed: how fast the gap became smaller
    person        number of the person in the crowd
    agent_share   part of that speed that was the walker's own, 0 to 1
    """

    time_s: float
    place: tuple[float, float, float]
    speed_m_s: float
    person: int
    agent_share: float

    @property
    def mover(self) -> str:
        """Who moved into whom: "agent" or "person" where at least two thirds of the speed was theirs, else "both"."""
        return "agent" if self.agent_share >= 2.0 / 3.0 else "person" if self.agent_share <= 1.0 / 3.0 else "both"

    def to_json(self) -> dict[str, Any]:
        """Plain values, with `mover`."""
        return asdict(self) | {"place": list(self.place), "mover": self.mover}


@kernel
def find_contacts(
    path: Any, rows: Any, people: Any, count: int, first: int, size: Any, step_s: float, touched: Any, found: Any
) -> int:
    """Touches that begin along a path, one a row of `found` (M, 7), in order of substep; gives how many.

    path     (2 + N, 4 or 3) the walker's foot two substeps ago, a substep ago, and after each of N substeps
    rows     (C, 8) as in `Movers`, whose first `count` are meant, of the persons `people` (C,); `first` substeps ago
    size     radius and height of the walker
    touched  (P,) uint8 of all persons: whether a touch goes on
    """
    total = 0
    for k in range(path.shape[0] - 2):
        x, y, z = path[k + 2, 0], path[k + 2, 1], path[k + 2, 2]
        for r in range(count):
            moved = float(first + k + 1)
            px, py = rows[r, 0] + rows[r, 5] * moved, rows[r, 1] + rows[r, 6] * moved
            pz = rows[r, 2] + rows[r, 7] * moved
            dx, dy, limit, i = px - x, py - y, rows[r, 3] + size[0], people[r]
            square, wide, tight = dx * dx + dy * dy, limit + APART_M, limit + TOUCH_M
            if square > wide * wide or pz > z + size[1] or z > pz + rows[r, 4]:
                touched[i] = 0
            elif square <= tight * tight and touched[i] == 0:
                touched[i] = 1
                if total < found.shape[0]:
                    apart = max(np.sqrt(square), 1e-9)
                    ux, uy = dx / apart, dy / apart
                    mine = 0.0  # the last of two substeps may be short, since something stood in the way
                    for j in range(2):
                        ax, ay = path[k + 2 - j, 0] - path[k + 1 - j, 0], path[k + 2 - j, 1] - path[k + 1 - j, 1]
                        mine = max(mine, (ax * ux + ay * uy) / step_s)
                    theirs = max(-(rows[r, 5] * ux + rows[r, 6] * uy) / step_s, 0.0)
                    part = size[0] / limit
                    found[total, PERSON], found[total, SUBSTEP] = i, k
                    found[total, EAST], found[total, NORTH], found[total, UP] = x + dx * part, y + dy * part, z
                    found[total, SPEED] = mine + theirs
                    found[total, SHARE] = mine / (mine + theirs) if mine + theirs > 0.0 else 0.5
                    total += 1
    return total
