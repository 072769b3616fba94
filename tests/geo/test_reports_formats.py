"""Public bug reports about containers and tilesets, by their number in the project's list of them."""

import gzip
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from citysim.city.tiles import TileStore
from citysim.geo.content.container import unpack
from citysim.geo.content.features import content_features, feature_rows
from citysim.geo.content.meshes import decode_meshes
from citysim.geo.frames import LocalFrame, geodetic_to_ecef
from citysim.geo.store import FolderSource, MemorySource
from citysim.geo.tileset import read_tileset
from citysim.geo.volumes import bounding_sphere
from tests.geo.content.samples import b3dm, cmpt, square_glb, tileset

GLB = square_glb()
EYE = np.eye(4)
BOX = {"boundingVolume": {"box": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]}, "geometricError": 0}


@pytest.mark.parametrize("size", [20, 24])
def test_03_headers_of_before_1_0(size: int) -> None:
    batch = b'{"id":[0,1]} '.ljust(16)
    lengths = (2, len(batch)) if size == 20 else (len(batch), 0, 2)
    head = struct.pack(f"<4s2I{len(lengths)}I", b"b3dm", 1, size + len(batch) + len(GLB), *lengths)
    (payload,) = unpack(head + batch + GLB, "t.b3dm")
    assert feature_rows(payload) == [{"id": 0}, {"id": 1}]


def test_04_a_b3dm_without_batch_length_has_no_features() -> None:
    source = MemorySource({"t.b3dm": b3dm(GLB, {"RTC_CENTER": [0, 0, 0]}, {"name": ["never counted"]})})
    assert content_features(source, "t.b3dm") == []
    assert len(decode_meshes(source, "t.b3dm", EYE)) == 1


def test_08_content_without_an_extension_is_known_by_its_bytes() -> None:
    files = {
        "t.json": tileset(contents=[{"uri": "mesh"}, {"uri": "scene"}, {"uri": "more"}, {"uri": "tile"}]),
        "mesh": GLB,
        "scene": b'{"asset":{"version":"2.0"}}',
        "more": b"\xef\xbb\xbf\n " + tileset(content={"uri": "tile"}),
        "tile": b3dm(GLB),
    }
    source = MemorySource(files)
    tiles = read_tileset(source, "t.json").tiles
    assert [t.uris for t in tiles] == [("mesh", "scene", "tile"), ("tile",)]
    assert [len(decode_meshes(source, uri, EYE)) for uri in tiles[0].uris] == [1, 0, 1]


def test_09_gzip_behind_any_name() -> None:
    source = MemorySource(
        {"t.json": gzip.compress(tileset(content={"uri": "a.b3dm"})), "a.b3dm": gzip.compress(b3dm(GLB))}
    )
    (node,) = read_tileset(source, "t.json").tiles
    assert len(decode_meshes(source, node.uris[0], EYE)) == 1


@pytest.mark.parametrize("name", ["uri", "url"])
def test_10_content_under_its_old_name(name: str) -> None:
    (node,) = read_tileset(MemorySource({"t.json": tileset(content={name: "a.b3dm"})}), "t.json").tiles
    assert node.uris == ("a.b3dm",)


@pytest.mark.parametrize("padding", [b"", b"   ", b"\x00\x00\x00", b" \x00"])
@pytest.mark.parametrize("inside", [False, True])
def test_11_padded_references_of_instanced_models(padding: bytes, inside: bool) -> None:
    data = i3dm(b"model.glb" + padding, 0, [(1, 2, 3), (4, 5, 6)])
    source = MemorySource({"d/t.i3dm": cmpt(data, b3dm(GLB)) if inside else data, "d/model.glb": GLB})
    mesh = decode_meshes(source, "d/t.i3dm", EYE)[0]
    assert len(mesh.faces) == 4
    assert np.asarray(mesh.vertices).min(axis=0).tolist() == [1, 2, 3]
    assert np.asarray(mesh.vertices).max(axis=0).tolist() == [6, 7, 6]


