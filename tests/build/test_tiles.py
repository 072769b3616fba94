import json
import struct
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from citysim.build.inspect import validate_package
from citysim.build.placing import DEFAULT_ORIGIN
from citysim.build.tiles import import_tiles
from citysim.city import City, open_city
from citysim.errors import CitySimError, FormatError, InputError, StorageError
from citysim.geo.frames import LocalFrame
from citysim.geo.http import HttpSource
from citysim.geo.store import MemorySource
from tests.geo.content.samples import GltfMaker, b3dm, square_glb, tileset
from tests.geo.content.test_surfaces import picture

FRAME = LocalFrame(114.17, 22.3, 0.0)
BOX_TILE = {"boundingVolume": {"box": [1, 1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2]}, "geometricError": 0}
BOX = {"box": [1, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))


def at(e: float, n: float, u: float = 0.0) -> list[float]:
    return [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, e, n, u, 1]


def tile(uri: str, e: float, n: float, **extra: Any) -> dict[str, Any]:
    return {"boundingVolume": BOX, "geometricError": 0, "transform": at(e, n), "content": {"uri": uri}, **extra}


def world() -> dict[str, bytes]:
    """Two squares 400 m apart on Earth, one behind an external tileset; the root's content shows both, coarsely."""
    root = {
        "boundingVolume": {"box": [200, 0, 0, 210, 0, 0, 0, 20, 0, 0, 0, 20]},
        "transform": FRAME.matrix.T.reshape(-1).tolist(),
        "content": {"uri": "root.glb"},
        "children": [tile("a.b3dm", 0, 0), tile("far/tileset.json", 400, 0)],
    }
    batch = {"name": ["Tower", "Shed"], "floors": [30, None]}
    maker = GltfMaker()
    maker.primitive(_BATCHID=np.array([1, 1, 1, 1], "<u2"))["material"] = 0
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "tex/wall.png"}],
    }
    return {
        "top.json": tileset(**root),
        "root.glb": square_glb(),
        "a.b3dm": b3dm(maker.glb(), {"BATCH_LENGTH": 2}, batch),
        "tex/wall.png": picture(),
        "far/tileset.json": tileset(boundingVolume=BOX, content={"uri": "../b.glb"}),
        "b.glb": square_glb(),
    }


def put(files: dict[str, bytes], root: Path) -> Path:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return root / "top.json"


def spots(city: City) -> list[list[float]]:
    return [np.round(city.chunk(i).origin, 0).tolist() for i in city.finest]


def test_a_folder_is_copied_unchanged_and_opens(tmp_path: Path) -> None:
    files = world()
    out = import_tiles(str(put(files, tmp_path / "in")), tmp_path / "out")
    copied = {
        p.relative_to(out / "tiles").as_posix(): p.read_bytes() for p in (out / "tiles").rglob("*") if p.is_file()
    }
    assert copied == files
    city = open_city(out)
    assert abs(city.frame.lon - 114.172) < 1e-3
    lon, lat, _ = city.frame.to_geodetic(city.chunk(city.finest[0]).origin)
    assert (lon, lat) == pytest.approx((114.17, 22.3), abs=2e-5)
    assert len(city.finest) == 2
    assert validate_package(out) == []
    assert json.loads((out / "city.json").read_text())["tileset"] == "tiles/top.json"


def test_batch_tables_become_objects_whose_ids_are_the_labels(tmp_path: Path) -> None:
    city = open_city(import_tiles("top.json", tmp_path / "out", source=MemorySource(world())))
    assert [(o.id, o.name, o.attributes.get("floors")) for o in city.objects] == [(1, "Tower", 30), (2, "Shed", None)]
    labels = {city.tiles[i].uri: np.unique(city.chunk(i).labels).tolist() for i in city.finest}
    assert labels == {"tiles/a.b3dm": [2], "tiles/b.glb": [0]}
    assert city.texture_keys == ("tiles/tex/wall.png",)
    assert city.texture(0).shape == (2, 4, 4)


