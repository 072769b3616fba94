"""JSON from files that somebody may have edited or damaged: read strictly, checked value by value."""

import json
import math
from typing import Any

LARGEST = 10**300
"""Integers beyond this are in no file of ours, and overflow when they meet floats."""


def strict_json(text: str | bytes) -> Any:
    """JSON without NaN, infinities, numbers beyond them and endless nesting; raises ValueError for anything else."""
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_float, parse_int=_int)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def is_number(value: object) -> bool:
    """Whether a value is a finite number (true and false are none)."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer beyond every float
        return False


def number(value: object) -> float:
    """A finite number as a float; raises ValueError for anything else, text included."""
    if isinstance(value, int | float) and is_number(value):
        return float(value)
    raise ValueError(f"{value!r:.40} is no finite number")


def is_whole(value: object) -> bool:
    """Whether a value is an integer (true and false are none)."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Whether a value is text that UTF-8 can hold: JSON can spell lone surrogates, which nothing can print."""
    return isinstance(value, str) and (value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value))


def are(check: Any, values: object, count: int | None = None) -> bool:
    """Whether `values` is a list, of `count` values where given, that all pass a check."""
    return isinstance(values, list) and count in (None, len(values)) and all(map(check, values))


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _float(text: str) -> float:
    value = float(text)
    return value if math.isfinite(value) else _no_number(text[:20])


def _int(text: str) -> int:
    value = int(text)
    return value if abs(value) < LARGEST else _no_number(f"{text[:20]}…")
