"""The same bytes: threads, repeats, processes, CPU models."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.base import Camera, Frame, View
from citysim.render.raster import RasterRenderer
from tests.render.scenes import street

ROOT = Path(__file__).resolve().parents[3]


def views() -> list[View]:
    made = []
    rng = np.random.default_rng(11)
    sizes = [(320, 240), (203, 151), (640, 360), (80, 60), (256, 256)]
    for number in range(10):
        pose = Pose(
            float(rng.uniform(-180, 180)), float(rng.uniform(-9, 9)), float(rng.choice([1.6, 1.6, 25.0])),
            float(rng.uniform(-3.1, 3.1)), float(rng.uniform(-0.6, 0.4)),
        )  # fmt: skip
        ortho = 60.0 if number == 9 else None
        weather = ("sunny", "fog", "overcast")[number % 3]
        made.append(
            View(
                Camera(pose, sizes[number % 5], ortho_height_m=ortho),
                Conditions(clock_s=3600.0 * (9 + number), weather=weather),
                depth=True,
                labels=True,
            )
        )
    return made


def digest(frame: Frame) -> str:
    assert frame.depth is not None
    assert frame.labels is not None
    return hashlib.sha256(frame.rgb.tobytes() + frame.depth.tobytes() + frame.labels.tobytes()).hexdigest()


def digests(threads: int = 1) -> list[str]:
    renderer = RasterRenderer(street(), threads=threads)
    made = [digest(renderer.render(view)) for view in views()]
    renderer.close()
    return made


def test_threads_and_repeats_give_the_same_bytes() -> None:
    once = digests()
    assert len(set(once)) == len(once)
    assert digests(2) == once
    assert digests(3) == once
    renderer = RasterRenderer(street())
    again = [digest(renderer.render(view)) for view in reversed(views())]
    assert again[::-1] == once


@pytest.mark.slow
def test_another_process_and_a_generic_cpu_give_the_same_bytes(tmp_path: Path) -> None:
    """NUMBA_CPU_NAME=generic compiles without AVX and FMA: about 30 s."""
    code = "from tests.render.raster.test_exact import digests; print(*digests())"
    for name in ("generic", "host"):
        environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / name)}
        environment.pop("NUMBA_CPU_NAME", None)
        if name == "generic":
            environment["NUMBA_CPU_NAME"] = "generic"
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        assert run.stdout.split() == digests()
