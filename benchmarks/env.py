"""Environments: steps a second beside Miniworld's, resets, processes, memory, and where a step's time goes."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from citysim.benchmarks.env_steps import BARE, CROWDED, best_steps_s, shares
from citysim.benchmarks.render_miniworld import sidewalk_fps
from citysim.benchmarks.render_process import memory_mb
from citysim.benchmarks.rows import Progress, Row

CITY, LARGE = "mini", "harbour"
SECONDS = 4.0
BATCH = 16


def rows(progress: Progress) -> Iterator[Row]:
    """All rows; the first run builds `harbour`, which takes minutes."""
    from citysim.envs.city_env import CityEnv

    progress(f"PointNav 84x84 among 32 people in {CITY} ...")
    env = CityEnv(CITY, **CROWDED)
    yield Row("pointnav_84x84", best_steps_s(env), "steps/s")
    for part, share in shares(env).items():
        yield Row(f"pointnav_84x84_{part}", share, "%")
    yield Row("reset_same_city", _reset_ms(env), "ms")
    env.close()
    if "bullet" in _engines():
        env = CityEnv(CITY, **{**CROWDED, "physics": "bullet"})
        yield Row("pointnav_84x84_bullet", best_steps_s(env), "steps/s")
        env.close()
    progress(f"pictures of 80x60 in {LARGE} ...")
    env = CityEnv(LARGE, **BARE)
    ours = best_steps_s(env)
    env.close()
    yield Row("rgb_80x60", ours, "steps/s", "miniworld_sidewalk", sidewalk_fps(progress))
    yield Row("new_city_cached", _new_city_ms(), "ms")
    progress("one and two processes ...")
    one, two = _processes(1), _processes(2)
    yield Row("two_processes", two, "steps/s", "one_process", one)
    yield Row(f"memory_{BATCH}_envs", _memory_mb(), "MB")


def _reset_ms(env: Any, times: int = 60) -> float:
    """Median of resets in a warm city."""
    taken = []
    for seed in range(times):
        start = time.perf_counter()
        env.reset(seed=seed)
        taken.append(1e3 * (time.perf_counter() - start))
    return statistics.median(taken[times // 3 :])


def _new_city_ms() -> float:
    """Median milliseconds of a reset that enters a city that is cached on disk and was not in memory."""
    from citysim.envs.city_env import CityEnv

    taken = []
    for _ in range(5):
        env = CityEnv(cities=(f"{CITY}@0", f"{CITY}@1"), kept_cities=1, **CROWDED)
        env.reset(seed=0)
        before, seed = env.city.path, 0
        while env.city.path == before and seed < 50:
            seed += 1
            start = time.perf_counter()
            env.reset(seed=seed)
            spent = time.perf_counter() - start
        taken.append(1e3 * spent)
        env.close()
    return statistics.median(taken)


def _processes(number: int) -> float:
    """Steps a second of so many processes together."""
    command = [sys.executable, "-m", "citysim.benchmarks.env_steps", CITY, str(SECONDS)]
    running = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(number)
    ]
    try:
        for process in running:
            assert process.stdout is not None
            process.stdout.readline()
        for process in running:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        return sum(float(process.stdout.readline()) for process in running if process.stdout is not None)
    finally:
        for process in running:
            process.communicate()


def _memory_mb() -> float:
    """Resident megabytes of this process kind with 16 environments of one city, a hundred steps in."""
    code = (
        "import sys, numpy as np\n"
        "from citysim.benchmarks.env_steps import CROWDED\n"
        "from citysim.envs.vector_env import CityVectorEnv\n"
        f"envs = CityVectorEnv({BATCH}, {CITY!r}, **CROWDED)\n"
        "envs.reset(seed=0)\n"
        f"for k in range(100): envs.step(np.full({BATCH}, 1 if k % 3 else 4))\n"
        "print('ready', flush=True); sys.stdin.read()"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        return memory_mb(process.pid).get("rss", float("nan"))
    finally:
        process.communicate()


def _engines() -> list[str]:
    import importlib.util

    return ["native", *(["bullet"] if importlib.util.find_spec("pybullet") and os.name == "posix" else [])]
