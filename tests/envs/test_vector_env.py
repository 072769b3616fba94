"""CityVectorEnv: the same as single environments, every autoreset mode, refusals."""

from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from citysim.envs.city_env import CityEnv
from citysim.envs.vector_env import CityVectorEnv
from citysim.errors import InputError, UnknownNameError
from tests.envs.street import street

ARGUMENTS: dict[str, Any] = {
    "city": street(), "image_size": (32, 24), "physics": "native", "sensors": ("rgb", "rays", "goal"), "rays": 8,
    "crowd": 6, "weather": ("sunny", "rainy"),
}  # fmt: skip


def plan(steps: int, count: int) -> np.ndarray:
    return np.random.default_rng(3).integers(0, 8, size=(steps, count))


def single(seed: int, actions: np.ndarray, limit: int) -> list[tuple[Any, float, bool]]:
    """One environment with NEXT_STEP's rule: the step after an end resets."""
    env = gym.wrappers.TimeLimit(CityEnv(**ARGUMENTS), limit)
    rows = [(env.reset(seed=seed)[0], 0.0, False)]
    for action in actions:
        if rows[-1][2]:
            rows.append((env.reset()[0], 0.0, False))
            continue
        seen, reward, ended, cut, _ = env.step(int(action))
        rows.append((seen, reward, ended or cut))
    env.close()
    return rows


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_gives_what_single_environments_give(count: int, threads: int) -> None:
    actions = plan(12, 3)[:, :count]
    env = CityVectorEnv(count, max_episode_steps=5, threads=threads, **ARGUMENTS)
    rows = [(env.reset(seed=7)[0], np.zeros(count), np.zeros(count, bool))]
    for batch in actions:
        seen, rewards, ended, cut, _ = env.step(batch)
        rows.append((seen, rewards, ended | cut))
    env.close()
    for i in range(count):
        for (seen, reward, over), (one, alone, done) in zip(rows, single(7 + i, actions[:, i], 5), strict=True):
            assert all(seen[name][i].tobytes() == one[name].tobytes() for name in one)
            assert (reward[i], over[i]) == (alone, done)


def test_same_step_gives_the_last_observation_beside_the_first() -> None:
    actions = plan(6, 2)
    env = CityVectorEnv(2, max_episode_steps=3, autoreset_mode="same_step", **ARGUMENTS)
    env.reset(seed=7)
    rows = [env.step(batch) for batch in actions]
    env.close()
    other = CityVectorEnv(2, max_episode_steps=3, **ARGUMENTS)
    other.reset(seed=7)
    late = [other.step(batch) for batch in actions[[0, 1, 2, 2, 3]]]
    other.close()
    assert [bool(row[3].all()) for row in rows] == [False, False, True, False, False, True]
    info = rows[2][4]
    assert all((info["final_obs"][i]["rgb"] == late[2][0]["rgb"][i]).all() for i in range(2))
    assert info["final_info"]["time_s"].tolist() == pytest.approx([0.3, 0.3])
    assert (rows[2][0]["rgb"] == late[3][0]["rgb"]).all(), "the new episode's first picture"
    assert (rows[3][0]["rgb"] == late[4][0]["rgb"]).all()
    assert "final_obs" not in rows[3][4]


def test_disabled_waits_for_a_mask() -> None:
    env = CityVectorEnv(2, max_episode_steps=2, autoreset_mode=AutoresetMode.DISABLED, **ARGUMENTS)
    with pytest.raises(InputError, match="reset"):
        env.step([0, 0])
    with pytest.raises(InputError, match="reset of all"):
        env.reset(options={"reset_mask": np.array([True, False])})
    env.reset(seed=1)
    env.step([1, 1])
    before, _, _, cut, _ = env.step([1, 1])
    assert cut.all()
    with pytest.raises(InputError, match="ended ones"):
        env.step([1, 1])
    seen, info = env.reset(options={"reset_mask": np.array([True, False])})
    assert (seen["rgb"][1] == before["rgb"][1]).all()
    assert (seen["goal"][0] != before["goal"][0]).any()
    assert info["_time_s"].tolist() == [True, False]
    for wrong in (np.array([1, 0]), np.zeros(2, bool), [True, False]):
        with pytest.raises(InputError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    env.close()


@pytest.mark.parametrize("name", ["PointNav", "PointNavRGB", "CrowdNav", "ExploreNav"])
def test_make_vec_takes_it(name: str) -> None:
    env = gym.make_vec(f"citysim:CitySim/{name}-v0", num_envs=2, city=street(), physics="native", image_size=(16, 16))
    assert isinstance(env, CityVectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, _ = env.reset(seed=0)
    assert seen in env.observation_space
    seen, rewards, *_ = env.step(env.action_space.sample())
    assert seen in env.observation_space
    assert rewards.shape == (2,)
    env.close()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_envs": 0}, "num_envs from 1"),
        ({"num_envs": True}, "num_envs from 1"),
        ({"threads": 0}, "threads from 1"),
        ({"max_episode_steps": 0}, "max_episode_steps"),
        ({"image_size": (8, 8)}, "image_size"),
        ({"smell": 1}, "found smell"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CityVectorEnv(**{"num_envs": 1, **ARGUMENTS, **arguments})


def test_wrong_modes_seeds_and_actions() -> None:
    with pytest.raises(UnknownNameError, match="an autoreset mode"):
        CityVectorEnv(2, autoreset_mode="sometimes", **ARGUMENTS)
    env = CityVectorEnv(2, action="continuous", **ARGUMENTS)
    with pytest.raises(InputError, match="one seed or 2"):
        env.reset(seed=[1, 2, 3])
    env.reset(seed=[1, 2])
    with pytest.raises(InputError, match="2 actions"):
        env.step(np.zeros((3, 3), np.float32))
    for none in (None, 3, np.array(1.0)):
        with pytest.raises(InputError, match="2 actions"):
            env.step(none)
    with pytest.raises(InputError, match="three finite numbers"):
        env.step(np.array([[1, 0, 0], [np.nan, 0, 0]], np.float32))
    info = env.step(np.zeros((2, 3), np.float32))[4]
    assert info["time_s"].tolist() == pytest.approx([0.1, 0.1]), "a refused batch moves nobody"
    env.close()
    env.close()
    with pytest.raises(InputError, match="closed"):
        env.step(np.zeros((2, 3), np.float32))
