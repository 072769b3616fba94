"""Evaluations: run folders, equal bytes for any number of workers and after interruptions, faults of ours."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from citysim.city import City
from citysim.errors import InputError, StorageError, UnknownNameError
from citysim.runs.evaluate import evaluate
from citysim.runs.faults import faults_of
from citysim.runs.folder import RunFolder
from citysim.tasks.suite import Suite
from citysim.tasks.suites import load_suite
from tests.towns import grid_town

SMALL: dict[str, Any] = {"image_size": (64, 48), "progress": False, "pictures": False}


def contents(run: Path) -> dict[str, bytes]:
    """Everything in a run folder that must not depend on how it was made."""
    files = [run / "episodes.jsonl", run / "instances.jsonl", run / "summary.json", *sorted((run / "steps").iterdir())]
    return {file.name: file.read_bytes() for file in files}


def test_a_run_folder_is_complete(mixed_run: Path, suite: Suite) -> None:
    folder = RunFolder(mixed_run)
    manifest, lines = folder.manifest(), folder.episodes()
    assert manifest["status"] == "finished"
    assert manifest["suite"]["sha256"] == suite.sha256
    assert manifest["agent"]["privileged"] == ["pose", "goal"]
    assert manifest["started"] <= manifest["ended"]
    assert [line["id"] for line in lines] == [f"starter-{k:03d}" for k in range(1, 9)]
    assert set(lines[0]) == {
        "id", "suite", "type", "level", "agent", "seed", "status", "stop_reason", "steps", "sim_seconds",
        "path_length_m", "shortest_path_m", "start_distance_m", "final_distance_m", "min_distance_m", "pna",
        "pedestrian_collisions", "building_collisions", "metrics", "conditions",
    }  # fmt: skip
    for line in lines:
        records = folder.steps(line["id"])
        assert len(records) == line["steps"] <= 100
        assert sum(r.steps for r in records) / 60 == pytest.approx(line["sim_seconds"], abs=1e-6)
    assert {line["status"] for line in lines} == {"success", "failure"}
    assert json.loads(folder.summary_path.read_text())["all"]["n"] == 8
    assert len(folder.timings_path.read_text().splitlines()) == 8
    assert not folder.parts.exists()
    pictured = sorted(path.name for path in (mixed_run / "frames").iterdir())
    statuses = {line["id"]: line["status"] for line in lines}
    assert sorted(statuses[id] for id in pictured) == ["failure", "success"], "pictures of one of each"


def test_worker_processes_change_nothing(town: City, suite: Suite, tmp_path: Path) -> None:
    for agent in ("random", "oracle"):
        one, two = tmp_path / f"{agent}-1", tmp_path / f"{agent}-2"
        evaluate(suite, town, agent, out=one, limit=4, seed=5, **SMALL)
        evaluate(suite, town, agent, out=two, limit=4, seed=5, workers=2, **SMALL)
        assert contents(one) == contents(two)
        assert RunFolder(two).manifest()["executor"] == "process"


def test_the_seed_moves_random_agents(town: City, suite: Suite, tmp_path: Path) -> None:
    runs: list[bytes] = []
    for seed in (1, 1, 2):
        out = tmp_path / str(len(runs))
        evaluate(suite, town, "random", out=out, limit=1, seed=seed, **SMALL)
        runs.append((out / "steps" / "starter-001.jsonl").read_bytes())
    assert runs[0] == runs[1] != runs[2]


def test_a_failing_episode_is_unscored_and_the_others_go_on(town: City, suite: Suite, tmp_path: Path) -> None:
    summary = evaluate(suite, town, "tests.runs.agents:Clumsy", out=tmp_path / "run", **SMALL)
    lines = RunFolder(tmp_path / "run").episodes()
    unscored = [line for line in lines if line["status"] == "unscored"]
    expected = sum("Shop 11" in instance.instruction for instance in suite.instances)
    assert len(unscored) == summary.unscored == expected >= 1
    assert summary.data["all"]["n"] == 20 - expected
    assert "the model server is down" in unscored[0]["fault"]
    assert unscored[0]["stop_reason"] == "fault"
    assert unscored[0]["steps"] == 2, "what was recorded until then is kept"
    (told,) = faults_of(tmp_path / "run")
    assert told.startswith(f"unscored: {expected}, such as {unscored[0]['id']}: ")
    assert "the model server is down" in told


def test_unscored_episodes_are_tried_again_on_resume(
    town: City, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    evaluate(suite, town, "tests.runs.agents:Clumsy", out=out, **SMALL)
    monkeypatch.setattr("tests.runs.agents.DEADLY", "nothing of this name")
    played: list[str] = []
    monkeypatch.setattr("citysim.runs.player.Player.play", _counting(played))
    summary = evaluate(suite, town, "tests.runs.agents:Clumsy", out=out, resume=True, **SMALL)
    assert summary.unscored == 0
    assert 1 <= len(played) <= 3


def _counting(played: list[str]) -> Any:
    from citysim.runs.player import Player

    original = Player.play

    def play(self: Any, instance: Any) -> Any:
        played.append(instance.id)
        return original(self, instance)

    return play


def test_a_dead_worker_costs_only_its_own_episode(town: City, suite: Suite, tmp_path: Path) -> None:
    summary = evaluate(suite, town, "tests.runs.agents:Mortal", out=tmp_path / "run", workers=2, limit=4, **SMALL)
    lines = {line["id"]: line for line in RunFolder(tmp_path / "run").episodes()}
    deadly = [i.id for i in suite.instances[:4] if "Shop 11" in i.instruction]
    assert deadly
    assert summary.unscored == len(deadly)
    assert all("dead twice" in lines[id]["fault"] for id in deadly)
    assert len(lines) == 4


def test_ctrl_c_leaves_a_folder_that_can_be_resumed(
    town: City, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calm, agent = tmp_path / "calm", "tests.runs.agents:Interrupted"
    monkeypatch.setenv("TEST_CALM", str(calm))
    out = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        evaluate(suite, town, agent, out=out, limit=6, **SMALL)
    assert RunFolder(out).manifest()["status"] == "interrupted"
    assert not (out / "episodes.jsonl").exists()
    kept = len(list((out / "parts").iterdir()))
    calm.touch()
    with pytest.raises(StorageError, match="--resume"):
        evaluate(suite, town, agent, out=out, limit=6, **SMALL)
    evaluate(suite, town, agent, out=out, limit=6, resume=True, **SMALL)
    evaluate(suite, town, agent, out=tmp_path / "straight", limit=6, **SMALL)
    assert contents(out) == contents(tmp_path / "straight")
    assert kept == next(k for k, i in enumerate(suite.instances) if "Shop 11" in i.instruction)


KILLED = """
import sys
from pathlib import Path
from citysim.catalog import load_city
from citysim.runs.evaluate import evaluate
from citysim.tasks.suites import load_suite
if __name__ == "__main__":
    city = load_city(sys.argv[1])
    evaluate(load_suite("starter", city, 0), city, "random", out=Path(sys.argv[2]), workers=2, limit=6,
             image_size=(64, 48), progress=False, pictures=False)
