""".3dtiles archives: whole tilesets in SQLite files, sound, damaged and hostile."""

import gzip
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.errors import CitySimError, FormatError, StorageError
from citysim.geo import database
from citysim.geo.database import DatabaseSource
from citysim.geo.store import FolderSource, fetch
from citysim.geo.tileset import read_tileset
from tests.geo.content.samples import square_glb, tileset


def packed(path: Path, entries: dict[str, bytes]) -> Path:
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE media (key TEXT PRIMARY KEY, content BLOB)")
    base.executemany("INSERT INTO media VALUES (?, ?)", entries.items())
    base.commit()
    base.close()
    return path


def test_entries_are_read_and_missing_ones_named(tmp_path: Path) -> None:
    path = packed(tmp_path / "ä b.3dtiles", {"tileset.json": tileset(), "a/b.glb": gzip.compress(b"glTF")})
    source = DatabaseSource(path)
    assert source.read("tileset.json") == tileset()
    assert fetch(source, "a/b.glb") == b"glTF"
    with pytest.raises(StorageError, match="gone"):
        source.read("gone")
    source.close()
    source.close()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["ä b.3dtiles"]


def test_archives_below_a_folder_are_tilesets_too(tmp_path: Path) -> None:
    inner = tileset(content={"uri": "a.glb"})
    packed(tmp_path / "part.3dtiles", {"tileset.json": inner, "a.glb": square_glb()})
    (tmp_path / "t.json").write_bytes(tileset(content={"uri": "part.3dtiles"}))
    source = FolderSource(tmp_path)
    tiles = read_tileset(source, "t.json").tiles
    assert [t.uris for t in tiles] == [(), ("part.3dtiles/a.glb",)]
    assert source.read("part.3dtiles/a.glb") == square_glb()


@pytest.mark.parametrize("data", [b"", b"SQLite format 3\x00" + bytes(100), b"PK\x03\x04" * 100])
def test_what_is_no_database_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.3dtiles"
    path.write_bytes(data)
    with pytest.raises(FormatError, match="3dtiles"):
        DatabaseSource(path)


def test_a_view_that_never_ends_is_no_table(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / "t.3dtiles")
    base.execute(
        "CREATE VIEW media AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT 'tileset.json' AS key, x AS content FROM n WHERE x < 0"
    )
    base.close()
    with pytest.raises(FormatError, match="no table"):
        DatabaseSource(tmp_path / "t.3dtiles")


def test_answers_that_take_too_long_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = sqlite3.connect(tmp_path / "t.3dtiles")
    base.execute("CREATE TABLE media (key TEXT, content BLOB)")  # no index: every key is looked at
    base.executemany("INSERT INTO media VALUES (?, 'x')", ((str(n),) for n in range(50_000)))
    base.commit()
    base.close()
    source = DatabaseSource(tmp_path / "t.3dtiles")
    assert source.read("49999") == b"x"
    monkeypatch.setattr(database, "MAX_STEPS", 20_000)
    with pytest.raises(FormatError, match="interrupted"):
        source.read("gone")
    source.close()


def test_huge_entries_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MAX_ENTRY", 1000)
    source = DatabaseSource(packed(tmp_path / "t.3dtiles", {"a": bytes(1001)}))
    with pytest.raises(FormatError, match="1001 bytes"):
        source.read("a")
    source.close()


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_databases_never_crash(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.3dtiles"
    path.unlink(missing_ok=True)
    broken = bytearray(packed(path, {"tileset.json": b'{"root":{}}' * 20, "b": bytes(9000)}).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        broken[data.draw(st.integers(0, len(broken) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(broken)
    try:
        source = DatabaseSource(path)
    except CitySimError:
        return
    for name in ("tileset.json", "b"):
        try:
            source.read(name)
        except CitySimError:
            continue
    source.close()