def test_only_what_the_bbox_needs_is_copied(tmp_path: Path) -> None:
    lon, lat, _ = FRAME.to_geodetic([1.0, 1.0, 0.0])
    near = (lon - 1e-4, lat - 1e-4, lon + 1e-4, lat + 1e-4)
    out = import_tiles("top.json", tmp_path / "out", source=MemorySource(world()), bbox=near)
    assert {p.name for p in (out / "tiles").rglob("*") if p.is_file()} == {"top.json", "root.glb", "a.b3dm", "wall.png"}
    assert len(open_city(out).finest) == 1
    assert validate_package(out) == []
    with pytest.raises(InputError, match="touches"):
        import_tiles("top.json", tmp_path / "far", source=MemorySource(world()), bbox=(0, 0, 1, 1))
    with pytest.raises(InputError, match="west"):
        import_tiles("top.json", tmp_path / "far", source=MemorySource(world()), bbox=(1, 0, 0, 1))
    assert not (tmp_path / "far").exists()


@pytest.mark.parametrize("gone", ["a.b3dm", "b.glb", "far/tileset.json", "tex/wall.png"])
def test_a_missing_file_is_named_and_nothing_is_written(tmp_path: Path, gone: str) -> None:
    files = world()
    del files[gone]
    top = put(files, tmp_path / "in")
    with pytest.raises(StorageError) as caught:
        import_tiles(str(top), tmp_path / "out")
    assert gone in str(caught.value)
    assert str(tmp_path / "in") in str(caught.value)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in"]


@pytest.mark.parametrize(("gone", "left"), [("a.b3dm", 1), ("far/tileset.json", 1), ("b.glb", 1)])
def test_missing_tiles_can_be_allowed(tmp_path: Path, gone: str, left: int) -> None:
    files = world()
    del files[gone]
    out = import_tiles("top.json", tmp_path / "out", source=MemorySource(files), allow_missing=True)
    assert json.loads((out / "city.json").read_text())["missing"] == [f"tiles/{gone}"]
    city = open_city(out)
    whole = [t.uri for t in city.tiles if t.has_content and "instead of" not in t.uri and t.uri != "tiles/root.glb"]
    assert len(whole) == left
    stand_ins = [t.uri for t in city.tiles if "instead of" in t.uri]
    assert stand_ins == ([] if gone.endswith("json") else [f"tiles/root.glb instead of tiles/{gone}"])
    assert validate_package(out) == []


def test_a_tileset_without_a_place_is_put_at_the_default_one(tmp_path: Path) -> None:
    document = tileset(content={"uri": "a.glb"})
    out = import_tiles("t.json", tmp_path / "out", source=MemorySource({"t.json": document, "a.glb": square_glb()}))
    data = json.loads((out / "city.json").read_text())
    assert data["origin"] == {"lon": DEFAULT_ORIGIN.lon, "lat": DEFAULT_ORIGIN.lat, "height": 0.0}
    assert "no place on Earth" in data["placement_note"]
    assert spots(open_city(out)) == [[1.0, 1.0, 0.0]]


def scan(up: str) -> bytes:
    """A bumpy terrain of 800 triangles facing `up` in z-up tile axes."""
    x, y = (a.reshape(-1).astype(float) for a in np.meshgrid(np.arange(21), np.arange(21)))
    points = np.stack([x, y, np.sin(x) * 0.3], axis=1)
    i = (np.arange(20)[:, None] * 21 + np.arange(20)).reshape(-1)
    faces = np.concatenate([np.stack([i, i + 1, i + 22], 1), np.stack([i, i + 22, i + 21], 1)])
    turns = {"+z": (0, 1, 2), "+y": (1, 2, 0), "+x": (2, 0, 1)}
    maker = GltfMaker()
    maker.primitive(points[:, turns[up]].astype("<f4"), faces.astype("<u2"))
    return maker.glb()


