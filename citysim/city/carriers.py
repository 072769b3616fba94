"""Carriers: the moving surfaces of a city (escalators), and how fast they carry who stands on them."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.city.model import CityObject

ABOVE = 0.45  # metres off the surface within which a foot counts as standing on it


@dataclass(frozen=True)
class Carriers:
    """table (N, 9): start x, y, z; unit vector of travel, length and speed (last, m/s) in plan; rise; half width."""

    table: NDArray[np.float64]

    @classmethod
    def of(cls, objects: Iterable[CityObject]) -> "Carriers":
        """The carriers among a city's objects: those with an attribute "carrier".

        It lists where the surface begins and ends in the direction of travel (x, y, z each, local metres), its width in
        metres and its speed along the slope in m/s.
        """
        rows = []
        for thing in objects:
            values = thing.attributes.get("carrier")
            if not isinstance(values, list) or len(values) != 8:
                continue
            a, b, (width, speed) = np.array(values[:3]), np.array(values[3:6]), values[6:]
            run, rise = float(np.hypot(*(b - a)[:2])), float(b[2] - a[2])
            if run > 0.0:
                u = (b - a)[:2] / run
                rows.append((*a, *u, run, rise, width / 2, speed * run / float(np.hypot(run, rise))))
        return cls(np.array(rows, dtype=np.float64).reshape(-1, 9))

    def near(self, east: float, north: float, reach: float) -> bool:
        """Whether some carrier lies within `reach` metres."""
        t = self.table
        if not len(t):
            return False
        middle = t[:, :2] + t[:, 3:5] * t[:, 5:6] / 2
        away = np.hypot(middle[:, 0] - east, middle[:, 1] - north)
        return bool((away < reach + t[:, 5] / 2 + t[:, 7]).any())

    def velocity(self, east: float, north: float, up: float) -> tuple[float, float]:
        """How the surface below a foot at a place moves, m/s east and north; zeros off all carriers."""
        t = self.table
        dx, dy = east - t[:, 0], north - t[:, 1]
        along = dx * t[:, 3] + dy * t[:, 4]
        aside = np.abs(dy * t[:, 3] - dx * t[:, 4])
        low, high = np.minimum(t[:, 2], t[:, 2] + t[:, 6]), np.maximum(t[:, 2], t[:, 2] + t[:, 6])
        on = (along >= 0.0) & (along <= t[:, 5]) & (aside <= t[:, 7]) & (up > low - ABOVE) & (up < high + ABOVE)
        index = np.flatnonzero(on)
        if not len(index):
            return 0.0, 0.0
        k = int(index[0])
        return float(t[k, 8] * t[k, 3]), float(t[k, 8] * t[k, 4])
