"""Compressed primitives, buffer views and pictures made in code."""

from typing import Any

import numpy as np

from tests.geo.content.samples import FACES, SQUARE, GltfMaker

UVS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], "<f4")


def draco_primitive(maker: GltfMaker, *, placeholder: int = 0, generic: Any = None, name: str = "") -> dict[str, Any]:
    """Add a Draco compressed square; its accessors are placeholders without data, of wrong counts when told so."""
    import DracoPy

    extra = {} if generic is None else {"generic_attributes": {0: generic}}
    data = DracoPy.encode(SQUARE, FACES.astype(np.uint32), tex_coord=UVS.astype(float), quantization_bits=14, **extra)
    mesh = DracoPy.decode(data)
    kinds = {entry["attribute_type"]: entry["unique_id"] for entry in mesh.attributes}
    view = _view(maker, data)
    accessors = maker.gltf["accessors"]
    dummy = {"min": [0, 0, 0], "max": [0, 0, 0]}
    accessors += [
        {"componentType": 5126, "count": placeholder or 4, "type": "VEC3", **dummy},
        {"componentType": 5126, "count": placeholder or 4, "type": "VEC2"},
        {"componentType": 5123, "count": placeholder or 6, "type": "SCALAR"},
    ]
    first = len(accessors) - 3
    attributes = {"POSITION": kinds[0], "TEXCOORD_0": kinds[3]} | ({name: kinds[4]} if generic is not None else {})
    entry: dict[str, Any] = {
        "attributes": {"POSITION": first, "TEXCOORD_0": first + 1},
        "indices": first + 2,
        "mode": 4,
        "extensions": {"KHR_draco_mesh_compression": {"bufferView": view, "attributes": attributes}},
    }
    maker.gltf["meshes"][0]["primitives"].append(entry)
    maker.gltf["extensionsRequired"] = ["KHR_draco_mesh_compression"]
    return entry


def meshopt_view(maker: GltfMaker, values: Any, mode: str) -> int:
    """Add a buffer view compressed with EXT_meshopt_compression over a fallback buffer without data."""
    import meshopt

    rows = np.ascontiguousarray(values)
    data = meshopt.encode_gltf_buffer(rows, mode)
    start = _place(maker, data)
    if len(maker.gltf["buffers"]) == 1:
        fallback = {"EXT_meshopt_compression": {"fallback": True}}
        maker.gltf["buffers"].append({"byteLength": 1 << 20, "extensions": fallback})
    settings = {
        "buffer": 0, "byteOffset": start, "byteLength": len(data), "byteStride": rows.dtype.itemsize * rows.shape[1],
        "count": len(rows), "mode": mode,
    }  # fmt: skip
    view = {"buffer": 1, "byteLength": rows.nbytes, "extensions": {"EXT_meshopt_compression": settings}}
    if mode == "ATTRIBUTES":
        view["byteStride"] = settings["byteStride"]
    maker.gltf["bufferViews"].append(view)
    maker.gltf["extensionsRequired"] = ["EXT_meshopt_compression"]
    return len(maker.gltf["bufferViews"]) - 1


def picture(maker: GltfMaker, data: bytes, mime: str, **texture: Any) -> None:
    """Give the first primitive a material with an embedded picture."""
    maker.gltf["images"] = [{"bufferView": _view(maker, data), "mimeType": mime}]
    maker.gltf["textures"] = [texture or {"source": 0}]
    maker.gltf["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    maker.gltf["meshes"][0]["primitives"][0]["material"] = 0


def _view(maker: GltfMaker, data: bytes) -> int:
    start = _place(maker, data)
    maker.gltf["bufferViews"].append({"buffer": 0, "byteOffset": start, "byteLength": len(data)})
    return len(maker.gltf["bufferViews"]) - 1


def _place(maker: GltfMaker, data: bytes) -> int:
    maker.binary += bytes(-len(maker.binary) % 4)
    start = len(maker.binary)
    maker.binary += data
    return start
