"""Where a package may be written: nothing of the user's is ever lost."""

import os
import shutil
import threading
from pathlib import Path

import pytest

from citysim.build.package import write_package
from citysim.build.target import check_target
from citysim.city import open_city
from citysim.errors import StorageError
from citysim.storage import folder_atomic
from tests.build.samples import make_draft, package

__all__ = ["package"]


def test_a_package_is_replaced_whole(package: Path) -> None:
    before = (package / "city.json").read_bytes()
    write_package(make_draft(boxes=3), package)
    assert (package / "city.json").read_bytes() != before
    assert open_city(package).objects
    assert [p.name for p in package.parent.iterdir() if p.name.startswith(f".{package.name}")] == []


def test_a_users_file_in_a_package_is_kept(package: Path) -> None:
    run = package / "run" / "episodes.jsonl"
    run.parent.mkdir()
    run.write_text("precious")
    with pytest.raises(StorageError, match=r"run/episodes\.jsonl"):
        write_package(make_draft(), package)
    assert run.read_text() == "precious"


def test_packages_do_not_nest(package: Path) -> None:
    with pytest.raises(StorageError, match="outside other city packages"):
        check_target(package / "sub" / "city")


@pytest.mark.parametrize("name", ["x" * 260, "a/" + "y" * 300])
def test_names_that_are_too_long(tmp_path: Path, name: str) -> None:
    with pytest.raises(StorageError):
        check_target(tmp_path / name)


def test_the_working_folder_and_the_root_are_not_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    for out in (Path("."), Path("/")):
        with pytest.raises(StorageError):
            check_target(out)


def test_two_writers_of_one_name_leave_one_whole_folder(tmp_path: Path) -> None:
    target, errors = tmp_path / "shared", []

    def write(name: str) -> None:
        try:
            for _ in range(40):
                with folder_atomic(target, replace=True) as folder:
                    (folder / "a").write_text(name)
                    (folder / "b").write_text(name)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=write, args=(name,)) for name in ("one", "two")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert (target / "a").read_text() == (target / "b").read_text()
    assert os.listdir(tmp_path) == ["shared"]
    shutil.rmtree(target)
