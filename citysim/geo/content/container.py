"""The binary wrappings of tile content: b3dm, cmpt, glb; each holds glTF documents."""

import json
import struct
from dataclasses import dataclass, field
from typing import Any

from citysim.errors import FormatError

MAX_NESTING = 8
_LEGACY = 570425344  # the four bytes of JSON's '{"' or glb's magic, read as a length: a header of before 1.0


@dataclass(frozen=True, slots=True)
class Payload:
    """One glTF document found in a tile's bytes.

    `gltf` is its JSON, `binary` its BIN chunk (None without), `rtc_center` metres to add after the turn to z-up,
    `batch_length`, `batch_json` and `batch_binary` what a b3dm says about its features.
    """

    gltf: dict[str, Any]
    binary: bytes | None = None
    rtc_center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    batch_length: int = 0
    batch_json: dict[str, Any] = field(default_factory=dict)
    batch_binary: bytes = b""


def unpack(data: bytes, uri: str, depth: int = 0) -> list[Payload]:
    """Every glTF document in the bytes of one content, in order; none for an empty tile.

    Raises FormatError for truncated data, for formats other than b3dm, cmpt, glb and glTF, and for glTF 1.0.
    """
    magic = data[:4]
    if not data:
        return []
    if magic == b"b3dm":
        return _b3dm(data, uri)
    if magic == b"glTF":
        return [_glb(data, uri)]
    if magic == b"cmpt":
        if depth >= MAX_NESTING:
            raise FormatError(f"composites nested at most {MAX_NESTING} deep", f"more in '{uri}'", "flattening them")
        return [payload for part in _composite(data, uri) for payload in unpack(part, uri, depth + 1)]
    if data.lstrip()[:1] == b"{":
        return [Payload(parse_json(data, uri))]
    name = magic.decode("ascii", "replace") if magic[:1].isalpha() else magic.hex()
    raise FormatError("tile content as b3dm, glb, glTF or cmpt", f"{name!r} in '{uri}'", "exporting triangles as glb")


def parse_json(data: bytes, uri: str) -> dict[str, Any]:
    """The JSON object in padded UTF-8 bytes; raises FormatError."""
    try:
        value = json.loads(data.rstrip(b"\x00 ").decode("utf-8-sig") or "{}")
    except (ValueError, RecursionError) as error:
        raise _broken(uri, f"JSON that cannot be parsed ({str(error)[:60]})") from None
    if not isinstance(value, dict):
        raise _broken(uri, "JSON that is no object")
    return value


def _b3dm(data: bytes, uri: str) -> list[Payload]:
    fields = _header(data, "<4s6I", uri) if len(data) >= 28 else (*_header(data, "<4s4I", uri), _LEGACY, 0)
    _, version, length, feature_json, feature_binary, batch_json, batch_binary = fields
    batch_length = 0
    if version != 1:
        raise _broken(uri, f"b3dm version {version}")
    start = 28
    if batch_json >= _LEGACY:  # batchLength, batchTableByteLength
        start, batch_length = 20, feature_json
        feature_json, feature_binary, batch_json, batch_binary = 0, 0, feature_binary, 0
    elif batch_binary >= _LEGACY:  # batchTableJSONByteLength, batchTableBinaryByteLength, batchLength
        start, batch_length = 24, batch_json
        feature_json, feature_binary, batch_json, batch_binary = 0, 0, feature_json, feature_binary
    if length > len(data):
        raise _broken(uri, f"{len(data)} of {length} bytes")
    pieces = []
    for size in (feature_json, feature_binary, batch_json, batch_binary):
        if start + size > length:
            raise _broken(uri, "tables longer than the tile")
        pieces.append(data[start : start + size])
        start += size
    features = parse_json(pieces[0], uri)
    count = features.get("BATCH_LENGTH", batch_length)
    content = data[start:length]
    if not content.strip(b"\x00 "):
        return []
    inner = _glb(content, uri) if content[:4] == b"glTF" else Payload(parse_json(content, uri))
    return [
        Payload(
            inner.gltf,
            inner.binary,
            _center(features.get("RTC_CENTER"), pieces[1], uri),
            count if isinstance(count, int) and 0 < count < 1 << 31 else 0,
            parse_json(pieces[2], uri),
            pieces[3],
        )
    ]


def _center(value: Any, binary: bytes, uri: str) -> tuple[float, float, float]:
    """RTC_CENTER, inline or as an offset into the feature table's binary."""
    if isinstance(value, dict) and isinstance(value.get("byteOffset"), int):
        offset = value["byteOffset"]
        if not 0 <= offset <= len(binary) - 12:
            raise _broken(uri, "an RTC_CENTER outside its table")
        value = list(struct.unpack_from("<3f", binary, offset))
    if value is None:
        return (0.0, 0.0, 0.0)
    numbers = value if isinstance(value, list) else []
    if len(numbers) != 3 or not all(isinstance(n, int | float) and abs(n) < 1e12 for n in numbers):
        raise _broken(uri, f"an RTC_CENTER of {value!r:.40}")
    return (float(numbers[0]), float(numbers[1]), float(numbers[2]))


def _glb(data: bytes, uri: str) -> Payload:
    _, version, length = _header(data, "<4s2I", uri)
    if version != 2:
        raise _broken(uri, f"glTF version {version}, not 2")
    if length > len(data):
        raise _broken(uri, f"{len(data)} of {length} bytes")
    gltf: dict[str, Any] | None = None
    binary: bytes | None = None
    position = 12
    while position + 8 <= length:
        size, kind = struct.unpack_from("<I4s", data, position)
        if position + 8 + size > length:
            raise _broken(uri, "a chunk longer than the file")
        chunk = data[position + 8 : position + 8 + size]
        if kind == b"JSON" and gltf is None:
            gltf = parse_json(chunk, uri)
        elif kind == b"BIN\x00" and binary is None:
            binary = chunk
        position += 8 + size + (-size % 4)
    if gltf is None:
        raise _broken(uri, "no JSON chunk")
    return Payload(gltf, binary)


def _composite(data: bytes, uri: str) -> list[bytes]:
    _, _, length, count = _header(data, "<4s3I", uri)
    if length > len(data) or count > len(data) // 12:
        raise _broken(uri, f"{len(data)} of {length} bytes")
    parts, position = [], 16
    for _ in range(count):
        if position + 12 > length:
            raise _broken(uri, "fewer inner tiles than it says")
        size = struct.unpack_from("<I", data, position + 8)[0]
        if size < 12 or position + size > length:
            raise _broken(uri, "an inner tile longer than the tile")
        parts.append(data[position : position + size])
        position += size
    return parts


def _header(data: bytes, layout: str, uri: str) -> tuple[Any, ...]:
    if len(data) < struct.calcsize(layout):
        raise _broken(uri, f"{len(data)} bytes, less than a header")
    return struct.unpack_from(layout, data)


def _broken(uri: str, what: str) -> FormatError:
    return FormatError("whole tile content", f"'{uri}' with {what}", "exporting or fetching the tile again")
