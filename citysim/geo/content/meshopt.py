"""EXT_meshopt_compression: compressed buffer views, through the package `meshopt`."""

from typing import Any

import numpy as np

from citysim.errors import FormatError
from citysim.geo.content.optional import decoder

MAX_BYTES = 1 << 29
_MODES = ("ATTRIBUTES", "TRIANGLES", "INDICES")


def decode_view(settings: dict[str, Any], data: bytes) -> bytes:
    """Bytes of a compressed buffer view; raises FormatError or DependencyError."""
    count, stride = settings.get("count"), settings.get("byteStride")
    mode, kind = settings.get("mode"), settings.get("filter", "NONE")
    if not (isinstance(count, int) and isinstance(stride, int)) or not (count >= 0 and 0 < stride <= 256):
        raise _broken(f"a count of {count!r:.20} and a stride of {stride!r:.20}")
    if count * stride > MAX_BYTES or mode not in _MODES:
        raise _broken(f"mode {mode!r:.20}, {count} elements")
    meshopt = decoder("meshopt")
    try:
        rows = meshopt.decode_gltf_buffer(data, count, stride, mode, None if kind == "NONE" else kind)
    except Exception as error:  # the package raises its own kinds
        raise _broken(str(error)[:80] or type(error).__name__) from None
    decoded = np.ascontiguousarray(rows).tobytes()
    if len(decoded) != count * stride:
        raise _broken(f"{len(decoded)} bytes, not {count * stride}")
    return decoded


def _broken(what: str) -> FormatError:
    return FormatError("a buffer view of EXT_meshopt_compression", what, "exporting the tile again")
