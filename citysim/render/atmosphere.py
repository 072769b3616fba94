"""Atmosphere: what sky and air look like, as plain numbers that both renderers read.

All colours are linear light, where 1 is the brightest white of a screen. A surface of linear albedo `a` and unit normal
`n` shows

    a * (sun_color * max(0, n . light_direction) * visible + sky_ambient * (1 + n_z) / 2
         + ground_ambient * (1 - n_z) / 2 + bounce * (1 + n_xy . light_xy) / 2)

and a distance d away (1 - f) of that plus f * fog_color, f = 1 - exp(-haze * d), see `Atmosphere.haze_at`.
docs/decisions.md, "Night and weather", has the formulas of lamps, windows, wet ground, haze and clouds.
"""

import dataclasses
import math
import operator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim import ephemeris
from citysim.conditions import Conditions

Rgb = tuple[float, float, float]

# Sun elevation in degrees, then: sun colour, zenith, horizon, sky ambient, night factor.
_KEYS: tuple[tuple[float, Rgb, Rgb, Rgb, Rgb, float], ...] = (
    (-14.0, (0.000, 0.000, 0.000), (0.0030, 0.0052, 0.0140), (0.0120, 0.0150, 0.0250), (0.014, 0.019, 0.034), 1.0),
    (-10.5, (0.000, 0.000, 0.000), (0.013, 0.028, 0.078), (0.056, 0.058, 0.094), (0.042, 0.056, 0.102), 0.93),
    (-7.0, (0.000, 0.000, 0.000), (0.038, 0.085, 0.210), (0.230, 0.165, 0.190), (0.102, 0.127, 0.208), 0.8),
    (-3.0, (0.010, 0.004, 0.002), (0.044, 0.098, 0.235), (0.430, 0.250, 0.195), (0.140, 0.158, 0.236), 0.6),
    (0.0, (0.170, 0.060, 0.018), (0.070, 0.142, 0.315), (0.720, 0.385, 0.205), (0.205, 0.208, 0.270), 0.3),
    (2.0, (0.420, 0.180, 0.062), (0.090, 0.180, 0.375), (0.760, 0.470, 0.275), (0.235, 0.238, 0.295), 0.1),
    (6.0, (0.780, 0.450, 0.200), (0.110, 0.220, 0.460), (0.690, 0.560, 0.430), (0.250, 0.268, 0.335), 0.0),
    (15.0, (1.080, 0.860, 0.580), (0.130, 0.280, 0.580), (0.640, 0.690, 0.720), (0.265, 0.310, 0.385), 0.0),
    (35.0, (1.220, 1.100, 0.880), (0.120, 0.290, 0.640), (0.600, 0.730, 0.850), (0.255, 0.315, 0.405), 0.0),
    (90.0, (1.250, 1.160, 0.970), (0.120, 0.295, 0.660), (0.590, 0.730, 0.860), (0.255, 0.325, 0.415), 0.0),
)


@dataclass(frozen=True, slots=True)
class _Weather:
    """Cloud cover, share of the sun that gets through, brightness of the sky, fog a metre, metres over which fog thins
    to 1/e, intensity of rain, how wet the ground is; all but fog and its height from 0 to 1.
    """

    cover: float
    through: float
    brightness: float
    fog: float
    height: float
    rain: float = 0.0
    wet: float = 0.0


