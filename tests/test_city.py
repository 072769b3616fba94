import dataclasses
import hashlib
import json
import multiprocessing
import os
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import citysim.city
from citysim.build.inspect import validate_package
from citysim.city import Chunk, City, Tile, open_city
from citysim.city.manifest import read_manifest
from citysim.errors import CitySimError, FormatError, SimulationFault, StorageError
from tests.build.samples import package
from tests.towns import grid_town

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


@pytest.mark.parametrize("suffix", [".npy", ".json"])
def test_every_flipped_byte_of_the_cache_is_noticed(package: Path, tmp_path: Path, suffix: str) -> None:
    first = open_city(package)
    want = [first.chunk(i).positions.copy() for i in first.finest]
    seen = [first.texture(i).copy() for i in range(len(first.texture_keys))]
    files = sorted(p for p in (tmp_path / "cache" / "chunks").rglob(f"*{suffix}") if p.stat().st_size)
    assert files
    for where in (3, 40, 100, 140, -100, -1):  # the header of NumPy, our own, bodies
        for path in files:
            data = bytearray(path.read_bytes())
            data[where] ^= 0x55
            path.unlink()  # a new file: pages that are mapped stay as they are
            path.write_bytes(data)
        city = open_city(package)
        assert city.materials == first.materials
        assert all(np.array_equal(city.chunk(i).positions, p) for i, p in zip(city.finest, want, strict=True))
        assert all(np.array_equal(city.texture(i), p) for i, p in enumerate(seen))


@pytest.mark.parametrize("header", [b"{'descr': '|u1', 'shape': (1,", b"(((", b"\xff\x00", b"5"])
def test_headers_that_cannot_be_parsed_are_rebuilt(package: Path, tmp_path: Path, header: bytes) -> None:
    seen = open_city(package).texture(0).copy()
    for path in (tmp_path / "cache" / "chunks").rglob("texture-*.npy"):
        path.unlink()
        path.write_bytes(b"\x93NUMPY\x01\x00v\x00" + header.ljust(118) + bytes(99))
    assert np.array_equal(open_city(package).texture(0), seen)


@pytest.mark.parametrize("field", range(7))
def test_surfaces_of_wrong_types_are_read_anew(package: Path, tmp_path: Path, field: int) -> None:
    first = open_city(package)
    path = next((tmp_path / "cache" / "chunks").rglob("surfaces.json"))
    rows = json.loads(path.read_text().partition("\n")[2])
    tile = next(tile for tile in rows if tile)
    tile[0][field] = {}
    text = json.dumps(rows)
    path.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}")
    assert open_city(package).materials == first.materials


@pytest.mark.parametrize(
    ("key", "value"),
    [("missing", 5), ("missing", [5]), ("utc_offset_h", float("inf")), ("utc_offset_h", "2"), ("utc_offset_h", 1e9),
     ("bounds_m", [0, 0, float("nan"), 1]), ("bounds_m", [5, 0, 0, 1]), ("bounds_m", [True, 0, 1, 1]),
     ("label_bases", []), ("label_bases", {"a": "b"}), ("placement", [1.0]), ("title", "\ud800"), ("licence", 5),
     ("origin", {"lon": "24.9", "lat": 60.2, "height": 0}), ("origin", {"lon": 24.9, "lat": 100.0, "height": 0}),
     ("warnings", 5), ("faults", []), ("height_offset_m", "x"), ("seed", float("nan"))],
)  # fmt: skip
def test_values_of_the_manifest_are_checked_when_it_is_read(package: Path, key: str, value: object) -> None:
    edit(package / "city.json", **{key: value})
    for read in (open_city, read_manifest):
        with pytest.raises(FormatError, match=r"city\.json"):
            read(package)
    assert len(validate_package(package)) == 1


def test_free_keys_and_absent_ones_are_fine(package: Path) -> None:
    data = json.loads((package / "city.json").read_text())
    for key in ("utc_offset_h", "warnings", "source", "height_offset_m"):
        del data[key]
    text = json.dumps(data | {"ours": {"deep": [1, None]}, "missing": None, "seed": 10**40})
    (package / "city.json").write_text(text)
    assert open_city(package).utc_offset_h == 0.0


def test_a_relative_package_survives_a_change_of_directory(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(package.parent)
    monkeypatch.setenv("CITYSIM_CACHE", "relative-cache")
    city = open_city(Path(package.name))
    monkeypatch.chdir("/")
    assert all(len(city.chunk(i).triangles) for i in city.finest)
    assert city.path == package


def test_a_city_on_disk_is_pickled_as_its_place(package: Path) -> None:
    city = open_city(package)
    data = pickle.dumps(city)
    assert len(data) < 1000
    again = pickle.loads(data)
    assert again.content_sha256 == city.content_sha256
    assert np.array_equal(again.chunk(again.finest[0]).positions, city.chunk(city.finest[0]).positions)
    other = pickle.dumps(dataclasses.replace(city, content_sha256="0" * 64))
    with pytest.raises(FormatError, match="the city 0000"):
        pickle.loads(other)


def test_a_city_in_memory_is_pickled_whole() -> None:
    city = pickle.loads(pickle.dumps(grid_town()))
    assert np.array_equal(city.chunk(1).positions, grid_town().chunk(1).positions)
    assert len(city.network.edges) == len(grid_town().network.edges)
    assert city.finest == grid_town().finest
