"""The state of sky and air that both the world and the renderers read."""

import datetime as dt
import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError, UnknownNameError

WEATHERS = ("sunny", "partly_cloudy", "cloudy", "overcast", "rainy", "thunderstorm", "fog")


@dataclass(frozen=True, slots=True)
class Conditions:
    """City clock and weather.

    `clock_s` is local time in seconds since midnight, `date` the local day, `utc_offset_h` the hours that local
    time is ahead of UTC, `latitude_deg`/`longitude_deg` the place (they move the sun), `weather` one of `WEATHERS`.
    """

    clock_s: float = 14 * 3600.0
    weather: str = "sunny"
    date: dt.date = field(default=dt.date(2026, 6, 15))
    latitude_deg: float = 22.3
    longitude_deg: float = 114.2
    utc_offset_h: float = 8.0

    def __post_init__(self) -> None:
        if self.weather not in WEATHERS:
            raise UnknownNameError.of("weather", self.weather, WEATHERS)
        if not math.isfinite(self.clock_s):
            raise InputError("a finite clock in seconds", repr(self.clock_s), "a time such as 14:00")

    @property
    def time(self) -> str:
        """Local time as HH:MM:SS."""
        seconds = int(self.clock_s) % 86400
        return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"

    @property
    def sun_direction(self) -> NDArray[np.float64]:
        """Unit vector towards the sun, (3,) float64, local east-north-up; below the horizon at night."""
        return sun_direction(
            self.date, self.clock_s - 3600.0 * self.utc_offset_h, self.latitude_deg, self.longitude_deg
        )


def parse_time(text: str) -> float:
    """Seconds since midnight of `HH:MM` or `HH:MM:SS`; raises InputError for anything else."""
    parts = text.split(":")
    if len(parts) in (2, 3) and all(p.isascii() and p.isdigit() and len(p) <= 2 for p in parts):
        hours, minutes, seconds = (*map(int, parts), 0)[:3]
        if hours < 24 and minutes < 60 and seconds < 60:
            return hours * 3600.0 + minutes * 60.0 + seconds
    raise InputError("a time as HH:MM between 00:00 and 23:59", repr(text), "--time 14:00")


def sun_direction(date: dt.date, utc_s: float, latitude_deg: float, longitude_deg: float) -> NDArray[np.float64]:
    """Unit vector towards the sun in local east-north-up.

    Low-precision solar coordinates of the Astronomical Almanac (mean longitude and anomaly, ecliptic longitude,
    obliquity; within 0.01 deg between 1950 and 2050) and Greenwich mean sidereal time of the same source.
    """
    days = date.toordinal() - dt.date(2000, 1, 1).toordinal() - 0.5 + utc_s / 86400.0
    mean_longitude = 280.460 + 0.9856474 * days
    anomaly = math.radians(357.528 + 0.9856003 * days)
    ecliptic = math.radians(mean_longitude + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2 * anomaly))
    obliquity = math.radians(23.439 - 0.0000004 * days)
    ascension = math.atan2(math.cos(obliquity) * math.sin(ecliptic), math.cos(ecliptic))
    declination = math.asin(math.sin(obliquity) * math.sin(ecliptic))
    sidereal = math.radians((18.697374558 + 24.06570982441908 * days) * 15.0 + longitude_deg)
    hour_angle, latitude = sidereal - ascension, math.radians(latitude_deg)
    east = -math.cos(declination) * math.sin(hour_angle)
    north = math.sin(declination) * math.cos(latitude) - math.cos(declination) * math.sin(latitude) * math.cos(
        hour_angle
    )
    up = math.sin(declination) * math.sin(latitude) + math.cos(declination) * math.cos(latitude) * math.cos(hour_angle)
    return np.array([east, north, up], dtype=np.float64)
