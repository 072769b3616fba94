"""Every registered id keeps Gymnasium's rules; the settings turn warnings into errors."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from citysim.envs.registration import ENVS, TURN_ENVS, register_all
from tests.envs.street import street
from tests.towns import write_town

SMALL = {"image_size": (32, 24)}


@pytest.fixture(params=[(name, action) for name in sorted(ENVS) for action in ("discrete", "continuous")], ids=str)
def env(request: pytest.FixtureRequest) -> Iterator[gym.Env[Any, Any]]:
    name, action = request.param
    made = gym.make(f"citysim:{name}", city=street(), action=action, **SMALL)
    yield made
    made.close()
    made.close()


def same(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype and a.tobytes() == b.tobytes())
    return bool(a == b)


def test_gymnasium_has_nothing_to_say(env: gym.Env[Any, Any]) -> None:
    check_env(env.unwrapped)


def test_the_same_seed_gives_the_same_bytes(env: gym.Env[Any, Any]) -> None:
    runs = []
    for _ in range(2):
        env.action_space.seed(5)
        frames = [env.reset(seed=11)]
        frames += [env.step(env.action_space.sample()) for _ in range(15)]
        runs.append(frames)
    assert all(same(x, y) for a, b in zip(*runs, strict=True) for x, y in zip(a, b, strict=True))
    assert not same(env.reset(seed=12)[1]["position"], runs[0][0][1]["position"])


def test_a_seed_carries_over_to_the_resets_after_it(env: gym.Env[Any, Any]) -> None:
    first = [env.reset(seed=3)[1], env.reset()[1], env.reset()[1]]
    again = [env.reset(seed=3)[1], env.reset()[1], env.reset()[1]]
    assert same(first[1], again[1])
    assert same(first[2], again[2])
    assert not same(first[1]["position"], first[2]["position"])


def test_rendering_shows_the_observed_picture(env: gym.Env[Any, Any]) -> None:
    name = env.spec.id if env.spec is not None else ""
    made = gym.make(name, city=street(), render_mode="rgb_array", **SMALL)
    observation, _ = made.reset(seed=1)
    picture = made.render()
    assert isinstance(picture, np.ndarray)
    rgb = observation.get("rgb") if isinstance(observation, dict) else observation
    assert rgb is None or (picture == rgb).all()
    assert picture.shape == (24, 32, 3)
    assert picture.std() > 1.0
    made.close()


def test_registering_twice_is_fine() -> None:
    before = dict(gym.registry)
    register_all()
    assert gym.registry == before


@pytest.mark.parametrize(
    "code",
    [
        "import gymnasium, citysim",
        "import citysim, gymnasium",
        "import gymnasium, citysim.envs",
        "import citysim.envs, gymnasium",
    ],
)
def test_ids_are_known_in_any_order_of_imports(code: str) -> None:
    ids = "sorted(k for k in gymnasium.registry if k.startswith('CitySim/'))"
    check = f"{code}\nassert {sorted([*ENVS, *TURN_ENVS])!r} == {ids}"
    subprocess.run([sys.executable, "-c", check], check=True)


def test_a_bare_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, citysim.envs; print([m for m in ('gymnasium', 'numba', 'pybullet', 'numpy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_vector_envs_agree_with_one_env() -> None:
    def make() -> gym.Env[Any, Any]:
        return gym.make("CitySim/PointNav-v0", city=street(), **SMALL)

    vector, single = gym.vector.SyncVectorEnv([make, make]), make()
    batch, _ = vector.reset(seed=[4, 5])
    for k, seed in enumerate((4, 5)):
        assert (batch["rgb"][k] == single.reset(seed=seed)[0]["rgb"]).all()
    vector.close()
    single.close()


def test_worker_processes_take_a_city_along(tmp_path: Path) -> None:
    city = write_town(tmp_path / "town")

    def make() -> gym.Env[Any, Any]:
        return gym.make("citysim:CitySim/PointNav-v0", city=city, **SMALL)

    vector, single = gym.vector.AsyncVectorEnv([make, make], context="spawn"), make()
    batch, _ = vector.reset(seed=[4, 5])
    for k, seed in enumerate((4, 5)):
        assert (batch["rgb"][k] == single.reset(seed=seed)[0]["rgb"]).all()
    _, rewards, *_ = vector.step(np.array([1, 1]))
    assert rewards[1] == single.step(1)[1]
    vector.close()
    single.close()
