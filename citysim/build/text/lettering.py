"""Lettering: signs set from single letters, so that a thousand names need only as many pages as there are styles."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from citysim.build.adding import plain_sum
from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.text.packing import shelves, smallest_page
from citysim.build.text.sign import SignFace
from citysim.errors import InputError
from citysim.fonts.faces import font
from citysim.fonts.layout import runs

PAGE = 1024  # texels
CELL, GUTTER = 4, 2  # texels: two mip levels never mix two letters
MARGIN = 0.12  # free space beside the lines, in capital heights; above and below, the lines leave room for accents
TONES = 6  # between ground and ink, both included
TRACK = 0.04  # extra space between letters, in capital heights

Style = tuple[str, str, str, int]  # face, ink, ground, cap
Uv = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Patch:
    """A rectangle of a sign: left, bottom, right, top in capital heights from the sign's lower left; its picture."""

    box: tuple[float, float, float, float]
    uv: Uv


@dataclass(frozen=True, slots=True)
class Lettered:
    """A sign as patches that cover its rectangle without gap or overlap, all of one material."""

    material: str
    width: float  # capital heights
    height: float
    patches: tuple[Patch, ...]


def style_of(sign: SignFace) -> Style:
    """What two signs must share to use the same letters."""
    return sign.face, sign.ink, sign.ground, sign.cap


def measure(sign: SignFace) -> tuple[float, float]:
    """(width, height) of a lettered sign in capital heights."""
    top, bottom = _extent(sign.face, sign.cap)
    width = max(
        sum(_letter(f, c, sign.cap)[1] for f, part in runs(line, sign.face) for c in part) for line in sign.lines
    )
    return width / sign.cap + 2 * MARGIN, len(sign.lines) * (top + bottom) / sign.cap


class Lettering:
    """Collects signs, draws each style's letters once, then sets the signs.

    `glow` is how brightly they shine at night, 0 to 255.
    """

    def __init__(self, draft: CityDraft, name: str, glow: int = 0) -> None:
        self.draft, self.name, self.glow = draft, name, glow
        self._letters: dict[Style, set[tuple[str, str]]] = defaultdict(set)
        self._cells: dict[tuple[Style, str, str], Uv] = {}
        self._page: dict[Style, str] = {}

    def want(self, sign: SignFace) -> None:
        """Ask for the letters of a sign."""
        letters = self._letters[style_of(sign)]
        letters.add((sign.face, " "))
        for line in sign.lines:
            letters.update((face, c) for face, part in runs(line, sign.face) for c in part)

    def pack(self) -> None:
        """Draw all letters; those of one style stand on one page."""
        waiting = sorted(self._letters)
        sizes = {style: self._sizes([style]) for style in waiting}
        while waiting:
            count, area = 0, 0
            while count < len(waiting) and (count == 0 or area <= PAGE * PAGE):
                area += sum(w * h for w, h in sizes[waiting[count]])
                count += 1
            while count > 1 and shelves([s for style in waiting[:count] for s in sizes[style]], PAGE, PAGE) is None:
                count -= 1
            self._draw_page(waiting[:count], len(set(self._page.values())))
            waiting = waiting[count:]

    def set(self, sign: SignFace, least: float = 0.0) -> Lettered:
        """The sign as patches, at least `least` capital heights wide; `want` and `pack` must have come before."""
        style = style_of(sign)
        cap = sign.cap
        top, bottom = _extent(sign.face, cap)
        tall = (top + bottom) / cap
        width, height = measure(sign)
        width = max(width, least)
        left, upper, right, lower = self._cells[style, sign.face, " "]
        ground = ((left + right) / 2, (upper + lower) / 2, (left + right) / 2, (upper + lower) / 2)
        patches: list[Patch] = []
        for row, line in enumerate(sign.lines):
            high = height - row * tall
            glyphs = [(face, c) for face, part in runs(line, sign.face) for c in part]
            widths = [_letter(face, c, cap)[1] / cap for face, c in glyphs]
            x = (width - plain_sum(widths)) / 2
            patches.append(Patch((0.0, high - tall, x, high), ground))
            for (face, c), w in zip(glyphs, widths, strict=True):
                patches.append(Patch((x, high - tall, x + w, high), self._cells[style, face, c]))
                x += w
            patches.append(Patch((x, high - tall, width, high), ground))
        return Lettered(self._page[style], width, height, tuple(p for p in patches if p.box[2] - p.box[0] > 1e-6))

    def _sizes(self, styles: list[Style]) -> list[tuple[int, int]]:
        return [_cell_size(style, face, c) for style in styles for face, c in sorted(self._letters[style])]

    def _draw_page(self, styles: list[Style], number: int) -> None:
        found = smallest_page(self._sizes(styles), PAGE)
        if found is None:
            raise InputError("letters of one style that fit a page", f"{styles[0]}", "a smaller `cap`")
        (width, height), places = found
        key = f"{self.name}/{number}"
        order = [(style, face, c) for style in styles for face, c in sorted(self._letters[style])]
        for (style, face, c), (x, y) in zip(order, places, strict=True):
            w, h = _size(style, face, c)
            left, top = x + GUTTER, y + GUTTER
            self._cells[style, face, c] = (left / width, top / height, (left + w) / width, (top + h) / height)
            self._page[style] = key
        self.draft.painted(key, _print, (width, height), list(zip(order, places, strict=True)), self.glow)
        self.draft.material(key, MaterialSpec(key))


