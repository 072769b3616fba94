"""Canvas: a picture in float sRGB levels with antialiased rectangles that wrap around sideways."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.buildings.paint.noise import Image

Rgb = tuple[float, float, float]
STEP = 3


def rgb(text: str) -> Rgb:
    """(r, g, b) levels of "#rrggbb"."""
    return (float(int(text[1:3], 16)), float(int(text[3:5], 16)), float(int(text[5:7], 16)))


class Canvas:
    """`pixels` (H, W, 3) float32 in 0-255; positions are pixels, y pointing down; `glow` (H, W) uint8 as in Texture."""

    def __init__(self, height: int, width: int, color: Rgb = (128.0, 128.0, 128.0)) -> None:
        self.height, self.width = height, width
        self.pixels: Image = np.empty((height, width, 3), dtype=np.float32)
        self.pixels[:] = color
        self.glow: NDArray[np.uint8] = np.zeros((height, width), dtype=np.uint8)

    def shine(self, x0: float, y0: float, x1: float, y1: float, value: float) -> None:
        """What gives off light: `value` of 0-255 over a rectangle, whole pixels."""
        top, bottom = max(0, round(y0)), min(self.height, round(y1))
        if bottom > top and round(x1) > round(x0):
            self.glow[top:bottom, np.arange(round(x0), round(x1)) % self.width] = round(value)

    def blend(self, x: float, y: float, mask: Image, color: Rgb | Image) -> None:
        """Mix `color` (one, or one a pixel) into the pixels under `mask` (h, w), whose corner is at whole (x, y)."""
        left, top = int(x), int(y)
        y0, y1 = max(0, top), min(self.height, top + mask.shape[0])
        if y1 <= y0:
            return
        columns = self._columns(left, mask.shape[1])
        part = mask[y0 - top : y1 - top, :, None]
        paint = np.asarray(color, dtype=np.float32)
        if paint.ndim == 3:
            paint = paint[y0 - top : y1 - top]
        old = self.pixels[y0:y1, columns]
        self.pixels[y0:y1, columns] = old + (paint - old) * part

    def _columns(self, left: int, width: int) -> slice | NDArray[np.int64]:
        """Columns from `left`, wrapping around; a slice (much quicker) where they do not."""
        if left >= 0 and left + width <= self.width:
            return slice(left, left + width)
        return np.arange(left, left + width) % self.width

    def rect(self, x0: float, y0: float, x1: float, y1: float, color: Rgb, alpha: float = 1.0) -> None:
        """Fill a rectangle."""
        mask, left, top = cover(x0, y0, x1, y1)
        self.blend(left, top, mask * np.float32(alpha), color)

    def shade(self, x0: float, y0: float, x1: float, y1: float, factor: float) -> None:
        """Multiply a rectangle by a factor."""
        mask, left, top = cover(x0, y0, x1, y1)
        self.multiply(left, top, 1 + mask * np.float32(factor - 1.0))

    def multiply(self, x: int, y: int, factor: Image) -> None:
        """Multiply the pixels under `factor` (h, w)."""
        y0, y1 = max(0, y), min(self.height, y + factor.shape[0])
        if y1 <= y0:
            return
        columns = self._columns(x, factor.shape[1])
        self.pixels[y0:y1, columns] *= factor[y0 - y : y1 - y, :, None]

    def gradient(self, x0: float, y0: float, x1: float, y1: float, top: Rgb, bottom: Rgb, alpha: float = 1.0) -> None:
        """Fill a rectangle from one colour at the top to another at the bottom."""
        mask, left, high = cover(x0, y0, x1, y1)
        t = np.linspace(0.0, 1.0, mask.shape[0], dtype=np.float32)[:, None, None]
        ramp = np.asarray(top, np.float32) * (1 - t) + np.asarray(bottom, np.float32) * t
        self.blend(left, high, mask * np.float32(alpha), np.broadcast_to(ramp, (*mask.shape, 3)))

    def block(self, x: int, y: int, height: int, width: int) -> Image:
        """A copy of a block of pixels."""
        columns = self._columns(x, width)
        return self.pixels[y : y + height, columns].copy()

    def finished(self, low: float = 22.0, high: float = 238.0) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 in steps of 3, which halves what noise costs in a file, without pure black and white."""
        return np.clip(np.rint(self.pixels / np.float32(STEP)) * STEP, low, high).astype(np.uint8)


def cover(x0: float, y0: float, x1: float, y1: float) -> tuple[Image, int, int]:
    """How much of each pixel a rectangle covers: (h, w) mask and its left and top pixel."""
    left, top = int(np.floor(x0)), int(np.floor(y0))
    right, bottom = max(left + 1, int(np.ceil(x1))), max(top + 1, int(np.ceil(y1)))
    xs, ys = np.arange(left, right, dtype=np.float32), np.arange(top, bottom, dtype=np.float32)
    wide = np.clip(np.minimum(xs + 1, x1) - np.maximum(xs, x0), 0.0, 1.0)
    high = np.clip(np.minimum(ys + 1, y1) - np.maximum(ys, y0), 0.0, 1.0)
    return np.asarray(high[:, None] * wide[None, :], dtype=np.float32), left, top
