"""Pages of ground floors: shop windows, open stalls, shutters, dwelling windows, lobbies, garages, blank bays."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from citysim.build.buildings.fronts import CELL, HIGH, PIXELS, WIDE, Front, Opening
from citysim.build.buildings.paint import goods
from citysim.build.buildings.paint.canvas import Canvas, Rgb, rgb
from citysim.build.buildings.paint.noise import fbm, grain
from citysim.build.buildings.paint.surfaces import MAKERS
from citysim.build.chance import Chance

P = PIXELS
STICKERS = ("#b34a3c", "#d8c24a", "#d8d6cc", "#3f6f9a")
Box = tuple[float, float, float, float]  # x0, y0, x1, y1 pixels


@dataclass(frozen=True, slots=True)
class Manner:
    """How a page looks: the wall, its plinth, the colours of frames, and what stands before blank bays."""

    wall: str
    plinth: str
    plinth_height: float
    frames: tuple[str, ...]
    shutters: tuple[str, ...]
    clutter: bool  # conduits, boxes and posters on blank walls


MANNERS = {
    "front/harbour": Manner("concrete", "#7d7a74", 0.35, ("#4a4f52", "#5a2f2c", "#2f3a35", "#6b6257"),
                            ("#8f9698", "#7a8a86", "#9a9284"), True),
    "front/akiba": Manner("mosaic", "#6d6c6a", 0.2, ("#2c3138", "#55595c", "#3b3f42"),
                          ("#9a9fa2", "#b4b1a8", "#7f868a"), True),
    "front/oldtown": Manner("plaster", "#9c9184", 0.6, ("#3b2f2a", "#2f3a35", "#4f3a2a", "#5a2f2c"),
                            ("#5a4636", "#45523f", "#4a4f58"), False),
    "front/town": Manner("stone", "#85817a", 0.55, ("#3b3f3c", "#4a3a30", "#2c3138", "#5a4a3a"),
                         ("#6f6a62", "#5a5f5c"), False),
    "front/grid": Manner("stone", "#8d8a84", 0.5, ("#2b2f31", "#3b2f2a", "#26392f", "#463530"),
                         ("#7f8486", "#6f6a62"), False),
    "front/garden": Manner("brick_pale", "#8a8478", 0.15, ("#4f5a60", "#6b4a33", "#3c4652"), ("#6f8490", "#8a5a48"),
                           False),
}  # fmt: skip


def paint(front: Front) -> Canvas:
    """2048 x 1024 pixels: every bay of a front."""
    manner = MANNERS[front.name]
    canvas = Canvas(round(HIGH * P), round(WIDE * P))
    tile = np.kron(MAKERS[f"plain/{manner.wall}"]().pixels, np.ones((2, 2, 1), dtype=np.float32))
    canvas.pixels[:] = np.tile(tile, (canvas.height // len(tile), canvas.width // len(tile), 1))
    canvas.pixels += (grain(canvas.height, canvas.width, 401) * np.float32(3.0))[:, :, None]
    for row in (0, 1):
        _foot(canvas, (row + 1) * CELL * P, manner)
    for cell in front.order:
        x, y = front.corner(cell)
        kind = cell.partition(".")[0]
        chance = Chance(0, f"paint/{front.name}/{cell}")
        opening = front.opening(cell)
        if opening is None:
            _blank(canvas, x * P, (y + CELL) * P, front.bay * P, manner, chance)
            continue
        floor = (y + CELL) * P
        box = ((x + opening.x0) * P, floor - opening.z1 * P, (x + opening.x1) * P, floor - opening.z0 * P)
        PAINTERS[kind](canvas, box, opening, manner, chance)
    return canvas


def _foot(canvas: Canvas, floor: float, manner: Manner) -> None:
    """Plinth and splashes along one row of cells."""
    top = floor - manner.plinth_height * P
    canvas.rect(0, top, canvas.width, floor, rgb(manner.plinth), 0.9)
    canvas.shade(0, top, canvas.width, top + 3, 1.14)
    canvas.shade(0, top + 3, canvas.width, top + 6, 0.85)
    for k in range(16):
        canvas.shade(k * P, top + 4, k * P + 2, floor, 0.8)
    high = 96
    rise = np.linspace(0.0, 1.0, high, dtype=np.float32)[:, None]
    stain = fbm(high, canvas.width, 409 + round(floor), (64, 32, 16))
    canvas.multiply(0, round(floor) - high, (1.0 - rise * (0.06 + 0.2 * stain)).astype(np.float32))


def _pick(colors: tuple[str, ...], chance: Chance, name: str) -> Rgb:
    return rgb(chance.choice(colors, name))


def _frame(canvas: Canvas, box: Box, color: Rgb, width: float = 7.0) -> Box:
    """A frame all round; returns the pane inside."""
    x0, y0, x1, y1 = box
    canvas.rect(x0, y0, x1, y1, color)
    canvas.shade(x0, y0, x1, y0 + 3, 0.6)
    return (x0 + width, y0 + width, x1 - width, y1 - width)


def _bars(canvas: Canvas, box: Box, columns: int, transom: float, color: Rgb, width: float = 5.0) -> None:
    """Upright bars and one level bar `transom` of the height from the top; bars do not glow."""
    x0, y0, x1, y1 = box
    for k in range(1, columns):
        x = x0 + (x1 - x0) * k / columns
        canvas.rect(x - width / 2, y0, x + width / 2, y1, color)
        canvas.shine(x - width / 2, y0, x + width / 2, y1, 0)
    if transom > 0.0:
        y = y0 + (y1 - y0) * transom
        canvas.rect(x0, y - width / 2, x1, y + width / 2, color)
        canvas.shine(x0, y - width / 2, x1, y + width / 2, 0)


def _glare(canvas: Canvas, box: Box, strength: float = 0.14) -> None:
    """Sky in the glass, and the shadow of the head."""
    x0, y0, x1, y1 = box
    canvas.gradient(x0, y0, x1, y1, rgb("#b4c4d0"), rgb("#8b98a0"), strength)
    canvas.gradient(x0, y0, x1, y0 + 26, (14.0, 14.0, 16.0), (60.0, 60.0, 60.0), 0.5)


def glass(canvas: Canvas, box: Box, opening: Opening, manner: Manner, chance: Chance) -> None:
    """A shop window with goods on shelves behind."""
    frame = _pick(manner.frames, chance, "frame")
    pane = _frame(canvas, box, frame)
    goods.shelves(canvas, pane, chance)
    canvas.shine(*pane, 225)
    _bars(canvas, pane, 3 if opening.x1 - opening.x0 > 2.4 else 2, 0.2, frame)
    _glare(canvas, pane)


def glass2(canvas: Canvas, box: Box, opening: Opening, manner: Manner, chance: Chance) -> None:
    """A window of few large things, posters on the glass."""
    frame = _pick(manner.frames, chance, "frame")
    pane = _frame(canvas, box, frame, 9.0)
    goods.display(canvas, pane, chance)
    canvas.shine(*pane, 235)
    _bars(canvas, pane, 2, 0.0, frame)
    _glare(canvas, pane, 0.18)
    del opening


def open_front(canvas: Canvas, box: Box, opening: Opening, manner: Manner, chance: Chance) -> None:
    """No glass: a stall with crates in front and a lit room behind; the rolled shutter in its box above."""
    x0, y0, x1, y1 = box
    goods.room(canvas, box, chance)
    canvas.shine(x0, y0 + 44, x1, y1 - 90, 225)
    canvas.rect(x0, y0, x1, y0 + 44, _pick(manner.shutters, chance, "box"))
    for k in range(5):
        canvas.shade(x0, y0 + 6 + 8 * k, x1, y0 + 8 + 8 * k, 0.8)
    canvas.shade(x0, y0 + 44, x1, y0 + 60, 0.55)
    goods.crates(canvas, (x0, y1 - 104, x1, y1), chance)
    del opening


def shutter(canvas: Canvas, box: Box, opening: Opening, manner: Manner, chance: Chance) -> None:
    """A closed roller shutter."""
    x0, y0, x1, y1 = box
    canvas.rect(x0, y0, x1, y1, _pick(manner.shutters, chance, "color"))
    for k in range(int((y1 - y0) / 9)):
        y = y0 + 9 * k
        canvas.shade(x0, y, x1, y + 3, 0.74)
        canvas.shade(x0, y + 5, x1, y + 7, 1.1)
    canvas.rect(x0, y1 - 12, x1, y1, rgb("#55585a"))
    for x in (x0, x1 - 8):
        canvas.shade(x, y0, x + 8, y1, 0.7)
    if manner.clutter:
        for k in range(3):  # stickers
            x, y = chance.uniform(x0 + 30, x1 - 60, f"x/{k}"), chance.uniform(y0 + 150, y1 - 90, f"y/{k}")
            size = chance.uniform(18, 40, f"s/{k}")
            canvas.rect(
                x, y, x + size, y + 0.7 * size, _pick(("#b34a3c", "#d8c24a", "#d8d6cc", "#3f6f9a"), chance, f"c/{k}")
            )
    stain = fbm(round(y1 - y0), round(x1 - x0), chance.integer(500, 900, "stain"), (128, 64, 32))
    canvas.multiply(round(x0), round(y0), (1.02 - 0.22 * stain).astype(np.float32))
    del opening


def window(canvas: Canvas, box: Box, opening: Opening, manner: Manner, chance: Chance) -> None:
    """A dwelling's window: frame, curtains, a sill with a shadow below."""
    x0, y0, x1, y1 = box
    pane = _frame(canvas, box, rgb(chance.choice(("#e4e0d4", "#d9d2c2", "#5a4636"), "frame")), 8.0)
    a, c, b, d = pane
    canvas.gradient(a, c, b, d, rgb("#93a5b0"), rgb("#333d45"))
    cloth = rgb(chance.choice(("#d9d2c4", "#cfc3ae", "#c8c9c4"), "cloth"))
    share = chance.uniform(0.16, 0.34, "drawn") * (b - a)
    for p, q in ((a, a + share), (b - share, b)):
        canvas.rect(p, c, q, d, cloth, 0.75)
        for k in range(int(share / 8)):
            canvas.shade(p + 8 * k, c, p + 8 * k + 3, d, 0.86)
    canvas.shine(a, c, b, d, 75)
    _bars(canvas, pane, 2, 0.3, rgb("#e4e0d4"), 6.0)
    _glare(canvas, pane, 0.1)
    canvas.rect(x0 - 12, y1, x1 + 12, y1 + 10, rgb("#c4beb2"))
    canvas.shade(x0 - 12, y1 + 10, x1 + 12, y1 + 18, 0.72)
    if not manner.clutter:
        canvas.shade(x0 - 20, y0 - 20, x0, y1, 1.06)
        canvas.shade(x1, y0 - 20, x1 + 20, y1, 1.06)
        canvas.shade(x0 - 20, y0 - 24, x1 + 20, y0, 1.08)
        canvas.shade(x0 - 22, y0 - 3, x1 + 22, y0, 0.8)
    del opening


