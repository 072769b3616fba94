"""The fixed stars: the brightest ones by catalogue, fainter ones by lot."""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

# Right ascension in hours, declination in degrees (J2000), visual magnitude: Yale Bright Star Catalogue, rounded.
BRIGHT = (
    (6.752, -16.72, -1.46), (6.399, -52.70, -0.74), (14.261, 19.18, -0.05), (14.660, -60.83, -0.27),
    (18.616, 38.78, 0.03), (5.278, 46.00, 0.08), (5.242, -8.20, 0.13), (7.655, 5.23, 0.34), (1.629, -57.24, 0.46),
    (5.919, 7.41, 0.50), (14.064, -60.37, 0.61), (19.846, 8.87, 0.76), (12.443, -63.10, 0.76), (4.599, 16.51, 0.86),
    (16.490, -26.43, 0.96), (13.420, -11.16, 0.97), (7.755, 28.03, 1.14), (22.961, -29.62, 1.16), (20.690, 45.28, 1.25),
    (12.795, -59.69, 1.25), (10.140, 11.97, 1.39), (6.977, -28.97, 1.50), (7.577, 31.89, 1.58), (17.560, -37.10, 1.62),
    (12.519, -57.11, 1.63), (5.419, 6.35, 1.64), (5.438, 28.61, 1.65), (5.604, -1.20, 1.69), (5.679, -1.94, 1.77),
    (12.900, 55.96, 1.77), (11.062, 61.75, 1.79), (3.405, 49.86, 1.79), (13.792, 49.31, 1.86), (2.530, 89.26, 1.98),
    (9.460, -8.66, 1.98), (2.120, 23.46, 2.00), (13.399, 54.93, 2.04), (0.140, 29.09, 2.06), (17.582, 12.56, 2.08),
    (14.845, 74.16, 2.08), (5.796, -9.67, 2.09), (11.818, 14.57, 2.13), (5.533, -0.30, 2.23), (0.675, 56.54, 2.23),
    (20.370, 40.26, 2.23), (17.943, 51.49, 2.23), (0.153, 59.15, 2.27), (11.031, 56.38, 2.37), (11.897, 53.70, 2.44),
    (0.945, 60.72, 2.47), (1.430, 60.24, 2.68), (19.512, 27.96, 3.05), (12.257, 57.03, 3.31),
)  # fmt: skip
FAINT = 1100


@lru_cache(maxsize=1)
def star_table() -> NDArray[np.float64]:
    """(N, 6) float64: unit vector in equatorial axes (x to the equinox, z to the pole), then light r, g, b, 1 = Vega.

    The faint ones are evenly spread over the sphere; how many there are grows by 2.6 a magnitude, as in the sky.
    """
    rows = [(*_vector(math.radians(15.0 * h), math.radians(d)), *_light(m, k)) for k, (h, d, m) in enumerate(BRIGHT)]
    for k in range(FAINT):
        a, z, m, tint = (_unit(4 * k + n) for n in range(4))
        flat = math.sqrt(1.0 - (2.0 * z - 1.0) ** 2)
        angle = 2.0 * math.pi * a
        magnitude = 2.6 + 2.4 * math.sqrt(m)
        rows.append((flat * math.cos(angle), flat * math.sin(angle), 2.0 * z - 1.0, *_light(magnitude, int(tint * 64))))
    table = np.round(np.array(rows) * 2.0**36) / 2.0**36
    table.setflags(write=False)
    return table


def _vector(ascension: float, declination: float) -> tuple[float, float, float]:
    flat = math.cos(declination)
    return flat * math.cos(ascension), flat * math.sin(ascension), math.sin(declination)


def _light(magnitude: float, number: int) -> tuple[float, float, float]:
    light = 10.0 ** (-0.4 * magnitude)
    tints = ((1.0, 1.0, 1.0), (0.86, 0.92, 1.0), (1.0, 0.93, 0.80), (0.92, 0.95, 1.0), (1.0, 0.86, 0.70))
    r, g, b = tints[number % len(tints)]
    return light * r, light * g, light * b


def _unit(number: int) -> float:
    """A hash in [0, 1)."""
    h = (number * 0x9E3779B1 + 0x85EBCA77) & 0xFFFFFFFF
    for multiplier, shift in ((0x85EBCA6B, 16), (0xC2B2AE35, 13)):
        h = ((h ^ (h >> shift)) * multiplier) & 0xFFFFFFFF
    return (h ^ (h >> 16)) / 4294967296.0