@cache
def _extent(face: str, cap: int) -> tuple[int, int]:
    """Texels above and below the baseline that every line of a face leaves room for."""
    box = font(face, cap).getbbox("ÅÄÖÉgjpqyÇ,()/", anchor="ls")
    return -int(box[1]) + 1, int(box[3]) + 1


@cache
def _letter(face: str, letter: str, cap: int) -> tuple[int, int]:
    """(texels the ink reaches left of the pen, width of the letter's cell)."""
    size = font(face, cap)
    box = size.getbbox(letter, anchor="ls")
    before = max(0, -int(box[0]))
    return before, before + max(round(size.getlength(letter) + TRACK * cap), int(box[2]), 1)


def _size(style: Style, face: str, letter: str) -> tuple[int, int]:
    """(width, height) of a letter's picture in texels."""
    return _letter(face, letter, style[3])[1], sum(_extent(style[0], style[3]))


def _cell_size(style: Style, face: str, letter: str) -> tuple[int, int]:
    width, height = _size(style, face, letter)
    return _up(width + 2 * GUTTER), _up(height + 2 * GUTTER)


def _up(size: int) -> int:
    return -(-size // CELL) * CELL


def _print(
    size: tuple[int, int], letters: Sequence[tuple[tuple[Style, str, str], tuple[int, int]]], glow: int
) -> Texture:
    """A page of letters, each in its cell with its border repeated around it."""
    width, height = size
    picture: NDArray[np.uint8] = np.zeros((height, width, 3), dtype=np.uint8)
    for (style, face, c), (x, y) in letters:
        drawn = _draw(style, face, c)
        h, w = drawn.shape[:2]
        cell_w, cell_h = _cell_size(style, face, c)
        after = ((GUTTER, cell_h - h - GUTTER), (GUTTER, cell_w - w - GUTTER), (0, 0))
        picture[y : y + cell_h, x : x + cell_w] = np.pad(drawn, after, mode="edge")
    return Texture(picture, glow=np.full((height, width), glow, dtype=np.uint8) if glow else None)


def _draw(style: Style, face: str, letter: str) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: one letter on its ground, in a few tones between ink and ground."""
    _, ink, ground, cap = style
    return tones(ink, ground)[_mask(style[0], face, letter, cap)]


@cache
def _mask(first: str, face: str, letter: str, cap: int) -> NDArray[np.uint8]:
    """(H, W) uint8 index into `tones`; what a fallback face draws beyond the height of the first one's line is cut."""
    from PIL import Image, ImageDraw

    top, bottom = _extent(first, cap)
    before, width = _letter(face, letter, cap)
    image = Image.new("L", (width, top + bottom), 0)
    ImageDraw.Draw(image).text((before, top), letter, fill=255, font=font(face, cap), anchor="ls")
    shares = np.asarray(image, dtype=np.uint16)
    return ((shares * (TONES - 1) + 127) // 255).astype(np.uint8)


@cache
def tones(ink: str, ground: str) -> NDArray[np.uint8]:
    """(TONES, 3) uint8: colours from ground to ink; few of them, so that pages of text stay small files."""
    a, b = (np.array([int(c[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64) for c in (ground, ink))
    share = np.arange(TONES)[:, None] / (TONES - 1)
    return np.floor(a + (b - a) * share + 0.5).astype(np.uint8)