_WEATHER = {
    "sunny": _Weather(0.00, 1.00, 1.00, 0.00022, 160.0),
    "partly_cloudy": _Weather(0.34, 0.90, 1.02, 0.00030, 160.0),
    "cloudy": _Weather(0.68, 0.45, 1.00, 0.0006, 160.0),
    "overcast": _Weather(1.00, 0.08, 0.86, 0.0010, 160.0),
    "rainy": _Weather(1.00, 0.03, 0.66, 0.0040, 180.0, 0.65, 1.0),
    "thunderstorm": _Weather(1.00, 0.01, 0.27, 0.0060, 180.0, 1.00, 1.0),
    "fog": _Weather(1.00, 0.05, 0.92, 0.0280, 70.0),
}
_CITY_GLOW: Rgb = (0.017, 0.016, 0.016)  # what all lamps of a city together send back from the air, at full night
_MOONLIGHT: Rgb = (0.030, 0.036, 0.050)  # full moon at the zenith, as a film would show it
_SUNSET: Rgb = (1.15, 0.44, 0.13)  # the halo of the sun at the horizon
_ROOM: Rgb = (1.00, 0.66, 0.34)  # a warm lit room seen through its window
MOMENT_S = 10.0
WIND: tuple[float, float] = (9.0, 4.0)  # metres a second that clouds drift east and north


