"""Small glTF documents and tiles made in code."""

import struct
from typing import Any

import numpy as np

from citysim.build.gltf import pack_glb
from citysim.storage import canonical_json

SQUARE = np.array([(0, 0, 0), (2, 0, 0), (2, 0, -2), (0, 0, -2)], dtype="<f4")  # y up: flat, facing up
FACES = np.array([(0, 1, 2), (0, 2, 3)], dtype="<u2")
_TYPES = {"f": 5126, "u1": 5121, "u2": 5123, "u4": 5125, "i1": 5120, "i2": 5122}
_WIDTHS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}


class GltfMaker:
    """Builds a glTF of one mesh; change `gltf` freely before packing."""

    def __init__(self) -> None:
        self.binary = bytearray()
        self.gltf: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": []}],
            "accessors": [],
            "bufferViews": [],
            "buffers": [{}],
        }

    def array(self, values: Any, **extra: Any) -> int:
        """Add an accessor of a (N, K) array and return its index."""
        data = np.ascontiguousarray(values)
        data = data.reshape(len(data), -1)
        self.binary += bytes(-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": data.nbytes}
        self.binary += data.tobytes()
        self.gltf["bufferViews"].append(view)
        kind = _TYPES[data.dtype.str[1:] if data.dtype.kind != "f" else "f"]
        entry = {"bufferView": len(self.gltf["bufferViews"]) - 1, "componentType": kind, "count": len(data)}
        self.gltf["accessors"].append({**entry, "type": _WIDTHS[data.shape[1]], **extra})
        return len(self.gltf["accessors"]) - 1

    def primitive(
        self, positions: Any = SQUARE, faces: Any = FACES, mode: int = 4, **attributes: Any
    ) -> dict[str, Any]:
        """Add a primitive; further keyword arguments are attributes by name, arrays or (array, accessor keys)."""
        entry: dict[str, Any] = {"attributes": {"POSITION": self.array(positions)}, "mode": mode}
        if faces is not None:
            entry["indices"] = self.array(np.asarray(faces).reshape(-1))
        for name, values in attributes.items():
            array, extra = values if isinstance(values, tuple) else (values, {})
            entry["attributes"][name] = self.array(array, **extra)
        self.gltf["meshes"][0]["primitives"].append(entry)
        return entry

    def glb(self) -> bytes:
        """The glb's bytes."""
        self.gltf["buffers"][0].setdefault("byteLength", len(self.binary))
        return pack_glb(self.gltf, bytes(self.binary))


def square_glb() -> bytes:
    """A 2 m x 2 m square on the ground."""
    maker = GltfMaker()
    maker.primitive()
    return maker.glb()


def b3dm(
    glb: bytes, features: dict[str, Any] | None = None, batch: dict[str, Any] | None = None, tail: bytes = b""
) -> bytes:
    """A b3dm around a glb, with a feature table, a batch table and its binary."""
    tables = [_padded(features or {"BATCH_LENGTH": 0}), b"", _padded(batch) if batch else b"", tail]
    size = 28 + sum(map(len, tables)) + len(glb)
    return struct.pack("<4s6I", b"b3dm", 1, size, *map(len, tables)) + b"".join(tables) + glb


def cmpt(*parts: bytes) -> bytes:
    """A composite of tiles."""
    return struct.pack("<4s3I", b"cmpt", 1, 16 + sum(map(len, parts)), len(parts)) + b"".join(parts)


def tileset(**root: Any) -> bytes:
    """A tileset document whose root has a 10 m box unless told otherwise."""
    box = {"box": [0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 10]}
    tile = {"boundingVolume": box, "geometricError": 1.0, **root}
    return canonical_json({"asset": {"version": "1.1"}, "geometricError": 10.0, "root": tile}).encode()


def _padded(value: dict[str, Any]) -> bytes:
    text = canonical_json(value).encode()
    return text + b" " * (-len(text) % 8)
