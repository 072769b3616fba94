"""PNG files of pictures, as small as they easily get."""

import io
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

FEW = 256  # colours that fit a palette
SAMPLE = 7  # every so many texels are looked at first


def png_bytes(pixels: NDArray[np.uint8]) -> bytes:
    """PNG of (H, W, 3 or 4) uint8; an alpha channel of 255 only is dropped.

    A picture of at most 256 colours (pages of text) gets a palette, which makes the file a third as large.
    """
    if pixels.ndim == 3 and pixels.shape[2] == 4 and (pixels[..., 3] == 255).all():
        pixels = pixels[..., :3]
    buffer = io.BytesIO()
    _picture(pixels).save(buffer, format="PNG", compress_level=3)
    return buffer.getvalue()


def _picture(pixels: NDArray[np.uint8]) -> "Picture":
    """An indexed picture where its colours are few, else a plain one."""
    from PIL import Image

    if pixels.ndim == 3:
        codes = pixels.astype(np.uint32) @ np.array([1 << 24, 1 << 16, 1 << 8, 1], dtype=np.uint32)[: pixels.shape[2]]
        if len(np.unique(codes[::SAMPLE, ::SAMPLE])) <= FEW:
            colours, index = np.unique(codes, return_inverse=True)
            if len(colours) <= FEW:
                indexed = Image.frombytes("P", (codes.shape[1], codes.shape[0]), index.astype(np.uint8).tobytes())
                channels = np.stack([colours >> shift & 255 for shift in (24, 16, 8, 0)], axis=1).astype(np.uint8)
                indexed.putpalette(channels[:, :3].tobytes())
                if pixels.shape[2] == 4:
                    indexed.info["transparency"] = channels[:, 3].tobytes()
                return indexed
    return Image.fromarray(np.ascontiguousarray(pixels))
