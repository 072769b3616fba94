"""The sheet of small things on facades and roofs: units, shutters, awnings, dormer windows, tanks, cars."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.buildings.paint.canvas import Canvas, rgb
from citysim.build.buildings.paint.noise import fbm
from citysim.build.buildings.paint.windows import Window, draw
from citysim.build.chance import Chance

SIZE = 512
Cell = tuple[float, float, float, float]  # left, top, right, bottom in texture units
CELLS = {  # pixels: left, top, right, bottom
    "unit": (0, 0, 104, 72),
    "leaf": (108, 0, 156, 160),
    "dormer": (160, 0, 260, 120),
    "awning": (264, 0, 392, 96),
    "tank": (0, 170, 128, 298),
    "ahu": (132, 170, 292, 266),
    "staves": (300, 170, 428, 298),
    "lattice": (0, 304, 160, 400),
    "clock": (432, 170, 504, 242),
    "slab": (164, 304, 292, 432),
}


def cell(name: str) -> Cell:
    """(left, top, right, bottom) in texture units, a texel inside."""
    x0, y0, x1, y1 = CELLS[name]
    return ((x0 + 1) / SIZE, (y0 + 1) / SIZE, (x1 - 1) / SIZE, (y1 - 1) / SIZE)


def sheet() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Pixels (512, 512, 3) and glow (512, 512)."""
    canvas = Canvas(SIZE, SIZE, rgb("#c4c2ba"))
    _unit(canvas, *CELLS["unit"])
    _leaf(canvas, *CELLS["leaf"])
    x0, y0, x1, y1 = CELLS["dormer"]
    canvas.rect(x0, y0, x1, y1, rgb("#dcd7ca"))
    draw(
        canvas, x0 + 10, y0 + 8, Window(1.24, 1.62, frame="#e8e4d8", transoms=(0.35,), sill=False), Chance(0, "dormer")
    )
    x0, y0, x1, y1 = CELLS["awning"]
    for k in range(8):
        canvas.rect(x0 + 16 * k, y0, x0 + 16 * k + 16, y1, rgb("#e9e5d9" if k % 2 else "#c9c4b8"))
    canvas.shade(x0, y1 - 18, x1, y1 - 15, 0.7)
    x0, y0, x1, y1 = CELLS["tank"]
    canvas.rect(x0, y0, x1, y1, rgb("#b9bab2"))
    for k in range(4):
        for axis in (0, 1):
            at = 32 * k
            box = (x0 + at, y0, x0 + at + 3, y1) if axis else (x0, y0 + at, x1, y0 + at + 3)
            canvas.shade(*box, 0.7)
    _ahu(canvas, *CELLS["ahu"])
    x0, y0, x1, y1 = CELLS["staves"]
    for k in range(16):
        canvas.rect(x0 + 8 * k, y0, x0 + 8 * k + 8, y1, rgb(("#7a5f45", "#6b523b", "#84684c")[k % 3]))
        canvas.shade(x0 + 8 * k, y0, x0 + 8 * k + 1.4, y1, 0.6)
    for k in range(5):
        canvas.rect(x0, y0 + 8 + 26 * k, x1, y0 + 11 + 26 * k, rgb("#55504a"))
    x0, y0, x1, y1 = CELLS["lattice"]
    canvas.rect(x0, y0, x1, y1, rgb("#8d9091"))
    for k in range(8):
        canvas.rect(x0 + 20 * k, y0, x0 + 20 * k + 4, y1, rgb("#5a5d5e"))
    for k in range(4):
        canvas.rect(x0, y0 + 24 * k, x1, y0 + 24 * k + 4, rgb("#5a5d5e"))
    _clock(canvas, *CELLS["clock"])
    x0, y0, x1, y1 = CELLS["slab"]
    canvas.rect(x0, y0, x1, y1, rgb("#d2cfc6"))
    canvas.pixels *= (0.92 + 0.16 * fbm(SIZE, SIZE, 701, (64, 32, 16, 8)))[:, :, None]
    x0, y0, x1, y1 = CELLS["dormer"]
    canvas.shine(x0 + 16, y0 + 16, x1 - 14, y1 - 14, 0)
    return canvas.finished(), canvas.glow