@dataclass(frozen=True, slots=True)
class Atmosphere:
    """Light, sky and air of one moment.

    `light_direction` is the unit vector towards the sun, or towards the moon at night (high where neither is up),
    `sun_direction` and `moon_direction` where they really stand, local east-north-up; `star_axes` are the rows east,
    north, up of `ephemeris.horizontal_axes`. `night` is 0 by day and 1 in full night; `emissive_gain` scales emissive
    materials, `unlit_gain` unlit ones; `glow_color` is the halo around the sun, `sun_disc` how
    much brighter its disc is; `fog_density` is per metre at height 0 and falls by 1/e over `fog_height` metres.
    `lamp_light` is how far lamps are on, `room_share` the share of windows with light in `room_color`, `sign_gain` the
    strength of what glows in its own colours. `cloud_cover`, `rain`, `wet`,
    `stars` and `moon_light` (lit share of its disc) go from 0 to 1; `cloud_color` is a cloud's sunny side,
    `cloud_shade` its base.
    """

    light_direction: Rgb
    sun_color: Rgb
    sky_ambient: Rgb
    ground_ambient: Rgb
    bounce: Rgb
    zenith_color: Rgb
    horizon_color: Rgb
    fog_color: Rgb
    fog_density: float
    night: float
    emissive_gain: float
    unlit_gain: Rgb
    glow_color: Rgb
    sun_disc: float
    sun_direction: Rgb
    moon_direction: Rgb
    star_axes: tuple[Rgb, Rgb, Rgb]
    moon_light: float
    stars: float
    fog_height: float
    lamp_light: float
    room_share: float
    room_color: Rgb
    sign_gain: float
    cloud_cover: float
    cloud_color: Rgb
    cloud_shade: Rgb
    rain: float
    wet: float

    @classmethod
    def of(cls, conditions: Conditions) -> "Atmosphere":
        """The atmosphere of a clock time, place and weather."""
        days, latitude, longitude = conditions.days, conditions.latitude_deg, conditions.longitude_deg
        towards_sun, towards_moon = _rounded(conditions.sun_direction), _rounded(conditions.moon_direction)
        moon_light = ephemeris.moon_illumination(days)
        up = towards_sun[2]
        elevation = math.degrees(math.asin(max(-1.0, min(1.0, up))))
        sun, zenith, horizon, ambient, night = _by_elevation(elevation)
        weather = _WEATHER[conditions.weather]
        cover, through, brightness = weather.cover, weather.through, weather.brightness
        grey = 0.30 * horizon[0] + 0.45 * horizon[1] + 0.25 * horizon[2]
        blue = _ramp(elevation, 3.0, -5.0) * _ramp(elevation, -14.0, -8.0)  # the blue hour, under clouds too
        cloud = (grey * (0.98 - 0.26 * blue), grey * (1.0 - 0.06 * blue), grey * (1.03 + 0.34 * blue))
        veil = cover * cover  # how far clouds dye what shines between them
        zenith = _scale(_mix(zenith, _scale(cloud, 0.85), veil), brightness)
        horizon = _scale(_mix(horizon, cloud, 0.9 * veil), brightness)
        mean = sum(ambient) / 3.0
        lit_clouds = 0.26 * cover * (1.0 - through) * sum(sun) / 3.0
        ambient = _scale(_mix(ambient, _mix((mean * 0.98, mean, mean * 1.04), ambient, 0.75 * blue), cover), brightness)
        ambient = (ambient[0] + lit_clouds, ambient[1] + lit_clouds, ambient[2] + lit_clouds)
        lamp_light = _ramp(elevation, 1.5, -3.5)
        dazzle = 1.0 - 0.45 * _ramp(elevation, -13.0, -5.0)  # lamps that are on outshine a bright sky less
        glow = _scale(_CITY_GLOW, night * (1.0 + 0.4 * cover))  # low clouds are lit from below
        ambient = _add(ambient, glow)
        horizon = _add(horizon, _scale(glow, 0.9))
        zenith = _add(zenith, _scale(glow, 0.25 + 0.5 * cover))
        moon_up = _ramp(towards_moon[2], 0.02, 0.12) * _ramp(elevation, -4.0, -9.0)
        light = towards_sun if up >= 0.02 else _unit((towards_sun[0], towards_sun[1], 0.02))
        if elevation < -4.0:
            light = towards_moon if towards_moon[2] > 0.02 else (0.36, 0.48, 0.8)
            sun = _scale(_MOONLIGHT, moon_up * moon_light)
        sun = _scale(sun, through)
        direct = sum(sun) / 3.0 * max(up, 0.0)
        ground = _add(_scale(ambient, 0.36), _scale((0.30, 0.27, 0.22), direct))
        day = min(1.0, mean / 0.32) * brightness
        sunset = _ramp(elevation, -4.0, -1.5) * _ramp(elevation, 9.0, 1.0)
        low_sun = _ramp(elevation, -4.0, 2.0)
        sunny_side = _add(_scale(_mix(horizon, ambient, 0.5), 0.9), _scale(sun, 0.42 * low_sun + 0.1))
        return cls(
            light_direction=light,
            sun_color=sun,
            sky_ambient=ambient,
            ground_ambient=ground,
            bounce=_scale(_mix(sun, horizon, 0.5), 0.16),
            zenith_color=zenith,
            horizon_color=horizon,
            fog_color=_add(horizon, _scale(glow, min(50.0 * weather.fog, 1.6))),  # lamps light the haze
            fog_density=weather.fog,
            night=night,
            emissive_gain=0.15 + 0.85 * lamp_light,
            unlit_gain=_mix((0.10, 0.11, 0.15), (1.0, 1.0, 1.0), day),
            glow_color=_scale(_add(_scale(sun, 0.8), _scale(_SUNSET, sunset)), 1.0 - 0.87 * cover),
            sun_disc=6.0 * _ramp(elevation, -0.8, 0.2),
            sun_direction=towards_sun,
            moon_direction=towards_moon,
            star_axes=_rows(ephemeris.horizontal_axes(days, latitude, longitude)),
            moon_light=moon_light,
            stars=_ramp(elevation, -5.0, -13.0) * (1.0 - veil),
            fog_height=weather.height,
            lamp_light=lamp_light * dazzle,
            room_share=_lit_rooms(conditions.clock_s),
            room_color=_scale(_ROOM, 0.75 * lamp_light),
            sign_gain=1.05 * lamp_light,
            cloud_cover=cover,
            cloud_color=sunny_side,
            cloud_shade=_scale(_mix(horizon, zenith, 0.45), 0.92 - 0.3 * veil),
            rain=weather.rain,
            wet=weather.wet,
        )

    def haze_at(self, up: float) -> tuple[float, float]:
        """Fog a metre at an eye `up` metres high, and what rays down to the ground meet more of it, as a factor.

        Density falls as exp(-z / fog_height). A ray that rises by s a metre of depth meets no more than fog_height / s
        metres' worth of it; one that falls meets 1 + (factor - 1) * |s| / (|s| + 0.15) times as much a metre, where the
        factor is the mean density between ground and eye over that at the eye.
        """
        high = min(max(up, 0.0), 20.0 * self.fog_height) / self.fog_height
        below = 1.0 if high < 1e-6 else math.expm1(high) / high
        return round(self.fog_density * math.exp(-high), 14), round(below, 9)

    def clear_at(self, sine: float) -> float:
        """Share of what lies beyond the haze that is seen at a sine of elevation, from the ground."""
        return math.exp(-self.fog_density * self.fog_height / sine) if sine > 1e-4 else 0.0

    def sky_at(self, sine: float) -> Rgb:
        """Linear colour of the cloudless sky, without the sun, at a sine of elevation in [-1, 1]."""
        if sine <= 0.0:
            return self.fog_color
        rise = 1.0 - math.pow(1.0 - sine, 4.0)
        color = _mix(self.horizon_color, self.zenith_color, 0.9 * rise + 0.1 * sine)
        return _mix(self.fog_color, color, self.clear_at(sine))


