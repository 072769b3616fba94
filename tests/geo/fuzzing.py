"""Damaged tiles, subtrees and tilesets without end, from a number each; used by the suite and by benchmarks."""

import json
import struct
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from citysim.build.gltf import pack_glb
from citysim.errors import CitySimError
from citysim.geo.content.features import content_features
from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes, surfaces_in
from citysim.geo.store import MemorySource
from citysim.geo.tileset import read_tileset
from citysim.geo.volumes import bounding_sphere
from tests.geo.content.packed import UVS, draco_primitive, meshopt_view
from tests.geo.content.samples import FACES, SQUARE, GltfMaker, b3dm, cmpt, square_glb, tileset

Rng = np.random.Generator
EYE = np.eye(4)
JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 1, 2, 3, 7, 255, 65535, 2**31, 2**32 - 1, 2**53, 1e300, 0.5, -0.0, "", "a", "t", "../x",
    "data:,{", [], {}, [0], [0, 0, 0], [1e308] * 16, {"byteOffset": 2**31}, {"byteOffset": 0}, "SCALAR",
    "MAT4", 5126, 5125,
)  # fmt: skip
NUMBERS = (0, 1, 2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 20, 24, 28, 1 << 20, 1 << 28)


@cache
def seeds() -> dict[str, tuple[bytes, ...]]:
    """Sound inputs by kind."""
    plain, draco, meshopt, rich = GltfMaker(), GltfMaker(), GltfMaker(), GltfMaker()
    for maker in (plain, meshopt, rich):
        maker.primitive(TEXCOORD_0=UVS, _FEATURE_ID_0=np.array([0, 0, 1, 1], "<f4"))
    draco_primitive(draco)
    order = meshopt_view(meshopt, FACES.reshape(-1, 1).astype("<u4"), "TRIANGLES")
    meshopt.gltf["accessors"] += [{"bufferView": order, "componentType": 5125, "count": 6, "type": "SCALAR"}]
    meshopt.gltf["meshes"][0]["primitives"][0]["indices"] = len(meshopt.gltf["accessors"]) - 1
    _enrich(rich)
    points = b'{"POINTS_LENGTH":4,"POSITION":{"byteOffset":0}}'.ljust(48)
    body = SQUARE.tobytes()
    pnts = struct.pack("<4s6I", b"pnts", 1, 28 + 48 + len(body), 48, len(body), 0, 0) + points + body
    places = b'{"INSTANCES_LENGTH":4,"POSITION":{"byteOffset":0},"EAST_NORTH_UP":true}'.ljust(72)
    glb = square_glb()
    size = 32 + 72 + len(body) + len(glb)
    i3dm = struct.pack("<4s7I", b"i3dm", 1, size, 72, len(body), 0, 0, 1) + places + body + glb
    table = {"name": ["a", "b"], "h": {"byteOffset": 0, "componentType": "FLOAT", "type": "SCALAR"}}
    batched = b3dm(plain.glb(), {"BATCH_LENGTH": 2, "RTC_CENTER": [1, 2, 3]}, table, bytes(8))
    glbs = tuple(maker.glb() for maker in (plain, draco, meshopt, rich))
    availability = {f"{name}Availability": {"bitstream": 0} for name in ("tile", "childSubtree")}
    text = json.dumps(
        {"buffers": [{"byteLength": 8}], "bufferViews": [{"buffer": 0, "byteLength": 2}], **availability,
         "contentAvailability": [{"constant": 1}]}
    ).encode()  # fmt: skip
    text += b" " * (-len(text) % 8)
    subtree = struct.pack("<4sIQQ", b"subt", 1, len(text), 8) + text + b"\x1f" + bytes(7)
    tiling = {
        "subdivisionScheme": "QUADTREE",
        "subtreeLevels": 2,
        "availableLevels": 3,
        "subtrees": {"uri": "s{level}"},
    }
    child = {"boundingVolume": {"region": [0, 0, 0.1, 0.1, 0, 5]}, "geometricError": 1, "content": {"uri": "t"}}
    cell = {"extensions": {"3DTILES_bounding_volume_S2": {"token": "3", "minimumHeight": 0, "maximumHeight": 9}}}
    trees = (
        tileset(content={"uri": "c/{level}_{x}_{y}.glb"}, implicitTiling=tiling, refine="ADD"),
        tileset(children=[child, {**child, "boundingVolume": cell}], transform=[1, 0, 0, 0] * 3 + [5, 6, 7, 1]),
        tileset(contents=[{"uri": "t"}, {"uri": "e.json"}], viewerRequestVolume={"sphere": [0, 0, 0, 1]}),
    )
    return {
        "b3dm": (batched, b3dm(glbs[1]), b3dm(glbs[3]), i3dm, pnts, cmpt(batched, i3dm, pnts)),
        "glb": glbs,
        "subtree": (subtree, text),
        "tileset": trees,
    }


