"""A small map around the walker, made of what a dense scan sees from where it stands: nothing behind walls is known."""

import math

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from citysim.envs.moment import Moment
from citysim.envs.scan import Scan
from citysim.envs.settings import Settings

CELLS, CELL_M = 32, 0.5
RAYS = 180
UNSEEN, FREE = 0, 1  # then come 2 surface and 3 person: kinds of the scan, plus one


class MapSensor:
    """(32, 32) uint8, half-metre cells, the walker in the middle, ahead up, left to the left.

    A cell is free when its ray goes on beyond it, and what its ray met where it ends; cells behind that are unseen.
    """

    draws: tuple[str, ...] = ()

    def __init__(self, settings: Settings) -> None:
        self.space = spaces.Box(0, 3, (CELLS, CELLS), np.uint8)
        middle = (CELLS - 1) / 2.0
        ahead = (middle - np.arange(CELLS))[:, None] * CELL_M
        left = (middle - np.arange(CELLS))[None, :] * CELL_M
        self._away = np.hypot(ahead, left)
        turns = np.arctan2(left, ahead) / (2.0 * math.pi) * RAYS
        self._ray = np.rint(turns).astype(np.intp) % RAYS
        self._scan = Scan(RAYS, float(self._away.max()) + CELL_M)

    def read(self, moment: Moment) -> NDArray[np.uint8]:
        """The map now."""
        metres, kinds = self._scan.measure(moment.world)
        met = metres[self._ray]
        cells = np.where(self._away < met - CELL_M / 2.0, FREE, UNSEEN).astype(np.uint8)
        hit = (np.abs(self._away - met) <= 0.75 * CELL_M) & (kinds[self._ray] > 0)
        cells[hit] = kinds[self._ray][hit] + 1
        return cells
