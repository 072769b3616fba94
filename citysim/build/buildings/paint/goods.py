"""What is seen behind shop windows: shelves, displays, rooms, crates."""

from citysim.build.buildings.paint.canvas import Canvas, Rgb, rgb
from citysim.build.chance import Chance

Box = tuple[float, float, float, float]
WALLS = ("#c9b48c", "#b5b3a6", "#c2ae98", "#a3adb5", "#cdb7a2", "#d2cbb5")
WARES = (
    "#b5483a", "#d0a83a", "#4f8a5a", "#3f6f9a", "#c97a3a", "#8a4f7a", "#d6cfbe", "#5a4636", "#7fa3b0", "#c2596a",
    "#dfc98a", "#4a5560",
)  # fmt: skip
BOXES = ("#8a6a45", "#6b7f8a", "#7a5a3a")


def _back(canvas: Canvas, box: Box, chance: Chance) -> Rgb:
    """Back wall with ceiling lamps, darker to the floor; returns the wall's colour."""
    x0, y0, x1, y1 = box
    wall = rgb(chance.choice(WALLS, "wall"))
    canvas.gradient(x0, y0, x1, y1, wall, (wall[0] * 0.5, wall[1] * 0.5, wall[2] * 0.5))
    count = 2 + chance.integer(0, 3, "lamps")
    for k in range(count):
        x = x0 + (k + 0.5) * (x1 - x0) / count
        canvas.rect(x - 18, y0 + 30, x + 18, y0 + 36, rgb("#fff0d0"), 0.95)
    canvas.shade(x0, y1 - 24, x1, y1, 0.7)
    return wall


def shelves(canvas: Canvas, box: Box, chance: Chance) -> None:
    """Rows of small goods."""
    x0, y0, x1, y1 = box
    _back(canvas, box, chance)
    rows = 3 + chance.integer(0, 2, "rows")
    for s in range(rows):
        y = y0 + (y1 - y0) * (0.34 + 0.62 * (s + 0.5) / rows)
        canvas.rect(x0 + 6, y, x1 - 6, y + 5, rgb("#4a4138"), 0.85)
        canvas.shade(x0 + 6, y + 5, x1 - 6, y + 12, 0.75)
        x, n = x0 + 8.0, 0
        kind = chance.choice(WARES, f"kind/{s}")
        while x < x1 - 14:
            one = chance.child(f"{s}/{n}")
            wide, high = one.uniform(8, 26, "w"), one.uniform(14, 40, "h")
            color = rgb(kind if one.unit("same") < 0.35 else one.choice(WARES, "color"))
            if one.unit("there") < 0.82:
                right = min(x + wide, x1 - 8)
                canvas.rect(x, y - high, right, y, color, 0.85)
                canvas.shade(right - 3, y - high, right, y, 0.75)
                if one.unit("label") < 0.4:
                    canvas.rect(x + 2, y - 0.6 * high, right - 4, y - 0.35 * high, rgb("#e6e2d6"), 0.7)
            x += wide + one.uniform(2, 9, "gap")
            n += 1


def display(canvas: Canvas, box: Box, chance: Chance) -> None:
    """A few large things: figures in clothes, boxes on plinths; bills on the glass."""
    x0, y0, x1, y1 = box
    _back(canvas, box, chance)
    canvas.rect(x0, y1 - 44, x1, y1, rgb("#6b5f50"), 0.8)
    count = max(2, round((x1 - x0) / 95.0))
    for k in range(count):
        one = chance.child(f"thing/{k}")
        x, color = x0 + (k + 0.5) * (x1 - x0) / count, rgb(one.choice(WARES, "color"))
        if one.unit("figure") < 0.55:
            top = y1 - 44 - one.uniform(150, 185, "high")
            canvas.rect(x - 8, top, x + 8, top + 22, rgb("#cbb79a"))
            canvas.rect(x - 21, top + 24, x + 21, top + 92, color)
            canvas.shade(x + 8, top + 24, x + 21, top + 92, 0.8)
            low = rgb(one.choice(WARES, "low"))
            canvas.rect(x - 17, top + 92, x - 2, y1 - 44, low)
            canvas.rect(x + 2, top + 92, x + 17, y1 - 44, low)
        else:
            high = one.uniform(40, 110, "high")
            canvas.rect(x - 30, y1 - 44 - high, x + 30, y1 - 44, rgb("#d8d2c4"))
            canvas.shade(x + 14, y1 - 44 - high, x + 30, y1 - 44, 0.82)
            for j in range(3):
                size = one.uniform(16, 40, f"s/{j}")
                canvas.rect(x - 28 + 18 * j, y1 - 44 - high - size, x - 12 + 18 * j, y1 - 44 - high,
                            rgb(one.choice(WARES, f"c/{j}")))  # fmt: skip
    if chance.unit("bill") < 0.7:
        x, y = chance.uniform(x0 + 12, x1 - 90, "bx"), y0 + 60
        canvas.rect(x, y, x + 74, y + 100, rgb(chance.choice(WARES, "bill color")), 0.9)
        canvas.rect(x + 8, y + 12, x + 66, y + 30, rgb("#f0ead8"), 0.85)
        canvas.rect(x + 8, y + 44, x + 50, y + 52, rgb("#f0ead8"), 0.7)