def test_12_contents_that_are_z_up_already() -> None:
    document = json.loads(tileset(content={"uri": "a.b3dm"}))
    document["asset"]["gltfUpAxis"] = "Z"
    source = MemorySource({"t.json": json.dumps(document).encode(), "a.b3dm": b3dm(GLB)})
    (node,) = read_tileset(source, "t.json").tiles
    (mesh,) = decode_meshes(source, node.uris[0], node.matrix, node.up_axis)
    assert np.asarray(mesh.vertices)[2].tolist() == [2, 0, -2]  # as it stands in the file


def test_14_15_centres_are_added_in_full_precision_after_the_turn() -> None:
    frame = LocalFrame(114.2, 22.3, 0.0)
    center = geodetic_to_ecef([114.2, 22.3, 50.0])
    source = MemorySource({"t.b3dm": b3dm(GLB, {"BATCH_LENGTH": 0, "RTC_CENTER": center.tolist()})})
    (mesh,) = decode_meshes(source, "t.b3dm", frame.inverse)
    corner = frame.from_ecef(center + np.array([2.0, 2.0, 0.0]))  # glTF (2, 0, -2) is (2, 2, 0) with z up
    assert np.asarray(mesh.vertices)[2] == pytest.approx(corner, abs=1e-3)


def test_20_a_gltf_without_scenes_and_nodes_is_empty() -> None:
    source = MemorySource(
        {"t.gltf": b'{"asset":{"version":"2.0"}}', "u.gltf": b'{"asset":{"version":"2.0"},"scenes":[{}]}'}
    )
    assert decode_meshes(source, "t.gltf", EYE) == []
    assert decode_meshes(source, "u.gltf", EYE) == []


def test_24_empty_tiles_are_nothing_rather_than_a_fault() -> None:
    files = {
        "t.json": tileset(children=[{**BOX, "geometricError": 50, "content": {"uri": "a.b3dm"}}, BOX]),
        "a.b3dm": b"",
    }
    source = MemorySource(files)
    tree = read_tileset(source, "t.json")
    assert [n.geometric_error for n in tree.tiles] == [1.0, 50.0, 0.0]  # larger than its parent's: kept as it is
    assert decode_meshes(source, "a.b3dm", EYE) == []
    store = TileStore(source, tree, LocalFrame(0.0, 0.0), placement=EYE)
    assert len(store.decode(1).triangles) == 0


def test_25_a_replacing_tile_whose_content_is_another_tileset_is_refined_through() -> None:
    files = {
        "t.json": tileset(refine="REPLACE", content={"uri": "more.json"}),
        "more.json": tileset(content={"uri": "a.glb"}, children=[{**BOX, "content": {"uri": "b.glb"}}]),
        "a.glb": GLB,
        "b.glb": GLB,
    }
    tiles = read_tileset(MemorySource(files), "t.json").tiles
    assert [t.uris for t in tiles] == [(), ("a.glb",), ("b.glb",)]
    assert [t.parent for t in tiles] == [-1, 0, 1]
    assert {t.refine for t in tiles} == {"REPLACE"}


def test_26_regions_and_request_volumes() -> None:
    region = [*np.radians([10.0, 50.0, 11.0, 51.0]).tolist(), 0.0, 100.0]
    sphere = {"sphere": [0, 0, 0, 5]}
    document = tileset(boundingVolume={"region": region}, viewerRequestVolume=sphere)
    (node,) = read_tileset(MemorySource({"t.json": document}), "t.json").tiles
    assert node.request_volume == sphere
    frame = LocalFrame(10.5, 50.5, 0.0)
    ball = bounding_sphere(node.volume, EYE, frame.inverse)
    top = frame.from_ecef(geodetic_to_ecef([10.5, 50.5, 100.0]))  # the middle bulges above the corners
    assert np.linalg.norm(top - ball.center) <= ball.radius


@pytest.mark.parametrize(
    "region", [(179.9, 10, -179.9, 11, 0, 5), (-180, 80, 180, 90, 0, 5), (10, 50, 10, 50, 3, 3), (0, 0, 1, 1, 5, 0)]
)
def test_27_regions_across_the_antimeridian_over_poles_and_without_size(region: tuple[float, ...]) -> None:
    west, south, east, north, low, high = region
    volume = {"region": [*np.radians([west, south, east, north]).tolist(), low, high]}
    frame = LocalFrame(west, south, 0.0)
    ball = bounding_sphere(volume, EYE, frame.inverse)
    width = (east - west) % 360 if east != west else 0.0
    for u, v, height in ((0, 0, low), (1, 1, high), (0.5, 0.5, high)):
        point = frame.from_ecef(geodetic_to_ecef([west + u * (width or 0), south + v * (north - south), height]))
        assert np.linalg.norm(point - ball.center) <= ball.radius + 1e-3
    if width == pytest.approx(0.2):
        assert ball.radius < 100_000


