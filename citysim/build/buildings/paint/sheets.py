"""Small pictures: doors and house numbers."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.buildings.paint.canvas import Canvas, rgb
from citysim.build.buildings.paint.noise import fbm
from citysim.build.buildings.plates import CHARACTERS, COLUMNS, SIZE

D = 96.0  # pixels a metre on the door sheet


def doors() -> NDArray[np.uint8]:
    """512 x 512: two double doors, two single ones, glass, garage and service door (places in doors.KINDS)."""
    canvas = Canvas(512, 512, rgb("#6a625a"))
    _double(canvas, 0, 0, "#5a3b28")
    _double(canvas, 154, 0, "#34473d")
    _single(canvas, 308, 0, "#6b4a33", True)
    _single(canvas, 404, 0, "#3c4652", False)
    _shop(canvas, 0, 232)
    _garage(canvas, 96, 232)
    _single(canvas, 336, 232, "#7b7f80", False, plain=True)
    noise = fbm(512, 512, 311, (64, 32, 16, 8))
    canvas.pixels *= (0.92 + 0.16 * noise)[:, :, None]
    return canvas.finished()


def _panel(canvas: Canvas, x0: float, y0: float, x1: float, y1: float) -> None:
    """A field sunk into wood."""
    canvas.shade(x0, y0, x1, y1, 0.72)
    canvas.shade(x0 + 2, y0 + 3, x1 - 2, y1 - 2, 1.30)
    canvas.shade(x0 + 9, y0 + 10, x1 - 9, y1 - 9, 1.10)


def _pane(canvas: Canvas, x0: float, y0: float, x1: float, y1: float) -> None:
    canvas.rect(x0 - 2, y0 - 2, x1 + 2, y1 + 2, rgb("#2b2724"), 0.8)
    canvas.gradient(x0, y0, x1, y1, rgb("#8fa3b0"), rgb("#2f3a42"))
    canvas.gradient(x0, y0, x1, y0 + 6, (16.0, 16.0, 18.0), (60.0, 62.0, 64.0), 0.5)


def _double(canvas: Canvas, x: float, y: float, color: str) -> None:
    canvas.rect(x, y, x + 154, y + 230, rgb(color))
    canvas.shade(x, y, x + 154, y + 5, 0.6)
    _pane(canvas, x + 8, y + 10, x + 146, y + 42)
    canvas.rect(x + 76, y + 8, x + 78, y + 44, rgb(color))
    canvas.shade(x, y + 48, x + 154, y + 52, 0.65)
    for k in range(2):
        left = x + 4 + k * 75
        canvas.shade(left, y + 52, left + 1.5, y + 228, 0.6)
        _pane(canvas, left + 14, y + 66, left + 58, y + 136)
        canvas.rect(left + 35, y + 64, left + 37, y + 138, rgb(color))
        canvas.rect(left + 12, y + 99, left + 60, y + 101, rgb(color))
        _panel(canvas, left + 12, y + 150, left + 60, y + 212)
    canvas.shade(x + 76, y + 52, x + 78.5, y + 228, 0.45)
    canvas.rect(x + 64, y + 128, x + 68, y + 152, rgb("#c8b273"))
    canvas.rect(x, y + 221, x + 154, y + 230, rgb("#8c8577"), 0.7)


def _single(canvas: Canvas, x: float, y: float, color: str, light: bool, plain: bool = False) -> None:
    canvas.rect(x, y, x + 96, y + 202, rgb(color))
    canvas.shade(x, y, x + 96, y + 4, 0.6)
    canvas.shade(x, y, x + 3, y + 202, 0.75)
    canvas.shade(x + 93, y, x + 96, y + 202, 0.75)
    if plain:
        canvas.rect(x + 30, y + 120, x + 66, y + 132, rgb("#5f6364"))
    elif light:
        _pane(canvas, x + 20, y + 18, x + 76, y + 92)
        canvas.rect(x + 47, y + 16, x + 49, y + 94, rgb(color))
        _panel(canvas, x + 16, y + 108, x + 80, y + 184)
    else:
        _pane(canvas, x + 60, y + 24, x + 80, y + 150)
        for k in range(5):
            canvas.shade(x + 8, y + 20 + 34 * k, x + 52, y + 21.6 + 34 * k, 0.7)
    canvas.rect(x + 82, y + 100, x + 87, y + 116, rgb("#c4c2ba"))
    canvas.rect(x, y + 194, x + 96, y + 202, rgb("#8f8f8a"), 0.7)


def _shop(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(x, y, x + 96, y + 211, rgb("#33383b"))
    _pane(canvas, x + 9, y + 9, x + 87, y + 190)
    canvas.gradient(x + 20, y + 60, x + 76, y + 188, rgb("#a08a66"), rgb("#4a4238"), 0.45)
    canvas.rect(x + 76, y + 84, x + 80, y + 136, rgb("#d5d5d0"))
    canvas.rect(x + 9, y + 100, x + 74, y + 103, rgb("#e4e4de"), 0.5)


def _garage(canvas: Canvas, x: float, y: float) -> None:
    canvas.rect(x, y, x + 240, y + 204, rgb("#8a8d8c"))
    for k in range(8):
        top = y + k * 25.5
        canvas.shade(x, top, x + 240, top + 3, 0.62)
        canvas.shade(x, top + 3, x + 240, top + 6, 1.14)
        if k == 2:
            for j in range(4):
                _pane(canvas, x + 16 + j * 56, top + 8, x + 56 + j * 56, top + 21)


def digits() -> NDArray[np.uint8]:
    """256 x 256: the characters of house numbers, dark on white enamel, 32 x 64 pixels each."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.new("L", (SIZE, SIZE), 232)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(50)
    for k, character in enumerate(CHARACTERS):
        x, y = k % COLUMNS * 32, k // COLUMNS * 64
        cell = Image.new("L", (64, 64), 232)
        ImageDraw.Draw(cell).text((32, 50), character, fill=30, font=font, anchor="ms")
        box = cell.point(lambda v: 255 if v < 200 else 0).getbbox()
        if box is not None and box[2] - box[0] > 28:  # M and W: squeeze into the cell
            middle = cell.crop((box[0], 0, box[2], 64)).resize((28, 64), Image.Resampling.BILINEAR)
            cell = Image.new("L", (64, 64), 232)
            cell.paste(middle, (18, 0))
        image.paste(cell.crop((16, 0, 48, 64)), (x, y))
        draw.rectangle((x, y, x + 31, y + 1), fill=60)
        draw.rectangle((x, y + 62, x + 31, y + 63), fill=60)
    grey = np.asarray(image, dtype=np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2)
