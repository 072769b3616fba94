"""Options that several commands share, and the parsing of their little formats."""

import re
from typing import Annotated

import typer

from citysim.errors import InputError

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Everything random follows from it.")]
Renderer = Annotated[str, typer.Option("--renderer", help="raster or gl.")]
Physics = Annotated[
    str | None, typer.Option("--physics", help="bullet or native; default: bullet where PyBullet is installed.")
]


def parse_numbers(text: str, count: int, what: str, example: str) -> tuple[float, ...]:
    """`count` comma-separated finite numbers."""
    parts = text.split(",")
    try:
        values = tuple(float(part) for part in parts)
    except ValueError:
        values = ()
    if len(values) != count or not all(abs(v) < 1e12 for v in values):
        raise InputError(what, repr(text), example)
    return values


def parse_bbox(text: str | None) -> tuple[float, float, float, float] | None:
    """`W,S,E,N` in degrees."""
    if text is None:
        return None
    example = "--bbox 24.93,60.165,24.95,60.172"
    west, south, east, north = parse_numbers(text, 4, "a box as W,S,E,N in degrees", example)
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise InputError("W < E within 180 and S < N within 90 degrees", repr(text), example)
    return west, south, east, north


def parse_offset(text: str) -> float | None:
    """Metres, or None for `auto`."""
    return (
        None if text.strip().lower() == "auto" else parse_numbers(text, 1, "metres or auto", "--height-offset auto")[0]
    )


def parse_size(text: str) -> tuple[int, int]:
    """`WxH` in pixels."""
    match = re.fullmatch(r"([0-9]{1,6})x([0-9]{1,6})", text.lower())
    if match and int(match[1]) > 0 and int(match[2]) > 0:
        return int(match[1]), int(match[2])
    raise InputError("a picture size as WIDTHxHEIGHT", repr(text), "--size 640x480")
