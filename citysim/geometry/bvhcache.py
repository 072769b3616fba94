"""Hierarchies on disk: keyed by content, written whole, memory-mapped and so shared by processes."""

import contextlib
import os
import struct
import tempfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim import storage
from citysim.geometry.bvh import Bvh, build_bvh, triangle_key

BUILDER = 1
"""Raise when building changes, so that old entries are not used."""

WORTH_TRIANGLES = 256
"""Smaller meshes are built faster than a file is opened."""

_MAGIC = b"citysim bvh 1\n\0\0"
_HEADER = struct.Struct("<16s32s3d6dQQqI")  # magic, key, origin, bounds, triangles, nodes, root, CRC-32 of the arrays
_START = 192


def cached_bvh(origin: NDArray[np.float64], corners: NDArray[np.float32]) -> Bvh:
    """`build_bvh` through the cache folder; a cache that cannot be written or is damaged only costs time."""
    if len(corners) < WORTH_TRIANGLES:
        return build_bvh(origin, corners)
    key = triangle_key(origin, corners)
    path = storage.cache_dir() / f"bvh-{BUILDER}" / key[:2] / f"{key}.bvh"
    found = read_bvh(path, key)
    if found is None:
        found = build_bvh(origin, corners, key)
        if _write(path, found):
            found = read_bvh(path, key) or found
    return found


def read_bvh(path: Path, key: str) -> Bvh | None:
    """The entry of a file, its arrays read-only views of the mapped file; None when missing or damaged."""
    try:
        data = np.memmap(path, np.uint8, "r").view(np.ndarray)
    except (OSError, ValueError):
        return None
    if len(data) < _START:
        return None
    magic, name, *numbers, count, nodes, root, checksum = _HEADER.unpack(data[: _HEADER.size].tobytes())
    sizes = (count * 36, count * 4, nodes * 48, nodes * 8)
    if magic != _MAGIC or name != bytes.fromhex(key) or len(data) != _START + sum(sizes):
        return None
    if zlib.crc32(data[_START:].data) != checksum:
        return None
    ends = np.cumsum(sizes) + _START
    parts = [data[end - size : end] for end, size in zip(ends, sizes, strict=True)]
    return Bvh(
        np.array(numbers[:3]),
        parts[0].view("<f4").reshape(-1, 9),
        parts[1].view("<i4"),
        parts[2].view("<f4").reshape(-1, 12),
        parts[3].view("<i4").reshape(-1, 2),
        root,
        np.array(numbers[3:]),
        key,
    )


def _write(path: Path, bvh: Bvh) -> bool:
    """Put a file in place in one step (no fsync: a damaged entry is built again); False when that is not possible."""
    arrays = [(bvh.corners, "<f4"), (bvh.ids, "<i4"), (bvh.boxes, "<f4"), (bvh.links, "<i4")]
    body = b"".join(np.ascontiguousarray(array, dtype).tobytes() for array, dtype in arrays)
    header = _HEADER.pack(
        _MAGIC, bytes.fromhex(bvh.key), *bvh.origin.tolist(), *bvh.bounds.tolist(),
        len(bvh.corners), len(bvh.boxes), bvh.root, zlib.crc32(body),
    )  # fmt: skip
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as handle:
            temporary = handle.name
            handle.write(header.ljust(_START, b"\0") + body)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        return False
    return True
