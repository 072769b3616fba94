"""Night and weather give the same bytes: threads, repeats, processes, CPU models."""

import datetime as dt
import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from citysim.conditions import WEATHERS, Conditions
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from tests.render.night_scene import night_street

ROOT = Path(__file__).resolve().parents[3]


def views() -> list[View]:
    rng = np.random.default_rng(4)
    sizes = [(320, 240), (203, 151), (480, 270), (256, 256)]
    made = []
    for number in range(14):
        pose = Pose(
            float(rng.uniform(-60, 100)), float(rng.uniform(-50, 8)), float(rng.choice([1.6, 1.6, 9.0])),
            float(rng.uniform(-3.1, 3.1)), float(rng.uniform(-0.4, 0.7)),
        )  # fmt: skip
        hour = (18.5, 21.0, 23.5, 18.7)[number % 4]
        conditions = Conditions(
            clock_s=3600.0 * hour + 0.37 * number, weather=WEATHERS[number % 7], date=dt.date(2026, 3, 2 + number)
        )
        made.append(View(Camera(pose, sizes[number % 4]), conditions))
    return made


def digests(threads: int = 1) -> list[str]:
    renderer = RasterRenderer(night_street(), threads=threads)
    made = [hashlib.sha256(renderer.render(view).rgb.tobytes()).hexdigest() for view in views()]
    renderer.close()
    return made


def test_threads_and_repeats_give_the_same_bytes() -> None:
    once = digests()
    assert len(set(once)) == len(once)
    assert digests(2) == once
    assert digests(3) == once
    renderer = RasterRenderer(night_street())
    again = [hashlib.sha256(renderer.render(view).rgb.tobytes()).hexdigest() for view in reversed(views())]
    assert again[::-1] == once


@pytest.mark.slow
def test_another_process_and_a_generic_cpu_give_the_same_bytes(tmp_path: Path) -> None:
    code = "from tests.render.raster.test_night_exact import digests; print(*digests())"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_CPU_NAME": "generic"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == digests()
