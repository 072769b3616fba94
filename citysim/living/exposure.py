"""Exposure: whether rain falls on the walker's head, by a ray to the sky."""

import math
from dataclasses import dataclass

import numpy as np

from citysim.city import City
from citysim.geometry.rays import any_hits
from citysim.physics.native import NativeSpace

SAMPLE_STEPS = 6  # rays at 10 Hz
INTENSITY = {"rainy": 0.55, "thunderstorm": 0.95}
"""Share of the heaviest rain, by weather."""

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


def intensity(weather: str) -> float:
    """0 where it does not rain, up to 1."""
    return INTENSITY.get(weather, 0.0)


def rain_hits(exposed: dict[str, int]) -> int:
    """Drops, from the number of samples in the open by weather."""
    seconds = {weather: count * SAMPLE_STEPS / 60.0 for weather, count in exposed.items()}
    return math.floor(sum(HITS_PER_S * intensity(w) * s for w, s in sorted(seconds.items())) + 1e-9)
