"""Models in runs, offline: a stub plays whole episodes; records, counters, cassettes, failures."""

import json
from pathlib import Path
from typing import Any

import pytest

from citysim.agents.options import AgentOptions
from citysim.agents.stub import StubServer, dying, limited, malformed, replaying, scripted
from citysim.city import City
from citysim.cli import run as command
from citysim.runs.evaluate import evaluate
from citysim.runs.folder import RunFolder
from citysim.tasks.suite import Suite

SIZE = (64, 48)
KEY = "sk-very-secret-42"


@pytest.fixture(scope="module")
def oracle(town: City, suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("chat") / "oracle"
    evaluate(suite, town, "oracle", out=out, limit=2, image_size=SIZE, pictures=False)
    return out


def played(suite: Suite, town: City, out: Path, options: AgentOptions, **how: Any) -> RunFolder:
    evaluate(suite, town, "chat:stub", out=out, image_size=SIZE, pictures=False, options=options, **{"limit": 2, **how})
    return RunFolder(out)


def without_words(folder: Path, id: str) -> list[dict[str, Any]]:
    return [record.to_json() | {"said": ""} for record in RunFolder(folder).steps(id)]


@pytest.mark.parametrize("json_mode", [False, True])
def test_a_stub_that_knows_the_oracle_plays_like_it(
    town: City, suite: Suite, oracle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, json_mode: bool
) -> None:
    monkeypatch.setenv("STUB_KEY", KEY)
    with StubServer(limited(replaying(oracle), 1), key=KEY) as server:
        options = AgentOptions(server.base_url, "STUB_KEY", json_mode=json_mode, max_turns=3, price_in=2.0)
        run = played(suite, town, tmp_path / "run", options, frames=True)
        requests = server.requests
    for line in run.episodes():
        assert line["status"] == "success"
        assert without_words(run.path, line["id"]) == [
            step | {"frame": f"frames/{line['id']}/{k:03d}.jpg"}
            for k, step in enumerate(without_words(oracle, line["id"]))
        ]
        assert run.steps(line["id"])[0].said.endswith("recorded as action 1")
    usage = [json.loads(text) for text in (run.path / "usage.jsonl").read_text().splitlines()]
    steps = {line["id"]: line["steps"] for line in run.episodes()}
    assert {u["id"]: u["calls"] for u in usage} == steps
    assert sum(u["waits"] for u in usage) == 1
    assert all(u["prompt_tokens"] > 0 and u["cost_usd"] > 0 and u["model_s"] > 0 for u in usage)
    written = b"".join(path.read_bytes() for path in run.path.rglob("*") if path.is_file())
    assert KEY.encode() not in written
    assert b"STUB_KEY" not in written
    manifest = run.manifest()["agent"]
    assert manifest["options"]["json_mode"] is json_mode
    assert manifest["deterministic"] is False
    assert manifest["privileged"] == []
    assert all(("tools" in request) is not json_mode for request in requests)
    pictures = [json.dumps(request).count("data:image/jpeg") for request in requests]
    assert set(pictures) == {1}, "one picture, the latest"
    last = requests[-1]["messages"]
    assert "What you did before" in json.dumps(last[1])
    if not json_mode:
        assert [m["role"] for m in last[-2:]] == ["tool", "user"], "the picture follows the tool's result"


def test_a_cassette_plays_the_run_again_without_the_model_for_any_number_of_workers(
    town: City, suite: Suite, oracle: Path, tmp_path: Path
) -> None:
    tape = tmp_path / "tape.jsonl"
    with StubServer(replaying(oracle)) as server:
        options = AgentOptions(server.base_url, cassette=str(tape), cassette_mode="record", reflect_every=5)
        first = played(suite, town, tmp_path / "first", options)
        assert any("note to yourself" in json.dumps(r["messages"][1]) for r in server.requests)
    again = AgentOptions(server.base_url, cassette=str(tape), reflect_every=5)
    second = played(suite, town, tmp_path / "second", again, workers=2)
    assert first.episodes_path.read_bytes() == second.episodes_path.read_bytes()
    for line in first.episodes():
        assert first.steps_path(line["id"]).read_bytes() == second.steps_path(line["id"]).read_bytes()
    assert second.manifest()["agent"]["deterministic"] is True
    more = played(suite, town, tmp_path / "more", again, limit=3)
    lost = [line for line in more.episodes() if line["status"] == "unscored"]
    assert len(lost) == 1
    assert "request" in json.dumps(lost)
    assert "tape.jsonl" in json.dumps(lost)
    assert str(tmp_path) not in json.dumps(lost)


def test_malformed_output_is_asked_for_again_twice_then_counted(town: City, suite: Suite, tmp_path: Path) -> None:
    with StubServer(malformed()) as server:
        run = played(suite, town, tmp_path / "run", AgentOptions(server.base_url), limit=1)
    (line,) = run.episodes()
    assert line["status"] == "failure"
    records = run.steps(line["id"])
    assert len(records) == 100
    assert all(record.invalid for record in records)
    usage = json.loads((run.path / "usage.jsonl").read_text())
    assert usage["calls"] == usage["malformed"] == 300


def test_a_model_that_dies_leaves_unscored_episodes_that_resume_plays_again(
    town: City, suite: Suite, oracle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citysim.agents.chat.endpoint.FIRST_WAIT_S", 0.01)
    out = tmp_path / "run"
    with StubServer(dying(replaying(oracle), 3)) as server:
        run = played(suite, town, out, AgentOptions(server.base_url))
        port = int(server.base_url.split(":")[2].split("/")[0])
    assert {line["status"] for line in run.episodes()} == {"unscored"}
    assert "RemoteProtocolError" in json.dumps(run.episodes()[0])
    with StubServer(replaying(oracle), port=port) as server:
        run = played(suite, town, out, AgentOptions(server.base_url), resume=True)
    assert {line["status"] for line in run.episodes()} == {"success"}


def test_the_command_line(town: City, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town.path is not None
    where = ["eval", "starter", "--city", str(town.path), "--limit", "1", "--size", "64x48"]
    with StubServer(scripted([{"action": "terminate"}])) as server:
        chat = [*where, "--agent", "chat:stub", "--base-url", server.base_url, "--json-mode", "--max-images", "0"]
        assert command([*chat, "--out", str(tmp_path / "a"), "--json"]) == 0
        assert "image_url" not in json.dumps(server.requests)
    capsys.readouterr()
    for wrong, told in (
        (["--agent", "chat:stub", "--base-url", "nowhere"], "base URL"),
        (["--agent", "chat:stub", "--base-url", "http://x/v1", "--api-key-env", "ABSENT_KEY"], "ABSENT_KEY"),
        (["--agent", "chat:stub", "--cassette", str(tmp_path / "none")], "cassette"),
        (["--agent", "chat:stub", "--base-url", "http://x/v1", "--price", "cheap"], "--price"),
        (["--agent", "chat:"], "chat:MODEL"),
        (["--agent", "human"], "citysim play"),
    ):
        assert command([*where, *wrong, "--out", str(tmp_path / "b")]) == 2
        error = capsys.readouterr().err
        assert told in error
        assert "Traceback" not in error
        assert not (tmp_path / "b").exists()
