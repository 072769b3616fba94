"""Window: one painted window with reveal, frame, glass, what hangs behind it, sill and dirt."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from citysim.build.buildings.paint.canvas import Canvas, Rgb, rgb
from citysim.build.chance import Chance

M = 64.0  # pixels a metre
SKY, DEEP = rgb("#a9bccb"), rgb("#37434c")


@dataclass(frozen=True, slots=True)
class Window:
    """Sizes in metres. `mullions` and `transoms` are shares of width and height; `arch` is the rise of the top."""

    width: float
    height: float
    frame: str = "#e9e6de"
    mullions: tuple[float, ...] = (0.5,)
    transoms: tuple[float, ...] = ()
    bar: float = 0.05
    surround: float = 0.0
    surround_tone: float = 1.07
    hood: str = ""  # "", "flat", "pediment"
    sill: bool = True
    arch: float = 0.0
    lights: bool = True  # curtains and blinds behind the panes
    glow: float = 150.0  # how bright it is with the lights on, of 255; at most draft.ROOM where it is switched


def draw(canvas: Canvas, x: float, y: float, window: Window, chance: Chance) -> None:
    """Paint a window whose opening has its upper left corner at the pixel (x, y)."""
    w, h = window.width * M, window.height * M
    if window.surround > 0:
        _surround(canvas, x, y, w, h, window)
    left, top = int(x) - 1, int(y) - 1
    behind = canvas.block(left, top, int(h) + 4, int(w) + 4) if window.arch > 0 else None
    canvas.shade(x, y, x + w, y + h, 0.55)
    inner = (x + 3.0, y + 4.0, x + w - 3.0, y + h - 1.0)
    canvas.rect(*inner, rgb(window.frame))
    _glass(canvas, inner, window, chance)
    canvas.gradient(x, y, x + w, y + 9.0, (20.0, 20.0, 22.0), (60.0, 62.0, 64.0), 0.55)
    if behind is not None:
        _arched(canvas, left, top, behind, x, y, w, window.arch * M)
    if window.sill:
        canvas.shade(x - 5, y + h, x + w + 5, y + h + 4, 1.10)
        canvas.shade(x - 5, y + h + 4, x + w + 5, y + h + 9, 0.74)
        _streaks(canvas, x, y + h + 6, w, chance)


def _glass(canvas: Canvas, box: tuple[float, float, float, float], window: Window, chance: Chance) -> None:
    x0, y0, x1, y1 = box
    bar = window.bar * M
    xs = [x0 + 2.5, *(x0 + (x1 - x0) * m for m in window.mullions), x1 - 2.5]
    ys = [y0 + 2.5, *(y0 + (y1 - y0) * t for t in window.transoms), y1 - 2.5]
    tone = chance.uniform(0.82, 1.16, "tone")
    kind = chance.unit("behind") if window.lights else 0.4
    edges, rows = _panes(xs, bar), _panes(ys, bar)
    for i, (a, b) in enumerate(edges):
        for j, (c, d) in enumerate(rows):
            own = tone * chance.uniform(0.93, 1.07, f"pane/{i}/{j}")
            f, g = (c - y0) / (y1 - y0), (d - y0) / (y1 - y0)
            canvas.gradient(a, c, b, d, _mix(SKY, DEEP, f, own), _mix(SKY, DEEP, g, own))
            if window.glow > 0.0:
                canvas.shine(a + 1, c + 1, b - 1, d - 1, window.glow * chance.uniform(0.72, 1.0, f"glow/{i}/{j}"))
    ax, bx, ay, by = xs[0], xs[-1], ys[0], ys[-1]
    panes = [(a, c, b, d) for a, b in edges for c, d in rows]
    if kind < 0.30:  # curtains drawn to the sides
        color = chance.choice([rgb("#d9d2c4"), rgb("#cfc3ae"), rgb("#b9b1a6"), rgb("#c8c9c4")], "cloth")
        share = chance.uniform(0.14, 0.3, "drawn")
        for a, c, b, d in panes:
            for p, q in ((ax, ax + share * (bx - ax)), (bx - share * (bx - ax), bx)):
                _cloth(canvas, max(a, p), c, min(b, q), d, color)
    elif kind < 0.46:  # blind let down part of the way
        low = ay + chance.uniform(0.2, 0.75, "blind") * (by - ay)
        color = chance.choice([rgb("#d5d0c4"), rgb("#bdb6a6"), rgb("#e0ddd4")], "blind color")
        for a, c, b, d in panes:
            if min(d, low) > c:
                canvas.rect(a, c, b, min(d, low), color, 0.78)
    elif kind < 0.54:  # lamp inside
        for a, c, b, d in panes:
            canvas.gradient(a, c, b, d, rgb("#d9b57a"), rgb("#7a6448"), 0.6)
    elif kind < 0.66:  # plants and things on the sill
        for k in range(4):
            px = ax + chance.uniform(0.1, 0.8, f"plant/{k}") * (bx - ax)
            size = chance.uniform(6, 13, f"size/{k}")
            for a, c, b, d in panes:
                if min(b, px + size) > max(a, px) and d > by - size:
                    canvas.rect(max(a, px), max(c, by - size), min(b, px + size), d, rgb("#4d5a3c"), 0.7)
    shift = chance.uniform(-0.3, 0.8, "sheen")
    for a, c, b, d in panes:
        _sheen(canvas, a, c, b, d, ax + shift * (bx - ax), ay)


def _panes(marks: Sequence[float], bar: float) -> list[tuple[float, float]]:
    """The glass between marks: bars of the given width stand on the inner ones."""
    last = len(marks) - 2
    return [(a + bar / 2 * (i > 0), b - bar / 2 * (i < last)) for i, (a, b) in enumerate(itertools.pairwise(marks))]


def _mix(top: Rgb, low: Rgb, t: float, tone: float) -> Rgb:
    t = min(1.0, t * 1.25)
    r, g, b = ((p + (q - p) * t) * tone for p, q in zip(top, low, strict=True))
    return (r, g, b)


def _cloth(canvas: Canvas, x0: float, y0: float, x1: float, y1: float, color: Rgb) -> None:
    """Folds: stripes four pixels wide."""
    if x1 - x0 < 1.0 or y1 - y0 < 1.0:
        return
    canvas.rect(x0, y0, x1, y1, color, 0.72)
    at = x0
    while at < x1 - 2:
        canvas.shade(at, y0, min(at + 1.6, x1), y1, 0.86)
        at += 4.3


def _sheen(canvas: Canvas, x0: float, y0: float, x1: float, y1: float, start: float, top: float) -> None:
    """A diagonal reflection, brighter by 14 levels."""
    left, high, right, low = int(x0) + 1, int(y0) + 1, int(x1), int(y1)
    if right <= left or low <= high:
        return
    ys, xs = np.mgrid[high:low, left:right].astype(np.float32)
    d = xs - start + (ys - top) * 0.55
    mask = ((d > 8) & (d < 24)) | ((d > 29) & (d < 34))
    block = canvas.block(left, high, low - high, right - left)
    canvas.blend(left, high, mask.astype(np.float32), block + 14)


def _surround(canvas: Canvas, x: float, y: float, w: float, h: float, window: Window) -> None:
    s = window.surround * M
    canvas.shade(x - s, y - s, x + w + s, y + h, window.surround_tone)
    canvas.shade(x - s - 1.2, y - s, x - s, y + h, 0.86)
    canvas.shade(x + w + s, y - s, x + w + s + 1.2, y + h, 0.86)
    if window.hood:
        canvas.shade(x - s - 6, y - s - 7, x + w + s + 6, y - s, 1.10)
        canvas.shade(x - s - 6, y - s, x + w + s + 6, y - s + 5, 0.70)
    if window.hood == "pediment":
        half, rise = 0.5 * w + s + 6, 15.0
        ys, xs = np.mgrid[0:22, 0 : int(2 * half)].astype(np.float32)
        roof = rise * (1.0 - np.abs(xs - half) / half)
        inside = np.clip(ys - (20 - roof) + 0.5, 0.0, 1.0)
        edge = np.clip(2.6 - np.abs(ys - (20 - roof) - 1.5), 0.0, 1.0)
        left, top = int(x - s - 6), int(y - s - 27)
        canvas.multiply(left, top, 1 - 0.10 * inside)
        canvas.multiply(left, top, 1 + 0.16 * edge * inside)


def _arched(canvas: Canvas, left: int, top: int, behind: np.ndarray, x: float, y: float, w: float, rise: float) -> None:
    """Put the wall back outside an arch: half an ellipse over the upper `rise` pixels."""
    high, wide = behind.shape[:2]
    ys, xs = np.mgrid[0:high, 0:wide].astype(np.float32)
    t = np.clip((xs + 0.5 + left - x - w / 2) / (w / 2), -1.0, 1.0)
    limit = y - top + rise * (1.0 - np.sqrt(1.0 - t * t))
    outside = np.clip(limit - ys, 0.0, 1.0)
    canvas.blend(left, top, outside.astype(np.float32), behind)
    ring = np.clip(2.5 - np.abs(ys - limit + 1.0), 0.0, 1.0) * (ys < y - top + rise)
    canvas.multiply(left, top, (1 - 0.22 * ring).astype(np.float32))


def _streaks(canvas: Canvas, x: float, y: float, w: float, chance: Chance) -> None:
    """Dirt washed down from the ends of a sill."""
    for k in range(5):
        side = x - 4 if chance.unit(f"side/{k}") < 0.5 else x + w - 4
        at = side + chance.uniform(-2, 8, f"at/{k}")
        length = int(chance.uniform(16, 44, f"length/{k}"))
        wide = 1 + int(chance.uniform(0, 3, f"wide/{k}"))
        fade = np.linspace(1.0, 0.0, length, dtype=np.float32)[:, None]
        canvas.multiply(int(at), int(y), np.broadcast_to(1 - 0.13 * fade, (length, wide)).astype(np.float32))
