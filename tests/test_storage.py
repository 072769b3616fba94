import os
from pathlib import Path

import pytest

from citysim.errors import StorageError
from citysim.storage import canonical_json, folder_atomic, write_atomic


def test_a_file_is_written_whole(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "x.json"
    write_atomic(target, "ä")
    assert target.read_text(encoding="utf-8") == "ä"
    assert [p.name for p in target.parent.iterdir()] == ["x.json"]


def test_a_file_in_the_way_of_a_folder_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match="expected a writable place"):
        write_atomic(tmp_path / "file" / "x", "")


def test_a_full_disk_is_one_error_and_leaves_nothing() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("needs /dev/full")
    with pytest.raises(StorageError):
        write_atomic(full / "x", "data")


def test_a_folder_appears_only_when_done(tmp_path: Path) -> None:
    target = tmp_path / "city"

    def fail() -> None:
        with folder_atomic(target) as folder:
            (folder / "half").write_text("")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert list(tmp_path.iterdir()) == []
    with folder_atomic(target) as folder:
        (folder / "whole").write_text("1")
    assert (target / "whole").read_text() == "1"
    with pytest.raises(StorageError, match="does not exist yet"), folder_atomic(target):
        pass
    with folder_atomic(target, replace=True) as folder:
        (folder / "other").write_text("2")
    assert sorted(os.listdir(target)) == ["other"]


def test_json_is_canonical() -> None:
    assert canonical_json({"b": 1, "a": [1.5, "ä"]}) == '{"a":[1.5,"ä"],"b":1}'
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))
