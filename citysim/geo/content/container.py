"""The wrappings of tile content: b3dm, i3dm, pnts, cmpt, glb; each holds glTF documents or points."""

import struct
from dataclasses import replace

from citysim.errors import FormatError
from citysim.geo.content.glb import read_glb, read_gltf
from citysim.geo.content.instanced import read_i3dm
from citysim.geo.content.payload import Payload
from citysim.geo.content.pointcloud import read_pnts
from citysim.geo.content.tables import Table, broken, header, parse_json, split

__all__ = ["Payload", "parse_json", "unpack"]

MAX_NESTING = 8
MAX_PARTS = 100_000
_LEGACY = 570425344  # the four bytes of JSON's '{"' or glb's magic, read as a length: a header of before 1.0
# kinds of content that hold no triangles of a city: vector data, terrain providers' primitives, availability
_LEFT_OUT = {b"vctr": "vector data (vctr)", b"geom": "primitive shapes (geom)", b"subt": "a subtree", b"voxl": "voxels"}


def unpack(data: bytes, uri: str, depth: int = 0) -> list[Payload]:
    """Everything in the bytes of one content, in order; nothing for an empty tile.

    Raises FormatError for truncated data, for formats that are not known, and for glTF 1.0.
    """
    magic = data[:4]
    if not data:
        return []
    if magic == b"b3dm":
        return _b3dm(data, uri)
    if magic == b"glTF":
        return [read_glb(data, uri)]
    if magic == b"i3dm":
        return read_i3dm(data, uri)
    if magic == b"pnts":
        return read_pnts(data, uri)
    if magic == b"cmpt":
        if depth >= MAX_NESTING:
            raise FormatError(f"composites nested at most {MAX_NESTING} deep", f"more in '{uri}'", "flattening them")
        return [payload for part in _composite(data, uri) for payload in unpack(part, uri, depth + 1)]
    if magic in _LEFT_OUT:
        return [Payload(left_out=_LEFT_OUT[magic])]
    if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        found = parse_json(data.lstrip(b"\xef\xbb\xbf"), uri)
        return [Payload(left_out="vector data (GeoJSON)") if _is_geojson(found) else Payload(found)]
    name = magic.decode("ascii", "replace") if magic[:1].isalpha() else magic.hex()
    raise FormatError(
        "tile content as b3dm, i3dm, pnts, cmpt, glb or glTF", f"{name!r} in '{uri}'", "exporting triangles as glb"
    )


def _is_geojson(value: dict[str, object]) -> bool:
    return "asset" not in value and value.get("type") in ("FeatureCollection", "Feature", "GeometryCollection")


def _b3dm(data: bytes, uri: str) -> list[Payload]:
    fields = header(data, "<4s6I", uri) if len(data) >= 28 else (*header(data, "<4s4I", uri), _LEGACY, 0)
    feature_json, feature_binary, batch_json, batch_binary = fields[3:]
    if batch_json >= _LEGACY:  # batchLength, batchTableByteLength
        _, pieces, content = split(_modern(data, 20, (0, 0, feature_binary, 0)), "<4s6I", uri)
        batch_length = feature_json
    elif batch_binary >= _LEGACY:  # batchTableJSONByteLength, batchTableBinaryByteLength, batchLength
        _, pieces, content = split(_modern(data, 24, (0, 0, feature_json, feature_binary)), "<4s6I", uri)
        batch_length = batch_json
    else:
        _, pieces, content = split(data, "<4s6I", uri)
        batch_length = 0
    if not content.strip(b"\x00 "):
        return []
    features = Table(parse_json(pieces[0], uri), pieces[1], uri)
    inner = read_gltf(content, uri)
    return [
        replace(
            inner,
            rtc_center=features.center(),
            batch_length=features.count("BATCH_LENGTH", batch_length if batch_length < 1 << 31 else 0),
            batch_json=parse_json(pieces[2], uri),
            batch_binary=pieces[3],
        )
    ]


def _modern(data: bytes, size: int, lengths: tuple[int, int, int, int]) -> bytes:
    """A b3dm with the header of 1.0 in place of an older one of `size` bytes."""
    version, length = struct.unpack_from("<2I", data, 4)
    length = min(length, len(data) + 1)  # too long is too long, and must not get too large to say
    return struct.pack("<4s6I", b"b3dm", version, length + 28 - size, *lengths) + data[size:]


def _composite(data: bytes, uri: str) -> list[bytes]:
    _, _, length, count = header(data, "<4s3I", uri)
    if length > len(data) or count > min(len(data) // 12, MAX_PARTS):
        raise broken(uri, f"{len(data)} of {length} bytes")
    parts, position = [], 16
    for _ in range(count):
        while data[position : position + 1] == b"\x00" and position < length:
            position += 1  # padding that the inner tile's length leaves out
        if position + 12 > length:
            raise broken(uri, "fewer inner tiles than it says")
        size = struct.unpack_from("<I", data, position + 8)[0]
        if size < 12 or position + size > length:
            raise broken(uri, "an inner tile longer than the tile")
        parts.append(data[position : position + size])
        position += size
    return parts
