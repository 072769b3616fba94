"""Texture: a picture for surfaces, what glows in it, and the files that hold both."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.build.png import png_bytes

HALVED = 256  # texels: evenly glowing pages from this size on carry their glow at half of it


@dataclass(frozen=True, slots=True)
class Texture:
    """A picture: (H, W, 3 or 4) uint8 sRGB with power-of-two sides, covering `metres` (width, height) of surface.

    `glow` (H, W) uint8 says what gives off light at night, 255 fully, in pictures of opaque materials. Without `cells`
    it shines in the picture's own colours: sign faces, lenses, lamps. With `cells` (columns, rows of windows in one
    repetition) it is light from rooms behind: up to `ROOM` each window is switched by itself, drawn by lot from object,
    column of whole u and row; above `STEADY` (shop windows, staircases) it shines all evening.
    """

    pixels: NDArray[np.uint8]
    metres: tuple[float, float] = (1.0, 1.0)
    glow: NDArray[np.uint8] | None = None
    cells: tuple[int, int] = (0, 0)


def files_of(texture: Texture) -> tuple[bytes, bytes | None]:
    """PNG of a picture, and of what glows in it; None where nothing does."""
    lit = texture.glow is not None and bool(texture.glow.any())
    return png_bytes(texture.pixels), png_bytes(glowing(texture)) if lit else None


def glowing(texture: Texture) -> NDArray[np.uint8]:
    """(H, W, 4) emissive picture: the mask in alpha (see `Texture`), the light that other viewers show in RGB."""
    pixels, glow, cells = texture.pixels, texture.glow, texture.cells
    assert glow is not None
    if not any(cells) and min(glow.shape) >= HALVED and (glow == glow[0, 0]).all():
        pixels, glow = pixels[::2, ::2], glow[::2, ::2]
    light = np.full_like(pixels[..., :3], (255, 217, 160)) if any(cells) else pixels[..., :3]
    shown = (light.astype(np.uint16) * glow[..., None] + 127) // 255
    mask = np.minimum(glow, 254)  # a full alpha everywhere would be taken for none
    return np.concatenate([shown.astype(np.uint8), mask[..., None]], axis=2)