"""


def test_kill_9_loses_only_what_was_in_flight(town: City, suite: Suite, tmp_path: Path) -> None:
    script, out = tmp_path / "run.py", tmp_path / "run"
    script.write_text(KILLED)
    process = subprocess.Popen([sys.executable, str(script), str(town.path), str(out)])
    for _ in range(600):
        done = list((out / "parts").glob("*.json")) if (out / "parts").is_dir() else []
        if done or process.poll() is not None:
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert done, "an episode had been finished when it was killed"
    evaluate(suite, town, "random", out=out, limit=6, resume=True, **SMALL)
    evaluate(suite, town, "random", out=tmp_path / "straight", limit=6, **SMALL)
    assert contents(out) == contents(tmp_path / "straight")


def test_resuming_another_experiment_is_refused(mixed_run: Path, town: City, suite: Suite) -> None:
    changes: list[tuple[dict[str, Any], str]] = [
        ({"seed": 3}, "the same seed"),
        ({"agent": "random"}, "the same agent"),
        ({"image_size": (32, 24)}, "the same limits: image size"),
    ]
    for change, told in changes:
        settings = {"agent": "greedy", **SMALL, **change}
        with pytest.raises(InputError, match=told):
            evaluate(suite, town, settings.pop("agent"), out=mixed_run, resume=True, **settings)


def test_a_finished_run_can_grow(town: City, suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "run"
    evaluate(suite, town, "forward", out=out, limit=1, **SMALL)
    summary = evaluate(suite, town, "forward", out=out, limit=3, resume=True, **SMALL)
    assert summary.data["all"]["n"] == 3
    assert len(RunFolder(out).timings_path.read_text().splitlines()) == 3


def test_pictures_drawn_afterwards_are_what_the_agent_saw(
    town: City, suite: Suite, mixed_run: Path, tmp_path: Path
) -> None:
    drawn = {path.name: path for path in (mixed_run / "frames").iterdir()}
    out = tmp_path / "run"
    evaluate(suite, town, "greedy", out=out, ids=sorted(drawn), frames=True, image_size=(64, 48))
    for id, folder in drawn.items():
        pictures = sorted(folder.iterdir())
        assert len(pictures) > 2
        for picture in pictures:
            assert picture.read_bytes() == (out / "frames" / id / picture.name).read_bytes()


def test_pictures_are_kept_when_asked_for(town: City, suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "run"
    evaluate(suite, town, "tests.runs.agents:Watcher", out=out, limit=2, frames=True, **SMALL)
    for id in ("starter-001", "starter-002"):
        assert [p.name for p in sorted((out / "frames" / id).iterdir())] == [f"{k:03d}.jpg" for k in range(4)]
        assert [r.frame for r in RunFolder(out).steps(id)] == [f"frames/{id}/{k:03d}.jpg" for k in range(3)]


def test_wrong_arguments_leave_nothing_behind(town: City, suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "run"
    cases: list[tuple[dict[str, Any], type[Exception], str]] = [
        ({"agent": "orakle"}, UnknownNameError, "'oracle'"),
        ({"renderer": "vulkan"}, UnknownNameError, "raster"),
        ({"physics": "havok"}, UnknownNameError, "bullet"),
        ({"executor": "slurm"}, UnknownNameError, "process"),
        ({"workers": 0}, InputError, "one worker"),
        ({"ids": "nothing-*"}, InputError, "nothing-"),
    ]
    for change, kind, told in cases:
        settings = {"agent": "forward", "out": out, **SMALL, **change}
        with pytest.raises(kind, match=told):
            evaluate(suite, town, settings.pop("agent"), **settings)
        assert not out.exists(), change
    with pytest.raises(InputError, match="content"):
        evaluate(suite, dataclasses.replace(town, content_sha256="0" * 64), "forward", out=out)
    with pytest.raises(InputError, match="on disk"):
        evaluate(load_suite("starter", grid_town(), 0), grid_town(), "forward", out=out, workers=2)


def test_unwritable_places_are_named(town: City, suite: Suite, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("here first")
    with pytest.raises(StorageError, match="file"):
        evaluate(suite, town, "forward", out=file / "run", **SMALL)
    with pytest.raises(StorageError, match="new or empty"):
        evaluate(suite, town, "forward", out=file, **SMALL)
    if os.geteuid() != 0:  # root writes anywhere
        locked = tmp_path / "locked"
        locked.mkdir(mode=0o500)
        with pytest.raises(StorageError, match="Permission"):
            evaluate(suite, town, "forward", out=locked / "run", **SMALL)
