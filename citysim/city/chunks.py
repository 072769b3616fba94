"""Chunks from trimesh meshes, and the flat bytes in which they and textures are cached."""

import hashlib
import struct
import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from citysim.city.model import Chunk
from citysim.geo.content.meshes import LATTICE
from citysim.geo.content.surfaces import Surface

if TYPE_CHECKING:
    import trimesh

_MAGIC = b"citysim chunk 1\n"
_HEADER = struct.Struct("<16s3dQQ")  # magic, origin, vertices, triangles
_PICTURE = b"citysim image 1\n"
_SIZE = struct.Struct("<16s2QI")  # magic, rows, columns, CRC-32 of size and pixels
_START = 64  # where the arrays begin: after header and CRC-32 of header and arrays, aligned for any type
_LAYOUT: tuple[tuple[str, str, int], ...] = (
    ("positions", "<f4", 3),
    ("uvs", "<f4", 2),
    ("colors", "u1", 4),
    ("triangles", "<i4", 3),
    ("materials", "<i4", 1),
    ("labels", "<i4", 1),
)
_PER_VERTEX = 3


def chunk_of(
    meshes: "Sequence[trimesh.Trimesh]",
    material: Callable[[Surface], int],
    label: Callable[[NDArray[Any]], NDArray[Any]],
) -> Chunk:
    """One chunk of a tile's meshes (see `geo.content.meshes.decode_meshes`).

    `material` gives the index of a surface, `label` turns feature ids (-1 for none) into object ids. The origin is the
    whole metre nearest to the middle of the bounds.
    """
    if not meshes:
        return empty_chunk()
    low = np.min([m.vertices.min(axis=0) for m in meshes], axis=0)
    high = np.max([m.vertices.max(axis=0) for m in meshes], axis=0)
    origin = np.round((low + high) / 2.0)
    offsets = np.cumsum([0, *(len(m.vertices) for m in meshes)])
    faces = [np.asarray(m.faces, np.int32) for m in meshes]
    attributes = [m.vertex_attributes for m in meshes]
    labels = [label(a["feature"][f[:, 0]]) for a, f in zip(attributes, faces, strict=True)]
    indexes = [np.full(len(f), material(m.metadata["surface"])) for m, f in zip(meshes, faces, strict=True)]
    return Chunk(
        origin=origin,
        positions=np.concatenate([np.asarray(m.vertices) - origin for m in meshes]).astype(np.float32),
        uvs=np.concatenate([a["uv"] for a in attributes]).astype(np.float32),
        colors=np.concatenate([a["color"] for a in attributes]).astype(np.uint8),
        triangles=np.concatenate([f + np.int32(o) for f, o in zip(faces, offsets[:-1], strict=True)]).astype(np.int32),
        materials=np.concatenate(indexes).astype(np.int32),
        labels=np.concatenate(labels).astype(np.int32),
    )


def empty_chunk() -> Chunk:
    """A chunk without triangles."""
    return Chunk(
        np.zeros(3),
        np.zeros((0, 3), np.float32),
        np.zeros((0, 2), np.float32),
        np.zeros((0, 4), np.uint8),
        np.zeros((0, 3), np.int32),
        np.zeros(0, np.int32),
        np.zeros(0, np.int32),
    )


def geometry_digest(chunk: Chunk) -> str:
    """SHA-256 of positions on the 1/1024 m lattice, triangles and labels: what a walker can touch and name."""
    points = np.round((chunk.positions.astype(np.float64) + chunk.origin) * LATTICE).astype("<i4")
    digest = hashlib.sha256(struct.pack("<QQ", len(points), len(chunk.triangles)))
    for array in (points, chunk.triangles.astype("<i4"), chunk.labels.astype("<i4")):
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def pixels_digest(pixels: NDArray[np.uint8]) -> str:
    """SHA-256 of a decoded texture: its shape and its RGBA bytes."""
    digest = hashlib.sha256(struct.pack("<3Q", *pixels.shape))
    digest.update(np.ascontiguousarray(pixels).tobytes())
    return digest.hexdigest()


def pack(chunk: Chunk) -> NDArray[np.uint8]:
    """(N,) uint8: header and arrays of a chunk, for a .npy file."""
    body = b"".join(np.ascontiguousarray(getattr(chunk, name), np.dtype(dtype)).tobytes() for name, dtype, _ in _LAYOUT)
    sizes = len(chunk.positions), len(chunk.triangles)
    header = _HEADER.pack(_MAGIC, *chunk.origin.tolist(), *sizes)
    checksum = zlib.crc32(body, zlib.crc32(header)).to_bytes(_START - len(header), "little")
    return np.frombuffer(header + checksum + body, np.uint8)


def unpack(data: NDArray[np.uint8]) -> Chunk | None:
    """The chunk in bytes made by `pack`, its arrays read-only views into them; None when they are damaged."""
    if data.dtype != np.uint8 or data.ndim != 1 or len(data) < _START:
        return None
    header, checksum = data[: _HEADER.size].tobytes(), int.from_bytes(data[_HEADER.size : _START].tobytes(), "little")
    magic, east, north, up, vertices, triangles = _HEADER.unpack(header)
    if magic != _MAGIC or zlib.crc32(data[_START:].data, zlib.crc32(header)) != checksum:
        return None
    arrays, position = [], _START
    for number, (_, dtype, width) in enumerate(_LAYOUT):
        rows = vertices if number < _PER_VERTEX else triangles
        size = rows * width * np.dtype(dtype).itemsize
        if position + size > len(data):
            return None
        view = data[position : position + size].view(dtype)
        arrays.append(np.asarray(view.reshape(rows, width) if width > 1 else view))
        position += size
    return Chunk(np.array([east, north, up]), *arrays) if position == len(data) else None


def pack_pixels(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """(N,) uint8: size, checksum and bytes of a texture (H, W, 4), for a .npy file."""
    body, (rows, columns) = np.ascontiguousarray(pixels).tobytes(), pixels.shape[:2]
    header = _SIZE.pack(_PICTURE, rows, columns, _size_crc(body, rows, columns))
    return np.frombuffer(header + body, np.uint8)


def unpack_pixels(data: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """The texture in bytes made by `pack_pixels`, a read-only view into them; None when they are damaged."""
    if data.dtype != np.uint8 or data.ndim != 1 or len(data) < _SIZE.size:
        return None
    magic, rows, columns, checksum = _SIZE.unpack(data[: _SIZE.size].tobytes())
    body = data[_SIZE.size :]
    if magic != _PICTURE or len(body) != rows * columns * 4 or _size_crc(body.data, rows, columns) != checksum:
        return None
    return body.reshape(rows, columns, 4)


def _size_crc(body: bytes | memoryview, rows: int, columns: int) -> int:
    return zlib.crc32(body, zlib.crc32(struct.pack("<2Q", rows, columns)))
