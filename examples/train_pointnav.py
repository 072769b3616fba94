"""Train PointNav from a ray scan and a goal vector with PPO, and judge it in cities it has never seen.

    pip install 'citysim[rl]'
    python examples/train_pointnav.py --minutes 30 --out runs/pointnav

Cities: `mini` with training seeds (citysim.envs.splits); every few updates the policy is judged on episodes in cities
of held-out test seeds, beside a random and a greedy policy on the same episodes. Written: `log.jsonl` (one line a
judgement), `policy.zip` with `normal.pkl` (to go on with `--resume`), `curve.png` (examples/plot_training.py).
`--ray` trains with RLlib instead (extra `rllib`): on a cluster, `ray job submit … -- python examples/train_pointnav.py
--ray --runners 64` spreads the same environments over its machines.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

SETTINGS: dict[str, Any] = {
    "city": "mini", "sensors": ("rays", "goal", "velocity"), "rays": 48, "ray_range_m": 16.0, "physics": "native",
    "control_hz": 5, "progress": "walking", "difficulty": "medium", "city_seeds": 4,
    "rewards": {"progress": 0.1, "success": 5.0, "step": -0.01, "collision": -0.05, "contact": -0.1},
}  # fmt: skip
EPISODE_STEPS = 300
LEARN_STEPS = 65_536  # between judgements


def greedy(observation: dict[str, Any]) -> Any:
    """Turn towards the goal, then run: actions of citysim.envs.actions, for a batch of observations."""
    _, sin, cos = observation["goal"].T
    turn = np.where(sin > 0.0, 2, 3)
    return np.where((np.abs(sin) < 0.25) & (cos > 0.0), 7, np.where(cos > 0.5, turn + 2, turn))


def judged(policy: Any, episodes: int, settings: dict[str, Any], seed: int = 10_000) -> dict[str, float]:
    """Success, contacts and steps of a policy in the test cities; episode i has the seed `seed + i`."""
    from citysim.envs.vector_env import CityVectorEnv

    batch = min(episodes, 25)
    envs = CityVectorEnv(batch, split="test", max_episode_steps=EPISODE_STEPS, autoreset_mode="disabled", **settings)
    success, steps, contacts, ratios = [], [], [], []
    for first in range(seed, seed + episodes, batch):
        observation, infos = envs.reset(seed=first)
        shortest = infos["shortest_path_m"].tolist()
        left = np.ones(batch, dtype=np.bool_)
        for step in range(1, EPISODE_STEPS + 1):
            observation, _, ended, cut, infos = envs.step(policy(observation))
            for i in np.flatnonzero(left & (ended | cut)).tolist():
                left[i] = False
                success.append(bool(infos["success"][i]))
                steps.append(step)
                contacts.append(int(infos["pedestrian_collisions"][i]))
                walked = max(float(infos["path_length_m"][i]), shortest[i], 1e-9)
                ratios.append(shortest[i] / walked if success[-1] else 0.0)
            if not left.any():
                break
            if (ended | cut).any():  # those who are done stand and wait in a new episode that nobody counts
                observation, _ = envs.reset(options={"reset_mask": ended | cut})
    envs.close()
    return {
        "success": float(np.mean(success)), "spl": float(np.mean(ratios)), "steps": float(np.mean(steps)),
        "contacts": float(np.mean(contacts)), "episodes": len(success),
    }  # fmt: skip


def train(
    out: Path, minutes: float, seed: int, envs: int, settings: dict[str, Any], episodes: int, resume: bool
) -> None:
    """PPO of stable-baselines3 for some minutes of wall time."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecNormalize

    from citysim.envs.sb3 import CitySb3VecEnv

    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    log = out / "log.jsonl"
    base = CitySb3VecEnv(
        envs, split="train", max_episode_steps=EPISODE_STEPS, kept_cities=settings["city_seeds"], **settings
    )
    base.seed(seed * 1_000_003)
    if resume:
        normal = VecNormalize.load(str(out / "normal.pkl"), base)
        model = PPO.load(out / "policy.zip", env=normal, device="cpu")
    else:
        normal = VecNormalize(base, norm_reward=True, gamma=0.99)
        model = PPO(
            "MultiInputPolicy", normal, n_steps=256, batch_size=1024, n_epochs=5, gamma=0.99, gae_lambda=0.95,
            learning_rate=5e-4, ent_coef=0.01, seed=seed, device="cpu", policy_kwargs={"net_arch": [128, 128]},
        )  # fmt: skip

    def policy(observation: Any) -> Any:
        return model.predict(normal.normalize_obs(observation), deterministic=True)[0]

    rng = np.random.default_rng(seed)
    others = {"random": lambda o: rng.integers(8, size=len(o["goal"])), "greedy": greedy}
    with log.open("a") as lines:
        for name, other in others.items():
            _write(lines, {"policy": name, "seed": seed, **judged(other, episodes, settings)})
        start, trained, before = time.time(), 0.0, model.num_timesteps
        while trained < 60.0 * minutes:
            begun = time.time()
            model.learn(LEARN_STEPS, reset_num_timesteps=False)
            trained += time.time() - begun
            model.save(out / "policy.zip")
            normal.save(str(out / "normal.pkl"))
            normal.training = False
            found = judged(policy, episodes, settings)
            normal.training = True
            _write(lines, {
                "policy": "ppo", "seed": seed, "steps_trained": model.num_timesteps, "minutes": round(trained / 60, 2),
                "steps_s": round((model.num_timesteps - before) / trained), **found,
            })  # fmt: skip
    print(f"{(time.time() - start) / 60:.1f} min in all; log in {log}")


