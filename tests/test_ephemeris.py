"""Sun and moon against an independent ephemeris, and against printed examples."""

import datetime as dt
import math

import numpy as np
import pytest

from citysim.ephemeris import (
    days_since_j2000,
    horizontal_axes,
    moon_direction,
    moon_illumination,
    moon_phase,
    sun_direction,
)

# UTC, latitude, longitude, sun's azimuth and altitude, moon's azimuth and altitude, lit share of the moon: made
# once with PyEphem 4.2 (VSOP87 and the moon of libastro, topocentric, air pressure 0), outside of this project.
REFERENCE = (
    ("2026-08-24 13:53:43", 22.3, 114.2, 307.8756, -40.0893, 183.5731, 41.7185, 0.8768),
    ("2026-08-03 21:44:17", 22.3, 114.2, 69.7105, -3.4274, 240.2242, 64.9355, 0.7336),
    ("2027-10-19 04:00:45", 22.3, 114.2, 176.5300, 57.7700, 315.2101, -25.3352, 0.8581),
    ("2026-08-15 18:11:13", 22.3, 114.2, 37.4624, -45.8187, 332.1545, -69.2836, 0.1135),
    ("2026-03-04 23:21:22", 60.17, 24.95, 15.1404, -35.1636, 176.2753, 26.0604, 0.9754),
    ("2026-08-03 14:41:43", 60.17, 24.95, 255.8168, 27.9438, 10.5451, -23.2195, 0.7610),
    ("2027-08-18 07:39:28", 60.17, 24.95, 129.2026, 34.1742, 301.9984, -25.6427, 0.9905),
    ("2026-09-08 17:37:10", -33.87, 151.21, 105.5556, -30.9487, 77.3659, -14.2044, 0.0735),
    ("2026-07-14 05:13:15", -33.87, 151.21, 313.3644, 18.0547, 314.2757, 12.8498, 0.0014),
    ("2026-06-11 11:51:03", -33.87, 151.21, 256.4642, -60.8943, 126.5159, -62.7434, 0.1867),
    ("2026-04-05 23:20:19", 40.71, -74.0, 278.3682, 0.0409, 87.8941, -43.6512, 0.8605),
    ("2027-10-08 11:50:28", 40.71, -74.0, 105.5186, 8.6124, 6.8877, -71.5846, 0.5959),
    ("2027-03-16 02:46:47", 40.71, -74.0, 312.1492, -40.2156, 268.0785, 46.3361, 0.5504),
    ("1987-02-16 00:20:39", 22.3, 114.2, 112.4482, 18.0958, 275.5368, -0.9029, 0.9549),
    ("1955-12-25 11:26:58", 22.3, 114.2, 252.8806, -22.6231, 99.1459, 71.3021, 0.8138),
    ("1963-05-21 15:52:35", 60.17, 24.95, 275.2418, 20.3345, 286.8540, 0.6109, 0.0362),
    ("1968-03-19 23:26:57", -33.87, 151.21, 55.6317, 40.3780, 255.8356, 26.7317, 0.6677),
    ("1990-08-13 13:02:47", 40.71, -74.0, 98.7515, 32.4733, 252.3178, 52.2953, 0.5151),
)  # fmt: skip


def days_of(utc: str) -> float:
    at = dt.datetime.fromisoformat(utc)
    return days_since_j2000(at.date(), at.hour * 3600 + at.minute * 60 + at.second)


def vector(azimuth_deg: float, altitude_deg: float) -> np.ndarray:
    a, h = math.radians(azimuth_deg), math.radians(altitude_deg)
    return np.array([math.sin(a) * math.cos(h), math.cos(a) * math.cos(h), math.sin(h)])


def apart_deg(a: np.ndarray, b: np.ndarray) -> float:
    return math.degrees(math.atan2(float(np.linalg.norm(np.cross(a, b))), float(a @ b)))


@pytest.mark.parametrize(("utc", "lat", "lon", "sun_az", "sun_alt", "moon_az", "moon_alt", "lit"), REFERENCE)
def test_sun_and_moon_stand_where_the_reference_has_them(
    utc: str, lat: float, lon: float, sun_az: float, sun_alt: float, moon_az: float, moon_alt: float, lit: float
) -> None:
    days = days_of(utc)
    assert apart_deg(sun_direction(days, lat, lon), vector(sun_az, sun_alt)) < 0.03
    assert apart_deg(moon_direction(days, lat, lon), vector(moon_az, moon_alt)) < 0.05
    assert moon_illumination(days) == pytest.approx(lit, abs=0.004)


@pytest.mark.parametrize(
    ("utc", "phase"),  # moments of phases in 2026: Astronomical Almanac / USNO
    [
        ("2026-03-03 11:38:00", 0.5),
        ("2026-03-19 01:23:00", 0.0),
        ("2026-03-25 19:18:00", 0.25),
        ("2026-03-11 09:38:00", 0.75),
    ],
)
def test_phases_fall_on_their_dates(utc: str, phase: float) -> None:
    off = (moon_phase(days_of(utc)) - phase + 0.5) % 1.0 - 0.5
    assert abs(off) < 0.003  # two hours


def test_the_pole_star_stands_still_and_vega_rises_and_sets() -> None:
    def seen(ascension_h: float, declination_deg: float, days: float) -> np.ndarray:
        a, d = math.radians(15.0 * ascension_h), math.radians(declination_deg)
        star = np.array([math.cos(d) * math.cos(a), math.cos(d) * math.sin(a), math.sin(d)])
        return horizontal_axes(days, 22.3, 114.2) @ star

    heights = [math.degrees(math.asin(seen(2.53, 89.26, k / 24.0)[2])) for k in range(24)]
    assert all(abs(h - 22.3) < 0.8 for h in heights)
    vega = [math.degrees(math.asin(seen(18.615, 38.78, k / 24.0)[2])) for k in range(24)]
    assert max(vega) == pytest.approx(90.0 - 38.78 + 22.3, abs=2.0)
    assert min(vega) < -20.0
