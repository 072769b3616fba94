"""Executors: equal bytes from Ray, the folder's lock, what a fault says, and the bar."""

import dataclasses
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from citysim.city import City
from citysim.errors import StorageError
from citysim.runs.evaluate import evaluate
from citysim.runs.faults import fault_text, module_path, scrubbed
from citysim.runs.folder import RunFolder
from citysim.runs.lock import locked
from citysim.runs.progress import described, paced, progress_bar
from citysim.runs.seat import longest_first
from citysim.tasks.suite import Suite
from tests.runs.test_evaluate import SMALL, contents

needs_ray = pytest.mark.skipif(importlib.util.find_spec("ray") is None, reason="ray is not installed")

ON_RAY = """
import json, sys
from pathlib import Path
from citysim.catalog import load_city
from citysim.runs.evaluate import evaluate
from citysim.tasks.suites import load_suite
city = load_city(sys.argv[1])
evaluate(load_suite("starter", city, 0), city, sys.argv[2], out=Path(sys.argv[3]), workers=2, executor="ray", limit=4,
         image_size=(64, 48), progress=False, pictures=False)
"""


@pytest.mark.slow
@needs_ray
def test_ray_gives_equal_bytes_and_survives_dead_workers(town: City, suite: Suite, tmp_path: Path) -> None:
    script, agent = tmp_path / "run.py", "tests.runs.agents:Wrecker"
    script.write_text(ON_RAY)
    words = [sys.executable, str(script), str(town.path), agent, str(tmp_path / "ray")]
    there = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    subprocess.run(words, check=True, env=there, timeout=250)
    evaluate(suite, town, agent, out=tmp_path / "processes", limit=4, workers=2, **SMALL)
    assert contents(tmp_path / "ray") == contents(tmp_path / "processes")
    assert RunFolder(tmp_path / "ray").manifest()["executor"] == "ray"
    lines = RunFolder(tmp_path / "ray").episodes()
    deadly = [i.id for i in suite.instances[:4] if "Shop 11" in i.instruction]
    assert [line["id"] for line in lines if line["status"] == "unscored"] == deadly != []
    assert all("dead twice" in line["fault"] for line in lines if line["id"] in deadly)
    assert all(line["steps"] == 6 for line in lines if line["id"] not in deadly)


def test_faults_are_equal_in_worker_processes_and_tell_no_paths(town: City, suite: Suite, tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("two", 2)):
        evaluate(suite, town, "tests.runs.agents:Clumsy", out=tmp_path / name, workers=workers, limit=4, **SMALL)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    (fault,) = [line["fault"] for line in RunFolder(tmp_path / "one").episodes() if "fault" in line]
    assert 'File "tests/runs/agents.py", line ' in fault
    assert 'File "citysim/runs/player.py", line ' in fault
    assert str(Path(__file__).resolve().parents[2]) not in fault


def test_keys_and_paths_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "abcd1234efgh")
    text = fault_text(ValueError("401 for key abcd1234efgh at https://api.example.org/v1/chat, see /home/ann/log.txt"))
    assert "401 for key *** at https://api.example.org/v1/chat, see .../log.txt" in text
    assert scrubbed("Authorization: Bearer abcdefgh12345=") == "Authorization: Bearer ***"
    assert scrubbed("Incorrect API key provided: sk-proj-abcdefghijklmnop") == "Incorrect API key provided: ***"
    assert scrubbed("1/2 of a/b is and/or; see ../x/y") == "1/2 of a/b is and/or; see ../x/y"
    assert module_path(json.__file__) == "json/__init__.py"
    assert module_path("/nowhere/at/all/model.py") == "model.py"


UNGUARDED = """
import sys
from pathlib import Path
from citysim.catalog import load_city
from citysim.errors import InputError
from citysim.runs.evaluate import evaluate
from citysim.tasks.suites import load_suite
city = load_city(sys.argv[1])
try:
    evaluate(load_suite("starter", city, 0), city, "random", out=Path(sys.argv[2]), workers=2, progress=False)
except InputError as error:
    print(f"told: {error}")
"""


def test_a_script_without_a_main_guard_is_told(town: City, tmp_path: Path) -> None:
    script = tmp_path / "run.py"
    script.write_text(UNGUARDED)
    done = subprocess.run(
        [sys.executable, str(script), str(town.path), str(tmp_path / "out")],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "told: expected worker processes that start, found none did; try if __name__ ==" in done.stdout


def test_the_longest_ways_come_first_city_by_city(suite: Suite) -> None:
    here = suite.instances[:4]
    there = [dataclasses.replace(i, city_sha256="1" * 64, shortest_path_m=900.0 + k) for k, i in enumerate(here)]
    order = longest_first([*here, *there])
    assert sorted(i.id for i in order[:4]) == sorted(i.id for i in here)
    assert [i.shortest_path_m for i in order[4:]] == [903.0, 902.0, 901.0, 900.0]
    lengths = [i.shortest_path_m for i in order[:4]]
    assert lengths == sorted(lengths, reverse=True)


HOLDER = """
import sys, time
from pathlib import Path
from citysim.runs.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_run_that_goes_on_is_not_resumed_by_another(town: City, suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "run"
    evaluate(suite, town, "forward", out=out, limit=1, **SMALL)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(out)], stdout=subprocess.PIPE)
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StorageError, match="in use"):
            evaluate(suite, town, "forward", out=out, limit=2, resume=True, **SMALL)
        assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with locked(out):  # the lock went with its process
        pass
    assert evaluate(suite, town, "forward", out=out, limit=2, resume=True, **SMALL).data["all"]["n"] == 2


def test_the_bar_tells_rate_and_time_left(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert paced(10, 40.0, 6) == "15.0/min, 0:00:24 left"
    assert paced(10, 5.0, 7300) == "2.0/s, 1:00:50 left"
    assert paced(0, 5.0, 7) == ""
    assert described({"success": 3, "failure": 1, "unscored": 2}) == "episodes (3 successes, 2 unscored)"
    line: dict[str, Any] = {"status": "success"}
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar(2, 0, True) as advance:
        advance(line)
    assert "episodes" in capsys.readouterr().err
    with progress_bar(2, 0) as advance:
        advance(line)
    assert capsys.readouterr().err == ""
