"""Pictures with their glow in the alpha channel, as both renderers draw them."""

import numpy as np
from numpy.typing import NDArray

from citysim.city.model import City


def glow_mask(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W) uint8 mask of a glow texture (H, W, 4): its alpha, or its light where alpha says nothing."""
    alpha = pixels[..., 3]
    return np.ascontiguousarray(pixels[..., :3].max(axis=2) if (alpha == 255).all() else alpha)


def glows_of(city: City) -> dict[int, int]:
    """By texture the texture that masks its glow; textures that a material cuts holes with are left out."""
    cut = {m.texture for m in city.materials if m.alpha_cutoff > 0.0}
    found: dict[int, int] = {}
    for material in city.materials:
        if material.glow >= 0 and material.texture >= 0 and material.texture not in cut:
            found.setdefault(material.texture, material.glow)
    return found


def with_glow(pixels: NDArray[np.uint8], glow: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(H, W, 4) uint8: the colours of a picture with the mask of a glow texture, made as large, in alpha."""
    mask = glow_mask(glow)
    if mask.shape != pixels.shape[:2]:
        from PIL import Image

        size = pixels.shape[1], pixels.shape[0]
        mask = np.asarray(Image.fromarray(mask).resize(size, Image.Resampling.BOX), dtype=np.uint8)
    out = np.empty((*pixels.shape[:2], 4), dtype=np.uint8)
    out[..., :3], out[..., 3] = pixels[..., :3], mask
    return out
