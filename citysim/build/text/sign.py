"""SignFace: one piece of text on a flat ground, and its picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from citysim.fonts.faces import font
from citysim.fonts.layout import runs

LEADING = 0.45  # of the capital height, between the lines


@dataclass(frozen=True)
class SignFace:
    """What a sign shows. Equal faces share one place in the atlas.

    lines      one or more lines, centred or left-aligned
    face       a key of citysim.fonts.faces.FACES
    ink        "#rrggbb" of the letters
    ground     "#rrggbb" behind them; the board around the sign should have the same colour
    cap        height of capital letters in texels
    margin     free space around the text in capital heights
    frame      "#rrggbb" of a thin border, "" for none
    """

    lines: tuple[str, ...]
    face: str = "sans"
    ink: str = "#f4f2ea"
    ground: str = "#1f3d6b"
    cap: int = 32
    margin: float = 0.35
    frame: str = ""
    left: bool = False

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 sRGB, drawn once."""
        return _draw(self)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in texels."""
        height, width = self.pixels.shape[:2]
        return width, height

    @property
    def key(self) -> tuple[object, ...]:
        """Sorts faces."""
        return (self.lines, self.face, self.ink, self.ground, self.cap, self.margin, self.frame, self.left)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line with its ink box relative to the start of the baseline, in texels, y down."""

    parts: Sequence[tuple[str, str]]
    left: int
    right: int
    top: int
    bottom: int


def _measure(text: str, sign: SignFace) -> _Line:
    parts = runs(text, sign.face)
    x = 0.0
    left, right, top, bottom = 0, 0, -sign.cap, 0
    for face, letters in parts:
        box = font(face, sign.cap).getbbox(letters, anchor="ls")
        left, right = min(left, int(x + box[0] - 1)), max(right, int(x + box[2] + 1))
        top, bottom = min(top, int(box[1])), max(bottom, int(box[3]))
        x += font(face, sign.cap).getlength(letters)
    return _Line(parts, left, max(right, int(x + 1)), top, bottom)


def _draw(sign: SignFace) -> NDArray[np.uint8]:
    from PIL import Image, ImageDraw

    lines = [_measure(text, sign) for text in sign.lines]
    pad = max(2, round(sign.margin * sign.cap))
    gap = round(LEADING * sign.cap)
    width = max(line.right - line.left for line in lines) + 2 * pad
    # lines advance by capital height, except where accents or descenders need more room
    baselines: list[int] = []
    y = pad - lines[0].top
    for above, line in zip([lines[0], *lines], lines, strict=False):
        if baselines:
            y += max(above.bottom - line.top + 2, sign.cap + gap)
        baselines.append(y)
    picture = Image.new("RGB", (width, y + lines[-1].bottom + pad), sign.ground)
    pen = ImageDraw.Draw(picture)
    if sign.frame:
        inset, thick = max(1, pad // 4), max(2, sign.cap // 14)
        pen.rectangle((inset, inset, width - 1 - inset, picture.height - 1 - inset), outline=sign.frame, width=thick)
    for line, baseline in zip(lines, baselines, strict=True):
        x = float(pad - line.left if sign.left else (width - line.right - line.left) // 2)
        for face, letters in line.parts:
            pen.text((round(x), baseline), letters, fill=sign.ink, font=font(face, sign.cap), anchor="ls")
            x += font(face, sign.cap).getlength(letters)
    return np.asarray(picture, dtype=np.uint8).copy()


def luminance(color: str) -> float:
    """Relative luminance 0-1 of "#rrggbb" in display values (the OCR contrast measure, not WCAG's linear one)."""
    red, green, blue = (int(color[i : i + 2], 16) / 255.0 for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
