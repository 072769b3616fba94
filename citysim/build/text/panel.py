"""Panel: a sign as a designed picture of a given size in metres, with a name in one or two scripts."""

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from citysim.build.adding import plain_sum
from citysim.build.text.lettering import tones
from citysim.fonts.faces import font
from citysim.fonts.layout import runs, wrap

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Box = tuple[float, float, float, float]  # left, top, right, bottom, texels
LARGEST = 120  # texels of a capital


@dataclass(frozen=True)
class Panel:
    """What a panel shows. Equal panels share one place in the atlas.

    layout   "column": local letters in a column with the name below; "rows": local letters in a row over the name;
             "plain": the name alone, in up to three lines; "floor": a storey's number before the name;
             "banner": a large word in a field of its own over the name
    name     the name in Latin letters, readable from the street
    local    the name in Chinese or Japanese letters, or ""
    word     a short word: the storey of "floor", the call of "banner"
    size_m   width and height in metres; `cap` texels make one metre
    """

    layout: str
    name: str
    local: str
    word: str
    size_m: tuple[float, float]
    face: str
    local_face: str
    ink: str
    ground: str
    accent: str
    cap: int = 64

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in texels."""
        return max(8, round(self.size_m[0] * self.cap)), max(8, round(self.size_m[1] * self.cap))

    @property
    def key(self) -> tuple[object, ...]:
        """Sorts panels."""
        return (self.size, self.layout, self.name, self.local, self.word, self.face, self.ink, self.ground, self.accent)

    @cached_property
    def pixels(self) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 sRGB, drawn once."""
        from PIL import Image, ImageDraw

        w, h = self.size
        image = Image.new("RGB", (w, h), self.ground)
        pen = ImageDraw.Draw(image)
        edge = max(2.0, 0.05 * min(w, h))
        pen.rectangle((edge / 3, edge / 3, w - 1 - edge / 3, h - 1 - edge / 3), outline=self.accent,
                      width=max(1, round(edge / 2)))  # fmt: skip
        gap = 1.4 * edge + 0.02 * w
        inside = (gap, gap, w - gap, h - gap)
        _LAYOUTS[self.layout](pen, self, inside)
        return _few_tones(np.asarray(image, dtype=np.uint8), (self.ink, self.ground, self.accent))


def _column(pen: "ImageDraw", panel: Panel, box: Box) -> None:
    """Local letters below one another, the name across the foot."""
    x0, y0, x1, y1 = box
    if not panel.local:
        _plain(pen, panel, box)
        return
    foot = min(0.34 * (y1 - y0), 0.75 * (x1 - x0))
    letters(pen, panel.local, panel.local_face, panel.ink, (x0, y0, x1, y1 - foot), upright=True)
    block(pen, panel.name, panel.face, panel.ink, (x0, y1 - foot * 0.94, x1, y1), 3)


def _rows(pen: "ImageDraw", panel: Panel, box: Box) -> None:
    """Local letters over the name."""
    x0, y0, x1, y1 = box
    if not panel.local:
        _plain(pen, panel, box)
        return
    middle = y0 + 0.52 * (y1 - y0)
    letters(pen, panel.local, panel.local_face, panel.ink, (x0, y0, x1, middle))
    block(pen, panel.name, panel.face, panel.ink, (x0, middle + 0.03 * (y1 - y0), x1, y1), 2)


def _plain(pen: "ImageDraw", panel: Panel, box: Box) -> None:
    block(pen, panel.name, panel.face, panel.ink, box, 3)


def _floor(pen: "ImageDraw", panel: Panel, box: Box) -> None:
    """A storey's number on a coloured field, then the name."""
    x0, y0, x1, y1 = box
    head = y0 + 0.26 * (y1 - y0)
    pen.rectangle((x0, y0, x1, head), fill=panel.accent)
    light = "#ffffff" if sum(int(panel.accent[i : i + 2], 16) for i in (1, 3, 5)) < 400 else "#161616"
    block(pen, panel.word, "heavy", light, (x0 + 1, y0 + 1, x1 - 1, head - 1), 1)
    low = y1
    if panel.local:
        low = y1 - 0.26 * (y1 - y0)
        letters(pen, panel.local, panel.local_face, panel.ink, (x0, low, x1, y1))
    block(pen, panel.name, panel.face, panel.ink, (x0, head + 2, x1, low - 1), 3)


