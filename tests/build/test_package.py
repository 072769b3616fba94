import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citysim.build.draft import MaterialSpec
from citysim.build.mesh import LEVELS, Detail
from citysim.build.package import texture_file, write_package
from citysim.city import open_city
from citysim.errors import InputError, StorageError
from tests.build.samples import FRAME, make_draft, package

__all__ = ["package"]


def files(root: Path) -> dict[str, str]:
    return {
        p.relative_to(root).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest()
        for p in sorted(root.rglob("*"))
        if p.is_file()
    }


def soup(draft: Any, *details: Detail) -> Any:
    rows = [p.positions[p.triangles].reshape(-1, 9) for p in draft.mesh.parts if p.detail in details]
    return np.unique(np.concatenate(rows), axis=0)


def test_manifest_follows_the_contract(package: Path) -> None:
    data = json.loads((package / "city.json").read_text())
    assert data["schema"] == "citysim.city/1"
    assert data["origin"] == {"lon": 24.94, "lat": 60.17, "height": 0.0}
    assert data["bounds_m"] == [-200.0, -200.0, 200.0, 200.0]
    parts = {k: data[k] for k in ("tileset", "network", "places", "objects")}
    assert parts == {
        "tileset": "tiles/tileset.json", "network": "network.geojson",
        "places": "places.geojson", "objects": "objects.jsonl",
    }  # fmt: skip
    assert all((package / name).is_file() for name in parts.values())
    assert {"name", "title", "source", "licence", "attribution", "height_offset_m", "generator"} <= data.keys()
    assert len(data["content_sha256"]) == len(data["appearance_sha256"]) == 64
    assert "nobody" in (package / "README.txt").read_text()


def test_two_writings_are_the_same_bytes(package: Path, tmp_path: Path) -> None:
    again = write_package(make_draft(), tmp_path / "elsewhere" / "other")
    assert files(again) == files(package)


def test_geometry_comes_back_exactly_at_the_finest_level(package: Path) -> None:
    city, draft = open_city(package), make_draft()
    found = [city.chunk(i) for i in city.finest]
    rows = np.concatenate([(c.positions.astype(np.float64) + c.origin)[c.triangles].reshape(-1, 9) for c in found])
    assert len(rows) == draft.mesh.triangle_count
    assert np.array_equal(np.unique(rows, axis=0), soup(draft, Detail.ALL, Detail.FINE))


def test_coarse_level_replaces_the_fine_one(package: Path) -> None:
    city, draft = open_city(package), make_draft()
    coarse = [t for t in city.tiles if t.has_content and t.children]
    assert coarse
    assert {(t.refine, t.geometric_error) for t in coarse} == {("REPLACE", 0.6)}
    plain = [t.index for t in city.tiles if t.has_content and not t.children and city.tiles[t.parent].parent < 0]
    shown = [city.chunk(i) for i in [t.index for t in coarse] + plain]
    rows = np.concatenate([(c.positions.astype(np.float64) + c.origin)[c.triangles].reshape(-1, 9) for c in shown])
    assert np.array_equal(np.unique(rows, axis=0), soup(draft, *LEVELS[1]))


def test_three_levels_replace_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    draft = make_draft(1)
    for detail, high in ((Detail.FINE, 4.0), (Detail.MIDDLE, 3.0), (Detail.FAR, 2.0)):
        draft.mesh.quad([(0, 0, high), (9, 0, high), (9, 9, high), (0, 9, high)], "stone", 1, detail)
    knot = draft.add_object("knot", (4.0, 4.0, 0.0))
    draft.mesh.quad([(4, 4, 0.2), (5, 4, 0.2), (5, 5, 0.2), (4, 5, 0.2)], "stone", knot)
    city = open_city(write_package(draft, tmp_path / "three"))
    middle = next(t for t in city.tiles if t.geometric_error == 0.6 and knot in city.chunk(t.index).labels)
    chain = [city.tiles[middle.parent], middle, city.tiles[middle.children[0]]]
    assert [t.geometric_error for t in chain] == [2.0, 0.6, 0.0]
    assert [t.refine for t in chain[:2]] == ["REPLACE", "REPLACE"]
    chunks = [city.chunk(t.index) for t in chain]
    heights = [{round(z + c.origin[2], 3) for z in c.positions[:, 2].tolist()} for c in chunks]
    assert [4.0 in h for h in heights] == [False, False, True]
    assert [3.0 in h for h in heights] == [False, True, True]
    assert [2.0 in h for h in heights] == [True, False, False]
    labels = [set(c.labels.tolist()) for c in chunks]
    assert [knot in found for found in labels] == [False, True, True]  # nothing of a metre is drawn from afar


def test_compressed_tiles_hold_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    plain = open_city(write_package(make_draft(), tmp_path / "plain"))
    monkeypatch.setattr("citysim.build.package.PLAIN", 0)
    root = write_package(make_draft(), tmp_path / "small")
    packed = open_city(root)
    assert packed.content_sha256 == plain.content_sha256
    for tile in plain.tiles:
        if tile.has_content:
            a, b = plain.chunk(tile.index), packed.chunk(tile.index)
            for name in ("positions", "triangles", "uvs", "colors", "labels"):
                assert np.array_equal(getattr(a, name), getattr(b, name))
    for path in (root / "tiles").rglob("*.glb"):
        data = path.read_bytes()
        gltf = json.loads(data[20 : 20 + struct.unpack_from("<I", data, 12)[0]])
        assert gltf["extensionsRequired"] == ["EXT_meshopt_compression"]
        assert gltf["buffers"][1]["extensions"]["EXT_meshopt_compression"] == {"fallback": True}


