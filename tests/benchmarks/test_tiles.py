"""`citysim bench tiles`: its rows, on generated data as an installation without the sample data has it."""

import os
from pathlib import Path

import pytest

from citysim.benchmarks import landscape, tiles, tiles_decode, tiles_stream
from citysim.benchmarks.rows import Row
from citysim.build.tiles import import_tiles
from citysim.city import open_city


def test_the_rows_are_those_of_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiles_decode, "data_folder", lambda: None)
    monkeypatch.setattr(tiles_decode, "SECONDS", 0.0)
    monkeypatch.setattr(tiles_stream, "VIEWS", 20)
    for name in ("scan_cold_to_walkable", "cross_10km"):
        row = "cross_10km_rss" if name == "cross_10km" else name
        monkeypatch.setattr(tiles, name, lambda progress, row=row: iter([Row(row, 1.0, "s")]))
    said: list[str] = []
    rows = {row.name: row for row in tiles.rows(said.append)}
    assert list(rows)[:2] == ["decode_glb", "decode_glb_worst"]
    assert rows.keys() >= {"decode_glb", "select_20k", "scan_cold_to_walkable", "cross_10km_rss"}
    assert rows["decode_glb"].peer == "trimesh"
    assert rows["decode_glb"].ratio is not None
    assert rows["decode_glb"].ratio > 0.5
    assert 0.0 < rows["select_20k"].value < 1000.0  # microseconds: the issue asks for less than a millisecond
    assert sum("trimesh" in line for line in said) == 3


def test_files_that_trimesh_reads_otherwise_are_told_and_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    ((_, data), *_) = landscape.sample_glbs()
    monkeypatch.setattr(tiles_decode, "theirs", lambda data: (0, 0))
    assert tiles_decode.compared("a.glb", data, said.append) is None
    assert tiles_decode.compared("b.glb", b"glTF", said.append) is None
    assert "leaves out" in said[0]
    assert "not read here" in said[1]


@pytest.mark.parametrize("where", ["named", "beside"])
def test_sample_data_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    folder = tmp_path / "shared/data"
    folder.mkdir(parents=True)
    monkeypatch.delenv("CITYSIM_DATA", raising=False)
    if where == "named":
        monkeypatch.setenv("CITYSIM_DATA", str(folder))
    else:
        monkeypatch.setattr(tiles_decode, "__file__", str(tmp_path / "checkout/benchmarks/tiles_decode.py"))
    assert tiles_decode.data_folder() == folder
    folder.rmdir()
    assert tiles_decode.data_folder() is None


def test_the_generated_scan_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(landscape, "CELLS", 4)
    top = landscape.write_scan(tmp_path / "scan")
    assert len(os.listdir(tmp_path / "scan/t")) == 341
    city = open_city(import_tiles(str(top), tmp_path / "city"))
    assert len(city.finest) == 256
    e0, n0, e1, n1 = city.bounds
    assert (e1 - e0, n1 - n0) == pytest.approx((2500.0, 2500.0), abs=0.1)