def moment_of(conditions: Conditions) -> Conditions:
    """The same with the clock put back to a whole `MOMENT_S`: light changes too slowly to be made anew for less.

    Renderers take the light of this moment; what moves (clouds, rain) they take from the clock itself.
    """
    return dataclasses.replace(conditions, clock_s=conditions.clock_s // MOMENT_S * MOMENT_S)


def same_moment(moment: Conditions, conditions: Conditions) -> bool:
    """Whether `moment_of` these conditions is that moment, found out without making it."""
    return conditions.clock_s // MOMENT_S * MOMENT_S == moment.clock_s and _still(conditions) == _still(moment)


_still = operator.attrgetter(*(field.name for field in dataclasses.fields(Conditions) if field.name != "clock_s"))


def _by_elevation(degrees: float) -> tuple[Rgb, Rgb, Rgb, Rgb, float]:
    """The presets at a sun elevation, linear between keys."""
    low = _KEYS[0]
    for high in _KEYS:
        if degrees <= high[0]:
            break
        low = high
    span = high[0] - low[0]
    t = 0.0 if span <= 0.0 else min(max((degrees - low[0]) / span, 0.0), 1.0)
    return (
        _mix(low[1], high[1], t),
        _mix(low[2], high[2], t),
        _mix(low[3], high[3], t),
        _mix(low[4], high[4], t),
        low[5] + (high[5] - low[5]) * t,
    )


def _lit_rooms(clock_s: float) -> float:
    """Share of windows with light in them, by local time: people come home, and go to bed."""
    hour = clock_s / 3600.0 % 24.0
    last = _ROOMS[0]
    for at in _ROOMS:
        if hour < at[0]:
            return last[1] + (at[1] - last[1]) * (hour - last[0]) / (at[0] - last[0])
        last = at
    return last[1]


_ROOMS = ((0.0, 0.26), (2.0, 0.08), (5.0, 0.08), (7.0, 0.32), (9.0, 0.2), (16.0, 0.22), (18.5, 0.45), (21.0, 0.55),
          (22.5, 0.48), (24.0, 0.26))  # fmt: skip


def _ramp(value: float, start: float, end: float) -> float:
    """0 at `start`, 1 at `end` and beyond, smooth between."""
    t = min(max((value - start) / (end - start), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def _rounded(vector: NDArray[np.float64]) -> Rgb:
    """As plain numbers on a 2^-36 lattice, so that another libm's last bit moves no pixel."""
    x, y, z = (round(float(v) * 2.0**36) / 2.0**36 for v in vector)
    return (x, y, z)


def _rows(matrix: NDArray[np.float64]) -> tuple[Rgb, Rgb, Rgb]:
    return (_rounded(matrix[0]), _rounded(matrix[1]), _rounded(matrix[2]))


def _mix(a: Rgb, b: Rgb, t: float) -> Rgb:
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)


def _scale(a: Rgb, k: float) -> Rgb:
    return (a[0] * k, a[1] * k, a[2] * k)


def _add(a: Rgb, b: Rgb) -> Rgb:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _unit(a: Rgb) -> Rgb:
    length = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    return _scale(a, 1.0 / length)
