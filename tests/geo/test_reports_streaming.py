"""Public bug reports about addresses, sessions and refinement, by their number in the list of reports.

5   CesiumGS/3d-tiles#746, NASA-AMMOS/3DTilesRendererJS#353, visgl/deck.gl#7903, visgl/loaders.gl#2488 #2456
6   CesiumGS/cesium#11605, CesiumGS/cesium-native#749
7   iTwin/itwinjs-core#8036, 3DTilesRendererJS#255
24  cesium-native#686, 3d-tiles#609, 3DTilesRendererJS#1304 #1356, loaders.gl#3293
25  CesiumGS/cesium#3517, CesiumGS/cesium-unreal#35
26  3DTilesRendererJS#283 #293, nytimes/aframe-loader#51
32  CesiumGS/3d-tiles-validator#208
33  CesiumGS/cesium-ion-rest-api-examples#263
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citysim.build.tiles import import_tiles
from citysim.city import City, open_city
from citysim.geo.http import HttpSource
from citysim.geo.store import FolderSource, MemorySource
from citysim.geo.tileset import read_tileset
from citysim.geo.uris import join
from citysim.pose import Pose
from citysim.render.base import Camera
from citysim.render.raster.chooser import TileChooser
from tests.geo.content.samples import square_glb, tileset
from tests.geo.web import Reply, Request, serve

BOX = {"boundingVolume": {"box": [1, -1, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2]}}
Json = dict[str, Any]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))


def tile(uri: str | None, error: float, children: list[Json] | None = None, **more: Any) -> Json:
    content = {} if uri is None else {"content": {"uri": uri}}
    return {**BOX, "geometricError": error, **content, "children": children or [], **more}


def city_of(root: Json, tmp_path: Path, **files: bytes) -> City:
    source = MemorySource({"t.json": tileset(**root), **{k.replace("__", "."): v for k, v in files.items()}})
    return open_city(import_tiles("t.json", tmp_path / "city", source=source))


def chosen(city: City, away: float) -> set[str]:
    """Names of the tiles drawn for a camera at some distance, looking at them."""
    camera = Camera(Pose(-away, 0.0, 1.0, 0.0), (640, 480))
    return {city.tiles[i].uri.rpartition("/")[2] for i in TileChooser(city).choose(camera)}


def finest(city: City) -> set[str]:
    return {city.tiles[i].uri.rpartition("/")[2] for i in city.finest}


@pytest.mark.parametrize(
    ("document", "reference", "expected"),
    [
        ("https://h/d/t.json?key=K", "a.b3dm", "https://h/d/a.b3dm?key=K"),
        ("https://h/d/t.json?key=K&session=S", "s/u.json?v=2", "https://h/d/s/u.json?v=2&key=K&session=S"),
        ("https://h/t.json?key=K&session=S", "a.glb?session=T&key=J", "https://h/a.glb?session=T&key=J"),
        ("https://h/t.json?key=K", "a.glb??session=S", "https://h/a.glb?session=S&key=K"),
        ("https://h/t.json?session=S", "a.glb?session=S", "https://h/a.glb?session=S"),
        ("https://h/t.json?sig=a%2Bb%3D&sp=r", "a.glb", "https://h/a.glb?sig=a%2Bb%3D&sp=r"),
        ("https://h/t.json?q=a%20b", "c.glb?r=%C3%A9", "https://h/c.glb?r=%C3%A9&q=a%20b"),
    ],
)
def test_05_queries_reach_descendants_once_and_the_childs_own_win(document: str, reference: str, expected: str) -> None:
    assert join(document, reference) == expected


def test_05_key_and_session_are_on_every_request_of_a_whole_import(tmp_path: Path) -> None:
    files = {
        "/t.json": tileset(**tile("sub/u.json?session=S", 9.0)),
        "/sub/u.json": tileset(**tile(None, 5.0, [tile("v.json", 4.0)])),
        "/sub/v.json": tileset(**tile("a.glb", 0.0)),
        "/sub/a.glb": square_glb(),
    }

    def answer(request: Request) -> Reply:
        below = request.path.startswith("/sub/")
        good = request.query == {"key": "K", **({"session": "S"} if below else {})}
        return Reply(files[request.path]) if good else Reply(status=400)

    with serve(answer) as site:
        city = open_city(import_tiles(f"{site.url}/t.json?key=K", tmp_path / "city"))
    assert finest(city) == {"a.glb"}


def test_06_a_403_after_the_session_has_ended_asks_the_root_and_tries_once_more(tmp_path: Path) -> None:
    session = {"now": "one"}

    def answer(request: Request) -> Reply:
        if request.path == "/root.json":
            return Reply(tileset(**tile(f"u.json?session={session['now']}", 9.0)))
        if request.query.get("session") != session["now"]:
            return Reply(status=403)
        if request.path == "/u.json":
            session["now"] = "two"  # ends as soon as its tree has been read
            return Reply(tileset(**tile(None, 5.0, [tile(f"{n}.glb", 0.0) for n in range(5)])))
        return Reply(square_glb())

    with serve(answer) as site:
        city = open_city(import_tiles(f"{site.url}/root.json", tmp_path / "city"))
        assert [r.path for r in site.seen].count("/root.json") == 2
    assert len(finest(city)) == 5


@pytest.mark.parametrize("reference", ["/v1/3dtiles/a.glb", "//{host}/v1/3dtiles/a.glb", "../3dtiles/a.glb"])
def test_07_references_from_the_root_of_the_host(reference: str) -> None:
    assert join("https://h.example/v1/3dtiles/t.json?key=K", reference.format(host="h.example")) == (
        "https://h.example/v1/3dtiles/a.glb?key=K"
    )


@pytest.mark.parametrize("refine", ["ADD", "REPLACE"])
def test_24_empty_tiles_on_the_way_are_gone_through(tmp_path: Path, refine: str) -> None:
    empty = tile(None, 1000.0, [tile(None, 0.0, [tile("a.glb", 0.0)]), tile(None, 0.0)])
    city = city_of(tile(None, 0.0, [empty], refine=refine), tmp_path, a__glb=square_glb())
    assert chosen(city, 5.0) == chosen(city, 3000.0) == finest(city) == {"a.glb"}


def test_24_children_with_larger_errors_than_their_parent(tmp_path: Path) -> None:
    """Whatever the numbers say, every distance shows something, and near ones the finest."""
    middle = tile("b.glb", 500.0, [tile("c.glb", 900.0, [tile("d.glb", 900.0)])])
    files = {f"{name}__glb": square_glb() for name in "abcd"}
    city = city_of(tile("a.glb", 10.0, [middle], refine="REPLACE"), tmp_path, **files)
    assert chosen(city, 3.0) == {"d.glb"}
    assert all(chosen(city, away) for away in (3.0, 50.0, 500.0, 3000.0))
    assert finest(city) == {"d.glb"}


def test_24_an_empty_leaf_counts_as_shown(tmp_path: Path) -> None:
    root = tile("a.glb", 50.0, [tile("b.glb", 0.0), tile(None, 0.0)], refine="REPLACE")
    city = city_of(root, tmp_path, a__glb=square_glb(), b__glb=square_glb())
    assert chosen(city, 3.0) == finest(city) == {"b.glb"}
    only_empty = tile("a.glb", 50.0, [tile(None, 40.0, [tile(None, 0.0)])], refine="REPLACE")
    (tmp_path / "2").mkdir()
    city = city_of(only_empty, tmp_path / "2", a__glb=square_glb())
    assert chosen(city, 3.0) == finest(city) == {"a.glb"}  # nothing would take its place: no hole


def test_25_a_replaced_tile_goes_on_through_an_external_tileset(tmp_path: Path) -> None:
    inner = tileset(**tile("b.glb", 30.0, [tile("c.glb", 0.0)]))
    root = tile("a.glb", 200.0, [tile("inner.json", 100.0)], refine="REPLACE")
    city = city_of(root, tmp_path, inner__json=inner, a__glb=square_glb(), b__glb=square_glb(), c__glb=square_glb())
    assert chosen(city, 3.0) == finest(city) == {"c.glb"}
    assert len(chosen(city, 3500.0)) == 1
    assert {len(chosen(city, away)) for away in np.geomspace(3, 3500, 30)} == {1}


def test_32_plus_signs_escapes_and_spaces_in_names(tmp_path: Path) -> None:
    names = {"Tile_+000_+005.glb": "Tile_+000_+005.glb", "a b.glb": "a%20b.glb", "c+d.glb": "c%2Bd.glb"}
    folder = tmp_path / "in"
    folder.mkdir()
    for name in [*names, "100%25.glb"]:
        (folder / name).write_bytes(square_glb())
    references = [*names.values(), "a b.glb", "100%2525.glb"]
    (folder / "t.json").write_bytes(tileset(**tile(None, 5.0, [tile(uri, 0.0) for uri in references])))
    tree = read_tileset(FolderSource(folder), "t.json")
    assert [t.uris for t in tree.tiles[1:]] == [(n,) for n in [*names, "a b.glb", "100%25.glb"]]
    city = open_city(import_tiles(str(folder / "t.json"), tmp_path / "city"))
    assert sum(len(city.chunk(i).triangles) for i in city.finest) == 10


def test_32_the_same_names_over_the_web() -> None:
    seen: list[str] = []

    def answer(request: Request) -> Reply:
        seen.append(request.path)
        return Reply(b"x")

    with serve(answer) as site:
        source = HttpSource()
        for reference in ("Tile_+000_+005.b3dm", "a b.b3dm", "c%2Bd.b3dm", "caf\u00e9.b3dm"):
            source.read(join(f"{site.url}/t.json", reference))
        source.close()
    assert seen == ["/Tile_+000_+005.b3dm", "/a%20b.b3dm", "/c%2Bd.b3dm", "/caf%C3%A9.b3dm"]


def test_33_a_wrong_relative_address_is_reported_and_its_siblings_load(tmp_path: Path) -> None:
    files = {"/data/t.json": tileset(**tile(None, 5.0, [tile(".Data/Tile/a.glb", 0.0), tile("Data/Tile/b.glb", 0.0)]))}
    files["/data/Data/Tile/b.glb"] = square_glb()

    def answer(request: Request) -> Reply:
        return Reply(files[request.path]) if request.path in files else Reply(status=404)

    with serve(answer) as site:
        city = open_city(import_tiles(f"{site.url}/data/t.json", tmp_path / "city", allow_missing=True))
        assert [r.path for r in site.seen].count("/data/.Data/Tile/a.glb") == 1
    faults = json.loads((tmp_path / "city" / "city.json").read_text())["faults"]
    assert list(faults) == ["tiles/.Data/Tile/a.glb"]
    assert f"{site.url}/data/.Data/Tile/a.glb" in faults["tiles/.Data/Tile/a.glb"]
    assert finest(city) == {"b.glb"}


def test_26_a_request_volume_hides_a_tile_from_viewers_outside_it(tmp_path: Path) -> None:
    near = {"viewerRequestVolume": {"sphere": [0.0, 0.0, 0.0, 40.0]}}
    inside = tile("b.glb", 30.0, [tile("c.glb", 0.0)], **near)
    root = tile(None, 200.0, [tile("a.glb", 0.0), inside], refine="ADD")
    city = city_of(root, tmp_path, a__glb=square_glb(), b__glb=square_glb(), c__glb=square_glb())
    assert chosen(city, 10.0) == {"a.glb", "b.glb", "c.glb"}
    assert chosen(city, 200.0) == {"a.glb"}
    assert finest(city) == {"a.glb", "b.glb", "c.glb"}  # surfaces are solid wherever one looks from