def _unit(canvas: Canvas, x0: float, y0: float, x1: float, y1: float) -> None:
    """An outdoor unit of an air conditioner: grille with a fan, a label."""
    canvas.rect(x0, y0, x1, y1, rgb("#d2d0c8"))
    canvas.shade(x0, y0, x1, y0 + 3, 1.06)
    cx, cy, r = x0 + 0.62 * (x1 - x0), 0.5 * (y0 + y1), 28.0
    ys, xs = np.mgrid[0:72, 0:104].astype(np.float32)
    d = np.sqrt((xs + 0.5 + x0 - cx) ** 2 + (ys + 0.5 + y0 - cy) ** 2)
    canvas.blend(x0, y0, np.clip(r - d, 0.0, 1.0).astype(np.float32), rgb("#6d7070"))
    for ring in (8.0, 15.0, 22.0, 27.0):
        canvas.blend(x0, y0, np.clip(1.6 - np.abs(d - ring), 0.0, 1.0).astype(np.float32), rgb("#aeb0aa"))
    canvas.rect(x0 + 6, y0 + 52, x0 + 26, y0 + 60, rgb("#8f918c"))
    canvas.shade(x0, y1 - 4, x1, y1, 0.7)


def _leaf(canvas: Canvas, x0: float, y0: float, x1: float, y1: float) -> None:
    """A window shutter's leaf with slats, pale so that it can be tinted."""
    canvas.rect(x0, y0, x1, y1, rgb("#d8d8d2"))
    for k in range(int((y1 - y0) / 6)):
        y = y0 + 6 * k
        canvas.shade(x0 + 5, y, x1 - 5, y + 2.4, 0.66)
        canvas.shade(x0 + 5, y + 2.4, x1 - 5, y + 4, 1.08)
    for y in (y0, 0.5 * (y0 + y1) - 3, y1 - 7):
        canvas.rect(x0, y, x1, y + 7, rgb("#d8d8d2"))
    canvas.shade(x0, y0, x0 + 2, y1, 0.8)
    canvas.shade(x1 - 2, y0, x1, y1, 0.7)


def _ahu(canvas: Canvas, x0: float, y0: float, x1: float, y1: float) -> None:
    """An air handling unit: louvres, a door, a seam."""
    canvas.rect(x0, y0, x1, y1, rgb("#c2c5c4"))
    for k in range(10):
        canvas.shade(x0 + 8, y0 + 14 + 7 * k, x0 + 70, y0 + 18 + 7 * k, 0.6)
    canvas.shade(x0 + 80, y0, x0 + 82, y1, 0.6)
    canvas.rect(x0 + 92, y0 + 20, x0 + 140, y1 - 10, rgb("#b4b8b8"))
    canvas.rect(x0 + 132, y0 + 50, x0 + 136, y0 + 60, rgb("#5a5d5e"))


def _clock(canvas: Canvas, x0: float, y0: float, x1: float, y1: float) -> None:
    """A clock's face on stone, lit at night."""
    canvas.rect(x0, y0, x1, y1, rgb("#cfc6b4"))
    cx, cy = 0.5 * (x0 + x1), 0.5 * (y0 + y1)
    ys, xs = np.mgrid[0:72, 0:72].astype(np.float32)
    d = np.sqrt((xs + 0.5 + x0 - cx) ** 2 + (ys + 0.5 + y0 - cy) ** 2)
    canvas.blend(x0, y0, np.clip(33.0 - d, 0.0, 1.0).astype(np.float32), rgb("#4a4034"))
    canvas.blend(x0, y0, np.clip(30.0 - d, 0.0, 1.0).astype(np.float32), rgb("#efe8d6"))
    canvas.glow[int(y0) : int(y1), int(x0) : int(x1)] = np.where(d < 30.0, 235, 0).astype(np.uint8)
    canvas.rect(cx - 1.6, cy - 22, cx + 1.6, cy, rgb("#2b2724"))
    canvas.rect(cx, cy - 1.6, cx + 16, cy + 1.6, rgb("#2b2724"))