def room(canvas: Canvas, box: Box, chance: Chance) -> None:
    """A deep room seen through an open front: side shelves, a counter, hanging lamps."""
    x0, y0, x1, y1 = box
    wide, high = x1 - x0, y1 - y0
    canvas.gradient(x0, y0, x1, y1, rgb("#5f574b"), rgb("#2f2b26"))
    inner = (x0 + 0.2 * wide, y0 + 0.2 * high, x1 - 0.2 * wide, y1 - 0.24 * high)
    shelves(canvas, inner, chance.child("back"))
    for k in range(5):  # shelves along the side walls, nearer ones taller
        t = k / 5.0
        a, b = x0 + 0.2 * wide * t, x0 + 0.2 * wide * (t + 0.2) - 3
        top, low = y0 + (0.12 + 0.08 * t) * high, y1 - (0.05 + 0.17 * t) * high
        for p, q in ((a, b), (x1 - (b - x0), x1 - (a - x0))):
            for j in range(5):
                y = top + (low - top) * (0.2 + 0.16 * j)
                color = rgb(chance.choice(WARES, f"side/{k}/{j}/{p < x0 + wide / 2}"))
                canvas.rect(p, y, q, y + 0.1 * (low - top), color, 0.75 - 0.3 * t)
    for k in range(3):
        x = x0 + (0.25 + 0.25 * k) * wide
        canvas.rect(x - 1, y0 + 50, x + 1, y0 + 84, rgb("#2b2724"))
        canvas.rect(x - 13, y0 + 84, x + 13, y0 + 96, rgb("#fff0d0"), 0.95)
    canvas.gradient(x0, y0, x1, y0 + 90, (16.0, 15.0, 14.0), (70.0, 66.0, 60.0), 0.45)


def crates(canvas: Canvas, box: Box, chance: Chance) -> None:
    """Boxes of produce along the threshold."""
    x0, y0, x1, y1 = box
    canvas.rect(x0, y0 + 40, x1, y1, rgb("#4a3f33"))
    count = max(2, round((x1 - x0) / 80.0))
    wide = (x1 - x0) / count
    for k in range(count):
        one, left = chance.child(k), x0 + k * wide
        color = rgb(one.choice(WARES, "color"))
        canvas.rect(
            left + 3, y0 + 46, left + wide - 3, y1 - 4, rgb(one.choice(("#8a6a45", "#6b7f8a", "#7a5a3a"), "box"))
        )
        for j in range(3):
            canvas.shade(left + 3, y0 + 56 + 14 * j, left + wide - 3, y0 + 59 + 14 * j, 0.7)
        for j in range(int((wide - 16) / 11)):
            for i in range(3):
                tone = one.uniform(0.8, 1.15, f"{j}/{i}")
                x, y = left + 5 + 11 * j + (5 if i == 1 else 0), y0 + 12 + 11 * i
                canvas.rect(x, y, x + 10, y + 11, (color[0] * tone, color[1] * tone, color[2] * tone))
                canvas.shade(x + 6, y + 6, x + 10, y + 11, 0.75)
