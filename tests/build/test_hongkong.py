"""fetch-hongkong against a local server with the quirks of the real service."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citysim.build.hongkong import NETWORK_URL, TILES_URL, HongKongService, fetch_hongkong
from citysim.build.inspect import validate_package
from citysim.build.tiles import import_tiles
from citysim.city import City, open_city
from citysim.errors import FormatError, InputError, StorageError
from citysim.geo.arcgis import features_of, fetch_lines
from citysim.geo.http import HttpSource
from citysim.geo.store import MemorySource
from citysim.geometry.vertical import crossings
from tests.build.hongkong import FILE_PATH, FRAME, KEY, LAYER_PATH, OFFSET_M, TILES_PATH, HongKong, ground_up
from tests.geo.web import Reply, Site, serve


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))


def bbox(east0: float = 20.0, north0: float = 20.0, east1: float = 380.0, north1: float = 380.0) -> Any:
    west, south, _ = FRAME.to_geodetic(np.array([east0, north0, 0.0]))
    east, north, _ = FRAME.to_geodetic(np.array([east1, north1, 0.0]))
    return float(west), float(south), float(east), float(north)


def service(site: Site, **more: Any) -> HongKongService:
    options: dict[str, Any] = {
        "tiles_url": f"{site.url}{TILES_PATH}/tileset.json",
        "network_url": f"{site.url}{LAYER_PATH}",
        "key": KEY,
        **more,
    }
    return HongKongService(**options)


def fetched(site: Site, out: Path, area: Any = None, **more: Any) -> City:
    options = {key: more.pop(key) for key in ("height_offset_m", "offline", "downloads", "attempts") if key in more}
    return open_city(fetch_hongkong(out, area or bbox(), service(site, **more), **options))


def surface(city: City, east: float, north: float) -> list[float]:
    """Heights of the finest level at a place."""
    found: list[float] = []
    for index in city.finest:
        chunk = city.chunk(index)
        heights, _ = crossings(
            chunk.positions, chunk.triangles, east - float(chunk.origin[0]), north - float(chunk.origin[1])
        )
        found += (heights + chunk.origin[2]).tolist()
    return sorted(found)


def test_every_quirk_at_once(tmp_path: Path) -> None:
    with serve(HongKong()) as site:
        city = fetched(site, tmp_path / "hk")
    data = json.loads((tmp_path / "hk" / "city.json").read_text())
    assert validate_package(tmp_path / "hk") == []
    assert data["missing"] == []
    assert "Lands Department" in data["attribution"]
    assert KEY not in "".join(p.read_text("latin-1") for p in (tmp_path / "hk").rglob("*") if p.is_file())
    # the whole first block, in place on Earth: transforms are handed on to the leaf tilesets
    assert len(city.finest) >= 16
    e0, n0, e1, n1 = city.bounds  # nobody walks out of the part that is whole
    assert (e1 - e0, n1 - n0) == pytest.approx((360.0, 360.0), abs=0.1)
    for east, north in ((50.0, 50.0), (205.0, 133.0), (333.0, 371.0)):
        e, n, _ = city.frame.from_geodetic(FRAME.to_geodetic(np.array([east, north, 0.0])))
        assert surface(city, float(e), float(n))[0] == pytest.approx(float(ground_up(east, north)), abs=0.3)
    assert all(material.unlit for material in city.materials)
    shown = city.texture(city.materials[0].texture)
    assert np.abs(shown[..., :3].reshape(-1, 3).mean(axis=0) - (120, 110, 100)).max() < 4
    # tiles of other blocks were not asked for, every request of tiles had the key, none of the network had
    leaves = {r.path for r in site.seen if r.path.endswith("_L4.json")}
    assert 1 <= len(leaves) <= 6
    assert all((r.query.get("key") == KEY) == r.path.startswith(TILES_PATH) for r in site.seen)
    assert max(Counter(r.path for r in site.seen if r.path.startswith(TILES_PATH)).values()) == 1


def test_ktx2_pictures_behind_a_plain_texture_source(tmp_path: Path, shared_data: Path) -> None:
    """As the real tiles have them: image/ktx2 in core `source`, no KHR_texture_basisu anywhere."""
    pytest.importorskip("opengl_basisu")
    data = (shared_data / "loaders.gl/modules/textures/test/data/kodim23.ktx2").read_bytes()
    with serve(HongKong(middles=1, image=(data, "image/ktx2"))) as site:
        city = fetched(site, tmp_path / "hk", bbox(20, 20, 180, 180))
    shown = city.texture(city.materials[0].texture)
    assert shown.shape[2] == 4
    assert shown[..., :3].std() > 20.0  # two parrots, not one plain colour
    assert "faults" not in json.loads((tmp_path / "hk" / "city.json").read_text())


def test_the_height_offset_is_estimated_and_stated(tmp_path: Path) -> None:
    with serve(HongKong()) as site:
        city = fetched(site, tmp_path / "hk")
        data = json.loads((tmp_path / "hk" / "city.json").read_text())
        assert data["height_offset_m"] == pytest.approx(OFFSET_M, abs=0.15)
        assert "estimated" in data["height_offset_note"]
        ways = [e for e in city.network.edges if e.attributes["FeatureType"] == 1]
        gaps = [
            min(abs(up - float(point[2])) for up in surface(city, float(point[0]), float(point[1])))
            for edge in ways[::3]
            for point in edge.line[3:-3:4]
        ]
        assert float(np.median(gaps)) < 0.2
        stated = fetched(site, tmp_path / "given", height_offset_m=-1.0)
    assert json.loads((tmp_path / "given" / "city.json").read_text())["height_offset_m"] == -1.0
    lowered = stated.network.edges[0].line[:, 2] - city.network.edges[0].line[:, 2]
    assert np.abs(lowered - (-1.0 - data["height_offset_m"])).max() < 0.01


@pytest.mark.parametrize("form", ["geojson", "json", "file"])
@pytest.mark.parametrize("names", [False, True])
def test_the_network_arrives_in_every_documented_form(tmp_path: Path, form: str, names: bool) -> None:
    with serve(HongKong(names=names)) as site:
        more = {"network_url": f"{site.url}{FILE_PATH}?dataset_id=x&format=geojson&layer_name=PedestrianRoute"}
        area = bbox(1, 1, 390, 390)
        city = fetched(site, tmp_path / "hk", area, **(more if form == "file" else {"network_form": form}))
        pages = [r for r in site.seen if r.path == f"{LAYER_PATH}/query"]
    by_kind = Counter(e.attributes["FeatureType"] for e in city.network.edges)
    assert by_kind == {1: 15, 2: 1, 4: 1, 8: 1}
    assert len(pages) == (0 if form == "file" else 3)  # of 18 features, 7 a page
    bridge = next(e for e in city.network.edges if e.attributes["FeatureType"] == 2)
    way = next(e for e in city.network.edges if e.attributes["FeatureType"] == 1)
    escalator = next(e for e in city.network.edges if e.attributes["FeatureType"] == 8)
    assert (bridge.attributes["WheelchairBarrier"], way.attributes["WheelchairBarrier"]) == (1, 2)  # 2 means no
    assert (escalator.attributes["Direction"], way.attributes["Enabled"]) == (-1, 1)
    rise, flat = abs(way.line[-1, 2] - way.line[0, 2]), np.hypot(*np.diff(way.line[:, :2], axis=0).T).sum()
    assert way.attributes["Gradient"] == pytest.approx(np.arctan2(rise, flat), abs=1e-4)
    assert "AliasNameEN" not in way.attributes


FAULTS = {
    "404": (Reply(status=404), "no such file"),
    "500": (Reply(status=500), "HTTP status 500"),
    "reset": (Reply(fault="reset"), "(ReadError|RemoteProtocolError)"),
    "truncated": (Reply(b"x" * 999, fault="truncate"), "RemoteProtocolError"),
    "wrong magic": (Reply(b"vtr0" + bytes(60)), "vtr0"),
    "an error page": (Reply(b"<html>busy</html>"), "html|3c68"),
    "half a tile": (Reply(b"b3dm\x01\0\0\0\xff\xff\0\0" + bytes(30)), "bytes"),
    "elsewhere": (Reply(status=302, headers={"Location": "http://localhost:9/x"}), "another host"),
}


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_a_bad_tile_is_reported_once_and_its_siblings_load(tmp_path: Path, fault: str) -> None:
    reply, why = FAULTS[fault]
    bad = "1/Data/temp0/Tile_1_6_1_1_L21.b3dm"
    with serve(HongKong(broken={f"{TILES_PATH}/{bad}": reply})) as site:
        city = fetched(site, tmp_path / "hk", attempts=1)
    data = json.loads((tmp_path / "hk" / "city.json").read_text())
    assert data["missing"] == [f"tiles/{bad}"]
    assert list(data["faults"]) == [f"tiles/{bad}"]
    assert re.search(why, data["faults"][f"tiles/{bad}"]), data["faults"]
    assert KEY not in json.dumps(data)
    assert validate_package(tmp_path / "hk") == []
    fine = [t for t in city.tiles if t.uri.startswith("tiles/1/") and "L21" in t.uri]
    (stand_in,) = [t for t in fine if t.uri == f"tiles/1/Data/temp0/Tile_1_6_L4.b3dm instead of tiles/{bad}"]
    assert len(fine) == 16
    # no gap opens: there is coarser ground all over the missing tile, and only there
    for east, north in ((101.0, 101.0), (150.0, 150.0), (199.0, 120.0), (199.0, 199.0)):
        e, n, _ = city.frame.from_geodetic(FRAME.to_geodetic(np.array([east, north, 0.0])))
        assert surface(city, float(e), float(n))[0] == pytest.approx(float(ground_up(east, north)), abs=1.0)
    assert len(city.chunk(stand_in.index).triangles) <= 2 * 4 * 4  # of 8 x 8 cells of 50 m, those of and around 100 m


def test_a_bad_leaf_tileset_costs_its_own_part_only(tmp_path: Path) -> None:
    bad = f"{TILES_PATH}/2/tileset.json"
    with serve(HongKong(broken={bad: Reply(b"{")})) as site:
        city = fetched(site, tmp_path / "hk", bbox(20, 20, 700, 380), attempts=1)
    data = json.loads((tmp_path / "hk" / "city.json").read_text())
    assert list(data["faults"]) == ["tiles/2/tileset.json"]
    assert any(t.uri.startswith("tiles/1/") for t in city.tiles)
    assert validate_package(tmp_path / "hk") == []


def test_when_most_tiles_fail_nothing_is_written_and_a_rerun_goes_on(tmp_path: Path) -> None:
    town = HongKong()
    with serve(town) as site:
        for name in list(town.files):
            if name.endswith("_L21.b3dm"):
                town.broken[f"{TILES_PATH}/{name}"] = Reply(status=503)
        with pytest.raises(StorageError, match="goes on"):
            fetched(site, tmp_path / "hk", attempts=1)
        assert not (tmp_path / "hk").exists()
        town.broken.clear()
        before = len(site.seen)
        city = fetched(site, tmp_path / "hk")
        again = [r.path for r in site.seen[before:]]
    assert len(city.finest) >= 16
    assert again
    assert all(path.endswith("_L21.b3dm") for path in again)


def test_without_or_with_a_wrong_key(tmp_path: Path) -> None:
    with serve(HongKong()) as site:
        for key in ("", "wrong"):
            with pytest.raises(StorageError, match=r"401.*the key"):
                fetched(site, tmp_path / "hk", key=key)
            assert not (tmp_path / "hk").exists()


def test_killed_and_started_again_it_goes_on(tmp_path: Path) -> None:
    town = HongKong()
    slow = {"on": True}

    def answer(request: Any) -> Reply:
        if slow["on"] and request.path.endswith(".b3dm"):
            time.sleep(0.15)
        return town(request)

    with serve(answer) as site:
        command = [
            sys.executable, "-m", "citysim", "city", "fetch-hongkong", "--bbox", ",".join(map(str, bbox())),
            "-o", str(tmp_path / "hk"), "--tiles-url", f"{site.url}{TILES_PATH}/tileset.json",
            "--network-url", f"{site.url}{LAYER_PATH}", "--quiet",
        ]  # fmt: skip
        settings = {**os.environ, "CITYSIM_HK_KEY": KEY}
        with subprocess.Popen(command, env=settings) as first:
            deadline = time.monotonic() + 60.0
            while sum(r.path.endswith(".b3dm") for r in site.seen) < 16 and time.monotonic() < deadline:
                time.sleep(0.01)
            first.send_signal(signal.SIGKILL)
        assert not (tmp_path / "hk").exists()
        had = {r.path for r in site.seen}
        slow["on"] = False
        before = len(site.seen)
        done = subprocess.run(command, env=settings, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        repeated = [r.path for r in site.seen[before:] if r.path in had]
        assert len(repeated) <= 8  # those that were on their way
        assert len(site.seen) > before
        count = len(site.seen)
    offline = subprocess.run([*command[:-3], "--network-url", f"{site.url}{LAYER_PATH}", "--offline", "--quiet"],
                             env=settings, capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
    assert offline.returncode == 0, offline.stderr
    assert len(site.seen) == count
    assert validate_package(tmp_path / "hk") == []


def test_a_second_time_only_asks_whether_anything_is_newer(tmp_path: Path) -> None:
    with serve(HongKong()) as site:
        first = fetched(site, tmp_path / "hk")
        count = len(site.seen)
        second = fetched(site, tmp_path / "hk")
        assert first.content_sha256 == second.content_sha256
        conditional = [r for r in site.seen[count:] if r.path.startswith(TILES_PATH)]
        assert conditional
        assert all("if-none-match" in r.headers for r in conditional)


def test_any_url_may_be_imported_and_goes_on_the_same_way(tmp_path: Path) -> None:
    with serve(HongKong(middles=1)) as site:
        url = f"{site.url}{TILES_PATH}/tileset.json?key={KEY}"
        out = import_tiles(url, tmp_path / "hk")
        assert len(open_city(out).finest) == 16
        assert KEY not in (out / "city.json").read_text()


def test_official_addresses_and_bad_input(tmp_path: Path) -> None:
    assert (HongKongService().tiles_url, HongKongService().network_url) == (TILES_URL, NETWORK_URL)
    with pytest.raises(InputError, match="Hong Kong"):
        fetch_hongkong(tmp_path / "x", (24.0, 60.0, 25.0, 61.0))
    with pytest.raises(InputError, match="bbox"):
        fetch_hongkong(tmp_path / "x", (114.2, 22.3, 114.1, 22.4))
    with pytest.raises(FormatError, match="http"):
        HongKongService(tiles_url="file:///etc/passwd")
    with pytest.raises(InputError, match="geojson or json"):
        HongKongService(network_form="pbf")


def test_heights_that_do_not_agree_are_not_trusted(tmp_path: Path) -> None:
    town = HongKong()
    rng = np.random.default_rng(0)
    for feature in town.features:
        feature["line"] = [[lon, lat, float(rng.uniform(-50, 60))] for lon, lat, _ in feature["line"]]
    with serve(town) as site:
        fetched(site, tmp_path / "hk")
    data = json.loads((tmp_path / "hk" / "city.json").read_text())
    assert data["height_offset_m"] == 0.0
    assert "could not be estimated" in data["height_offset_note"]


def test_esri_features_in_the_hong_kong_grid_and_errors_with_status_200() -> None:
    path = [[835411.431, 817266.016, 5.0], [835412.431, 817266.016, 6.0]]
    document = {"spatialReference": {"wkid": 102140}, "features": [{"attributes": {}, "geometry": {"paths": [path]}}]}
    (feature,) = features_of(document, "x")
    (line,) = feature["geometry"]["coordinates"]
    assert line[0] == pytest.approx([114.168562005, 22.294313001, 5.0], abs=2e-8)  # the Lands Department's own example
    error = json.dumps({"error": {"code": 499, "message": "Token Required"}}).encode()
    for files in ({"https://h/FeatureServer/0?f=json": error},):
        with pytest.raises(StorageError, match="Token Required"):
            fetch_lines(MemorySource(files), "https://h/FeatureServer/0", (0, 0, 1, 1))
    for broken in ({}, {"features": 3}, {"features": [1]}, {"features": [], "spatialReference": {"wkid": 3857}}):
        with pytest.raises(FormatError):
            features_of(broken, "x")


def test_a_service_that_repeats_its_first_page_is_found_out() -> None:
    page = {"type": "FeatureCollection", "features": [{"type": "Feature"}], "exceededTransferLimit": True}

    def answer(request: Any) -> Reply:
        return Reply(json.dumps(page if request.path.endswith("query") else {"maxRecordCount": 1}).encode())

    with serve(answer) as site:
        source = HttpSource()
        with pytest.raises(FormatError, match="pages that differ"):
            fetch_lines(source, f"{site.url}/FeatureServer/0", (0, 0, 1, 1))
        source.close()
