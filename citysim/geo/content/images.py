"""Texture pixels of tiles, from files beside them or from inside them."""

import io
import warnings

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content import extensions
from citysim.geo.content.container import unpack
from citysim.geo.content.document import Document
from citysim.geo.store import TileSource, decode_data_uri, fetch

MAX_SIDE = 16384


def load_texture(source: TileSource, key: str) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 sRGB with straight alpha of a `Surface.texture` key.

    Keys are the URI of an image file, or `content#image` and `content#document#image` for embedded ones.
    Raises StorageError when the bytes cannot be had and FormatError when they are no picture.
    """
    content, mark, number = key.rpartition("#")
    if not mark:
        return decode_image(fetch(source, key), "", key)
    uri, _, part = content.partition("#")
    payloads = unpack(fetch(source, uri), uri)
    position = int(part or 0)
    if position >= len(payloads):
        raise FormatError("an image inside its tile", f"'{key}'", "importing the tileset again")
    document = Document(payloads[position], uri, source)
    image = document.item("images", int(number))
    reference = image.get("uri")
    data = (
        decode_data_uri(reference) if isinstance(reference, str) else bytes(document.view(image.get("bufferView"))[0])
    )
    return decode_image(data, str(image.get("mimeType", "")), key)


def decode_image(data: bytes, mime: str, name: str) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 of PNG, JPEG (greyscale too), WebP, or of a type in the table of extensions."""
    if mime in extensions.IMAGES:
        return extensions.IMAGES[mime](data)
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP"))
            if max(picture.size) > MAX_SIDE:
                raise ValueError(f"{picture.size[0]}x{picture.size[1]} pixels")
            return np.asarray(picture.convert("RGBA"), dtype=np.uint8)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        kind = "KTX2" if data[1:7] == b"KTX 20" else str(error).split("<")[0].strip()[:60] or "broken data"
        raise FormatError(
            "a PNG, JPEG or WebP picture", f"'{name}' ({kind})", "exporting the texture as JPEG"
        ) from None
