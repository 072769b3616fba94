"""Exposure: whether rain falls on the walker's head, by a ray to the sky."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.geometry.rays import any_hits, closest_hits
from citysim.physics.native import NativeSpace

SAMPLE_STEPS = 6  # rays at 10 Hz
INTENSITY = {"rainy": 0.55, "thunderstorm": 0.95}
"""Share of the heaviest rain, by weather."""

GROUND_ABOVE_M, GROUND_BELOW_M = (0.35, 2.5), 2.5  # where ground is looked for, from where it is thought to be

HITS_PER_S = 40.0  # drops on head and shoulders a second in the heaviest rain: an own estimate


@dataclass(frozen=True, slots=True)
class Exposure:
    """The walker and the rain, since the start of the episode.

    being_rained_on      whether it rains and nothing is overhead, now
    has_overhead_shelter whether something is overhead now, in any weather; foliage is no shelter
    rain_exposure_s      seconds rained on, in tenths
    sheltered_s          seconds under shelter while it rained, in tenths
    rain_hits            drops that hit, by the rain's intensity and the time
    """

    being_rained_on: bool
    has_overhead_shelter: bool
    rain_exposure_s: float
    sheltered_s: float
    rain_hits: int


class Sky:
    """Asks the city's triangles whether a place lies open to the sky; the same with every physics engine."""

    def __init__(self, city: City, highest: float, space: NativeSpace | None) -> None:
        self._city, self._top, self._space = city, highest + 1.0, space

    @property
    def space(self) -> NativeSpace:
        """The triangles, made when first asked for where PyBullet walks."""
        if self._space is None:
            self._space = NativeSpace(self._city)
        return self._space

    def covered(self, east: float, north: float, head: float) -> bool:
        """Whether something solid is above a head."""
        self.space.load(east, north, east, north)
        start = np.array([(east, north, head)])
        end = np.array([(east, north, max(self._top, head + 1.0))])
        return bool(any_hits(self.space.scene.tables, start, end)[0])

    def roofed(self, places: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(N,) whether something solid is above each of (N, 3) places."""
        if not len(places):
            return np.zeros(0, dtype=np.bool_)
        low, high = places.min(axis=0), places.max(axis=0)
        self.space.load(float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        ends = places.copy()
        ends[:, 2] = np.maximum(self._top, places[:, 2] + 1.0)
        return any_hits(self.space.scene.tables, places, ends)

    def free(self, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(N,) whether nothing solid is between (N, 3) places and (N, 3) others."""
        low, high = np.minimum(starts, ends).min(axis=0), np.maximum(starts, ends).max(axis=0)
        self.space.load(float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        return ~any_hits(self.space.scene.tables, starts, ends)

    def ground(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N,) heights of what is under (N, 3) places on the ground, as known to half a metre; theirs where nothing is.

        What is a step higher is found first, so that nothing stands on a bench; what is higher still where that fails.
        """
        low, high = places.min(axis=0), places.max(axis=0)
        self.space.load(float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        heights = places[:, 2].copy()
        left = np.arange(len(places))
        for above in GROUND_ABOVE_M:
            starts, ends = places[left].copy(), places[left].copy()
            starts[:, 2] += above
            ends[:, 2] -= GROUND_BELOW_M
            shares = closest_hits(self.space.scene.tables, starts, ends).share
            found = shares < 1.0
            heights[left[found]] = (starts[:, 2] - shares * (above + GROUND_BELOW_M))[found]
            left = left[~found]
        return heights


def intensity(weather: str) -> float:
    """0 where it does not rain, up to 1."""
    return INTENSITY.get(weather, 0.0)


def rain_hits(exposed: dict[str, int]) -> int:
    """Drops, from the number of samples in the open by weather."""
    seconds = {weather: count * SAMPLE_STEPS / 60.0 for weather, count in exposed.items()}
    return math.floor(sum(HITS_PER_S * intensity(w) * s for w, s in sorted(seconds.items())) + 1e-9)
