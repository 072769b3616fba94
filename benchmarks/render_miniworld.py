"""Miniworld's own environment, in a virtual environment of its own: it pins a pyglet that pyrender cannot live with."""

import json
import subprocess
import sys

from citysim.benchmarks.rows import Progress
from citysim.storage import cache_dir

INSTALL_S, RUN_S = 150.0, 60.0
SCRIPT = """
import json, time
import pyglet
pyglet.options["headless"] = True
import gymnasium, miniworld
env = gymnasium.make("MiniWorld-Sidewalk-v0", obs_width=80, obs_height=60)
env.reset(seed=0)
best = 0.0
for turn in range(3):
    start = time.perf_counter()
    for step in range(100):
        done = env.step(2)
        if done[2] or done[3]:
            env.reset(seed=step)
    best = max(best, 100 / (time.perf_counter() - start))
print(json.dumps(best))
"""


def sidewalk_fps(progress: Progress) -> float | None:
    """Steps a second of MiniWorld-Sidewalk-v0 at 80x60; None where it cannot be installed or has no OpenGL here."""
    folder = cache_dir() / "bench" / "miniworld"
    python = folder / "bin" / "python"
    try:
        if not (folder / "ready").is_file():
            progress("installing Miniworld into a virtual environment of its own (once) ...")
            for command in (
                [sys.executable, "-m", "venv", "--clear", str(folder)],
                [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "miniworld"],
            ):
                subprocess.run(command, check=True, capture_output=True, timeout=INSTALL_S)
            (folder / "ready").touch()
        run = subprocess.run([str(python), "-c", SCRIPT], capture_output=True, text=True, timeout=RUN_S)
        if run.returncode:
            progress(f"Miniworld does not run here: {(run.stderr.strip().splitlines() or ['no reason given'])[-1]}")
            return None
        return float(json.loads(run.stdout.splitlines()[-1]))
    except (OSError, subprocess.SubprocessError, ValueError, IndexError) as error:
        progress(f"Miniworld cannot be had here: {type(error).__name__}")
        return None