def _enrich(maker: GltfMaker) -> None:
    """Give a glTF instances, a sparse accessor and a property table."""
    places = maker.array(np.array([(0, 0, 0), (5, 0, 0)], "<f4"))
    instancing = {"attributes": {"TRANSLATION": places}}
    maker.gltf["nodes"] = [{"children": [1]}, {"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": instancing}}]
    rows, values = maker.array(np.array([1], "<u2")), maker.array(np.array([(3, 0, 0)], "<f4"))
    views = [maker.gltf["accessors"][i]["bufferView"] for i in (rows, values)]
    where, what = {"bufferView": views[0], "componentType": 5123}, {"bufferView": views[1]}
    maker.gltf["accessors"][0]["sparse"] = {"count": 1, "indices": where, "values": what}
    heights = maker.gltf["accessors"][maker.array(np.array([5, 6], "<f4"))]["bufferView"]
    schema = {"classes": {"c": {"properties": {"h": {"type": "SCALAR", "componentType": "FLOAT32"}}}}}
    table = {"class": "c", "count": 2, "properties": {"h": {"values": heights}}}
    maker.gltf["extensions"] = {"EXT_structural_metadata": {"schema": schema, "propertyTables": [table]}}
    features = {"featureIds": [{"featureCount": 2, "attribute": 0, "propertyTable": 0}]}
    maker.gltf["meshes"][0]["primitives"][0]["extensions"] = {"EXT_mesh_features": features}


def damaged(number: int) -> tuple[str, bytes]:
    """Kind and bytes of the input with a number: the same ones for ever."""
    rng = np.random.default_rng(number)
    kinds = seeds()
    kind = sorted(kinds)[number % len(kinds)]
    data = kinds[kind][int(rng.integers(len(kinds[kind])))]
    if rng.random() < 0.5:
        data = _with_junk(data, rng)
    for _ in range(int(rng.integers(0, 4))):
        data = _damage(data, rng)
    return kind, data


def read(kind: str, data: bytes) -> None:
    """Do everything that is done with such bytes; only errors of citysim's own may come of it, and are swallowed."""
    if kind in ("b3dm", "glb"):
        source = MemorySource({"t": data, "model.glb": square_glb()})
        for call in (_decode, lambda s: surfaces_in(s, "t"), lambda s: content_features(s, "t")):
            try:
                call(source)
            except CitySimError:
                continue
        return
    files = {"t": square_glb(), "t.json": data, "e.json": tileset()}
    files |= {f"s{level}": seeds()["subtree"][0] for level in range(4)}
    if kind == "subtree":
        files = {**files, "t.json": seeds()["tileset"][0], "s0": data}
    try:
        for allow in (False, True):
            for node in read_tileset(MemorySource(files), "t.json", allow_missing=allow).tiles[:50]:
                bounding_sphere(node.volume, node.matrix, EYE)
    except CitySimError:
        pass


def _decode(source: MemorySource) -> None:
    for mesh in decode_meshes(source, "t", EYE):
        assert np.isfinite(mesh.vertices).all()
        assert np.asarray(mesh.faces).min() >= 0
        assert np.asarray(mesh.faces).max() < len(mesh.vertices)
        if mesh.metadata["surface"].texture:
            load_texture(source, mesh.metadata["surface"].texture)


def _damage(data: bytes, rng: Rng) -> bytes:
    out = bytearray(data)
    if not out:
        return bytes(rng.integers(0, 256, 8, dtype=np.uint8))
    place, choice = int(rng.integers(len(out))), int(rng.integers(6))
    if choice == 0:
        return bytes(out[:place])
    if choice == 1:
        return bytes(out[:place] + rng.bytes(int(rng.integers(1, 9))) + out[place:])
    if choice == 2:
        struct.pack_into("<I", out := out.ljust(place + 4, b"\0"), place & ~3, NUMBERS[int(rng.integers(len(NUMBERS)))])
        return bytes(out)
    if choice == 3:
        struct.pack_into("<I", out := out.ljust(32, b"\0"), int(rng.integers(1, 8)) * 4, int(rng.choice(NUMBERS)))
        return bytes(out)
    for _ in range(int(rng.integers(1, 5))):
        out[int(rng.integers(len(out)))] = int(rng.integers(256))
    return bytes(out)


def _with_junk(data: bytes, rng: Rng) -> bytes:
    """Replace values in the JSON of a glb or of a tileset."""
    try:
        if data[:4] == b"glTF":
            size = struct.unpack_from("<I", data, 12)[0]
            gltf = json.loads(data[20 : 20 + size])
            _replace(gltf, rng)
            return pack_glb(gltf, data[28 + size :])
        if data[:1] == b"{":
            document = json.loads(data)
            _replace(document, rng)
            return json.dumps(document).encode()
    except ValueError:
        pass
    return data


def _replace(value: Any, rng: Rng) -> None:
    spots = list(_spots(value))
    for _ in range(int(rng.integers(1, 4))):
        holder, key = spots[int(rng.integers(len(spots)))]
        holder[key] = JUNK[int(rng.integers(len(JUNK)))]


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(items):
        yield value, key
        yield from _spots(inner)
