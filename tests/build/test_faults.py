"""Hostile and broken tilesets: each fault is told once, with its place and reason, and the siblings load."""

import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citysim.build.inspect import validate_package
from citysim.build.tiles import import_tiles
from citysim.city import City, open_city
from citysim.errors import CitySimError, FormatError, SimulationFault, StorageError
from citysim.geo.store import FolderSource, MemorySource
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster.renderer import RasterRenderer
from citysim.world import Command, World
from tests.geo.content.samples import GltfMaker, square_glb, tileset
from tests.geo.content.test_surfaces import picture

BOX = {"boundingVolume": {"box": [0, 0, 0, 10, 0, 0, 0, 10, 0, 0, 0, 10]}, "geometricError": 0}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))


def tile(uri: str, **more: Any) -> dict[str, Any]:
    return {**BOX, "content": {"uri": uri}, **more}


def imported(tmp_path: Path, children: list[Any], files: dict[str, bytes]) -> tuple[City, dict[str, str]]:
    source = MemorySource(
        {"t.json": tileset(children=[tile("good.glb"), *children]), "good.glb": square_glb(), **files}
    )
    out = import_tiles("t.json", tmp_path / "city", source=source, allow_missing=True)
    assert validate_package(out) == []
    data = json.loads((out / "city.json").read_text())
    assert data["missing"] == sorted(data.get("faults", {}))
    return open_city(out), data.get("faults", {})


def textured(**image: Any) -> GltfMaker:
    maker = GltfMaker()
    maker.primitive()["material"] = 0
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [image],
    }
    return maker


@pytest.mark.parametrize(
    ("child", "files", "place", "why"),
    [
        (tile("gone.glb"), {}, "tiles/gone.glb", "no such file"),
        (tile("bad.glb"), {"bad.glb": square_glb()[:90]}, "tiles/bad.glb", "bytes"),
        (tile("bad.glb"), {"bad.glb": b"XXXX" + bytes(99)}, "tiles/bad.glb", "XXXX"),
        (tile("gone.json"), {}, "tiles/gone.json", "no such file"),
        (tile("bad.json"), {"bad.json": b"{"}, "tiles/bad.json", "JSON"),
        (tile("bad.json"), {"bad.json": b"[" * 200_000}, "tiles/bad.json", "JSON"),
        (tile("../../etc/passwd"), {}, "tiles/t.json#../../etc/passwd", "etc/passwd"),
        (tile("file:///etc/passwd"), {}, "tiles/t.json#file:///etc/passwd", "etc/passwd"),
        (tile("a.glb", boundingVolume=None), {}, "tiles/t.json#1", "boundingVolume"),
        (tile("a.glb", boundingVolume={"box": [1]}), {}, "tiles/t.json#1", "box"),
        (tile("a.glb", transform=[1, 2]), {}, "tiles/t.json#1", "transform"),
        (7, {}, "tiles/t.json#1", "boundingVolume"),
        (tile("me.json"), {"me.json": tileset(children=[tile("me.json")])}, "tiles/me.json", "cycle"),
        (tile("up.json"), {"up.json": tileset(children=[tile("t.json")])}, "tiles/t.json", "cycle"),
    ],
)
def test_a_fault_costs_its_own_tile_only(
    tmp_path: Path, child: Any, files: dict[str, bytes], place: str, why: str
) -> None:
    city, faults = imported(tmp_path, [child], files)
    assert list(faults) == [place]
    assert why in faults[place]
    assert [city.tiles[i].uri for i in city.finest] == ["tiles/good.glb"]
    assert len(city.chunk(city.finest[0]).triangles) == 2


def test_a_fault_that_is_referred_to_often_is_told_once(tmp_path: Path) -> None:
    _, faults = imported(tmp_path, [tile("gone.glb") for _ in range(50)], {})
    assert list(faults) == ["tiles/gone.glb"]


