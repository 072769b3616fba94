"""Draco compressed primitives (KHR_draco_mesh_compression) and point clouds, through DracoPy."""

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content.aside import Aside
from citysim.geo.content.optional import decoder

MAX_POINTS = 8_000_000
LIMIT_S, LIMIT_S_PER_BYTE = 10.0, 1e-5
_MESH, _SEQUENTIAL = 1, 0


def decode_primitive(settings: dict[str, Any], data: bytes) -> dict[str, NDArray[Any]]:
    """Arrays of a compressed primitive by attribute name, each (N, components), and "indices".

    What Draco says about counts stands; the placeholder accessors of the glTF are not consulted. Raises FormatError
    for broken data and DependencyError without DracoPy.
    """
    attributes = settings.get("attributes")
    if not isinstance(attributes, dict):
        raise _broken("no attributes")
    mesh = _decoded(data)
    arrays = _arrays(mesh, attributes)
    faces = getattr(mesh, "faces", None)
    if faces is not None:
        arrays["indices"] = np.asarray(faces).reshape(-1, 1)
    return arrays


def decode_points(properties: dict[str, Any], data: bytes) -> dict[str, NDArray[Any]]:
    """Arrays of a compressed point cloud (3DTILES_draco_point_compression) by property name."""
    return _arrays(_decoded(data), properties)


def _arrays(mesh: Any, attributes: dict[str, Any]) -> dict[str, NDArray[Any]]:
    arrays: dict[str, NDArray[Any]] = {}
    count = None
    for name, number in attributes.items():
        found = mesh.get_attribute_by_unique_id(number) if isinstance(number, int) else None
        if found is None:
            continue
        values = np.asarray(found["data"])
        values = values.reshape(len(values), -1)
        if count is not None and len(values) != count:
            raise _broken("attributes of different lengths")
        count = len(values)
        arrays[str(name)] = values
    return arrays


def _decoded(data: bytes) -> Any:
    draco = decoder("DracoPy")
    _check_size(data)
    # hostile data can keep the library busy for half a minute; a sound tile takes a thousandth of the limit
    limit = LIMIT_S + len(data) * LIMIT_S_PER_BYTE
    try:
        return Aside(lambda: draco.decode(data)).result(limit)
    except TimeoutError:
        raise _broken(f"{len(data)} bytes that take more than {limit:.0f} s") from None
    except Exception as error:  # DracoPy raises several kinds, some of them bare
        raise _broken(str(error)[:80] or type(error).__name__) from None


def _check_size(data: bytes) -> None:
    """Refuse a header that promises more than memory holds, before anything is allocated for it."""
    if len(data) < 11 or data[:5] != b"DRACO":
        raise _broken(f"{len(data)} bytes without a Draco header")
    if tuple(data[5:7]) < (2, 2):
        raise _broken(f"version {data[5]}.{data[6]}, older than the 2.2 that glTF asks for")
    kind, method = data[7], data[8]
    counts: list[int] = []
    if kind == _MESH:
        start = 11 if method == _SEQUENTIAL else 12  # edgebreaker has a byte for its traversal first
        for _ in range(2):
            value, start = _varint(data, start)
            counts.append(value)
    else:
        counts.append(struct.unpack_from("<I", data, 11)[0] if len(data) >= 15 else 0)
    if max(counts) > MAX_POINTS or max(counts) > 4096 * len(data):
        raise _broken(f"{max(counts)} elements in {len(data)} bytes")


def _varint(data: bytes, position: int) -> tuple[int, int]:
    """An unsigned LEB128 number and where it ends."""
    value = shift = 0
    while position < len(data) and shift < 63:
        byte = data[position]
        value |= (byte & 127) << shift
        position, shift = position + 1, shift + 7
        if byte < 128:
            return value, position
    raise _broken("a broken Draco header")


def _broken(what: str) -> FormatError:
    return FormatError("Draco compressed geometry", what, "exporting the tile again")
