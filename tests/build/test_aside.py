"""Work done in other processes gives what it gives here, whatever happens to them."""

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from citysim.build.aside import Aside
from citysim.build.make import make_package
from citysim.build.picture import Texture
from citysim.build.procedural import plan_preset
from citysim.build.shelf import Shelf
from citysim.errors import InputError


def where(value: int) -> tuple[int, int]:
    return value, os.getpid()


def die(value: int) -> int:
    if os.getppid() != value:
        return value
    os._exit(3)


def slow(size: int) -> Texture:
    time.sleep(1.0)
    return grey(size)


def numbered(size: int) -> Texture:
    return Texture(np.full((size, size, 3), os.getpid() % 251, dtype=np.uint8))


def fail() -> None:
    raise InputError("luck", "none", "another try")


def grey(size: int) -> Texture:
    return Texture(np.full((size, size, 3), 128, dtype=np.uint8), glow=np.full((size, size), 9, dtype=np.uint8))


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_results_come_in_the_order_they_are_asked_for(workers: int) -> None:
    with Aside(workers) as aside:
        jobs = [aside.submit(where, k) for k in range(6)]
        found = [job.result() for job in jobs]
    assert [value for value, _ in found] == list(range(6))
    assert (os.getpid() in {process for _, process in found}) == (workers == 0)


def test_the_work_of_a_process_that_dies_is_done_here() -> None:
    with Aside(1) as aside:
        assert aside.submit(die, os.getpid()).result() == os.getpid()
        assert aside.submit(where, 5).result() == (5, os.getpid())


def test_errors_come_back_as_they_are() -> None:
    with Aside(1) as aside, pytest.raises(InputError, match="luck"):
        aside.submit(fail).result()


def test_what_nobody_has_begun_is_painted_here() -> None:
    with Aside(1) as aside:
        shelf = Shelf(aside)
        shelf.paint("first", slow, 8)
        shelf.paint("second", numbered, 8)
        assert int(shelf["second"].pixels[0, 0, 0]) == os.getpid() % 251
        assert shelf.files("second")[1] is None
        assert shelf["first"].pixels.shape == (8, 8, 3)
        assert shelf.files("first")[1] is not None


def test_a_shelf_waits_for_what_is_painted_and_checks_it() -> None:
    with Aside(1) as aside:
        shelf = Shelf(aside)
        shelf.paint("a", grey, 8)
        shelf.paint("b", grey, 7)
        assert sorted(shelf) == ["a", "b"]
        assert shelf["a"].pixels.shape == (8, 8, 3)
        here = Shelf(Aside())
        here["a"] = grey(8)
        assert shelf.files("a") == here.files("a")
        with pytest.raises(InputError, match="power-of-two"):
            shelf["b"]


def test_a_script_without_a_guard_builds_a_city_once(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from pathlib import Path\nfrom citysim.build.aside import Aside\nprint('once')\n"
        "with Aside(1) as aside:\n    print(aside.submit(sorted, [2, 1]).result())\n"
    )
    run = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True, timeout=120)
    assert run.stdout.splitlines() == ["once", "[1, 2]"]


def test_bytes_do_not_depend_on_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = plan_preset("mini")
    for count in (1, 3):
        monkeypatch.setattr("citysim.build.aside.processors", lambda count=count: count)
        make_package(plan, tmp_path / str(count))
    one, two = (
        {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}
        for root in (tmp_path / "1", tmp_path / "3")
    )
    assert one == two
