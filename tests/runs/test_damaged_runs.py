"""Run folders with damaged files: one error that names the file, and a resume that plays again what was lost."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from citysim.city import City
from citysim.errors import FormatError
from citysim.runs.compare import compare
from citysim.runs.evaluate import evaluate
from citysim.runs.folder import RunFolder
from citysim.runs.report import write_report
from citysim.runs.score import score
from citysim.tasks.suite import Suite

SMALL: dict[str, Any] = {"image_size": (64, 48), "progress": False, "pictures": False}
READERS: list[Callable[[Path], Any]] = [score, write_report, lambda run: compare([run, run])]


@pytest.fixture
def copy(mixed_run: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(mixed_run, tmp_path / "copy"))


def first_line(run: Path) -> dict[str, Any]:
    return RunFolder(run).episodes()[0]


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "line",
    ['{"id":1}', '{"id":"starter-001"}', "[]", "null", "{", "[" * 100_000, "\udcff", '{"id": NaN}',
     {"id": "../x"}, {"id": "starter-999\x00"}, {"status": "won"}, {"status": None}, {"steps": -1}, {"steps": "3"},
     {"pna": 10**400}, {"sim_seconds": True}, {"metrics": []}, {"metrics": {"spl": "1"}}, {"level": "\ud800"}],
    ids=lambda value: str(value)[:30],
)  # fmt: skip
def test_a_damaged_line_is_told(copy: Path, reader: Callable[[Path], Any], line: str | dict[str, Any]) -> None:
    path = copy / "episodes.jsonl"
    text = line if isinstance(line, str) else json.dumps(first_line(copy) | line)
    path.write_bytes(text.encode("utf-8", "surrogateescape") + b"\n")
    with pytest.raises(FormatError, match=r"episodes\.jsonl"):
        reader(copy)


@pytest.mark.parametrize("reader", READERS)
def test_an_episode_that_stands_there_twice_is_told(copy: Path, reader: Callable[[Path], Any]) -> None:
    path = copy / "episodes.jsonl"
    path.write_text(path.read_text() + json.dumps(first_line(copy)) + "\n")
    with pytest.raises(FormatError, match="twice"):
        reader(copy)


@pytest.mark.parametrize("reader", READERS[:2])
def test_an_episode_of_no_instance_is_told(copy: Path, reader: Callable[[Path], Any]) -> None:
    (copy / "episodes.jsonl").write_text(json.dumps(first_line(copy) | {"id": "starter-999"}) + "\n")
    with pytest.raises(FormatError, match="starter-999"):
        reader(copy)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "edit",
    [lambda m: {"schema": m["schema"]}, lambda m: m | {"suite": 5}, lambda m: m | {"limits": {}},
     lambda m: m | {"agent": m["agent"] | {"privileged": "pose"}}, lambda m: m | {"seed": "0"}, lambda m: []],
)  # fmt: skip
def test_a_damaged_manifest_is_told(
    copy: Path, reader: Callable[[Path], Any], edit: Callable[[Any], Any], town: City, suite: Suite
) -> None:
    path = copy / "manifest.json"
    path.write_text(json.dumps(edit(json.loads(path.read_text()))))
    with pytest.raises(FormatError, match=r"manifest\.json"):
        reader(copy)
    with pytest.raises(FormatError, match=r"manifest\.json"):
        evaluate(suite, town, "greedy", out=copy, limit=8, resume=True, **SMALL)


@pytest.mark.parametrize("name", ["steps/starter-001.jsonl", "instances.jsonl"])
@pytest.mark.parametrize("text", ["{}\n", "[]\n", "5\n", "x\n", b"\xff\n", "swap"])
def test_damaged_records_and_instances_are_told(copy: Path, name: str, text: str | bytes) -> None:
    path = copy / name
    if text == "swap":  # a text where a number belongs
        path.write_text(path.read_text().replace('"east":', '"east":"nan","x":'))
    else:
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    for reader in READERS[:2]:
        with pytest.raises(FormatError, match=path.name):
            reader(copy)


@pytest.mark.parametrize(
    "edit",
    ["x", "[]", "{}", {"bounds": [0, 0, 0, 0]}, {"bounds": "wide"}, {"network": [[[0, 1, 2]]]}, {"network": 5},
     {"routes": []}, {"routes": {"starter-001": [["a", "b"]]}}],
)  # fmt: skip
def test_a_damaged_map_is_told(copy: Path, edit: str | dict[str, Any]) -> None:
    path = copy / "maps" / "grid.json"
    path.write_text(edit if isinstance(edit, str) else json.dumps(json.loads(path.read_text()) | edit))
    with pytest.raises(FormatError, match=r"grid\.json"):
        write_report(copy)


def test_a_damaged_picture_is_told(copy: Path) -> None:
    path = sorted((copy / "frames").rglob("*.jpg"))[0]
    path.write_bytes(b"no picture")
    with pytest.raises(FormatError, match=path.name):
        write_report(copy)


def test_lines_may_hold_any_line_separator(copy: Path) -> None:
    path = RunFolder(copy).steps_path(first_line(copy)["id"])
    first, *rest = path.read_text().splitlines(keepends=True)
    record = json.loads(first) | {"notices": ["a\u2028b\x85c"]}
    path.write_text("".join([json.dumps(record, ensure_ascii=False) + "\n", *rest]))
    assert RunFolder(copy).steps(first_line(copy)["id"])[0].notices == ("a\u2028b\x85c",)
    score(copy)


PARTS: list[Callable[[Any], str]] = [
    lambda part: "{}", lambda part: "[]", lambda part: "x", lambda part: "", lambda part: json.dumps(part)[:99],
    lambda part: json.dumps({"line": part["line"], "timing": 5}),
    lambda part: json.dumps({"line": {"id": part["line"]["id"], "status": "success"}, "timing": part["timing"]}),
    lambda part: json.dumps({"line": part["line"] | {"id": "starter-002"}, "timing": part["timing"]}),
]  # fmt: skip


def test_damaged_parts_are_played_again(
    town: City, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, out = tmp_path / "whole", tmp_path / "run"
    evaluate(suite, town, "forward", out=whole, limit=3, **SMALL)
    with monkeypatch.context() as patch:
        patch.setattr("citysim.runs.evaluate._finish", lambda *_: None)  # killed right before the end
        evaluate(suite, town, "forward", out=out, limit=3, **SMALL)
    path = out / "parts" / "starter-001.json"
    part = json.loads(path.read_text())
    for damage in PARTS:
        path.write_text(damage(part))
        assert sorted(RunFolder(out).finished()) == ["starter-002", "starter-003"]
    path.write_text(json.dumps(part))
    steps = out / "steps" / "starter-002.jsonl"
    for torn in (b"", steps.read_bytes()[:-1], b"".join(steps.read_bytes().splitlines(True)[:-1])):
        steps.write_bytes(torn)  # as a machine that lost its power may leave it
        assert sorted(RunFolder(out).finished()) == ["starter-001", "starter-003"]
    steps.unlink()
    assert sorted(RunFolder(out).finished()) == ["starter-001", "starter-003"]
    evaluate(suite, town, "forward", out=out, limit=3, resume=True, **SMALL)
    assert steps.read_bytes() == (whole / "steps" / "starter-002.jsonl").read_bytes()
    for name in ("episodes.jsonl", "summary.json"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()


def test_damaged_timings_cost_nothing_else(copy: Path, town: City, suite: Suite) -> None:
    before = (copy / "episodes.jsonl").read_bytes()
    good = (copy / "timings.jsonl").read_text().splitlines()[1]
    (copy / "timings.jsonl").write_bytes(b'{}\n[]\n\xff\n{"id": 5}\n' + good.encode() + b"\n")
    evaluate(suite, town, "greedy", out=copy, limit=8, resume=True, **SMALL)
    assert (copy / "episodes.jsonl").read_bytes() == before
    assert (copy / "timings.jsonl").read_text() == good + "\n"


def test_episodes_that_died_with_their_process_are_reported(town: City, suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "run"
    deadly = next(i.id for i in suite.instances if "Shop 11" in i.instruction)
    evaluate(suite, town, "tests.runs.agents:Mortal", out=out, ids=deadly, workers=2, executor="process", **SMALL)
    assert RunFolder(out).episodes()[0]["status"] == "unscored"
    assert deadly in write_report(out).read_text()
