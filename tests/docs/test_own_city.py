"""docs/own-city.md: its commands run as they stand, with real data and with services on this machine."""

import json
import re
import shlex
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
import pytest

from citysim import load_city
from citysim.build.inspect import validate_package
from citysim.cli import run
from citysim.geo.frames import LocalFrame, ecef_to_geodetic
from citysim.geometry.vertical import crossings
from tests.build.hongkong import FRAME, KEY, LAYER_PATH, OFFSET_M, TILES_PATH, HongKong, ground_up
from tests.geo.content.samples import square_glb, tileset
from tests.geo.web import Reply, Request, serve

PAGE = Path(__file__).resolve().parents[2] / "docs" / "own-city.md"
BLOCK = re.compile(r"^```(bash|python|json)\n(.*?)^```", re.MULTILINE | re.DOTALL)
GOOGLE = "https://tile.googleapis.com"


def section(title: str) -> list[tuple[str, str]]:
    """Language and text of the blocks under a heading."""
    text = PAGE.read_text(encoding="utf-8").split(f"## {title}", 1)[1].split("\n## ", 1)[0]
    return BLOCK.findall(text)


def commands(title: str) -> list[list[str]]:
    lines = [line for language, code in section(title) if language == "bash" for line in code.splitlines()]
    assert all(line.startswith("citysim ") for line in lines)
    return [shlex.split(line)[1:] for line in lines]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_of_the_page_is_run_here() -> None:
    titles = ("OpenStreetMap", "Any 3D Tiles", "PLATEAU", "Google", "Hong Kong")
    assert sum(len(commands(title)) for title in titles) == PAGE.read_text().count("\ncitysim ")


def test_openstreetmap(shared_data: Path, folder: Path) -> None:
    (folder / "Helsinki.osm.pbf").symlink_to(shared_data / "osm-helsinki/Helsinki.osm.pbf")
    for words in commands("OpenStreetMap"):
        assert run(words) == 0
    assert len(load_city("my-town").places) > 0
    assert Path("street.png").stat().st_size > 10_000


def test_a_real_scan_with_a_network(shared_data: Path, folder: Path) -> None:
    (folder / "scan").symlink_to(shared_data / "nasa-landform-tiles/example/public/data")
    for words in commands("Any 3D Tiles"):
        if "paths.geojson" in words:
            paths(folder / "paths.geojson", lowered=4.0)
        assert run(words) == 0
    data = json.loads(Path("my-scan/city.json").read_text())
    assert data["height_offset_m"] == pytest.approx(4.0, abs=0.3)
    assert "estimated" in data["height_offset_note"]
    assert validate_package(Path("my-scan")) == []
    for language, code in section("In Python"):
        assert language == "python"
        exec(compile(code, "own-city.md", "exec"), {"__name__": "page"})


def paths(path: Path, lowered: float) -> None:
    """Lines over the scan's ground, with heights of another datum."""
    city = load_city("my-scan")
    e0, n0, e1, n1 = city.bounds
    middle, features = ((e0 + e1) / 2, (n0 + n1) / 2), []
    reach = 0.35 * min(e1 - e0, n1 - n0)
    for turned in (False, True):
        for across in np.linspace(-reach, reach, 5):
            stops = np.linspace(-reach, reach, 33)
            spots = [(middle[0] + (across if turned else s), middle[1] + (s if turned else across)) for s in stops]
            line = [(e, n, ground(city, e, n)) for e, n in spots]
            coordinates = city.frame.to_geodetic(np.array(line) - (0.0, 0.0, lowered)).tolist()
            geometry = {"type": "LineString", "coordinates": coordinates}
            features.append({"type": "Feature", "properties": {"FeatureType": 1}, "geometry": geometry})
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))


def ground(city, east: float, north: float) -> float:  # type: ignore[no-untyped-def]
    found = []
    for index in city.finest:
        if np.hypot(*(city.tiles[index].center[:2] - (east, north))) > city.tiles[index].radius:
            continue
        chunk = city.chunk(index)
        heights, _ = crossings(chunk.positions, chunk.triangles, east - chunk.origin[0], north - chunk.origin[1])
        found += (heights + chunk.origin[2]).tolist()
    return float(max(found))


