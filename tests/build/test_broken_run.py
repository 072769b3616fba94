"""From a tileset with bad tiles on a web server to a scored run, by the commands that a user types."""

import json
import os
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citysim.cli import run
from citysim.geo.frames import LocalFrame
from tests.geo.content.samples import GltfMaker, tileset
from tests.geo.web import Reply, Request, serve

FRAME = LocalFrame(114.17, 22.3, 0.0)
SIDE_M, COUNT = 60.0, 6


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))


def flat_town() -> dict[str, bytes]:
    """A flat square of 6 x 6 tiles over one coarse tile, on Earth."""

    def square(half: float) -> bytes:
        maker = GltfMaker()
        points = np.array([(-half, 0, -half), (half, 0, -half), (half, 0, half), (-half, 0, half)], "<f4")
        maker.primitive(points, np.array([(0, 2, 1), (0, 3, 2)], "<u2"))
        return maker.glb()

    def box(half: float) -> dict[str, Any]:
        return {"box": [0, 0, 0, half, 0, 0, 0, half, 0, 0, 0, 1]}

    half = SIDE_M * COUNT / 2
    children = []
    for column in range(COUNT):
        for row in range(COUNT):
            place = [SIDE_M * (column + 0.5) - half, SIDE_M * (row + 0.5) - half, 0.0]
            entry: dict[str, Any] = {"boundingVolume": box(SIDE_M / 2), "geometricError": 0}
            entry["content"] = {"uri": f"t/{column}-{row}.glb"}
            children.append({**entry, "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *place, 1]})
    root = {"boundingVolume": box(half), "geometricError": 50.0, "refine": "REPLACE", "content": {"uri": "whole.glb"}}
    top = tileset(**root, transform=FRAME.matrix.T.reshape(-1).tolist(), children=children)
    tiles = {f"t/{c}-{r}.glb": square(SIDE_M / 2) for c in range(COUNT) for r in range(COUNT)}
    return {"tileset.json": top, "whole.glb": square(half), **tiles}


def streets(path: Path) -> Path:
    """Lines along and across the town, 60 m apart, as GeoJSON."""
    ends = SIDE_M * COUNT / 2 - 10.0
    stops = np.arange(-2, 3) * SIDE_M
    lines = []
    for number, fixed in enumerate(stops):
        for turned in (False, True):
            way = [(along, fixed) for along in (-ends, *stops, ends)]
            for start, end in pairwise(way):
                points = [(n, e, 0.0) if turned else (e, n, 0.0) for e, n in (start, end)]
                geometry = {"type": "LineString", "coordinates": FRAME.to_geodetic(np.array(points)).tolist()}
                codes = {"FeatureType": 1, "Location": 1, "StreetNameEN": f"Way {number}{'NE'[turned]}"}
                lines.append({"type": "Feature", "properties": codes, "geometry": geometry})
    path.write_text(json.dumps({"type": "FeatureCollection", "features": lines}))
    return path


def served(files: dict[str, bytes], broken: dict[str, Reply]) -> Callable[[Request], Reply]:
    def answer(request: Request) -> Reply:
        name = request.path.removeprefix("/")
        return broken.get(name) or (Reply(files[name]) if name in files else Reply(status=404))

    return answer


def episodes(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "episodes.jsonl").read_text().splitlines()]


def test_bad_tiles_are_named_once_and_the_run_is_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    broken = {"t/2-2.glb": Reply(b"glTF\x02\x00\x00\x00 and no more"), "t/3-2.glb": Reply(status=404)}
    broken |= {"t/2-3.glb": Reply(status=500), "t/3-3.glb": Reply(b"oops" * 50)}
    network = str(streets(tmp_path / "streets.geojson"))
    out, place = str(tmp_path / "town"), "/tileset.json"
    with serve(served(flat_town(), broken)) as site:
        assert run(["city", "import-tiles", site.url + place, "--network", network, "-o", out]) == 2
        assert not (tmp_path / "town").exists()
        assert run(["city", "import-tiles", site.url + place, "--network", network, "--allow-missing", "-o", out]) == 0
    capsys.readouterr()
    faults = json.loads((tmp_path / "town/city.json").read_text())["faults"]
    assert sorted(faults) == [f"tiles/{name}" for name in sorted(broken)]
    assert all("found" in why for why in faults.values())
    assert run(["eval", "starter", "--agent", "oracle", "--city", out, "--limit", "4", "--size", "64x48",
                "--out", str(tmp_path / "run"), "--json"]) == 0  # fmt: skip
    lines = episodes(tmp_path / "run")
    assert [line["status"] for line in lines] == ["success"] * 4
    # the coarse tile stands in for the missing ones: people cross the middle as anywhere else
    assert sum(line["steps"] for line in lines) > 20


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_tile_that_breaks_later_leaves_its_episodes_unscored(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    source = tmp_path / "source"
    for name, data in flat_town().items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes(data)
    network, out = str(streets(tmp_path / "streets.geojson")), str(tmp_path / "town")
    assert run(["city", "import-tiles", str(source), "--network", network, "-o", out, "-q"]) == 0
    command = ["eval", "starter", "--agent", "oracle", "--city", out, "--size", "64x48", "--limit", "8"]
    command += ["--workers", workers, "--out", str(tmp_path / "run")]
    assert run(["city", "validate", out]) == 0
    kept: dict[Path, bytes] = {}
    for name in ("0-0", "0-1", "1-0"):  # a disk that loses blocks: neither size nor time changes
        path = tmp_path / f"town/tiles/t/{name}.glb"
        status, kept[path] = path.stat(), path.read_bytes()
        with path.open("r+b") as handle:
            handle.write(bytes(64))
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    for entry in (tmp_path / "cache").rglob("tile-*.npy"):
        entry.unlink()
    capsys.readouterr()
    assert run(command) == 1
    table = capsys.readouterr().out.splitlines()
    assert table[0].split()[-1] == "unscored"
    found = {line["id"]: line for line in episodes(tmp_path / "run")}
    lost = [line for line in found.values() if line["status"] == "unscored"]
    assert table[1].split()[-1] == str(len(lost))
    assert run(["report", str(tmp_path / "run"), "-q"]) == 0
    assert "unscored" in (tmp_path / "run/report.html").read_text()
    assert len(found) == 8
    assert 0 < len(lost) < 8
    assert all("SimulationFault" in line["fault"] and "tiles/t/" in line["fault"] for line in lost)
    assert all(line["status"] == "success" for line in found.values() if line not in lost)
    for path, data in kept.items():
        path.write_bytes(data)
    assert run([*command, "--resume"]) == 0
    assert [line["status"] for line in episodes(tmp_path / "run")] == ["success"] * 8
