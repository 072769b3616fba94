"""`citysim serve` as a process: it serves an exported folder and ends well at Ctrl-C."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from citysim.tasks.suitefile import write_suite
from citysim.tasks.suites import load_suite
from citysim.tasks.urbanground.exporting import export_urbanground
from tests.towns import write_town


def test_serving_and_ending(tmp_path: Path) -> None:
    town = write_town(tmp_path / "grid")
    export_urbanground(load_suite("starter", town, 0), tmp_path / "export")
    command = [sys.executable, "-m", "citysim", "serve", "--suite", str(tmp_path / "export"), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--city", str(tmp_path / "grid"), "--physics", "native"], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=os.environ | {"CITYSIM_TOKEN": "secret"},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"20 tasks in grid at (http://127\.0\.0\.1:\d+)", line)
        assert found, line
        address, until = found.group(1), time.monotonic() + 60.0
        with httpx.Client(base_url=address, trust_env=False, headers={"Authorization": "Bearer secret"}) as http:
            while True:
                try:
                    reply = http.get("/state", timeout=60.0)
                    break
                except httpx.ConnectError:
                    assert time.monotonic() < until
                    time.sleep(0.1)
            assert reply.status_code == 200
            assert httpx.get(f"{address}/state", trust_env=False).status_code == 401
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60.0)
        assert (process.returncode, errors) == (0, "")
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()


def test_a_suite_of_another_city(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from citysim.cli import run

    write_suite(tmp_path / "s.jsonl", load_suite("starter", write_town(tmp_path / "grid"), 0))
    assert run(["serve", "--suite", str(tmp_path / "s.jsonl"), "--city", "mini", "--quiet"]) == 2
    assert "made for" in capsys.readouterr().err