@pytest.mark.parametrize("up", ["+z", "+y", "+x"])
def test_scans_are_turned_the_way_they_face(tmp_path: Path, up: str) -> None:
    document = json.loads(tileset(content={"uri": "a.glb"}, boundingVolume={"sphere": [10, 10, 10, 30]}))
    document["asset"]["gltfUpAxis"] = "Z"
    files = {"t.json": json.dumps(document).encode(), "a.glb": scan(up)}
    city = open_city(import_tiles("t.json", tmp_path / "out", source=MemorySource(files)))
    chunk = city.chunk(0)
    a, b, c = (chunk.positions[chunk.triangles[:, k]] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()
    assert np.ptp(chunk.positions[:, 2]) < 1.0


def test_far_local_tilesets_are_brought_to_their_origin(tmp_path: Path) -> None:
    files = {"t.json": tileset(transform=at(500_000, 200_000), content={"uri": "a.glb"}), "a.glb": square_glb()}
    city = open_city(import_tiles("t.json", tmp_path / "out", source=MemorySource(files)))
    assert np.abs(city.chunk(0).origin).max() < 10.0


def test_everybody_who_is_named_in_a_tile_is_named_in_the_package(tmp_path: Path) -> None:
    """As Google's terms ask for: those of most tiles first."""
    files = world()
    for name, text in (("root.glb", "Minor; Mapper Ltd."), ("b.glb", "Mapper Ltd.;Other ")):
        maker = GltfMaker()
        maker.primitive()
        maker.gltf["asset"]["copyright"] = text
        files[name] = maker.glb()
    files["top.json"] = files["top.json"].replace(b'"version"', b'"copyright":"Owner","version"', 1)
    out = import_tiles("top.json", tmp_path / "out", source=MemorySource(files))
    assert open_city(out).attribution == "Owner; Mapper Ltd.; Minor; Other"
    assert "Owner; Mapper Ltd.; Minor; Other" in (out / "README.txt").read_text()


def test_network_and_places_come_along_with_their_height_offset(tmp_path: Path) -> None:
    line = {"type": "LineString", "coordinates": [[114.17, 22.3, 5.0], [114.171, 22.3, 6.0]]}
    point = {"type": "Point", "coordinates": [114.17, 22.3, 5.0]}
    network, places = tmp_path / "n.geojson", tmp_path / "p.geojson"
    for path, geometry in ((network, line), (places, point)):
        feature = {"type": "Feature", "geometry": geometry, "properties": {"name": "X", "FeatureType": 1}}
        path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    source = MemorySource(world())
    out = import_tiles(
        "top.json",
        tmp_path / "out",
        source=source,
        network=network,
        places=places,
        height_offset_m=-2.5,
        name="kowloon",
    )
    city = open_city(out)
    assert city.name == "kowloon"
    assert city.network.edges[0].line[0, 2] == pytest.approx(2.5, abs=0.02)
    assert city.places[0].entrance[2] == pytest.approx(2.5, abs=0.02)
    assert json.loads((out / "city.json").read_text())["height_offset_m"] == -2.5
    assert validate_package(out) == []
    with pytest.raises(StorageError, match="gone"):
        import_tiles("top.json", tmp_path / "no", source=source, network=tmp_path / "gone.geojson")


def test_web_tilesets_hand_their_key_on_and_are_offline_afterwards(tmp_path: Path) -> None:
    files = world()
    document = json.loads(files["top.json"])
    document["root"]["children"][1]["content"]["uri"] = "/v1/far/tileset.json?session=S"
    document["root"]["children"][0]["content"]["uri"] = "https://other.example/a.b3dm"
    files["top.json"] = json.dumps(document).encode()
    seen: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        seen.append(str(request.url))
        assert (request.url.params.get("key") == "K") == (request.url.host == "h.example")
        name = request.url.path.removeprefix("/v1/d/").removeprefix("/v1/").removeprefix("/")
        return httpx.Response(200, content=files[name]) if name in files else httpx.Response(404)

    source = HttpSource(transport=httpx.MockTransport(answer), sleep=lambda _: None)
    out = import_tiles("https://h.example/v1/d/top.json?key=K", tmp_path / "out", source=source)
    source.close()
    assert "https://h.example/v1/b.glb?session=S&key=K" in seen
    assert len(open_city(out).finest) == 2
    assert validate_package(out) == []
    assert b"key=K" not in (out / "city.json").read_bytes()


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"{}",
        b"[]",
        tileset(),
        tileset(children=[]),
        tileset(content={"uri": "../../etc/passwd"}),
        tileset(content={"uri": "file:///etc/passwd"}),
    ],
)
def test_tilesets_without_anything_to_walk_are_refused(tmp_path: Path, document: bytes) -> None:
    with pytest.raises(CitySimError):
        import_tiles("t.json", tmp_path / "out", source=MemorySource({"t.json": document}))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "content", [square_glb()[:100], b"pnts" + bytes(40), b"{", struct.pack("<4s6I", b"b3dm", 1, 9999, 0, 0, 0, 0)]
)
def test_broken_tiles_are_named_and_nothing_is_written(tmp_path: Path, content: bytes) -> None:
    files = {"t.json": tileset(content={"uri": "a.glb"}), "a.glb": content}
    with pytest.raises(FormatError, match=r"a\.glb"):
        import_tiles("t.json", tmp_path / "out", source=MemorySource(files))
    assert not (tmp_path / "out").exists()


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"tileset\.json"):
        import_tiles(str(tmp_path / "nowhere"), tmp_path / "out")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    with pytest.raises(StorageError, match="city package"):
        import_tiles(str(put(world(), tmp_path / "in")), tmp_path / "full")


