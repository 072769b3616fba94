"""What other libraries ask of the environments: PettingZoo, Minari, stable-baselines3, RLlib."""

import gc
import warnings
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest

from citysim.errors import InputError
from tests.envs.street import street
from tests.towns import write_town

SMALL: dict[str, Any] = {"city": street(), "physics": "native", "image_size": (40, 40)}


def test_pettingzoo_has_nothing_to_say() -> None:
    pytest.importorskip("pettingzoo", reason="PettingZoo (extra 'multi') is not installed")
    from pettingzoo.test import parallel_api_test

    from citysim.envs.parallel_env import CityParallelEnv

    env = CityParallelEnv(3, max_episode_steps=20, sensors=("rgb", "rays", "goal"), **SMALL)
    parallel_api_test(env, num_cycles=60)
    env.close()
    for wrong in (0, True, 65):
        with pytest.raises(InputError, match="agents"):
            CityParallelEnv(wrong, **SMALL)
    with pytest.raises(InputError, match="no crowd"):
        CityParallelEnv(2, crowd=3, **SMALL)


def test_agents_see_and_stop_each_other() -> None:
    pytest.importorskip("pettingzoo", reason="PettingZoo (extra 'multi') is not installed")
    from citysim.envs.parallel_env import CityParallelEnv
    from citysim.pose import Pose

    env = CityParallelEnv(2, sensors=("labels", "rays"), rays=4, ray_range_m=12.0, **SMALL)
    env.reset(seed=0)
    worlds = [env._rollouts[name].world for name in env.agents]
    worlds[0].reset(Pose(0.0, 0.0, 0.0, yaw=0.0))
    worlds[1].reset(Pose(4.0, 0.0, 0.0, yaw=np.pi))
    observations = env.step({"agent_0": 0, "agent_1": 0})[0]
    assert observations["agent_0"]["rays"][0] == pytest.approx(4.0 - 0.3, abs=0.1)
    assert (observations["agent_0"]["labels"] >= 1 << 30).any()
    for _ in range(40):
        infos = env.step({"agent_0": 1, "agent_1": 1})[4]
    gap = worlds[1].pose.east - worlds[0].pose.east
    assert gap > 0.55, "they do not pass through each other"
    assert sum(info["pedestrian_collisions"] for info in infos.values()) >= 1
    env.close()


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # Minari leaves its temporary folder to the garbage collector
def test_minari_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    minari = pytest.importorskip("minari", reason="Minari (extra 'export') is not installed")
    for needed in ("h5py", "jax"):
        pytest.importorskip(needed, reason=f"Minari writes data sets with {needed}: pip install 'minari[create,hdf5]'")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
    town = str(write_town(tmp_path / "town").path)
    arguments = {**SMALL, "city": town, "sensors": ("rays", "goal")}
    env = gym.make("citysim:CitySim/PointNav-v0", max_episode_steps=5, difficulty="easy", **arguments)
    collector = minari.DataCollector(env)
    for seed in range(2):
        collector.reset(seed=seed)
        over = False
        while not over:
            _, _, ended, cut, _ = collector.step(1)
            over = ended or cut
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # missing descriptions of the data set
        dataset = collector.create_dataset("citysim/street-v0", eval_env=None)
    assert dataset.total_episodes == 2
    episode = dataset[0]
    assert episode.observations["rays"].shape == (6, 32)
    assert len(episode.rewards) == 5
    collector.close()
    del collector
    gc.collect()


def test_stable_baselines_has_nothing_to_say() -> None:
    pytest.importorskip("stable_baselines3", reason="stable-baselines3 (extra 'rl') is not installed")
    from stable_baselines3.common.env_checker import check_env

    from citysim.envs import CityEnv
    from citysim.envs.sb3 import CitySb3VecEnv

    for action in ("discrete", "continuous"):
        env = CityEnv(action=action, sensors=("rgb", "rays", "goal", "velocity"), **SMALL)
        check_env(env)
        env.close()
    batch = CitySb3VecEnv(2, max_episode_steps=3, sensors=("rays", "goal"), **SMALL)
    batch.seed(4)
    first = batch.reset()
    single = CityEnv(sensors=("rays", "goal"), **SMALL)
    assert (first["rays"][1] == single.reset(seed=5)[0]["rays"]).all()
    for _ in range(3):
        last = single.step(1)[0]
        seen, rewards, done, infos = batch.step(np.array([1, 1]))
    assert done.all()
    assert rewards.dtype == np.float32
    assert infos[1]["TimeLimit.truncated"]
    assert (infos[1]["terminal_observation"]["rays"] == last["rays"]).all()
    assert (seen["goal"][1] != last["goal"]).any()
    with pytest.raises(InputError):
        batch.env_method("fly")
    batch.close()
    single.close()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # Ray's own processes and sockets
def test_rllib_runs_episodes() -> None:
    pytest.importorskip("ray.rllib", reason="RLlib (extra 'rllib') is not installed")
    pytest.importorskip("torch", reason="torch (extra 'rllib') is not installed")
    from gymnasium.wrappers import FlattenObservation
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
    from ray.tune.registry import register_env

    def make(config: dict[str, Any]) -> Any:
        made = gym.make("citysim:CitySim/PointNav-v0", max_episode_steps=5, sensors=("rays", "goal"), **SMALL)
        return FlattenObservation(made)

    register_env("citysim-test", make)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Ray's own
        runner = SingleAgentEnvRunner(
            config=PPOConfig().environment("citysim-test").env_runners(num_envs_per_env_runner=2)
        )
        episodes = runner.sample(num_episodes=2, random_actions=True)
        runner.stop()
    assert sum(len(episode) for episode in episodes) == 10
    gc.collect()
