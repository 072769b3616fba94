"""Small line plots as PNG files, drawn with Pillow alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 720, 460
LEFT, RIGHT, TOP, BOTTOM = 76, 24, 44, 64
INK, GRID, PAPER = (40, 44, 52), (224, 226, 230), (255, 255, 255)
COLORS = ((196, 78, 48), (46, 110, 170), (64, 140, 84), (130, 90, 160), (150, 120, 40))


class Series(NamedTuple):
    """One curve: its name in the legend, points, and whether it is a line, dots, or a band (y, then y above)."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    style: str = "line"
    above: Sequence[float] = ()


def plot(path: Path, title: str, axes: tuple[str, str], extent: tuple[float, float], series: Sequence[Series]) -> None:
    """Write a plot of several series from 0 to `extent` on both axes."""
    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw, small, large = ImageDraw.Draw(image), ImageFont.load_default(14), ImageFont.load_default(17)
    inner = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM)

    def at(x: float, y: float) -> tuple[float, float]:
        return LEFT + inner[0] * x / extent[0], TOP + inner[1] * (1.0 - min(y / extent[1], 1.0))

    for axis in (0, 1):
        step = _step(extent[axis])
        for k in range(round(extent[axis] / step) + 1):
            value = k * step
            ends = (at(value, 0.0), at(value, extent[1])) if axis == 0 else (at(0.0, value), at(extent[0], value))
            draw.line(ends, GRID)
            place = (ends[0][0], ends[0][1] + 6) if axis == 0 else (ends[0][0] - 8, ends[0][1])
            draw.text(place, f"{value:g}", INK, small, anchor="mt" if axis == 0 else "rm")
    for number, one in enumerate(series):
        color = COLORS[number % len(COLORS)]
        points = [at(x, y) for x, y in zip(one.x, one.y, strict=True)]
        if one.style == "band":
            pale = tuple(int(255 - 0.25 * (255 - c)) for c in color)
            top = [at(x, y) for x, y in zip(one.x, one.above, strict=True)]
            draw.polygon(points + top[::-1], pale)
        elif one.style == "line":
            draw.line(points, color, 2)
        else:
            for x, y in points:
                draw.ellipse((x - 4, y - 4, x + 4, y + 4), color)
    for number, one in enumerate(series):
        y = TOP + 12 + 20 * number
        draw.rectangle((WIDTH - RIGHT - 262, y - 5, WIDTH - RIGHT - 250, y + 5), COLORS[number % len(COLORS)])
        draw.text((WIDTH - RIGHT - 242, y), one.name, INK, small, anchor="lm")
    draw.rectangle((LEFT, TOP, WIDTH - RIGHT, HEIGHT - BOTTOM), outline=INK)
    draw.text((LEFT, 14), title, INK, large, anchor="lt")
    draw.text((LEFT + inner[0] / 2, HEIGHT - 24), axes[0], INK, small, anchor="mm")
    label = Image.new("L", (inner[1], 22), 0)
    ImageDraw.Draw(label).text((inner[1] / 2, 11), axes[1], 255, small, anchor="mm")
    turned = label.rotate(90, expand=True)
    image.paste(INK, (14, TOP), turned)
    path.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(64).save(path, optimize=True)


def _step(extent: float) -> float:
    return next(step for step in (0.1, 0.2, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0) if extent / step <= 8.0)