def test_the_real_scan_becomes_a_city_with_ground(shared_data: Path, tmp_path: Path) -> None:
    scan_folder = shared_data / "nasa-landform-tiles/example/public/data"
    out = import_tiles(str(scan_folder / "tileset.json"), tmp_path / "crater")
    assert (out / "tiles" / "0000.b3dm").read_bytes() == (scan_folder / "0000.b3dm").read_bytes()
    city = open_city(out)
    east0, north0, east1, north1 = city.bounds
    assert (east1 - east0, north1 - north0) == pytest.approx((323.2, 241.9), abs=0.2)
    normals = []
    for index in city.finest:
        chunk = city.chunk(index)
        a, b, c = (chunk.positions[chunk.triangles[:, k]].astype(np.float64) for k in range(3))
        normals.append(np.cross(b - a, c - a))
    total = np.concatenate(normals)
    assert len(total) == 159_931
    assert total[:, 2].sum() > 0.7 * np.linalg.norm(total, axis=1).sum()
    assert np.ptp(np.concatenate([city.chunk(i).positions[:, 2] + city.chunk(i).origin[2] for i in city.finest])) < 70.0
    with pytest.raises(StorageError, match=r"root-non-existent\.b3dm"):
        import_tiles(str(scan_folder / "tileset-broken-root-content.json"), tmp_path / "broken")
    assert not (tmp_path / "broken").exists()


