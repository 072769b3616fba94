"""Atmosphere: what sky and air look like, as plain numbers that both renderers read.

All colours are linear light, where 1 is the brightest white of a screen. A surface of linear albedo `a` and unit normal
`n` shows

    a * (sun_color * max(0, n . light_direction) * visible + sky_ambient * (1 + n_z) / 2
         + ground_ambient * (1 - n_z) / 2 + bounce * (1 + n_xy . light_xy) / 2)

and a distance d away (1 - f) of that plus f * fog_color, f = 1 - exp(-fog_density * d).
"""

import math
from dataclasses import dataclass

from citysim.conditions import Conditions

Rgb = tuple[float, float, float]

# Sun elevation in degrees, then: sun colour, zenith, horizon, sky ambient, night factor.
_KEYS: tuple[tuple[float, Rgb, Rgb, Rgb, Rgb, float], ...] = (
    (-14.0, (0.020, 0.026, 0.044), (0.004, 0.007, 0.018), (0.020, 0.022, 0.034), (0.024, 0.029, 0.046), 1.0),
    (-7.0, (0.020, 0.026, 0.044), (0.012, 0.022, 0.058), (0.090, 0.070, 0.085), (0.048, 0.056, 0.088), 0.9),
    (-2.0, (0.030, 0.020, 0.020), (0.040, 0.080, 0.190), (0.380, 0.240, 0.180), (0.110, 0.120, 0.180), 0.6),
    (1.0, (0.300, 0.120, 0.040), (0.070, 0.140, 0.310), (0.620, 0.380, 0.230), (0.170, 0.180, 0.240), 0.35),
    (6.0, (0.700, 0.420, 0.200), (0.110, 0.220, 0.460), (0.680, 0.560, 0.440), (0.250, 0.270, 0.340), 0.0),
    (15.0, (1.080, 0.860, 0.580), (0.130, 0.280, 0.580), (0.640, 0.690, 0.720), (0.265, 0.310, 0.385), 0.0),
    (35.0, (1.220, 1.100, 0.880), (0.120, 0.290, 0.640), (0.600, 0.730, 0.850), (0.255, 0.315, 0.405), 0.0),
    (90.0, (1.250, 1.160, 0.970), (0.120, 0.295, 0.660), (0.590, 0.730, 0.860), (0.255, 0.325, 0.415), 0.0),
)

# Weather: cloud cover 0..1, share of the sun that gets through, brightness of the sky, fog density per metre.
_WEATHER: dict[str, tuple[float, float, float, float]] = {
    "sunny": (0.00, 1.00, 1.00, 0.00022),
    "partly_cloudy": (0.25, 0.90, 1.02, 0.00030),
    "cloudy": (0.60, 0.45, 1.00, 0.0007),
    "overcast": (0.95, 0.08, 0.88, 0.0011),
    "rainy": (1.00, 0.04, 0.70, 0.0030),
    "thunderstorm": (1.00, 0.01, 0.46, 0.0042),
    "fog": (1.00, 0.05, 0.92, 0.0260),
}
_LAMPS: Rgb = (0.060, 0.044, 0.026)  # light of the street lamps of a whole city, at full night


@dataclass(frozen=True, slots=True)
class Atmosphere:
    """Light, sky and air of one moment.

    `light_direction` is the unit vector towards the sun, or towards the moon at night, local east-north-up;
    `night` is 0 by day and 1 in full night; `emissive_gain` scales emissive materials, `unlit_gain` unlit ones;
    `glow_color` is the halo around the sun; `fog_density` is per metre.
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

    @classmethod
    def of(cls, conditions: Conditions) -> "Atmosphere":
        """The atmosphere of a clock time, place and weather."""
        east, north, up = (float(c) for c in conditions.sun_direction)
        elevation = math.degrees(math.asin(max(-1.0, min(1.0, up))))
        sun, zenith, horizon, ambient, night = _by_elevation(elevation)
        cover, through, brightness, density = _WEATHER[conditions.weather]
        grey = 0.30 * horizon[0] + 0.45 * horizon[1] + 0.25 * horizon[2]
        cloud = (grey * 0.98, grey, grey * 1.03)
        zenith = _scale(_mix(zenith, _scale(cloud, 0.85), cover), brightness)
        horizon = _scale(_mix(horizon, cloud, cover), brightness)
        mean = sum(ambient) / 3.0
        lit_clouds = 0.26 * cover * (1.0 - through) * sum(sun) / 3.0
        ambient = _scale(_mix(ambient, (mean * 0.98, mean, mean * 1.04), cover), brightness)
        ambient = (ambient[0] + lit_clouds, ambient[1] + lit_clouds, ambient[2] + lit_clouds)
        lamps = _scale(_LAMPS, night)
        ambient = _add(ambient, lamps)
        horizon = _add(horizon, _scale(_LAMPS, 0.35 * night))
        sun = _scale(sun, through)
        direct = sum(sun) / 3.0 * max(up, 0.0)
        ground = _add(_scale(ambient, 0.36), _scale((0.30, 0.27, 0.22), direct))
        light = (east, north, up)
        if up < 0.02:  # the moon stands in: opposite the sun and never low, so that night streets keep some form
            light = _unit((-east, -north, max(-up, 0.6))) if elevation < -4.0 else _unit((east, north, 0.02))
        day = min(1.0, mean / 0.32) * brightness
        return cls(
            light_direction=light,
            sun_color=sun,
            sky_ambient=ambient,
            ground_ambient=ground,
            bounce=_scale(_mix(sun, horizon, 0.5), 0.16),
            zenith_color=zenith,
            horizon_color=horizon,
            fog_color=horizon,
            fog_density=density,
            night=night,
            emissive_gain=0.15 + 0.85 * night,
            unlit_gain=_mix((0.10, 0.11, 0.15), (1.0, 1.0, 1.0), day),
            glow_color=_scale(sun, 0.8 - 0.7 * cover) if elevation > -3.0 else (0.0, 0.0, 0.0),
        )

    def sky_at(self, sine: float) -> Rgb:
        """Linear colour of the clear sky, without the sun, at a sine of elevation in [-1, 1]."""
        if sine <= 0.0:
            return self.horizon_color
        rise = 1.0 - math.pow(1.0 - sine, 4.0)
        return _mix(self.horizon_color, self.zenith_color, 0.9 * rise + 0.1 * sine)


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


def _mix(a: Rgb, b: Rgb, t: float) -> Rgb:
    return (a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t)


def _scale(a: Rgb, k: float) -> Rgb:
    return (a[0] * k, a[1] * k, a[2] * k)


def _add(a: Rgb, b: Rgb) -> Rgb:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def _unit(a: Rgb) -> Rgb:
    length = math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    return _scale(a, 1.0 / length)