def lobby(canvas: Canvas, box: Box, opening: Opening, manner: Manner, chance: Chance) -> None:
    """A glazed hall: stone floor, lit ceiling, letter boxes."""
    frame = _pick(manner.frames, chance, "frame")
    pane = _frame(canvas, box, frame, 8.0)
    x0, y0, x1, y1 = pane
    canvas.gradient(x0, y0, x1, y1, rgb("#c8b898"), rgb("#6f6353"))
    canvas.rect(x0, y1 - 60, x1, y1, rgb("#8d8478"), 0.8)
    canvas.rect(x0, y0, x1, y0 + 22, rgb("#e8dcc0"), 0.9)
    for k in range(5):
        x = x0 + (0.56 + 0.07 * k) * (x1 - x0)
        for j in range(3):
            canvas.rect(x, y0 + 150 + 22 * j, x + 0.06 * (x1 - x0), y0 + 168 + 22 * j, rgb("#9aa0a2"), 0.9)
    canvas.rect(x0 + 20, y0 + 60, x0 + 26, y1 - 60, rgb("#5a5046"), 0.8)
    canvas.shine(*pane, 215)
    _bars(canvas, pane, 4 if opening.x1 - opening.x0 > 2.4 else 2, 0.22, frame, 6.0)
    _glare(canvas, pane, 0.2)


