import datetime as dt
import math

import numpy as np
import pytest

from citysim.conditions import Conditions, parse_time
from citysim.ephemeris import days_since_j2000, sun_direction
from citysim.errors import InputError, UnknownNameError


def angles(direction: np.ndarray) -> tuple[float, float]:
    """Azimuth clockwise from north and elevation in degrees."""
    azimuth = math.degrees(math.atan2(direction[0], direction[1])) % 360
    return azimuth, math.degrees(math.asin(direction[2]))


def test_the_sun_stands_where_the_published_example_has_it() -> None:
    # Reda and Andreas, Solar Position Algorithm (NREL/TP-560-34302), table A5.1: 2003-10-17 12:30:30 at UTC-7,
    # Golden, Colorado: azimuth 194.34024, zenith 50.11162 (topocentric, with 0.013 deg refraction).
    seconds = 12 * 3600 + 30 * 60 + 30 + 7 * 3600
    azimuth, elevation = angles(sun_direction(days_since_j2000(dt.date(2003, 10, 17), seconds), 39.742476, -105.1786))
    assert azimuth == pytest.approx(194.34024, abs=0.1)
    assert elevation == pytest.approx(90 - 50.11162, abs=0.1)


@pytest.mark.parametrize(("date", "declination"), [(dt.date(2026, 6, 21), 23.44), (dt.date(2026, 12, 21), -23.44)])
def test_solstices(date: dt.date, declination: float) -> None:
    hours = range(11 * 3600, 13 * 3600, 60)
    noon = [angles(sun_direction(days_since_j2000(date, s), 50.0, 0.0))[1] for s in hours]
    assert max(noon) == pytest.approx(40 + declination, abs=0.05)


def test_conditions_know_local_time() -> None:
    noon = Conditions(clock_s=12.2 * 3600, latitude_deg=60.17, longitude_deg=24.95, utc_offset_h=2)
    azimuth, elevation = angles(noon.sun_direction)
    assert 170 < azimuth < 190
    assert 29 < elevation < 31
    assert noon.time == "12:12:00"
    assert Conditions(clock_s=23.5 * 3600).sun_direction[2] < 0


@pytest.mark.parametrize(("text", "seconds"), [("00:00", 0), ("18:30", 66600), ("23:59:59", 86399)])
def test_times_are_read(text: str, seconds: float) -> None:
    assert parse_time(text) == seconds


@pytest.mark.parametrize("text", ["24:00", "12", "12:60", "a:b", "", "-1:00", "1:2:3:4", "12:00:61"])
def test_wrong_times_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_time(text)


def test_unknown_weather_lists_the_known() -> None:
    with pytest.raises(UnknownNameError, match="sunny"):
        Conditions(weather="hail")
    with pytest.raises(InputError):
        Conditions(clock_s=float("nan"))
