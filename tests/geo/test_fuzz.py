"""Damaged input of every kind, a few thousand pieces; benchmarks/fuzz_tiles.py takes hundreds of thousands."""

import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.errors import CitySimError, FormatError, StorageError
from citysim.geo import store
from citysim.geo.archive import ArchiveSource
from citysim.geo.content.images import decode_image
from citysim.geo.content.ktx2 import SMALL
from citysim.geo.store import MemorySource, fetch
from tests.geo.fuzzing import damaged, read, seeds


@pytest.mark.parametrize("start", range(0, 2000, 500))
def test_damaged_input_ends_in_an_error_of_ours(start: int) -> None:
    for number in range(start, start + 500):
        read(*damaged(number))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(seeds())), st.binary(max_size=200))
def test_any_bytes_at_all(kind: str, data: bytes) -> None:
    read(kind, data)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_damaged_input_by_any_number(number: int) -> None:
    read(*damaged(number))


def test_damaged_ktx2_pictures(shared_data: Path) -> None:
    sound = (shared_data / "cesium-native/CesiumImage/test/data/ktx2/kota-onelevel.ktx2").read_bytes()
    for number in range(300):
        rng = np.random.default_rng(number)
        data = bytearray(sound)
        for _ in range(int(rng.integers(1, 5))):
            data[int(rng.integers(120 if rng.random() < 0.6 else len(data)))] = int(rng.integers(256))
        try:
            pixels = decode_image(bytes(data), "t")
        except CitySimError:
            continue
        assert pixels.size <= 4 * SMALL


def test_sound_input_is_read() -> None:
    for kind, found in seeds().items():
        for data in found:
            read(kind, data)


def test_gzip_bombs_stay_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MAX_INFLATED", 1 << 20)
    bomb = gzip.compress(bytes(1 << 24))
    assert len(bomb) < 20_000
    with pytest.raises(FormatError, match="gzip"):
        fetch(MemorySource({"t": bomb}), "t")


def test_zip_bombs_and_entries_that_point_outside(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tileset.json", "{}")
        archive.writestr("../outside.json", "{}")
        archive.writestr("bomb.b3dm", bytes(1 << 24))
    data = bytearray(buffer.getvalue())
    place = data.rfind(b"bomb.b3dm") - 46 + 24  # the uncompressed size in the central directory
    data[place : place + 4] = (0xFFFFFF00).to_bytes(4, "little")
    path = tmp_path / "t.3tz"
    path.write_bytes(data)
    source = ArchiveSource(path)
    assert source.read("tileset.json") == b"{}"
    with pytest.raises(FormatError, match=r"bomb\.b3dm"):
        source.read("bomb.b3dm")
    with pytest.raises(StorageError):
        source.read("../../etc/passwd")
    assert not (tmp_path.parent / "outside.json").exists()
    source.close()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_archives(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tileset.json", '{"root":{}}' * 20)
    broken = bytearray(buffer.getvalue())
    for _ in range(data.draw(st.integers(1, 5))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "damaged.3tz"
    path.write_bytes(broken)
    try:
        source = ArchiveSource(path)
    except CitySimError:
        return
    try:
        source.read("tileset.json")
    except CitySimError:
        pass
    finally:
        source.close()
