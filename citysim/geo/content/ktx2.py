"""KTX2 pictures with Basis Universal data (ETC1S and UASTC), through `opengl_basisu`."""

import struct

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content.optional import decoder

MAGIC = b"\xabKTX 20\xbb\r\n\x1a\n"
MAX_SIDE = 16384
MAX_PIXELS = 1 << 26
SMALL = 1 << 22  # pixels that any number of bytes may stand for
MOST = 1024  # pixels a byte may stand for in a larger picture


def decode_ktx2(data: bytes) -> NDArray[np.uint8]:
    """(H, W, 4) uint8 of the first, largest image of a KTX2 file; raises FormatError or DependencyError."""
    basisu = decoder("opengl_basisu")
    if data[:12] != MAGIC or len(data) < 80:
        raise _broken("no KTX2 header")
    width, height = (int.from_bytes(data[at : at + 4], "little") for at in (20, 24))
    if not (0 < width <= MAX_SIDE and 0 < height <= MAX_SIDE) or width * height > MAX_PIXELS:
        raise _broken(f"{width}x{height} pixels")
    if width * height > max(SMALL, MOST * len(data)):
        raise _broken(f"{width}x{height} pixels in {len(data)} bytes")
    layers, faces, levels = struct.unpack_from("<3I", data, 32)
    if layers > 1 or faces != 1 or levels > 15 or len(data) < 80 + 24 * max(levels, 1):
        raise _broken(f"{layers} layers, {faces} faces, {levels} levels")
    for level in range(max(levels, 1)):  # what zstd would have to make room for
        _, size, whole = struct.unpack_from("<3Q", data, 80 + 24 * level)
        if size > len(data) or whole > 2 * width * height + 4096:
            raise _broken(f"a level of {whole} bytes")
    if levels == 0:  # "make your own mipmaps": one level is there, which the transcoder wants said
        data = data[:40] + b"\x01\0\0\0" + data[44:]
    try:
        texture = basisu.open(data)
        pixels = np.asarray(texture.transcode("rgba8").data, dtype=np.uint8)
    except ValueError as error:
        raise _broken(str(error)[:80]) from None
    if pixels.shape != (height, width, 4):
        raise _broken("pixels of another size")
    return pixels


def _broken(what: str) -> FormatError:
    return FormatError("a KTX2 picture with Basis Universal data", what, "exporting the texture as JPEG")
