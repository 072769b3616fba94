"""Where sun, moon and stars stand over a place: directions in local east-north-up, without refraction.

Times are days since 2000-01-01 12:00 UT (J2000); see `days_since_j2000`. Sun: low-precision solar coordinates of the
Astronomical Almanac (page C5; within 0.01 deg between 1950 and 2050). Moon: the largest terms of ELP-2000/82 as printed
in J. Meeus, Astronomical Algorithms, 2nd edition, chapter 47, with the parallax of chapter 40 on a round Earth; within
0.03 deg of the JPL ephemerides between 1950 and 2050 (tests/test_ephemeris.py). Sidereal time: Greenwich mean sidereal
time of the Almanac.
"""

import datetime as dt
import math

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

TERRESTRIAL_AHEAD_S = 69.2  # TT - UT, seconds, around 2026
EARTH_KM = 6378.14

# Meeus, table 47.A: multiples of D, M, M', F; sine coefficient of the longitude in 1e-6 deg, cosine coefficient of the
# distance in 1e-3 km. Terms below 0.002 deg are left out.
_LONGITUDE = (
    (0, 0, 1, 0, 6288774, -20905355), (2, 0, -1, 0, 1274027, -3699111), (2, 0, 0, 0, 658314, -2955968),
    (0, 0, 2, 0, 213618, -569925), (0, 1, 0, 0, -185116, 48888), (0, 0, 0, 2, -114332, -3149),
    (2, 0, -2, 0, 58793, 246158), (2, -1, -1, 0, 57066, -152138), (2, 0, 1, 0, 53322, -170733),
    (2, -1, 0, 0, 45758, -204586), (0, 1, -1, 0, -40923, -129620), (1, 0, 0, 0, -34720, 108743),
    (0, 1, 1, 0, -30383, 104755), (2, 0, 0, -2, 15327, 10321), (0, 0, 1, 2, -12528, 0), (0, 0, 1, -2, 10980, 79661),
    (4, 0, -1, 0, 10675, -34782), (0, 0, 3, 0, 10034, -23210), (4, 0, -2, 0, 8548, -21636),
    (2, 1, -1, 0, -7888, 24208), (2, 1, 0, 0, -6766, 30824), (1, 0, -1, 0, -5163, -8379), (1, 1, 0, 0, 4987, -16675),
    (2, -1, 1, 0, 4036, -12831), (2, 0, 2, 0, 3994, -10445), (4, 0, 0, 0, 3861, -11650), (2, 0, -3, 0, 3665, 14403),
    (0, 1, -2, 0, -2689, -7003), (2, 0, -1, 2, -2602, 0), (2, -1, -2, 0, 2390, 10056), (1, 0, 1, 0, -2348, 6322),
    (2, -2, 0, 0, 2236, -9884),
)  # fmt: skip
# Meeus, table 47.B: multiples of D, M, M', F; sine coefficient of the latitude in 1e-6 deg.
_LATITUDE = (
    (0, 0, 0, 1, 5128122), (0, 0, 1, 1, 280602), (0, 0, 1, -1, 277693), (2, 0, 0, -1, 173237), (2, 0, -1, 1, 55413),
    (2, 0, -1, -1, 46271), (2, 0, 0, 1, 32573), (0, 0, 2, 1, 17198), (2, 0, 1, -1, 9266), (0, 0, 2, -1, 8822),
    (2, -1, 0, -1, 8216), (2, 0, -2, -1, 4324), (2, 0, 1, 1, 4200), (2, 1, 0, -1, -3359), (2, -1, -1, 1, 2463),
    (2, -1, 0, 1, 2211), (2, -1, -1, -1, 2065),
)  # fmt: skip


def days_since_j2000(date: dt.date, utc_s: float) -> float:
    """Days of universal time since 2000-01-01 12:00, of a date and seconds since its midnight (any number of them)."""
    return date.toordinal() - dt.date(2000, 1, 1).toordinal() - 0.5 + utc_s / 86400.0


def sidereal_angle(days: float, longitude_deg: float) -> float:
    """Local mean sidereal time as an angle in radians."""
    return math.radians(((18.697374558 + 24.06570982441908 * days) * 15.0 + longitude_deg) % 360.0)


def sun_direction(days: float, latitude_deg: float, longitude_deg: float) -> Vector:
    """Unit vector towards the sun's centre, (3,) float64 east, north, up."""
    ecliptic, obliquity = _sun_longitude(days), _obliquity(days)
    equatorial = (
        math.cos(ecliptic),
        math.cos(obliquity) * math.sin(ecliptic),
        math.sin(obliquity) * math.sin(ecliptic),
    )
    return horizontal_axes(days, latitude_deg, longitude_deg) @ np.array(equatorial)