def test_a_broken_picture_leaves_its_tile_in_plain_grey(tmp_path: Path) -> None:
    files = {"a.glb": textured(uri="gone.png").glb(), "b.glb": textured(uri="bad.png").glb(), "bad.png": b"JPEG?"}
    city, faults = imported(tmp_path, [tile("a.glb"), tile("b.glb"), tile("c.glb")], {**files, "c.glb": square_glb()})
    assert sorted(faults) == ["tiles/bad.png", "tiles/gone.png"]
    assert len(city.finest) == 4
    for index, key in enumerate(city.texture_keys):
        assert key in faults
        assert city.texture(index).tolist() == [[[150, 150, 150, 255]]]


def test_a_lost_buffer_costs_its_tile(tmp_path: Path) -> None:
    maker = GltfMaker()
    maker.primitive()
    maker.gltf["buffers"] = [{"uri": "gone.bin", "byteLength": len(maker.binary)}]
    files = {"a.gltf": json.dumps(maker.gltf).encode(), "tex.png": picture()}
    city, faults = imported(tmp_path, [tile("a.gltf")], files)
    assert set(faults) == {"tiles/a.gltf", "tiles/gone.bin"}
    assert len(city.finest) == 1


def test_without_leave_the_first_fault_ends_the_import(tmp_path: Path) -> None:
    for child in (tile("gone.glb"), tile("file:///x"), tile("a.glb", transform=[1]), tile("t.json")):
        source = MemorySource({"t.json": tileset(children=[tile("good.glb"), child]), "good.glb": square_glb()})
        with pytest.raises(CitySimError):
            import_tiles("t.json", tmp_path / "city", source=source)
        assert not (tmp_path / "city").exists()


def test_tilesets_that_double_at_every_level_are_cut_off(tmp_path: Path) -> None:
    files = {f"{n}.json": tileset(children=[tile(f"{n + 1}.json"), tile(f"{n + 1}.json")]) for n in range(22)}
    files["22.json"] = tileset(**tile("good.glb"))
    source = MemorySource({**files, "good.glb": square_glb()})
    start = time.monotonic()
    with pytest.raises(FormatError, match="named again"):
        import_tiles("0.json", tmp_path / "city", source=source)
    assert time.monotonic() - start < 30.0


def test_folders_give_files_only(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "inside").mkdir()
    source = FolderSource(tmp_path)
    for name in ("pipe", "inside", "x" * 5000, "a\x00b"):
        with pytest.raises(StorageError):
            source.read(name)
    huge = tmp_path / "huge.b3dm"
    with huge.open("wb") as handle:
        handle.truncate(5 << 30)  # sparse
    with pytest.raises(StorageError, match="more than"):
        source.read("huge.b3dm")


def test_a_tile_lost_while_running_is_the_simulators_fault_and_comes_back(tmp_path: Path) -> None:
    """Such a fault ends an episode unscored; nothing of it stays when the tile is there again."""
    points = np.array([(-10, 0, -10), (10, 0, -10), (10, 0, 10), (-10, 0, 10)], "<f4")
    ground = GltfMaker()
    ground.primitive(points, np.array([(0, 2, 1), (0, 3, 2)], "<u2"))
    source = MemorySource({"t.json": tileset(**tile("a.glb")), "a.glb": ground.glb()})
    out = import_tiles("t.json", tmp_path / "city", source=source)
    content = out / "tiles" / "a.glb"
    kept = content.read_bytes()
    city = open_city(out)
    world, renderer = World(city, physics="native"), RasterRenderer(city)
    content.unlink()
    shutil.rmtree(tmp_path / "cache")
    view = View(Camera(Pose(-9.0, 0.0, 1.6, 0.0), (64, 48)))
    for act in (lambda: world.ground_pose(0.0, 0.0), lambda: renderer.render(view)):
        with pytest.raises(SimulationFault, match=r"tiles/a\.glb"):
            act()
    content.write_bytes(kept)
    world.reset(world.ground_pose(0.0, 0.0))
    assert world.advance(Command(forward=1.0), 60).distance_m == pytest.approx(1.0, abs=0.2)
    assert np.ptp(renderer.render(view).rgb) > 0
    world.close()
    renderer.close()
