"""Pictures in files."""

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.storage import write_atomic

_FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG"}


def encode(rgb: NDArray[np.uint8], form: str = "PNG", quality: int = 85) -> bytes:
    """(H, W, 3) uint8 as the bytes of a PNG or JPEG file."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, form, **({"quality": quality} if form == "JPEG" else {}))
    return buffer.getvalue()


def write_png(path: Path, rgb: NDArray[np.uint8]) -> None:
    """Write a picture whole or not at all; the name's ending chooses PNG or JPEG.

    Raises InputError for another ending, StorageError when the place cannot be written.
    """
    form = _FORMATS.get(path.suffix.lower())
    if form is None:
        raise InputError("a file name that ends in .png or .jpg", f"'{path}'", f"{path.with_suffix('.png').name}")
    write_atomic(path, encode(rgb, form))