def moon_direction(days: float, latitude_deg: float, longitude_deg: float) -> Vector:
    """Unit vector towards the moon's centre as seen from the place, (3,) float64 east, north, up."""
    longitude, latitude, distance = _moon_ecliptic(days)
    obliquity = _obliquity(days)
    x = math.cos(latitude) * math.cos(longitude)
    y, z = math.cos(latitude) * math.sin(longitude), math.sin(latitude)
    equatorial = np.array(
        (x, math.cos(obliquity) * y - math.sin(obliquity) * z, math.sin(obliquity) * y + math.cos(obliquity) * z)
    )
    seen = horizontal_axes(days, latitude_deg, longitude_deg) @ equatorial * distance
    seen[2] -= EARTH_KM
    return np.asarray(seen / math.sqrt(float(seen @ seen)))


def moon_phase(days: float) -> float:
    """How far the moon is through its phases: 0 new, 0.25 first quarter, 0.5 full, 0.75 last quarter."""
    return ((_moon_ecliptic(days)[0] - _sun_longitude(days)) / (2.0 * math.pi)) % 1.0


def moon_illumination(days: float) -> float:
    """Lit share of the moon's disc, 0 to 1 (Meeus, chapter 48, with the angle at the moon taken as that at Earth)."""
    longitude, latitude, _ = _moon_ecliptic(days)
    return 0.5 * (1.0 - math.cos(latitude) * math.cos(longitude - _sun_longitude(days)))


def horizontal_axes(days: float, latitude_deg: float, longitude_deg: float) -> Vector:
    """(3, 3) float64 rows east, north, up: equatorial coordinates (x to the equinox, z to the pole) to local ones."""
    angle, latitude = sidereal_angle(days, longitude_deg), math.radians(latitude_deg)
    s, c, sl, cl = math.sin(angle), math.cos(angle), math.sin(latitude), math.cos(latitude)
    return np.array([[-s, c, 0.0], [-sl * c, -sl * s, cl], [cl * c, cl * s, sl]])


def _sun_longitude(days: float) -> float:
    anomaly = math.radians((357.528 + 0.9856003 * days) % 360.0)
    return math.radians(
        (280.460 + 0.9856474 * days) % 360.0 + 1.915 * math.sin(anomaly) + 0.020 * math.sin(2 * anomaly)
    )


def _obliquity(days: float) -> float:
    return math.radians(23.439 - 0.0000004 * days)


def _moon_ecliptic(days: float) -> tuple[float, float, float]:
    """Geocentric ecliptic longitude and latitude of date in radians, and the distance in km."""
    t = (days + TERRESTRIAL_AHEAD_S / 86400.0) / 36525.0
    mean = math.radians((218.3164477 + 481267.88123421 * t) % 360.0)
    d = math.radians((297.8501921 + 445267.1114034 * t) % 360.0)
    m = math.radians((357.5291092 + 35999.0502909 * t) % 360.0)
    mp = math.radians((134.9633964 + 477198.8675055 * t) % 360.0)
    f = math.radians((93.2720950 + 483202.0175233 * t) % 360.0)
    a1, a3 = math.radians((119.75 + 131.849 * t) % 360.0), math.radians((313.45 + 481266.484 * t) % 360.0)
    a2 = math.radians((53.09 + 479264.290 * t) % 360.0)
    flattening = 1.0 - 0.002516 * t  # E: terms with the sun's anomaly shrink with the Earth's eccentricity
    longitude = 3958.0 * math.sin(a1) + 1962.0 * math.sin(mean - f) + 318.0 * math.sin(a2)
    distance = 0.0
    for nd, nm, nmp, nf, sine, cosine in _LONGITUDE:
        weight, angle = flattening ** abs(nm), nd * d + nm * m + nmp * mp + nf * f
        longitude += weight * sine * math.sin(angle)
        distance += weight * cosine * math.cos(angle)
    latitude = (
        -2235.0 * math.sin(mean) + 382.0 * math.sin(a3) + 175.0 * (math.sin(a1 - f) + math.sin(a1 + f))
        + 127.0 * math.sin(mean - mp) - 115.0 * math.sin(mean + mp)
    )  # fmt: skip
    for nd, nm, nmp, nf, sine in _LATITUDE:
        latitude += flattening ** abs(nm) * sine * math.sin(nd * d + nm * m + nmp * mp + nf * f)
    return mean + math.radians(longitude * 1e-6), math.radians(latitude * 1e-6), 385000.56 + distance * 1e-3
