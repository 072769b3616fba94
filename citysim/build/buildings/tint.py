"""Colours: sRGB strings to the linear multipliers that vertices carry."""

import math

from citysim.build.buildings.batch import Rgba

NAMED = {
    "white": "#e6e4de", "black": "#33332f", "grey": "#8f8f8c", "gray": "#8f8f8c", "red": "#a5523a",
    "brown": "#7a5a44", "beige": "#d8c7a5", "yellow": "#d9c07c", "green": "#7f9277", "blue": "#8397a8",
    "orange": "#c98a5a", "pink": "#d9a893", "lightgrey": "#c4c4c0", "darkgrey": "#5c5c5a", "cream": "#e5dcc3",
}  # fmt: skip


def parse(color: str) -> tuple[int, int, int] | None:
    """(r, g, b) 0-255 of "#rgb", "#rrggbb" or a common name; None for anything else."""
    text = NAMED.get(color.strip().lower().replace(" ", ""), color.strip().lower())
    if text.startswith("#"):
        text = text[1:]
        if len(text) == 3:
            text = "".join(c + c for c in text)
        if len(text) == 6:
            try:
                return int(text[0:2], 16), int(text[2:4], 16), int(text[4:6], 16)
            except ValueError:
                return None
    return None


def linear(value: float) -> float:
    """An sRGB component 0-255 as linear light 0-1 (IEC 61966-2-1)."""
    v = value / 255.0
    return v / 12.92 if v <= 0.04045 else math.pow((v + 0.055) / 1.055, 2.4)


def over(color: str, base: str, value: float = 1.0, vivid: float = 0.55) -> Rgba:
    """The vertex colour that turns a texture whose mean is `base` into `color`, times `value`.

    `vivid` is the saturation (max - min) / max that the colour may have: signs stay the most saturated things.
    """
    wanted, given = parse(color), parse(base)
    if wanted is None or given is None:
        return (255, 255, 255, 255)
    ratios = [linear(w) / max(linear(g), 1e-3) for w, g in zip(_mild(wanted, vivid), given, strict=True)]
    # Windows wear the same tint: a strong one would colour their glass.
    ratios = [max(r, 0.5 * max(ratios)) for r in ratios]
    red, green, blue = (max(8, min(255, round(255.0 * value * r))) for r in ratios)
    return (red, green, blue, 255)


def _mild(rgb: tuple[int, int, int], most: float) -> tuple[float, float, float]:
    """Pull a colour towards grey until (max - min) / max is at most `most`."""
    high, low = max(rgb), min(rgb)
    if high == 0:
        return (25.0, 25.0, 25.0)
    floor = high * (1.0 - most)
    if low >= floor:
        return (float(rgb[0]), float(rgb[1]), float(rgb[2]))
    red, green, blue = (high - (high - c) * (high - floor) / (high - low) for c in rgb)
    return (red, green, blue)
