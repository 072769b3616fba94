"""Texture pixels of tiles, from files beside them or from inside them."""

import io
import warnings

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo import uris
from citysim.geo.content import extensions
from citysim.geo.content.container import unpack
from citysim.geo.content.document import Document
from citysim.geo.store import TileSource, fetch

MAX_SIDE = 16384
MAX_PIXELS = 1 << 27


def load_texture(source: TileSource, key: str) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 sRGB with straight alpha of a `Surface.texture` key.

    Keys are the URI of an image file, or `content#image` and `content#document#image` for embedded ones.
    Raises StorageError when the bytes cannot be had and FormatError when they are no picture.
    """
    content, mark, number = key.rpartition("#")
    if not mark:
        return decode_image(fetch(source, key), key)
    uri, _, part = content.partition("#")
    payloads = unpack(fetch(source, uri), uri)
    position = int(part or 0)
    if position >= len(payloads):
        raise FormatError("an image inside its tile", f"'{key}'", "importing the tileset again")
    return load_image(Document(payloads[position], uri, source), int(number), key)


def load_image(document: Document, number: int, name: str) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 of an entry of `images` of a glTF; raises as `load_texture` does."""
    image = document.item("images", number)
    reference = image.get("uri")
    if isinstance(reference, str):
        data = fetch(document.source, uris.join(document.uri, reference))
    else:
        data = bytes(document.view(image.get("bufferView"))[0])
    return decode_image(data, name)


def decode_image(data: bytes, name: str) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 of PNG, JPEG (greyscale too), WebP, or of a kind in the table of extensions, by its first bytes.

    Raises FormatError for what is no picture and DependencyError where its decoder is not installed.
    """
    for magic, decode in extensions.IMAGES.items():
        if data.startswith(magic):
            try:
                return decode(data)
            except FormatError as error:
                raise FormatError(error.expected, f"'{name}' ({error.found})", error.advice) from None
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(data), formats=("PNG", "JPEG", "WEBP"))
            if max(picture.size) > MAX_SIDE or picture.size[0] * picture.size[1] > MAX_PIXELS:
                raise ValueError(f"{picture.size[0]}x{picture.size[1]} pixels")
            if picture.mode == "RGB" and "transparency" not in picture.info:  # its fourth byte is full, as in memory
                packed = np.frombuffer(picture.tobytes("raw", "RGBX"), np.uint8)
                return packed.reshape(picture.size[1], picture.size[0], 4)
            if picture.mode == "L" and "transparency" not in picture.info:
                grey = np.asarray(picture).astype("<u4")
                grey *= 0x010101
                grey |= 0xFF000000
                return grey.view(np.uint8).reshape(picture.size[1], picture.size[0], 4)
            return np.asarray(picture.convert("RGBA"), dtype=np.uint8)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        kind = str(error).split("<")[0].strip()[:60] or "broken data"
        raise FormatError(
            "a PNG, JPEG, WebP or KTX2 picture", f"'{name}' ({kind})", "exporting the texture as JPEG"
        ) from None