def _banner(pen: "ImageDraw", panel: Panel, box: Box) -> None:
    """Stripes, a disc, a large word and the name at the foot."""
    x0, y0, x1, y1 = box
    w, h = x1 - x0, y1 - y0
    for i in range(4):
        y = y0 + h * (0.08 + 0.14 * i)
        pen.polygon([(x0, y + 0.1 * h), (x1, y), (x1, y + 0.05 * h), (x0, y + 0.15 * h)], fill=panel.accent)
    r = 0.3 * min(w, h)
    cx, cy = x0 + 0.5 * w, y0 + 0.34 * h
    pen.ellipse((cx - r, cy - r, cx + r, cy + r), fill=panel.ink)
    if panel.local:
        letters(pen, panel.local[:2], panel.local_face, panel.ground,
                (cx - 0.8 * r, cy - 0.6 * r, cx + 0.8 * r, cy + 0.6 * r))  # fmt: skip
    pen.rectangle((x0, y0 + 0.64 * h, x1, y1), fill=panel.ground)
    block(pen, panel.word, "poster", panel.ink, (x0, y0 + 0.65 * h, x1, y0 + 0.8 * h), 1)
    block(pen, panel.name, panel.face, panel.ink, (x0, y0 + 0.82 * h, x1, y1), 2)


_LAYOUTS = {"column": _column, "rows": _rows, "plain": _plain, "floor": _floor, "banner": _banner}


def block(pen: "ImageDraw", text: str, face: str, ink: str, box: Box, most: int) -> int:
    """Text centred in a box, in as many lines (at most `most`) as make it largest; returns its capitals' texels."""
    x0, y0, x1, y1 = box
    best: tuple[int, tuple[str, ...]] = (0, (text,))
    for lines in range(1, most + 1):
        rows = wrap(text, 1, lines) if lines > 1 else (text,)
        tall = (y1 - y0) / (1.36 * len(rows) - 0.3)
        cap = _largest(face, rows, x1 - x0, tall)
        if cap > best[0]:
            best = cap, rows
    cap, rows = best
    step = 1.36 * cap
    top = (y0 + y1) / 2 - (step * (len(rows) - 1) + cap) / 2
    for i, row in enumerate(rows):
        width = _width(face, row, cap)
        x = (x0 + x1 - width) / 2
        for part, shown in runs(row, face):
            size = font(part, cap)
            pen.text((round(x), round(top + cap + i * step)), shown, fill=ink, font=size, anchor="ls")
            x += size.getlength(shown)
    return cap


def letters(pen: "ImageDraw", text: str, face: str, ink: str, box: Box, *, upright: bool = False) -> None:
    """Square letters side by side, or below one another, as large as a box allows."""
    x0, y0, x1, y1 = box
    count = len(text)
    across, down = (1, count) if upright else (count, 1)
    cell = min((x1 - x0) / across, (y1 - y0) / down)
    cap = max(4, 2 * round(0.64 * cell / 2))
    for i, (part, letter) in enumerate((part, c) for part, shown in runs(text, face) for c in shown):
        spot = (i + 0.5) * ((y1 - y0) if upright else (x1 - x0)) / count
        x, y = ((x0 + x1) / 2, y0 + spot) if upright else (x0 + spot, (y0 + y1) / 2)
        pen.text((round(x), round(y)), letter, fill=ink, font=font(part, cap), anchor="mm")


def _largest(face: str, rows: tuple[str, ...], width: float, tall: float) -> int:
    """The largest even cap height (texels) at which rows fit a width."""
    unit = max(_width(face, row, 40) for row in rows) / 40.0
    return max(4, min(LARGEST, 2 * int(min(tall, width / max(unit, 0.1)) / 2)))


@cache
def _width(face: str, text: str, cap: int) -> float:
    return float(plain_sum(font(part, cap).getlength(shown) for part, shown in runs(text, face)))


def _few_tones(pixels: NDArray[np.uint8], colours: tuple[str, str, str]) -> NDArray[np.uint8]:
    """A picture in the tones between its colours (and white and near black): pages of few colours are small files."""
    ink, ground, accent = colours
    pairs = ((ground, ink), (accent, ground), (accent, ink), (accent, "#ffffff"), (accent, "#161616"))
    known = np.unique(np.concatenate([tones(b, a) for a, b in pairs]), axis=0).astype(np.int32)
    cells = (pixels >> 3).astype(np.int32) @ np.array([1 << 10, 1 << 5, 1])
    found = np.flatnonzero(np.bincount(cells.reshape(-1), minlength=1 << 15))
    seen = np.stack([found >> 10, found >> 5 & 31, found & 31], axis=1) * 8 + 4
    nearest = np.zeros(1 << 15, dtype=np.int32)
    nearest[found] = ((seen[:, None, :] - known[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
    return known.astype(np.uint8)[nearest[cells]]
