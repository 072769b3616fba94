"""docs/models.md: its commands run as they stand, against the stub, with a smaller city and fewer tasks."""

import json
import re
import shlex
from pathlib import Path

import pytest

from citysim.agents.stub import StubServer, replaying
from citysim.cli import run
from tests.towns import write_town

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```bash\n(.*?)^```", re.MULTILINE | re.DOTALL)
STUB = "http://127.0.0.1:8900/v1"


def commands() -> list[list[str]]:
    return [shlex.split(line) for code in BLOCK.findall(PAGE) for line in code.splitlines()]


def test_the_page_plays_and_replays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_town(tmp_path / "grid")
    monkeypatch.chdir(tmp_path)
    here = {"mini": str(tmp_path / "grid"), "10": "2", "640x480": "64x48", "2": "2"}
    oracle, stub, *others = commands()
    assert run([here.get(word, word) for word in oracle[1:]]) == 0
    assert stub[:3] == ["python", "-m", "citysim.agents.stub"]
    with StubServer(replaying(Path(stub[stub.index("--run") + 1]))) as server:
        for command in others:
            assert command[0] == "citysim"
            words = [server.base_url if word == STUB else here.get(word, word) for word in command[1:]]
            if "--cassette" in words and "record" not in words:
                server.close()
            assert run(words) == 0, command
    assert (tmp_path / "run-stub" / "report.html").stat().st_size > 10_000
    episodes = {name: (tmp_path / name / "episodes.jsonl").read_bytes() for name in ("run-taped", "run-again")}
    assert episodes["run-taped"] == episodes["run-again"]
    assert {json.loads(line)["status"] for line in episodes["run-taped"].splitlines()} == {"success"}


def test_the_configuration_of_mcp_names_a_command_that_there_is() -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    server = json.loads(block)["mcpServers"]["citysim"]
    assert server["command"] == "citysim"
    assert run([server["args"][0], "--help"]) == 0
