"""README code is run: its tour's shell lines in order, in one folder, and each of its Python blocks."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(language: str, heading: str) -> list[str]:
    section = README.read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return [code for found, code in BLOCK.findall(section) if found == language]


@pytest.mark.timeout(900)
def test_the_tour_runs(tmp_path: Path) -> None:
    lines = [line for block in blocks("bash", "Five-minute tour") for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("citysim ")]
    assert len(commands) >= 6
    for command in commands:
        words = shlex.split(command, comments=True)[1:]
        done = subprocess.run([sys.executable, "-m", "citysim", *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    for code in blocks("python", "Five-minute tour"):
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, f"{code}\n{done.stderr}"
