"""Colours: from "#rrggbb" as painters write them to the linear bytes that vertex colours are."""

from functools import cache


@cache
def linear(color: str) -> tuple[int, int, int]:
    """Map "#rrggbb" (sRGB) to linear components 0-255, by the sRGB transfer function of IEC 61966-2-1."""
    out = []
    for i in (1, 3, 5):
        value = int(color[i : i + 2], 16) / 255.0
        value = value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        out.append(round(value * 255.0))
    return out[0], out[1], out[2]
