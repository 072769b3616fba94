"""Writes binary glTF 2.0: stable bytes, only what a city package needs."""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import MaterialSpec
from citysim.storage import canonical_json

_FLOAT, _UINT32, _UINT16, _UINT8 = 5126, 5125, 5123, 5121
_ARRAY_BUFFER, _ELEMENT_BUFFER = 34962, 34963
MESHOPT = "EXT_meshopt_compression"
_RESTART = 65535  # an index that glTF reserves
_REPEAT, _LINEAR, _TRILINEAR = 10497, 9729, 9987


@dataclass(frozen=True, slots=True)
class MeshPart:
    """Triangles of one material within a tile.

    positions (V, 3) float32 metres east, north, up from the tile's origin; uvs (V, 2) float32; colors (V, 4) uint8;
    labels (V,) int object ids below 2**24; triangles (T, 3) int32.
    """

    material: str
    positions: NDArray[np.float32]
    uvs: NDArray[np.float32]
    colors: NDArray[np.uint8]
    labels: NDArray[np.int32]
    triangles: NDArray[np.int32]


class _Buffer:
    """The BIN chunk with its views and accessors, plain or compressed by EXT_meshopt_compression."""

    def __init__(self, compress: bool) -> None:
        self.data = bytearray()
        self.views: list[dict[str, Any]] = []
        self.accessors: list[dict[str, Any]] = []
        self.compress = compress
        self.plain_length = 0

    def add(self, array: NDArray[Any], component: int, kind: str, target: int, **extra: Any) -> int:
        raw = np.ascontiguousarray(array).tobytes()
        if self.compress:
            self._compressed(np.ascontiguousarray(array), len(raw), target)
        else:
            self.views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(raw), "target": target})
            self.data += raw + bytes(-len(raw) % 4)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(array), "type": kind}
        self.accessors.append(accessor | extra)
        return len(self.accessors) - 1

    def _compressed(self, array: NDArray[Any], size: int, target: int) -> None:
        """A view whose plain bytes nobody stores: the extension tells where the compressed ones are."""
        import meshopt

        indices = target == _ELEMENT_BUFFER
        stride = size // len(array)
        # INDICES keeps the order of corners as it is; TRIANGLES may turn triangles
        rows = array if indices else array.reshape(len(array), -1).view(np.uint8)
        packed = meshopt.encode_gltf_buffer(rows, "INDICES" if indices else "ATTRIBUTES")
        view: dict[str, Any] = {
            "buffer": 1, "byteOffset": self.plain_length, "byteLength": size, "target": target,
            "extensions": {
                MESHOPT: {
                    "buffer": 0, "byteOffset": len(self.data), "byteLength": len(packed), "byteStride": stride,
                    "count": len(array), "mode": "INDICES" if indices else "ATTRIBUTES",
                }
            },
        }  # fmt: skip
        if not indices:
            view["byteStride"] = stride
        self.views.append(view)
        self.data += packed + bytes(-len(packed) % 4)
        self.plain_length += size + -size % 4

    def described(self) -> list[dict[str, Any]]:
        """The buffers as glTF names them."""
        own: dict[str, Any] = {"byteLength": len(self.data)}
        if not self.compress:
            return [own]
        return [own, {"byteLength": self.plain_length, "extensions": {MESHOPT: {"fallback": True}}}]


def glow_key(texture: str) -> str:
    """The key of the picture that says what glows in a texture."""
    return f"{texture}#glow"


def write_glb(
    parts: Sequence[MeshPart],
    materials: Mapping[str, MaterialSpec],
    texture_uris: Mapping[str, str],
    title: str,
    cells: Mapping[str, tuple[int, int]] = MappingProxyType({}),
    compress: bool = False,
) -> bytes:
    """One glb: a mesh of one primitive a part, y up as glTF demands, textures by reference.

    `texture_uris` gives the URI, relative to the glb, of every texture that the parts' materials name, and under
    `glow_key` of what glows in it; `cells` the columns and rows of windows in textures that have some. Labels are
    written as EXT_mesh_features ids (attribute _FEATURE_ID_0), 0 meaning none. `compress` packs vertices and indices
    by EXT_meshopt_compression, without loss.
    """
    buffer = _Buffer(compress)
    names = list(dict.fromkeys(part.material for part in parts))
    pictures = list(dict.fromkeys(t for t in (materials[name].texture for name in names) if t))
    pictures += [glow_key(texture) for texture in pictures if glow_key(texture) in texture_uris]
    gltf: dict[str, Any] = {
        "asset": {"version": "2.0", "generator": "citysim"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0, "name": title}],
        "meshes": [{"name": title, "primitives": [_primitive(part, names, buffer) for part in parts]}],
        "materials": [_material(name, materials[name], pictures, cells) for name in names],
        "accessors": buffer.accessors,
        "bufferViews": buffer.views,
        "buffers": buffer.described(),
        "extensionsUsed": ["EXT_mesh_features"],
    }
    if compress:
        gltf["extensionsUsed"].append(MESHOPT)
        gltf["extensionsRequired"] = [MESHOPT]
    if any(materials[name].unlit for name in names):
        gltf["extensionsUsed"].append("KHR_materials_unlit")
    if pictures:
        gltf["images"] = [{"uri": texture_uris[key]} for key in pictures]
        gltf["samplers"] = [{"magFilter": _LINEAR, "minFilter": _TRILINEAR, "wrapS": _REPEAT, "wrapT": _REPEAT}]
        gltf["textures"] = [{"sampler": 0, "source": number} for number in range(len(pictures))]
    return pack_glb(gltf, bytes(buffer.data))