def network_at(path: Path, *spots: tuple[float, float]) -> Path:
    """Lines of some metres that begin at the given longitudes and latitudes."""
    lines = [[[lon, lat, 0.0], [lon + 0.00005, lat, 0.0]] for lon, lat in spots]
    features = [
        {"type": "Feature", "geometry": {"type": "LineString", "coordinates": line}, "properties": {}} for line in lines
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def test_a_network_of_another_place_is_refused_and_one_that_reaches_beyond_is_noted(tmp_path: Path) -> None:
    source = MemorySource(world())
    away = network_at(tmp_path / "away.geojson", (139.7, 35.6))
    with pytest.raises(InputError, match=r"around longitude 114\.17.* at 139\.70000, 35\.60000"):
        import_tiles("top.json", tmp_path / "out", source=source, network=away)
    assert not (tmp_path / "out").exists()
    some = network_at(tmp_path / "some.geojson", (114.17, 22.3), (139.7, 35.6))
    out = import_tiles("top.json", tmp_path / "out", source=source, network=some)
    assert json.loads((out / "city.json").read_text())["warnings"][0].startswith("1 of 2 lines")
    none = network_at(tmp_path / "none.geojson")
    out = import_tiles("top.json", tmp_path / "out", source=source, network=none)
    assert json.loads((out / "city.json").read_text())["warnings"] == ["the network has no lines"]


def test_what_a_user_would_overlook_is_noted(tmp_path: Path) -> None:
    """An offset that was asked for and not found, and a file of places without any."""
    lines = network_at(tmp_path / "lines.geojson", (114.17, 22.3))
    out = import_tiles(
        "top.json", tmp_path / "out", source=MemorySource(world()), network=lines, places=lines, height_offset_m=None
    )
    offset, places = json.loads((out / "city.json").read_text())["warnings"]
    assert offset.startswith("the height offset could not be estimated: ")
    assert places == "the file of places has no point with a name"


def test_a_name_of_thousands_of_characters_does_not_flood_the_message(tmp_path: Path) -> None:
    (tmp_path / "tileset.json").write_bytes(tileset(content={"uri": "a" * 5000 + ".b3dm"}))
    with pytest.raises(StorageError, match="too long") as caught:
        import_tiles(str(tmp_path / "tileset.json"), tmp_path / "out")
    assert len(str(caught.value)) < 500


def test_tilesets_without_surfaces_are_refused_and_walls_have_some_width(tmp_path: Path) -> None:
    files = {"t.json": tileset(content={"uri": "a"}), "a": b'{"type": "FeatureCollection", "features": []}'}
    with pytest.raises(InputError, match="vector data"):
        import_tiles("t.json", tmp_path / "out", source=MemorySource(files))
    maker = GltfMaker()
    maker.primitive(np.array([(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0)], "<f4"))
    files = {"t.json": tileset(content={"uri": "a.glb"}), "a.glb": maker.glb()}
    out = import_tiles("t.json", tmp_path / "out", source=MemorySource(files))
    assert validate_package(out) == []
    e0, n0, e1, n1 = open_city(out).bounds
    assert min(e1 - e0, n1 - n0) == pytest.approx(1.0)


def test_the_same_tiles_in_another_tree_are_another_city(tmp_path: Path) -> None:
    """Hashes tell what hangs below what apart, and with them the caches of decoded tiles."""
    made: dict[str, City] = {}
    changes: dict[str, dict[str, Any]] = {"plain": {}, "add": {"refine": "ADD"}, "error": {"geometricError": 2.0}}
    for name in (*changes, "deeper"):
        maker = GltfMaker()
        maker.primitive(np.array([(0, 0, 0), (2, 0, 0), (2, 0, -2), (0, 0, -2)], "<f4") * 0.5)
        children: list[dict[str, Any]] = [tile("a.glb", 0, 0), tile("b.glb", 3, 0)]
        if name == "deeper":
            children[0] = {**BOX_TILE, "children": [children[0]]}
        root = {"content": {"uri": "root.glb"}, "refine": "REPLACE", "children": children}
        root |= changes.get(name, {})
        files = {"t.json": tileset(**root), "root.glb": square_glb(), "a.glb": maker.glb(), "b.glb": square_glb()}
        made[name] = open_city(import_tiles("t.json", tmp_path / name, source=MemorySource(files)))
        assert validate_package(tmp_path / name) == []
    assert len({city.content_sha256 for city in made.values()}) == 4
    for name, city in made.items():  # every one has its own tiles, whatever the others left in the cache
        sizes = [float(np.ptp(city.chunk(i).positions)) for i in city.finest]
        assert sizes == pytest.approx([2.0, 1.0, 2.0] if name == "add" else [1.0, 2.0])


def test_textures_in_another_order_are_another_look(tmp_path: Path) -> None:
    """Renderers keep them by number."""
    made = []
    for number, names in enumerate((("a", "b"), ("b", "a"))):
        files = {"a.png": picture(size=(4, 2)), "b.png": picture(size=(2, 4))}
        for name in names:
            maker = GltfMaker()
            maker.primitive()["material"] = 0
            maker.gltf |= {
                "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
                "textures": [{"source": 0}],
                "images": [{"uri": f"{name}.png"}],
            }
            files[f"{name}.glb"] = maker.glb()
        children = [tile(f"{name}.glb", 3 * place, 0) for place, name in enumerate(names)]
        files["t.json"] = tileset(refine="ADD", children=children)
        made.append(open_city(import_tiles("t.json", tmp_path / str(number), source=MemorySource(files))))
    assert made[0].materials == made[1].materials
    assert made[0].appearance_sha256 != made[1].appearance_sha256
