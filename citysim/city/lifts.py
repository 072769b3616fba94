"""Lifts: cars that go up and down between two floors, where each is at a time, and whom it carries."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.city.model import CityObject

SPEED = 1.6  # metres a second
DWELL_S = 4.0  # seconds a car stays at either floor
ROOM = 0.8  # metres from the middle of the shaft within which a body stands wholly inside the car
ABOVE = 0.08  # metres between a foot and the car's floor up to which the foot stands on it


@dataclass(frozen=True)
class Lifts:
    """table (N, 4): middle of the shaft x, y, heights of the lower and the upper floor, local metres.

    Every car stands at its lower floor at time 0, waits, rises, waits and sinks again for ever: where it is depends on
    the time alone, so any two worlds agree. Both floors are solid in the city's surfaces; the car is what carries
    whoever stands in the shaft when it leaves, without moving sideways, to the other one.
    """

    table: NDArray[np.float64]

    @classmethod
    def of(cls, objects: Iterable[CityObject]) -> "Lifts":
        """The lifts among a city's objects: those with an attribute "lift" of four numbers as in `table`."""
        rows = []
        for thing in objects:
            values = thing.attributes.get("lift")
            if isinstance(values, list) and len(values) == 4 and float(values[3]) - float(values[2]) > ABOVE:
                rows.append([float(v) for v in values])
        return cls(np.array(rows, dtype=np.float64).reshape(-1, 4))

    def near(self, east: float, north: float, reach: float) -> bool:
        """Whether some shaft lies within `reach` metres."""
        t = self.table
        return bool(len(t)) and bool((np.hypot(t[:, 0] - east, t[:, 1] - north) < reach + ROOM).any())

    def floors(self, time_s: float) -> NDArray[np.float64]:
        """(N,) heights of the cars' floors at a time, metres."""
        low, rise = self.table[:, 2], self.table[:, 3] - self.table[:, 2]
        ride = rise / SPEED
        phase = np.mod(time_s, 2.0 * (DWELL_S + ride))
        up = np.clip((phase - DWELL_S) / ride, 0.0, 1.0)
        down = np.clip((phase - 2.0 * DWELL_S - ride) / ride, 0.0, 1.0)
        found: NDArray[np.float64] = low + rise * (up - down)
        return found

    def carried(self, east: float, north: float, up: float, time_s: float, step_s: float) -> float | None:
        """The height to which a moving car brings a foot during the next `step_s`; None for who is in no moving car."""
        t = self.table
        inside = np.flatnonzero(np.hypot(t[:, 0] - east, t[:, 1] - north) <= ROOM) if len(t) else np.zeros(0, int)
        if not len(inside):
            return None
        cars = Lifts(t[inside])
        now, after = cars.floors(time_s), cars.floors(time_s + step_s)
        on = np.flatnonzero((np.abs(now - up) <= ABOVE) & (after != now))
        return float(after[on[0]]) if len(on) else None
