"""The state of sky and air that both the world and the renderers read."""

import datetime as dt
import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from citysim import ephemeris
from citysim.errors import InputError, UnknownNameError

WEATHERS = ("sunny", "partly_cloudy", "cloudy", "overcast", "rainy", "thunderstorm", "fog")
DEFAULT_DATE = dt.date(2026, 3, 20)
"""The equinox: the sun sets at about 18:30 in every city whose clock follows its meridian."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """City clock and weather.

    `clock_s` is local time in seconds since midnight, `date` the local day, `utc_offset_h` the hours that local
    time is ahead of UTC, `latitude_deg`/`longitude_deg` the place (they move the sun), `weather` one of `WEATHERS`;
    `time_scale` seconds of the clock pass in a simulated second (0: it stands).
    """

    clock_s: float = 14 * 3600.0
    weather: str = "sunny"
    date: dt.date = DEFAULT_DATE
    latitude_deg: float = 22.3
    longitude_deg: float = 114.2
    utc_offset_h: float = 8.0
    time_scale: float = 1.0

    def __post_init__(self) -> None:
        if self.weather not in WEATHERS:
            raise UnknownNameError.of("weather", self.weather, WEATHERS)
        if not math.isfinite(self.clock_s):
            raise InputError("a finite clock in seconds", repr(self.clock_s), "a time such as 14:00")
        if not (math.isfinite(self.time_scale) and self.time_scale >= 0.0):
            raise InputError("a time scale of 0 or more", repr(self.time_scale), "time_scale=1")

    def after(self, seconds: float) -> "Conditions":
        """The same when so many simulated seconds have passed."""
        return replace(self, clock_s=self.clock_s + seconds * self.time_scale)

    @property
    def hour(self) -> float:
        """Local hour of the day, 0 to 24."""
        return self.clock_s / 3600.0 % 24.0

    @property
    def weekday(self) -> int:
        """Local day of the week, 0 Monday to 6 Sunday; a clock past midnight is on the next day."""
        return (self.date.weekday() + int(self.clock_s // 86400.0)) % 7

    @property
    def time(self) -> str:
        """Local time as HH:MM:SS."""
        seconds = int(self.clock_s) % 86400
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"

    @property
    def days(self) -> float:
        """Universal time in days since 2000-01-01 12:00, as `citysim.ephemeris` takes it."""
        return ephemeris.days_since_j2000(self.date, self.clock_s - 3600.0 * self.utc_offset_h)

    @property
    def sun_direction(self) -> NDArray[np.float64]:
        """Unit vector towards the sun, (3,) float64, local east-north-up; below the horizon at night."""
        return ephemeris.sun_direction(self.days, self.latitude_deg, self.longitude_deg)

    @property
    def moon_direction(self) -> NDArray[np.float64]:
        """Unit vector towards the moon, (3,) float64, local east-north-up; below the horizon when it is not up."""
        return ephemeris.moon_direction(self.days, self.latitude_deg, self.longitude_deg)

    @property
    def moon_phase(self) -> float:
        """0 new moon, 0.25 first quarter, 0.5 full moon, 0.75 last quarter."""
        return ephemeris.moon_phase(self.days)


def parse_time(text: str) -> float:
    """Seconds since midnight of `HH:MM` or `HH:MM:SS`; raises InputError for anything else."""
    parts = text.split(":")
    if len(parts) in (2, 3) and all(p.isascii() and p.isdigit() and len(p) <= 2 for p in parts):
        hours, minutes, seconds = (*map(int, parts), 0)[:3]
        if hours < 24 and minutes < 60 and seconds < 60:
            return hours * 3600.0 + minutes * 60.0 + seconds
    raise InputError("a time as HH:MM between 00:00 and 23:59", repr(text), "--time 14:00")
