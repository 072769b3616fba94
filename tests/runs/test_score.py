"""Scores from records, summaries, and runs side by side."""

import json
import shutil
from pathlib import Path

import pytest

from citysim.city import City
from citysim.errors import FormatError, InputError, StorageError
from citysim.runs.compare import compare
from citysim.runs.evaluate import evaluate
from citysim.runs.folder import RunFolder
from citysim.runs.intervals import urbanground_intervals
from citysim.runs.lock import locked
from citysim.runs.score import score
from citysim.runs.summary import COLUMNS, figures, figures_row
from citysim.tasks.suite import Suite


@pytest.fixture
def copy(mixed_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(mixed_run, tmp_path / "copy"))


def test_scoring_again_reproduces_every_byte(copy: Path) -> None:
    before = {name: (copy / name).read_bytes() for name in ("episodes.jsonl", "summary.json")}
    for name in before:
        (copy / name).write_bytes(before[name].replace(b"success", b"failure") if name == "episodes.jsonl" else b"{}")
    score(copy)
    assert {name: (copy / name).read_bytes() for name in before} == before


def test_scores_follow_the_records(copy: Path) -> None:
    folder = RunFolder(copy)
    line = next(line for line in folder.episodes() if line["status"] == "success")
    path = folder.steps_path(line["id"])
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    again = {one["id"]: one for one in (score(copy), folder.episodes())[1]}[line["id"]]
    assert (again["status"], again["steps"]) == ("failure", 2)
    assert again["metrics"]["spl"] == 0.0


def test_figures_count_faults_apart(mixed_run: Path) -> None:
    lines = RunFolder(mixed_run).episodes()
    wins = sum(line["status"] == "success" for line in lines)
    plain = figures(lines)
    assert plain["success_rate"] == pytest.approx(wins / 8)
    assert plain["success_interval"][0] < wins / 8 < plain["success_interval"][1]
    with_fault = figures([*lines, {**lines[0], "status": "unscored"}])
    assert with_fault == {**plain, "unscored": 1}
    assert figures([])["success_rate"] is None


def test_every_mean_has_its_interval(mixed_run: Path) -> None:
    lines = RunFolder(mixed_run).episodes()
    found = figures(lines)
    means = {key for key, value in found.items() if isinstance(value, float)} - {"success_rate"}
    assert means <= set(found["intervals"])
    for key in means:
        low, high = found["intervals"][key]
        assert low <= found[key] <= high
        assert low < high or found[key] in (0.0, 1.0) or len({line.get(key) for line in lines}) == 1
    assert all(interval is None for interval in figures([])["intervals"].values())
    row = figures_row("all", found, intervals=True)
    assert row[4].startswith(f"{found['spl']:.3f} (")


def test_urbanground_figures_have_intervals() -> None:
    line = {
        "type": "CN", "status": "success", "pna": 0.5, "sim_seconds": 10.0, "pedestrian_collisions": 0,
        "start_distance_m": 100.0, "final_distance_m": 10.0, "min_distance_m": 5.0,
        "conditions": {"time": "14:00", "weather": "rainy"},
        "metrics": {"closure_respected": 1.0, "closure_disclosed": 1.0, "safe_progress": 1.0, "rained_s": 5.0},
    }  # fmt: skip
    other = {**line, "status": "failure", "pna": 1.0, "sim_seconds": 30.0, "final_distance_m": 90.0}
    found = urbanground_intervals([line, other, {**other, "status": "unscored"}])
    assert found["navigation overall"] == pytest.approx((0.094531, 0.905469), abs=1e-6), "Wilson's of 1 in 2"
    assert found["PNA"] == (0.5, 1.0), "a ratio of sums: seconds on the network over all seconds"
    assert found["CN final sr"] == found["navigation overall"]
    assert found["CN oracle closer"] == pytest.approx((0.342380, 1.0), abs=1e-5)
    assert "PCR" not in found, "no episode of NP"


def test_a_run_that_is_worked_on_is_not_scored(copy: Path) -> None:
    with locked(copy), pytest.raises(StorageError, match="in use"):
        score(copy)


def test_summary_groups_and_rows(mixed_run: Path) -> None:
    summary = score(mixed_run)
    assert summary.data["by_type"]["point_goal"] == summary.data["by_level"]["L2"] == summary.data["all"]
    assert [group["n"] for group in summary.data["by_distance"].values()] == [2, 2, 2, 2]
    assert all(len(row) == len(COLUMNS) for row in [*summary.rows(), *summary.group_rows()])


def test_runs_side_by_side(mixed_run: Path, town: City, suite: Suite, tmp_path: Path) -> None:
    other = tmp_path / "oracle"
    evaluate(suite, town, "oracle", out=other, limit=3, image_size=(64, 48), pictures=False)
    compared = compare([mixed_run, other])
    assert compared.ids == ("starter-001", "starter-002", "starter-003")
    assert [run["name"] for run in compared.runs] == ["greedy *", "oracle *"]
    assert compared.runs[1]["figures"]["success_rate"] == 1.0
    assert compared.runs[0]["left_out"] == 5
    json.dumps(compared.to_json())


@pytest.mark.parametrize(
    ("keys", "value", "told"),
    [
        (("suite", "sha256"), "f" * 64, "the same suite.*starter.*ffffffffffff"),
        (("city", "content_sha256"), "e" * 64, "the same city"),
        (("physics",), "another", "(bullet|native) in .* and another in"),
    ],
)
def test_unlike_runs_are_refused(mixed_run: Path, copy: Path, keys: tuple[str, ...], value: str, told: str) -> None:
    manifest = RunFolder(copy).manifest()
    place = manifest
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    RunFolder(copy).write_manifest(manifest)
    with pytest.raises(InputError, match=told):
        compare([mixed_run, copy])
    if keys == ("physics",):
        assert compare([mixed_run, copy], any_physics=True).ids


def test_what_is_no_run_is_refused(tmp_path: Path, copy: Path) -> None:
    with pytest.raises(InputError, match="two runs"):
        compare([copy])
    with pytest.raises(InputError, match=r"manifest\.json"):
        score(tmp_path)
    RunFolder(copy).steps_path("starter-001").write_text("{broken")
    with pytest.raises(FormatError, match=r"starter-001\.jsonl"):
        score(copy)
    (copy / "episodes.jsonl").unlink()
    with pytest.raises(InputError, match="--resume"):
        score(copy)
    (copy / "manifest.json").write_text('{"schema": "something else"}')
    with pytest.raises(FormatError, match=r"citysim\.run/1"):
        score(copy)