def test_plateau(shared_data: Path, folder: Path) -> None:
    """A real tile of Tokyo under a top document as the project's are."""
    tile = next(shared_data.joinpath("loaders.gl").rglob("cesium-rtc-extension.b3dm"))
    region = [*np.radians([139.7386, 35.6695, 139.7625, 35.7001]), 36.0, 237.0]
    document = tileset(boundingVolume={"region": region}, refine="ADD", content={"uri": "data/tile.b3dm"})
    for name in ("plateau", "bldg", "ground"):
        (folder / name / "data").mkdir(parents=True)
        (folder / name / "data/tile.b3dm").symlink_to(tile)
        (folder / name / "tileset.json").write_bytes(document)
        (folder / name / "data/tile.b3dm").unlink()
        (folder / name / "data/tile.b3dm").write_bytes(tile.read_bytes())
    for words in commands("PLATEAU"):
        assert run(words) == 0
    city = load_city("chiyoda")
    assert len(city.objects) == 300
    (spot,) = [t.center for t in city.tiles if t.has_content]
    lon, lat, _ = city.frame.to_geodetic(spot)
    assert (139.745 < lon < 139.756, 35.68 < lat < 35.69) == (True, True)
    ((_, text),) = [block for block in section("PLATEAU") if block[0] == "json"]
    (folder / "both.json").write_text(text)
    assert run(["city", "import-tiles", "both.json", "-o", "both"]) == 0
    assert len(load_city("both").objects) == 600


def test_google(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nested documents, references from the root of the host, and a session handed out by the first of them."""
    frame = LocalFrame(114.1703, 22.3003, 0.0)
    box = {"box": [0, 0, 0, 60, 0, 0, 0, 60, 0, 0, 0, 60]}
    earth = {"boundingVolume": box, "transform": frame.matrix.T.reshape(-1).tolist()}
    files = {
        "/v1/3dtiles/root.json": tileset(**earth, children=[
            {"boundingVolume": box, "geometricError": 9,
             "content": {"uri": "/v1/3dtiles/datasets/a/files/b.json?session=S1"}}]),
        "/v1/3dtiles/datasets/a/files/b.json": tileset(
            boundingVolume=box, content={"uri": "/v1/3dtiles/datasets/a/files/c.glb"}),
        "/v1/3dtiles/datasets/a/files/c.glb": square_glb(),
    }  # fmt: skip

    def answer(request: Request) -> Reply:
        allowed = request.query.get("key") == "YOUR_KEY" and ("datasets" in request.path) == (
            "session" in request.query
        )
        return Reply(files[request.path]) if allowed else Reply(status=403)

    with serve(answer) as site:
        for words in commands("Google"):
            assert run([word.replace(GOOGLE, site.url) for word in words]) == 0
    city = load_city("block")
    assert ecef_to_geodetic(frame.matrix[:3, 3])[:2] == pytest.approx([114.1703, 22.3003], abs=1e-6)
    assert len(city.chunk(city.finest[0]).triangles) == 2


def test_hong_kong(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_HK_KEY", KEY)
    service = HongKong()
    corners = [(60.0, 60.0), (250.0, 60.0), (250.0, 250.0), (60.0, 250.0), (60.0, 60.0)]
    for number, (start, end) in enumerate(pairwise(corners), len(service.features) + 1):  # a block that is one network
        ends = np.array([(e, n, float(ground_up(e, n)) - OFFSET_M) for e, n in (start, end)])
        line = FRAME.to_geodetic(ends)
        line[:, 2] = ends[:, 2]
        codes = {**service.features[0]["codes"], "OBJECTID": number, "PedestrianRouteID": 200_000_000 + number}
        service.features.append({**service.features[0], "line": line.tolist(), "codes": codes})
    with serve(service) as site:
        monkeypatch.setenv("CITYSIM_HK_TILES_URL", f"{site.url}{TILES_PATH}/tileset.json")
        monkeypatch.setenv("CITYSIM_HK_NETWORK_URL", f"{site.url}{LAYER_PATH}")
        assert urlsplit(site.url).hostname == "127.0.0.1"
        fetch, *others = commands("Hong Kong")
        assert run(fetch) == 0
    stated = json.loads(Path("kowloon/city.json").read_text())
    assert stated["height_offset_m"] == pytest.approx(OFFSET_M, abs=0.2)
    for words in others:
        assert run(words) == 0
    again = [*fetch[:-1], "again", "--offline"]
    assert run(again) == 0  # the server is gone
    assert json.loads(Path("again/city.json").read_text())["content_sha256"] == stated["content_sha256"]
