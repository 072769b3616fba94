import json
import multiprocessing
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import citysim.city
from citysim.city import Chunk, City, Tile, open_city
from citysim.errors import CitySimError, FormatError, SimulationFault, StorageError
from tests.build.samples import package

__all__ = ["package"]


def edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_chunks_are_read_only_views_shared_by_asking_twice(package: Path) -> None:
    city = open_city(package)
    chunk = city.chunk(city.finest[0])
    assert chunk is city.chunk(city.finest[0])
    assert not chunk.positions.flags.writeable
    assert chunk.origin.dtype == np.float64
    assert np.array_equal(chunk.origin * 1024, np.round(chunk.origin * 1024))
    assert np.array_equal(chunk.positions * 1024, np.round(chunk.positions * 1024))
    assert [a.dtype.str for a in (chunk.positions, chunk.uvs, chunk.colors, chunk.triangles)] == [
        "<f4",
        "<f4",
        "|u1",
        "<i4",
    ]


def test_the_second_opening_decodes_nothing(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_city(package)
    chunks = [first.chunk(i) for i in first.finest]
    pixels = [first.texture(i) for i in range(len(first.texture_keys))]

    def forbidden(*_: object) -> None:
        raise AssertionError("decoded again")

    monkeypatch.setattr("citysim.city.tiles.decode_meshes", forbidden)
    monkeypatch.setattr("citysim.city.tiles.surfaces_in", forbidden)
    monkeypatch.setattr("citysim.city.tiles.load_texture", forbidden)
    monkeypatch.setattr("citysim.city.manifest.file_digest", forbidden)
    second = open_city(package)
    assert second.materials == first.materials
    for index, chunk in zip(second.finest, chunks, strict=True):
        assert np.array_equal(second.chunk(index).positions, chunk.positions)
    assert all(np.array_equal(second.texture(i), p) for i, p in enumerate(pixels))


def test_what_the_builder_decoded_is_not_decoded_again(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citysim.city.tiles.decode_meshes", None)
    monkeypatch.setattr("citysim.city.tiles.load_texture", None)
    city = open_city(package)
    assert sum(len(city.chunk(i).triangles) for i in city.finest) > 0
    assert city.texture(0).shape[2] == 4
    assert [p.name for p in Path(os.environ["CITYSIM_CACHE"], "chunks").iterdir() if p.name.startswith("new-")] == []


@pytest.mark.parametrize("damage", ["truncate", "flip", "empty", "delete"])
def test_damaged_cache_entries_are_rebuilt(package: Path, tmp_path: Path, damage: str) -> None:
    first = open_city(package)
    want = first.chunk(first.finest[0]).positions.copy()
    seen = first.texture(0).copy()
    for path in (tmp_path / "cache" / "chunks").rglob("*"):
        if path.is_file():
            data = bytearray(path.read_bytes())
            if damage == "flip":
                data[len(data) // 2] ^= 1 if path.name.startswith("tile") else 0
            if damage == "delete":
                path.unlink()
            else:
                path.write_bytes(bytes({"truncate": data[: len(data) // 2], "flip": data, "empty": b""}[damage]))
    city = open_city(package)
    assert np.array_equal(city.chunk(city.finest[0]).positions, want)
    assert np.array_equal(city.texture(0), seen)


def test_an_unwritable_cache_only_costs_time(package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("")
    monkeypatch.setenv("CITYSIM_CACHE", str(blocker))
    city = open_city(package)
    assert len(city.chunk(city.finest[0]).triangles)


def _touch_all(folder: str) -> str:
    city = open_city(Path(folder))
    return str(sum(float(city.chunk(i).positions.sum()) for i in city.finest))


def test_processes_may_fill_the_cache_together(package: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        answers = pool.map(_touch_all, [str(package)] * 4)
    assert set(answers) == {_touch_all(str(package))}
    names = {p.name for p in Path(os.environ["CITYSIM_CACHE"]).rglob("*")}
    assert not any(name.startswith(".new-") for name in names)


@pytest.mark.parametrize("key", ["content_sha256", "appearance_sha256"])
def test_a_wrong_hash_is_refused(package: Path, key: str) -> None:
    edit(package / "city.json", **{key: "0" * 64})
    with pytest.raises(FormatError, match=key):
        open_city(package)


@pytest.mark.parametrize("name", ["network.geojson", "objects.jsonl", "places.geojson", "tiles/tileset.json"])
def test_changed_files_are_refused_after_an_opening_too(package: Path, name: str) -> None:
    open_city(package)
    path = package / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(FormatError, match=name):
        open_city(package)


def test_a_changed_tile_is_refused(package: Path) -> None:
    tile = next((package / "tiles").rglob("*_fine.glb"))
    data = bytearray(tile.read_bytes())
    data[-20] ^= 1
    tile.write_bytes(data)
    with pytest.raises(FormatError, match=tile.name):
        open_city(package)


def test_a_moved_origin_is_refused(package: Path) -> None:
    edit(package / "city.json", origin={"lon": 25.0, "lat": 60.17, "height": 0.0})
    with pytest.raises(FormatError, match="origin"):
        open_city(package)


def test_a_missing_tile_is_named(package: Path) -> None:
    tile = next((package / "tiles").rglob("*_fine.glb"))
    tile.unlink()
    with pytest.raises(StorageError, match=tile.name):
        open_city(package)


def test_a_tile_that_vanishes_during_a_run_is_a_simulation_fault(package: Path, tmp_path: Path) -> None:
    city = open_city(package)
    shutil.rmtree(tmp_path / "cache")
    shutil.rmtree(package / "tiles" / "cells")
    with pytest.raises(SimulationFault, match="glb"):
        city.chunk(city.finest[0])


@pytest.mark.parametrize(
    "changes",
    [{"schema": "citysim.city/9"}, {"origin": None}, {"origin": {"lon": "east"}}, {"bounds_m": [1]}, {"tileset": 5},
     {"network": "../network.geojson"}, {"objects": "/etc/passwd"}],
)  # fmt: skip
def test_broken_manifests_are_refused(package: Path, changes: dict[str, object]) -> None:
    edit(package / "city.json", **changes)
    with pytest.raises(FormatError, match=r"city\.json|inside"):
        open_city(package)


def test_things_that_are_no_package(tmp_path: Path) -> None:
    for path in (tmp_path / "absent", tmp_path, tmp_path / "f"):
        (tmp_path / "f").write_text("")
        with pytest.raises(CitySimError, match="city package"):
            open_city(path)
    (tmp_path / "city.json").write_text("{")
    with pytest.raises(FormatError, match="JSON"):
        open_city(tmp_path)


def test_finest_tiles_follow_refinement() -> None:
    def tile(index: int, parent: int, children: tuple[int, ...], refine: str, content: bool = True) -> Tile:
        return Tile(index, "", parent, children, refine, 1.0, np.zeros(3), 1.0, content)

    tiles = (
        tile(0, -1, (1, 4), "ADD"),
        tile(1, 0, (2, 3), "REPLACE"),
        tile(2, 1, (), "REPLACE"),
        tile(3, 1, (), "REPLACE", content=False),
        tile(4, 0, (5,), "REPLACE"),
        tile(5, 4, (), "REPLACE", content=False),
    )
    city = City.in_memory([])
    object.__setattr__(city, "tiles", tiles)
    assert city.finest == (0, 2, 4)


def test_in_memory_city_has_its_chunks() -> None:
    points = np.array([(0, 0, 0), (4, 0, 0), (0, 4, 2)], np.float32)
    flat = np.zeros(1, np.int32)
    chunk = Chunk(np.array([10.0, 0, 0]), points, np.zeros((3, 2), np.float32), np.full((3, 4), 255, np.uint8),
                  np.array([[0, 1, 2]], np.int32), flat, flat)  # fmt: skip
    city = City.in_memory([chunk])
    assert city.bounds == (10.0, 0.0, 14.0, 4.0)
    assert city.finest == (0,)
    assert city.chunk(0) is chunk
    assert citysim.city.City is City
