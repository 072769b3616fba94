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


def do(code: str, kind: str, folder: Path) -> None:
    """Run a command line or a piece of Python as a user would."""
    words = ["-m", "citysim", *shlex.split(code, comments=True)[1:]] if kind == "bash" else ["-c", code]
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, f"{code}\n{done.stdout}\n{done.stderr}"


@pytest.mark.timeout(900)
def test_the_tour_and_what_follows_it(tmp_path: Path) -> None:
    count = 0
    for heading in ("Five-minute tour", "UrbanGround", "A living city"):
        for kind in ("bash", "python"):
            for block in blocks(kind, heading):
                lines = block.splitlines() if kind == "bash" else [block]
                for line in lines:
                    if kind == "python" or line.startswith("citysim "):
                        do(line, kind, tmp_path)
                        count += 1
    assert count >= 16
