"""A soak of environments: many steps with resets, weathers, hours and crowds varied; nothing may grow, break or stick.

`python -m citysim.benchmarks.env_soak CITY [STEPS]` (1,000,000) prints what was found; rc 1 where something was wrong.
"""

import sys
from typing import Any, NamedTuple

import numpy as np

from citysim.city import City
from citysim.conditions import WEATHERS
from citysim.envs.city_env import CityEnv
from citysim.living.spec import CrowdSpec
from citysim.storage import canonical_json

EPISODE, STUCK = 200, 60


class Soak(NamedTuple):
    """What was seen: steps, episodes, observations with NaN, falls, walkers that could not leave in any direction."""

    steps: int
    episodes: int
    nans: int
    falls: int
    stuck: int
    grown_mb: float

    @property
    def good(self) -> bool:
        """Whether nothing was wrong: memory may grow by 5 % of a gigabyte, for caches that fill late."""
        return not (self.nans or self.falls or self.stuck) and self.grown_mb < 50.0


def soak(city: City | str, steps: int, **settings: Any) -> Soak:
    """Random walks with a bias ahead; memory is compared from a quarter of the way on."""
    env = CityEnv(
        city, physics="native", sensors=("rays", "map", "goal", "velocity", "depth"), image_size=(32, 24),
        weather=WEATHERS, time=("08:00", "14:00", "21:00"), **settings,
    )  # fmt: skip
    rng = np.random.default_rng(0)
    nans = falls = stuck = episodes = 0
    still, first = 0, 0.0
    for step in range(steps):
        if step % EPISODE == 0:
            people = int(rng.integers(0, 60))
            crowd = CrowdSpec(people, seed=episodes, radius_m=40.0) if people else None
            env.reset(seed=episodes, options={"crowd": crowd})
            episodes, still = episodes + 1, 0
        if step == steps // 4:
            first = resident_mb()
        observation, reward, ended, cut, _ = env.step(int(rng.choice((1, 1, 1, 2, 4, 5, 6, 7))))
        nans += not all(np.isfinite(value).all() for value in observation.values()) or not np.isfinite(reward)
        falls += cut
        still = still + 1 if not observation["velocity"][:2].any() else 0
        stuck += still == STUCK
        if ended or cut:
            env.reset()
            still = 0
    env.close()
    return Soak(steps, episodes, nans, falls, stuck, max(0.0, resident_mb() - first))


def resident_mb() -> float:
    """Resident megabytes of this process; 0 where the system does not say."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096 / 1e6
    except OSError:
        return 0.0


def main() -> None:
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    found = soak(sys.argv[1], steps)
    print(canonical_json(found._asdict()))
    sys.exit(not found.good)


if __name__ == "__main__":
    main()
