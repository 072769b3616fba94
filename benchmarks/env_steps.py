"""Steps of environments to be timed: one way of walking for all of them, and where the time of a step goes."""

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from citysim.envs.city_env import CityEnv
from citysim.living.company import Company
from citysim.living.spec import CrowdSpec
from citysim.world import World

CROWDED: dict[str, Any] = {
    "sensors": ("rgb", "goal", "velocity"), "image_size": (84, 84), "physics": "native", "control_hz": 10,
    "crowd": CrowdSpec(32, seed=0, radius_m=40.0),
}  # fmt: skip
"""PointNav 84x84 rgb, 10 Hz over 60 Hz physics, 32 people within 40 m."""
BARE: dict[str, Any] = {"sensors": "rgb", "image_size": (80, 60), "physics": "native", "control_hz": 10}
EPISODE = 100  # steps, then a reset, which is not timed


def steps_s(env: CityEnv, steps: int, seed: int = 0) -> float:
    """Steps a second of wall time over `steps` steps: ahead two times of three, turning else."""
    rng = np.random.default_rng(seed)
    done = walked = 0.0
    left = 0
    for _ in range(steps):
        if left == 0:
            env.reset(seed=seed + int(walked))
            left = EPISODE
        action = int(rng.choice((1, 1, 1, 1, 4, 5)))
        start = time.perf_counter()
        ended = env.step(action)
        done += time.perf_counter() - start
        walked += 1
        left = 0 if ended[2] or ended[3] else left - 1
    return walked / done


def best_steps_s(env: CityEnv, turns: int = 3, steps: int = 400) -> float:
    """The quickest of a few turns, after one that loads and compiles."""
    steps_s(env, steps)
    return max(steps_s(env, steps) for _ in range(turns))


def shares(env: CityEnv, steps: int = 400) -> dict[str, float]:
    """Per cent of a step's time in physics, crowd, raster (bodies and camera included) and all the rest."""
    spent = dict.fromkeys(("step", "advance", "crowd", "raster"), 0.0)
    stepping: list[bool] = []  # a reset draws too, and does not count

    def timed(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any, **kwargs: Any) -> Any:
            if name != "step" and not stepping:
                return call(*args, **kwargs)
            start = time.perf_counter()
            stepping.append(True)
            try:
                return call(*args, **kwargs)
            finally:
                stepping.pop()
                spent[name] += time.perf_counter() - start

        return run

    env.reset(seed=0)
    renderer = env.renderer
    places: list[tuple[Any, str, str]] = [
        (CityEnv, "step", "step"), (World, "advance", "advance"),
        (Company, "begin", "crowd"), (Company, "end", "crowd"), (type(renderer), "render", "raster"),
        (World, "bodies", "raster"), (World, "states", "raster"),
    ]  # fmt: skip
    kept = [(owner, name, getattr(owner, name)) for owner, name, _ in places]
    try:
        for owner, name, kind in places:
            setattr(owner, name, timed(kind, getattr(owner, name)))
        steps_s(env, steps)
        for name in spent:
            spent[name] = 0.0
        steps_s(env, steps)
    finally:
        for owner, name, call in kept:
            setattr(owner, name, call)
    total, physics = spent["step"], spent["advance"] - spent["crowd"]
    rest = total - spent["advance"] - spent["raster"]
    parts = {"physics": physics, "crowd": spent["crowd"], "raster": spent["raster"], "rest": rest}
    return {name: 100.0 * value / total for name, value in parts.items()}


def main() -> None:
    """A process of `two_processes`: says when it is ready, waits for a line, steps for some seconds, says how often."""
    env = CityEnv(sys.argv[1], **CROWDED)
    steps_s(env, 150)
    print("ready", flush=True)
    sys.stdin.readline()
    start, steps = time.perf_counter(), 0
    while time.perf_counter() - start < float(sys.argv[2]):
        if steps % EPISODE == 0:
            env.reset(seed=steps)
        env.step(1 if steps % 3 else 4)
        steps += 1
    print(steps / (time.perf_counter() - start), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