def garage(canvas: Canvas, box: Box, opening: Opening, manner: Manner, chance: Chance) -> None:
    """An up-and-over door or louvres."""
    x0, y0, x1, y1 = box
    canvas.rect(x0, y0, x1, y1, _pick(manner.shutters, chance, "color"))
    louvre = chance.unit("louvre") < 0.5
    step = 14 if louvre else 62
    for k in range(int((y1 - y0) / step)):
        y = y0 + step * k
        canvas.shade(x0, y, x1, y + (6 if louvre else 4), 0.6)
        canvas.shade(x0, y + 6, x1, y + 9, 1.12)
    for x in (x0, x1 - 6):
        canvas.shade(x, y0, x + 6, y1, 0.7)
    canvas.shade(x0, y0, x1, y0 + 24, 0.6)
    del opening


def _blank(canvas: Canvas, x: float, floor: float, wide: float, manner: Manner, chance: Chance) -> None:
    """A bay of wall: two pilaster edges, and in busy cities boxes, conduits and bills."""
    for side in (x + 0.06 * wide, x + 0.94 * wide):
        canvas.shade(side - 2, floor - 3.3 * P, side + 2, floor, 0.88)
        canvas.shade(side + 2, floor - 3.3 * P, side + 4, floor, 1.06)
    if not manner.clutter:
        canvas.rect(x + 0.4 * wide, floor - 0.4 * P, x + 0.5 * wide, floor - 0.28 * P, rgb("#55524c"), 0.8)
        return
    for k in range(2):
        at = x + chance.uniform(0.15, 0.8, f"pipe/{k}") * wide
        canvas.rect(at, floor - CELL * P, at + 7, floor, rgb("#8d918f"), 0.9)
        canvas.shade(at + 5, floor - CELL * P, at + 9, floor, 0.75)
    at = x + chance.uniform(0.2, 0.6, "box") * wide
    canvas.rect(at, floor - 1.9 * P, at + 0.5 * P, floor - 1.1 * P, rgb("#9aa19c"))
    canvas.shade(at, floor - 1.12 * P, at + 0.5 * P, floor - 1.05 * P, 0.6)
    for k in range(4):
        px, py = x + chance.uniform(0.1, 0.75, f"bx/{k}") * wide, floor - chance.uniform(1.2, 2.0, f"by/{k}") * P
        color = _pick(("#d8d6cc", "#c9b04a", "#b5705c", "#7f9aa8"), chance, f"bc/{k}")
        canvas.rect(px, py, px + 30, py + 42, color, 0.9)
        canvas.rect(px + 4, py + 6, px + 26, py + 9, rgb("#3a3a3a"), 0.6)
        canvas.rect(px + 4, py + 14, px + 20, py + 16, rgb("#3a3a3a"), 0.5)


Painter = Callable[[Canvas, Box, Opening, Manner, Chance], None]
PAINTERS: dict[str, Painter] = {
    "glass": glass, "glass2": glass2, "open": open_front, "shutter": shutter, "window": window, "lobby": lobby,
    "garage": garage,
}  # fmt: skip