@pytest.mark.parametrize("version", ["1.0", "1.1", "0.0"])
def test_28_implicit_b3dm_tiles_whatever_version_is_declared(version: str) -> None:
    tiling = {
        "subdivisionScheme": "QUADTREE",
        "subtreeLevels": 2,
        "maximumLevel": 1,
        "subtrees": {"uri": "s/{level}.{x}.{y}"},
    }
    document = json.loads(
        tileset(content={"uri": "c/{level}_{x}_{y}.b3dm"}, extensions={"3DTILES_implicit_tiling": tiling})
    )
    document["asset"]["version"] = version
    document["extensionsRequired"] = ["3DTILES_implicit_tiling"]
    constant = {"constant": 1}
    subtree = {
        "tileAvailability": constant,
        "contentAvailability": constant,
        "childSubtreeAvailability": {"constant": 0},
    }
    source = MemorySource({"t.json": json.dumps(document).encode(), "s/0.0.0": json.dumps(subtree).encode()})
    tiles = read_tileset(source, "t.json").tiles
    assert {uri for t in tiles for uri in t.uris} == {
        f"c/{name}.b3dm" for name in ("0_0_0", "1_0_0", "1_1_0", "1_0_1", "1_1_1")
    }


# real places in the tile: Jimbocho station, the Kasumigaseki Building, the National Diet (WGS84 degrees)
@pytest.mark.parametrize(
    ("town", "lon", "lat"),
    [("神田神保町", 139.7577, 35.6959), ("霞が関三丁目", 139.7475, 35.6716), ("永田町一丁目", 139.7448, 35.6759)],
)
def test_14_a_plateau_tile_stands_where_it_does_in_tokyo(shared_data: Path, town: str, lon: float, lat: float) -> None:
    """CESIUM_RTC in glTF 2: 300 buildings of Chiyoda, at their addresses, as tall as measured."""
    path = next(shared_data.joinpath("loaders.gl").rglob("cesium-rtc-extension.b3dm"))
    source = FolderSource(path.parent)
    frame = LocalFrame(139.7505, 35.68505, 0.0)
    meshes = decode_meshes(source, path.name, frame.inverse)
    points = frame.to_geodetic(np.concatenate([np.asarray(m.vertices) for m in meshes]))
    features = np.concatenate([m.vertex_attributes["feature"] for m in meshes])
    assert points.min(axis=0) == pytest.approx([139.73863, 35.66955, 36.83], abs=0.01)
    assert points.max(axis=0) == pytest.approx([139.76247, 35.70005, 236.31], abs=0.01)
    rows = content_features(source, path.name)
    assert len(rows) == len(set(features.tolist())) == 300
    tops = [np.ptp(points[features == n, 2]) - row["計測高さ"] for n, row in enumerate(rows)]
    assert -3.0 < float(np.median(tops)) < 0.5  # measured to the top of what stands on the roof
    # the sea lies 36.7 m above the ellipsoid here: the lowest foot of a building is on the ground, not in it
    named = [n for n, row in enumerate(rows) if town in row.get("住所", "")]
    middle = np.mean([points[features == n].mean(axis=0) for n in named], axis=0)
    away = np.linalg.norm(LocalFrame(lon, lat, 0.0).from_geodetic(middle)[:2])
    assert away < 350.0


def i3dm(model: bytes, embedded: int, positions: list[tuple[float, float, float]]) -> bytes:
    """An i3dm with given places."""
    body = np.array(positions, "<f4").tobytes()
    text = json.dumps({"INSTANCES_LENGTH": len(positions), "POSITION": {"byteOffset": 0}}).encode()
    text += b" " * (-len(text) % 8)
    body += bytes(-len(body) % 8)
    size = 32 + len(text) + len(body) + len(model)
    return struct.pack("<4s7I", b"i3dm", 1, size, len(text), len(body), 0, 0, embedded) + text + body + model
