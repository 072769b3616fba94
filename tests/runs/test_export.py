"""Exports: the same figures in every format, and trajectories that Minari loads."""

import csv
import json
import shutil
from pathlib import Path

import pytest

from citysim.errors import StorageError, UnknownNameError
from citysim.runs.export import csv_text, export, flat
from citysim.runs.folder import RunFolder


def test_csv_and_jsonl_hold_every_episode_and_action(mixed_run: Path, tmp_path: Path) -> None:
    lines = RunFolder(mixed_run).episodes()
    export(mixed_run, tmp_path / "csv", "csv")
    export(mixed_run, tmp_path / "jsonl", "jsonl")
    with (tmp_path / "csv" / "episodes.csv").open(newline="") as file:
        told = list(csv.DictReader(file))
    rows = [json.loads(text) for text in (tmp_path / "jsonl" / "episodes.jsonl").read_text().splitlines()]
    for line, text, row in zip(lines, told, rows, strict=True):
        assert line["id"] == text["id"] == row["id"]
        assert line["metrics"]["spl"] == float(text["metrics.spl"]) == row["metrics.spl"]
        assert row["privileged"] is True
        assert row["conditions.weather"] == line["conditions"]["weather"]
    steps = [json.loads(text) for text in (tmp_path / "jsonl" / "steps.jsonl").read_text().splitlines()]
    assert len(steps) == sum(line["steps"] for line in lines)
    assert steps[0]["before.east"] == RunFolder(mixed_run).steps(lines[0]["id"])[0].before.east
    assert isinstance(json.loads(steps[0]["action"]), dict)


def test_formulas_do_not_run_in_spreadsheets() -> None:
    assert csv_text([{"a": "=1+1", "b": -2.5, "c": 'x "y", z'}]) == 'a,b,c\r\n\'=1+1,-2.5,"x ""y"", z"\r\n'
    assert csv_text([]) == ""
    assert flat({"a": {"b": {"c": 1}}, "d": [1, "x"]}) == {"a.b.c": 1, "d": '[1,"x"]'}


def test_parquet_has_the_same_rows(mixed_run: Path, tmp_path: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    export(mixed_run, tmp_path / "out", "parquet")
    read = pq.read_table(tmp_path / "out" / "episodes.parquet").to_pylist()
    for line, row in zip(RunFolder(mixed_run).episodes(), read, strict=True):
        assert (row["id"], row["status"], row["metrics.spl"]) == (line["id"], line["status"], line["metrics"]["spl"])


def test_minari_loads_the_trajectories(mixed_run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.delenv("MINARI_DATASETS_PATH", raising=False)
    export(mixed_run, tmp_path / "sets", "minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "sets"))
    loaded = minari.load_dataset("citysim/starter-v0")
    folder = RunFolder(mixed_run)
    lines = folder.episodes()
    assert loaded.total_episodes == len(lines)
    for line, episode in zip(lines, loaded.iterate_episodes(), strict=True):
        records = folder.steps(line["id"])
        assert len(episode.actions) == len(records) == len(episode.observations["pose"]) - 1
        assert json.loads(episode.actions[-1]) == records[-1].action
        assert episode.observations["pose"][-1][0] == records[-1].after.east
        assert sum(episode.rewards) == float(line["status"] == "success")
        assert bool(episode.truncations[-1]) is (line["stop_reason"] == "budget")
        assert bool(episode.terminations[-1]) is not bool(episode.truncations[-1])


def test_what_cannot_be_exported_is_named(mixed_run: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="parquet"):
        export(mixed_run, tmp_path / "out", "parket")
    used = Path(shutil.copytree(mixed_run, tmp_path / "used"))
    with pytest.raises(StorageError, match="empty"):
        export(mixed_run, used, "csv")
    assert not (tmp_path / "out").exists()