def pack_glb(gltf: Mapping[str, Any], binary: bytes) -> bytes:
    """The container: header, JSON chunk padded with blanks, BIN chunk padded with zeros (glTF 2.0, chapter 4)."""
    text = canonical_json(gltf).encode()
    text += b" " * (-len(text) % 4)
    binary += bytes(-len(binary) % 4)
    size = 12 + 8 + len(text) + (8 + len(binary) if binary else 0)
    head = struct.pack("<4sII", b"glTF", 2, size) + struct.pack("<I4s", len(text), b"JSON") + text
    return head + (struct.pack("<I4s", len(binary), b"BIN\x00") + binary if binary else b"")


def _primitive(part: MeshPart, names: Sequence[str], buffer: _Buffer) -> dict[str, Any]:
    east, north, up = part.positions.T
    # adding zero turns -0.0 into 0.0
    positions = np.stack([east, up, -north], axis=1).astype("<f4") + np.float32(0.0)
    bounds = {"min": positions.min(axis=0).tolist(), "max": positions.max(axis=0).tolist()}
    attributes = {
        "POSITION": buffer.add(positions, _FLOAT, "VEC3", _ARRAY_BUFFER, **bounds),
        "TEXCOORD_0": buffer.add(part.uvs.astype("<f4"), _FLOAT, "VEC2", _ARRAY_BUFFER),
    }
    if (part.colors != 255).any():
        attributes["COLOR_0"] = buffer.add(part.colors, _UINT8, "VEC4", _ARRAY_BUFFER, normalized=True)
    # glTF forbids 32-bit integers here and 16 bits would be padded to 32: floats are exact up to 2**24
    attributes["_FEATURE_ID_0"] = buffer.add(part.labels.astype("<f4"), _FLOAT, "SCALAR", _ARRAY_BUFFER)
    small = len(part.positions) <= _RESTART
    indices = part.triangles.reshape(-1).astype("<u2" if small else "<u4")
    features = {"attribute": 0, "featureCount": len(np.unique(part.labels)), "nullFeatureId": 0}
    return {
        "attributes": attributes,
        "indices": buffer.add(indices, _UINT16 if small else _UINT32, "SCALAR", _ELEMENT_BUFFER),
        "material": names.index(part.material),
        "mode": 4,
        "extensions": {"EXT_mesh_features": {"featureIds": [features]}},
    }


def _material(
    name: str, spec: MaterialSpec, pictures: Sequence[str], cells: Mapping[str, tuple[int, int]]
) -> dict[str, Any]:
    look: dict[str, Any] = {"baseColorFactor": [float(v) for v in spec.color], "metallicFactor": 0.0}
    if spec.texture:
        look["baseColorTexture"] = {"index": pictures.index(spec.texture)}
    material: dict[str, Any] = {"name": name, "pbrMetallicRoughness": look, "doubleSided": spec.double_sided}
    if spec.alpha_cutoff > 0.0:
        material |= {"alphaMode": "MASK", "alphaCutoff": float(spec.alpha_cutoff)}
    if any(spec.emissive):
        material["emissiveFactor"] = [float(v) for v in spec.emissive]
    if glow_key(spec.texture) in pictures:
        material["emissiveTexture"] = {"index": pictures.index(glow_key(spec.texture))}
        material.setdefault("emissiveFactor", [1.0, 1.0, 1.0])
        if any(cells.get(spec.texture, ())):
            material["extras"] = {"glow_cells": list(cells[spec.texture])}
    if spec.unlit:
        material["extensions"] = {"KHR_materials_unlit": {}}
    return material
