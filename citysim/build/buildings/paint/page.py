"""Page: a facade texture under construction, one strip after another, and the details that styles share."""

from functools import cache

import numpy as np

from citysim.build.buildings.paint.canvas import Canvas, rgb
from citysim.build.buildings.paint.noise import Image, fbm
from citysim.build.buildings.paint.surfaces import MAKERS
from citysim.build.buildings.strips import FIVE_ROWS, PAGE, ROWS
from citysim.build.chance import Chance

M = 64.0  # pixels a metre
PLINTH = 0.55


class Page:
    """A canvas filled with the style's blank wall; strips are (name -> pixel rows)."""

    def __init__(
        self, name: str, wall: str, bays: int, width: int = PAGE, rows: dict[str, tuple[int, int]] | None = None
    ) -> None:
        self.canvas = Canvas(PAGE, width)
        self.bays, self.rows = bays, rows or ROWS
        self.chance = Chance(0, f"paint/{name}")
        # Windows are switched by cells of equal height: only pages of five equal storeys have them.
        self.cells = (bays, 5) if self.rows is FIVE_ROWS else (bays, 1)
        tile = _wall(wall)
        self.canvas.pixels[:] = np.tile(tile, (PAGE // len(tile), width // len(tile), 1))

    def clad(self, strip: str, wall: str) -> None:
        """Give one strip another wall."""
        top, bottom = self.rows[strip]
        tile = _wall(wall)
        repeat = np.tile(tile, (1 + (bottom - top) // len(tile), self.canvas.width // len(tile), 1))
        self.canvas.pixels[top:bottom] = repeat[: bottom - top]

    def bay_middles(self, strip: str) -> list[tuple[int, float, float, float]]:
        """(index, x of the middle, y of the top, y of the bottom) of each bay, pixels."""
        top, bottom = self.rows[strip]
        wide = self.canvas.width / self.bays
        return [(k, (k + 0.5) * wide, float(top), float(bottom)) for k in range(self.bays)]

    def line(self, strip: str, z: float, height: float, factor: float) -> None:
        """A horizontal band `height` metres high whose top is `z` metres above the strip's foot."""
        bottom = self.rows[strip][1]
        self.canvas.shade(0, bottom - z * M, self.canvas.width, bottom - (z - height) * M, factor)

    def course(self, strip: str, z: float, height: float = 0.22) -> None:
        """A string course: a light band with a shadow below, its top `z` metres above the strip's foot."""
        self.line(strip, z, height, 1.07)
        self.line(strip, z, 0.03, 1.10)
        self.line(strip, z - height, 0.09, 0.80)
        self.line(strip, z - height - 0.09, 0.05, 0.92)

    def plinth(self, strip: str, color: str = "#9c9890", height: float = PLINTH) -> None:
        """A stone foot with joints."""
        bottom = self.rows[strip][1]
        top = bottom - height * M
        width = self.canvas.width
        self.canvas.rect(0, top, width, bottom, rgb(color))
        block = self.canvas.block(0, int(top), bottom - int(top), width)
        noise = fbm(len(block), width, 211, (32, 16, 8))[:, :, None]
        self.canvas.blend(0, int(top), np.ones(block.shape[:2], dtype=np.float32), block * (0.88 + 0.24 * noise))
        self.canvas.shade(0, top, width, top + 2, 1.15)
        self.canvas.shade(0, top + 2, width, top + 4, 0.85)
        for x in range(0, width, 64):
            self.canvas.shade(x, top + 2, x + 1.5, bottom, 0.78)

    def weather(self, strip: str) -> None:
        """Splashes at the foot and soft stains all over."""
        top, bottom = self.rows[strip]
        height, width = bottom - top, self.canvas.width
        factor = 1.0 - 0.16 * np.clip(_stains(width, 223, (128, 64, 32))[top:bottom] - 0.5, 0.0, 1.0)
        if strip in ("ground", "shop"):
            rise = np.clip((np.arange(height, dtype=np.float32) - (height - 34)) / 34, 0.0, 1.0)[:, None]
            factor = factor * (1.0 - rise * (0.10 + 0.14 * _stains(width, 227, (32, 16, 8))[top:bottom]))
        self.canvas.multiply(0, top, factor.astype(np.float32))


@cache
def _stains(width: int, seed: int, cells: tuple[int, ...]) -> Image:
    """Noise over a whole page, made once: it is slow."""
    return fbm(PAGE, width, seed, cells)


@cache
def _wall(name: str) -> Image:
    """The pixels of a blank wall."""
    return MAKERS[f"plain/{name}"]().pixels
