"""Reading the values of OpenStreetMap tags: mappers write "3,5", "3.5 m", "10'", "2;3" and worse."""

import re
from collections.abc import Mapping

from PIL import ImageColor

Tags = Mapping[str, str]

_NUMBER = r"[-+]?\d+(?:[.,]\d+)?"
_METRES = re.compile(rf"^~?\s*({_NUMBER})\s*(m|meters?|metres?|cm|km|ft|feet|foot)?\.?$", re.IGNORECASE)
_FEET = re.compile(r"^(\d+(?:[.,]\d+)?)\s*(?:'|ft|feet)\s*(?:(\d+(?:[.,]\d+)?)\s*(?:\"|''|in)?)?$", re.IGNORECASE)
_SCALE = {"": 1.0, "m": 1.0, "cm": 0.01, "km": 1000.0, "ft": 0.3048, "fe": 0.3048, "fo": 0.3048, "me": 1.0}
_COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
NEGATIVE = frozenset({"", "no", "none", "0", "false"})


def first_value(value: str) -> str:
    """The first of semicolon-separated values, stripped: "deli; kitchen" -> "deli"."""
    return value.split(";", 1)[0].strip()


def metres(value: str | None, *, low: float = 0.0, high: float = 1000.0) -> float | None:
    """A length in metres, or None where the text is no length or is outside [low, high].

    Understands decimal commas, the units m, cm, km, ft, feet and inches (5'6") and takes the first of several values.
    """
    if value is None:
        return None
    text = first_value(value)
    feet = _FEET.match(text)
    plain = _METRES.match(text)
    if plain is not None:
        length = float(plain[1].replace(",", ".")) * _SCALE[(plain[2] or "").lower()[:2]]
    elif feet is not None:
        length = float(feet[1].replace(",", ".")) * 0.3048 + float((feet[2] or "0").replace(",", ".")) * 0.0254
    else:
        return None
    return length if low <= length <= high else None


def number(value: str | None) -> float | None:
    """A plain number ("3.5", "3,5"; the first of several), or None."""
    if value is None:
        return None
    text = first_value(value)
    return float(text.replace(",", ".")) if re.fullmatch(_NUMBER, text) else None


def integer(value: str | None, default: int = 0) -> int:
    """A whole number within +-1000 (fractions are rounded down), or `default`."""
    found = number(value)
    return default if found is None or abs(found) > 1000 else int(found // 1)


def is_yes(value: str | None) -> bool:
    """True for anything but an absent or negative value."""
    return value is not None and value.strip().lower() not in NEGATIVE


def levels_of(value: str | None) -> int:
    """The storey of a `level` tag: 0 is the ground floor; of "0;1", "-1;0" or "2-3" the one nearest the ground."""
    found: list[int] = []
    for part in (value or "").split(";"):
        span = re.fullmatch(r"\s*(-?\d+)(?:\.\d+)?\s*(?:-\s*(-?\d+)(?:\.\d+)?)?\s*", part)
        if span:
            found += [int(span[1])] + ([int(span[2])] if span[2] else [])
    return min(found, key=lambda level: (abs(level), level)) if found else 0


def heading(value: str | None) -> float | None:
    """A `direction` in degrees clockwise from north ("NE", "236", "236 deg"), or None."""
    if value is None:
        return None
    text = first_value(value).upper()
    if text in _COMPASS:
        return _COMPASS.index(text) * 22.5
    found = number(text.rstrip("°").removesuffix("DEG").strip())
    return None if found is None else found % 360.0


def colour(value: str | None) -> str:
    """A colour as "#rrggbb" ("" where absent or unknown): hex of 3 or 6 digits or a CSS name."""
    if not value:
        return ""
    text = first_value(value).lower().replace(" ", "").replace("_", "")
    if text == "silver":  # CSS silver is darker than painted metal in daylight, but a mapper's word is kept
        return "#c0c0c0"
    try:
        red, green, blue = ImageColor.getrgb(text)[:3]
    except (ValueError, IndexError):
        return ""
    return f"#{red:02x}{green:02x}{blue:02x}"
