"""npm packages for tests: installed into a temporary folder by the test itself, never committed."""

import shutil
import subprocess
from pathlib import Path

import pytest

CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")


def npm_install(folder: Path, *packages: str) -> Path:
    """Install packages into `folder`; the test skips where there is no node, no npm or no registry."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    command = ["npm", "install", "--no-audit", "--no-fund", "--silent", *packages]
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240)
    except subprocess.TimeoutExpired:
        pytest.skip(f"npm did not install {packages} within four minutes")
    if run.returncode:
        pytest.skip(f"npm cannot install {packages}: {run.stderr.strip()[-200:]}")
    return folder


def run_node(folder: Path, script: Path, *arguments: str, timeout: float = 240.0) -> str:
    """What a script prints; fails with its errors."""
    run = subprocess.run(["node", str(script), *arguments], cwd=folder, capture_output=True, text=True, timeout=timeout)
    assert run.returncode == 0, (run.stdout[-1500:], run.stderr[-3000:])
    return run.stdout


def chromium() -> str:
    """A Chromium on this machine; the test skips where there is none."""
    found = next((p for p in CHROMIUM if Path(p).is_file()), None) or shutil.which("chromium")
    if found is None:
        pytest.skip("needs a Chromium")
    return found
