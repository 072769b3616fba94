"""Agents that misbehave: one costs its own episode at most, and never looks like a good end."""

from pathlib import Path
from typing import Any

import pytest

from citysim.agents.registry import make_agent
from citysim.city import City
from citysim.errors import InputError
from citysim.runs.evaluate import evaluate
from citysim.runs.folder import RunFolder
from citysim.runs.score import score
from citysim.tasks.suite import Suite

SMALL: dict[str, Any] = {"image_size": (64, 48), "progress": False, "pictures": False}
AGENTS = "tests.runs.agents"


def played(run: Path) -> dict[str, dict[str, Any]]:
    return {line["id"]: line for line in RunFolder(run).episodes()}


@pytest.mark.parametrize("workers", [1, 2])
def test_sys_exit_leaves_an_episode_unscored(town: City, suite: Suite, tmp_path: Path, workers: int) -> None:
    out = tmp_path / "run"
    summary = evaluate(suite, town, f"{AGENTS}:Quitter", out=out, workers=workers, limit=8, **SMALL)
    deadly = [i.id for i in suite.instances[:8] if "Shop 11" in i.instruction]
    assert summary.unscored == len(deadly) >= 1
    assert [played(out)[id]["fault"].splitlines()[0] for id in deadly] == ["SystemExit: 0"] * len(deadly)
    assert len(played(out)) == 8


def test_texts_that_cannot_be_encoded_are_written_down(town: City, suite: Suite, tmp_path: Path) -> None:
    out = tmp_path / "run"
    summary = evaluate(suite, town, f"{AGENTS}:Mumbler", out=out, limit=8, **SMALL)
    lines = played(out)
    assert len(lines) == 8
    assert summary.unscored == sum("Shop 11" in i.instruction for i in suite.instances[:8]) >= 1
    assert any(line.get("fault", "").startswith("ValueError: ??") for line in lines.values())
    scored = next(line for line in lines.values() if line["status"] != "unscored")
    records = RunFolder(out).steps(scored["id"])
    assert [bool(r.invalid) for r in records] == [True, True, False, True, True, True, False]
    assert records[0].action == {"action": "??"}
    assert "cannot be shown" in records[3].invalid
    assert records[5].action == {"x": [], "y": 1}, "as it was when it was said"
    assert scored["metrics"]["invalid_actions"] == 5
    score(out)


def test_writing_into_what_one_is_told_changes_nothing(
    town: City, suite: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.setenv("TEST_ELSEWHERE", str(tmp_path / "elsewhere"))
    monkeypatch.chdir(tmp_path)
    evaluate(suite, town, f"{AGENTS}:Meddler", out=Path("run"), limit=3, **(SMALL | {"pictures": True}))
    lines = played(tmp_path / "run")
    assert {(line["status"], line["steps"]) for line in lines.values()} == {("failure", 7)}
    assert {line["agent"] for line in lines.values()} == {"meddler"}
    assert (tmp_path / "run" / "maps" / "grid.jpg").is_file()
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (f"{AGENTS}:leave", "SystemExit: 0"),
        (f"{AGENTS}:demanding", "TypeError: .*model"),
        (f"{AGENTS}:number", "TypeError: 'int' object is not callable"),
        (f"{AGENTS}:nothing", "AttributeError"),
        ("chat:", "name of a model"),
        (f"{AGENTS}:Nameless", "' '"),
        (f"{AGENTS}:Unspeakable", "udfff"),
        (f"{AGENTS}:Loose", "AgentSpec, found a str"),
        (f"{AGENTS}:Listed", "tuple"),
        (f"{AGENTS}:Speechless", "no act"),
        ("..agents:Clumsy", "TypeError"),
        ("no.such.module:Agent", "ModuleNotFoundError"),
        ("module_that_exits:Agent", "SystemExit: 0"),
        ("module_of_nonsense:Agent", "SyntaxError"),
    ],
)
def test_what_makes_no_agent_is_refused(
    spec: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "module_that_exits.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "module_of_nonsense.py").write_text("def (:\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match=reason) as caught:
        make_agent(spec)
    assert "\n" not in str(caught.value)


def test_ctrl_c_passes_through_a_factory() -> None:
    with pytest.raises(KeyboardInterrupt):
        make_agent(f"{AGENTS}:interrupted")