def train_with_ray(out: Path, runners: int, iterations: int, settings: dict[str, Any]) -> None:
    """PPO of RLlib with the same environments in `runners` processes, on this machine or a cluster."""
    from gymnasium.wrappers import FlattenObservation
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.tune.registry import register_env

    def make(config: dict[str, Any]) -> Any:
        import gymnasium

        import citysim  # noqa: F401 - registers the ids in this process

        return FlattenObservation(gymnasium.make("CitySim/PointNav-v0", max_episode_steps=EPISODE_STEPS, **config))

    register_env("citysim-pointnav", make)
    config = (
        PPOConfig()
        .environment("citysim-pointnav", env_config={**settings, "split": "train"})
        .env_runners(num_env_runners=runners, num_envs_per_env_runner=4)
        .training(train_batch_size_per_learner=4096, minibatch_size=512, num_epochs=5, lr=3e-4, entropy_coeff=0.01)
    )
    algorithm = config.build_algo()
    out.mkdir(parents=True, exist_ok=True)
    with (out / "ray.jsonl").open("a") as lines:
        for iteration in range(iterations):
            found = algorithm.train()["env_runners"]
            _write(
                lines,
                {
                    "iteration": iteration,
                    "return": found.get("episode_return_mean"),
                    "steps": found.get("num_env_steps_sampled_lifetime"),
                },
            )
    algorithm.stop()


def _write(lines: Any, row: dict[str, Any]) -> None:
    lines.write(json.dumps(row) + "\n")
    lines.flush()
    print(row, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("runs/pointnav"))
    parser.add_argument("--minutes", type=float, default=30.0, help="of training; judging comes on top")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--episodes", type=int, default=100, help="a judgement")
    parser.add_argument("--crowd", type=int, default=0, help="people within 40 m")
    parser.add_argument("--resume", action="store_true", help="go on from policy.zip in --out")
    parser.add_argument("--ray", action="store_true", help="train with RLlib")
    parser.add_argument("--runners", type=int, default=2, help="with --ray")
    parser.add_argument("--iterations", type=int, default=100, help="with --ray")
    chosen = parser.parse_args()
    settings = {**SETTINGS, "crowd": chosen.crowd}
    if chosen.ray:
        train_with_ray(chosen.out, chosen.runners, chosen.iterations, settings)
    else:
        train(chosen.out, chosen.minutes, chosen.seed, chosen.envs, settings, chosen.episodes, chosen.resume)


if __name__ == "__main__":
    main()