def test_labels_materials_colours_and_textures_come_back(package: Path) -> None:
    city, draft = open_city(package), make_draft()
    names = {m.name: m for m in city.materials}
    lamp, leaf = names["lamp"], names["leaf"]
    assert (lamp.texture, lamp.color, lamp.emissive, lamp.unlit) == (-1, (1.0, 0.5, 0.25, 1.0), (1.0, 1.0, 0.5), True)
    assert (leaf.alpha_cutoff, leaf.double_sided) == (0.5, True)
    assert np.array_equal(city.texture(leaf.texture), draft.textures["leaf"].pixels)
    stone = city.texture(names["stone"].texture)
    assert np.array_equal(stone[..., :3], draft.textures["stone/grey"].pixels)
    assert (stone[..., 3] == 255).all()
    chunks = [city.chunk(i) for i in city.finest]
    labels = {int(v) for c in chunks for v in c.labels}
    assert labels == {thing.id for thing in city.objects}
    tints = np.concatenate([c.colors[c.triangles[c.labels == 1]].reshape(-1, 4) for c in chunks])
    assert np.unique(tints, axis=0).tolist() == [[200, 255, 255, 255]]
    for chunk in chunks:
        for triangle, label in zip(chunk.triangles, chunk.labels, strict=True):
            thing = city.objects[label - 1]
            points = chunk.positions[triangle].astype(np.float64) + chunk.origin
            assert (points >= np.array(thing.bounds[:3]) - 1e-3).all()
            assert (points <= np.array(thing.bounds[3:]) + 1e-3).all()


def test_objects_places_and_network_come_back(package: Path) -> None:
    city = open_city(package)
    assert [o.id for o in city.objects] == list(range(1, 14))
    assert [o.attributes["floors"] for o in city.objects[1:5]] == [0, 1, 2, 3]
    assert city.objects[1].parent == 1
    (place,) = city.places
    assert place.entrance == pytest.approx((10.0, 20.0, 0.0), abs=1e-3)
    assert (place.name, place.aliases, place.building) == ("Café", ("Kahvila",), 2)
    ends = [edge.line[[0, -1]] for edge in city.network.edges]
    assert np.array_equal(ends[0][1], ends[1][0])
    assert ends[1][1] == pytest.approx([0.0, 150.0, 2.0], abs=2e-3)
    assert city.network.edges[0].attributes["FeatureType"] == 1


def test_tiles_stand_on_the_earth(package: Path) -> None:
    document = json.loads((package / "tiles" / "tileset.json").read_text())
    assert document["asset"]["version"] == "1.1"
    matrix = np.array(document["root"]["transform"]).reshape(4, 4).T
    assert np.array_equal(matrix, FRAME.matrix)


def test_glbs_are_aligned_and_their_bounds_are_true(package: Path) -> None:
    for path in (package / "tiles").rglob("*.glb"):
        data = path.read_bytes()
        magic, version, size, json_size = struct.unpack_from("<4s3I", data)
        assert (magic, version, size, json_size % 4, size % 4) == (b"glTF", 2, len(data), 0, 0)
        gltf = json.loads(data[20 : 20 + json_size])
        binary = data[28 + json_size :]
        assert gltf["buffers"][0]["byteLength"] == len(binary)
        for image in gltf.get("images", []):
            assert (path.parent / image["uri"]).is_file()
        for primitive in gltf["meshes"][0]["primitives"]:
            accessor = gltf["accessors"][primitive["attributes"]["POSITION"]]
            view = gltf["bufferViews"][accessor["bufferView"]]
            assert view["byteOffset"] % 4 == 0
            raw = binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]]
            points = np.frombuffer(raw, "<f4").reshape(-1, 3)
            assert points.min(axis=0).tolist() == accessor["min"]
            assert points.max(axis=0).tolist() == accessor["max"]
            assert "extensions" in primitive


def test_other_readers_agree(package: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    city = open_city(package)
    tile = city.tiles[city.finest[0]]
    scene = trimesh.load(package / tile.uri)
    area = sum(mesh.area for mesh in scene.geometry.values())
    chunk = city.chunk(tile.index)
    a, b, c = (chunk.positions[chunk.triangles[:, k]] for k in range(3))
    assert area == pytest.approx(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2, rel=1e-5)


def test_packages_are_replaced_and_nothing_else_is(package: Path, tmp_path: Path) -> None:
    before = files(package)
    write_package(make_draft(boxes=3), package)
    assert files(package) != before
    other = tmp_path / "precious"
    other.mkdir()
    (other / "thesis.tex").write_text("x")
    with pytest.raises(StorageError, match="precious"):
        write_package(make_draft(), other)
    assert (other / "thesis.tex").read_text() == "x"


def test_a_failure_leaves_nothing(tmp_path: Path) -> None:
    draft = make_draft()
    draft.materials["stone"] = MaterialSpec("no such texture")
    with pytest.raises(InputError, match="no such texture"):
        write_package(draft, tmp_path / "mini")
    assert list(tmp_path.iterdir()) == []
    del draft.materials["stone"]
    with pytest.raises(InputError, match="stone"):
        write_package(draft, tmp_path / "mini")


def test_an_empty_draft_is_a_package_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    draft = make_draft()
    draft.mesh.parts.clear()
    city = open_city(write_package(draft, tmp_path / "empty"))
    assert city.finest == ()


def test_texture_files_are_safe_and_distinct() -> None:
    names = [texture_file(key) for key in ("a/b", "a_b", "a:b", "../x", "ä", "plain-1.2")]
    assert len(set(names)) == len(names)
    assert all("/" not in name and not name.startswith(".") for name in names)
    assert texture_file("plain-1.2") == "plain-1.2.png"
