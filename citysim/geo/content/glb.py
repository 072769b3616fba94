"""The binary container of glTF 2.0."""

import struct
from typing import Any

from citysim.geo.content.payload import Payload
from citysim.geo.content.tables import broken, header, parse_json


def read_glb(data: bytes, uri: str) -> Payload:
    """The JSON and BIN chunks of a glb, which may be followed by padding; raises FormatError."""
    _, version, length = header(data, "<4s2I", uri)
    if version != 2:
        raise broken(uri, f"glTF version {version}, not 2")
    if length > len(data):
        raise broken(uri, f"{len(data)} of {length} bytes")
    gltf: dict[str, Any] | None = None
    binary: bytes | None = None
    position = 12
    while position + 8 <= length:
        size, kind = struct.unpack_from("<I4s", data, position)
        if position + 8 + size > length:
            raise broken(uri, "a chunk longer than the file")
        chunk = data[position + 8 : position + 8 + size]
        if kind == b"JSON" and gltf is None:
            gltf = parse_json(chunk, uri)
        elif kind == b"BIN\x00" and binary is None:
            binary = chunk
        position += 8 + size + (-size % 4)
    if gltf is None:
        raise broken(uri, "no JSON chunk")
    return Payload(gltf, binary)


def read_gltf(data: bytes, uri: str) -> Payload:
    """A glTF in either form; an empty payload for nothing but padding."""
    if not data.strip(b"\x00 "):
        return Payload()
    return read_glb(data, uri) if data[:4] == b"glTF" else Payload(parse_json(data, uri))
