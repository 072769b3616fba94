"""Train PointNav with PPO in cities of training seeds, and judge it in cities it has never seen.

    pip install 'citysim[rl]'
    python examples/train_pointnav.py --out runs/rays --seed 0               # ray scan and goal, a small MLP
    python examples/train_pointnav.py --out runs/crowd --crowd 48            # the same among people
    python examples/train_pointnav.py --out runs/depth --observe depth       # depth pictures and goal, a CNN

Cities: `mini` with training seeds (citysim.envs.splits); every 131,072 steps the policy is judged on episodes in cities
of held-out test seeds, beside a random and a greedy policy on the same episodes. Written: `log.jsonl` (one line a
judgement), `policy.zip` with `normal.pkl` (to go on with `--resume`); examples/plot_training.py draws the curves.
`--ray` trains with RLlib instead (extra `rllib`): on a cluster, `ray job submit … -- python examples/train_pointnav.py
--ray --runners 64` spreads the same environments over its machines.
"""

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

BOTH: dict[str, Any] = {
    "city": "mini", "physics": "native", "control_hz": 5, "progress": "walking", "difficulty": "medium",
    "rewards": {"progress": 0.1, "success": 5.0, "step": -0.01, "collision": -0.05, "contact": -0.1},
}  # fmt: skip
RAYS: dict[str, Any] = {
    "sensors": ("rays", "goal", "velocity", "trail"), "rays": 40, "ray_range_m": 24.0, "ray_heights_m": (0.4, 0.9),
    "city_seeds": 16,
}  # fmt: skip
DEPTH: dict[str, Any] = {
    "sensors": ("depth", "goal", "velocity", "trail"), "image_size": (48, 36), "fov_deg": 75.0, "city_seeds": 4,
}  # fmt: skip
EPISODE_STEPS = 300
BATCH = 4096  # steps an update
RATE, LAST_RATE = 7e-4, 7e-5
TEST_SEEDS = 4


def greedy(observation: dict[str, Any]) -> Any:
    """Turn towards the goal, then run: actions of citysim.envs.actions, for a batch of observations."""
    _, sin, cos = observation["goal"].T
    turn = np.where(sin > 0.0, 2, 3)
    return np.where((np.abs(sin) < 0.25) & (cos > 0.0), 7, np.where(cos > 0.5, turn + 2, turn))


def judged(policy: Any, episodes: int, settings: dict[str, Any], seed: int = 10_000) -> dict[str, float]:
    """Success, contacts and steps of a policy in the test cities; episode i has the seed `seed + i`."""
    from citysim.envs.vector_env import CityVectorEnv

    batch, limit = min(episodes, 20), EPISODE_STEPS
    settings = {**settings, "city_seeds": TEST_SEEDS, "kept_cities": TEST_SEEDS}
    envs = CityVectorEnv(batch, split="test", max_episode_steps=limit, autoreset_mode="disabled", **settings)
    begun = batch
    observation, infos = envs.reset(seed=seed)
    shortest, steps = infos["shortest_path_m"].copy(), np.zeros(batch, dtype=np.int64)
    running = np.ones(batch, dtype=np.bool_)
    rows: list[tuple[float, ...]] = []
    while running.any():
        observation, _, ended, cut, infos = envs.step(policy(observation))
        steps += 1
        over = ended | cut
        if not over.any():
            continue
        seeds: list[int | None] = [None] * batch
        for i in np.flatnonzero(over & running).tolist():
            walked, success = max(float(infos["path_length_m"][i]), shortest[i], 1e-9), bool(infos["success"][i])
            rows.append((success, success * shortest[i] / walked, steps[i], infos["pedestrian_collisions"][i], walked))
            running[i] = begun < episodes
            seeds[i] = seed + begun if running[i] else None
            begun += int(running[i])
        observation, infos = envs.reset(seed=seeds, options={"reset_mask": over})  # who is done stands and waits
        shortest[over], steps[over] = infos["shortest_path_m"][over], 0
    envs.close()
    success, ratio, taken, contacts, metres = np.array(rows, dtype=np.float64).T
    found = {
        "success": success.mean(), "spl": ratio.mean(), "steps": taken.mean(), "contacts": contacts.mean(),
        "contacts_100m": 100.0 * contacts.sum() / metres.sum(),
    }  # fmt: skip
    return {**{name: round(float(value), 4) for name, value in found.items()}, "episodes": len(rows)}


def eyes() -> Any:
    """A CNN over depth pictures beside the other sensors, as stable-baselines3 takes it."""
    import torch
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
    from torch import nn

    class Eyes(BaseFeaturesExtractor):  # type: ignore[misc]
        """Near things count: metres m become 1 / (1 + m / 4)."""

        def __init__(self, space: Any) -> None:
            height, width, _ = space["depth"].shape
            rest = sum(int(np.prod(box.shape)) for name, box in space.spaces.items() if name != "depth")
            super().__init__(space, 128 + rest)
            self.cnn = nn.Sequential(
                nn.Conv2d(1, 16, 6, stride=3), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(), nn.Flatten()
            )
            with torch.no_grad():
                size = self.cnn(torch.zeros(1, 1, height, width)).shape[1]
            self.head = nn.Sequential(nn.Linear(size, 128), nn.ReLU())

        def forward(self, observation: Any) -> Any:
            near = 1.0 / (1.0 + observation["depth"].permute(0, 3, 1, 2) / 4.0)
            rest = [value for name, value in sorted(observation.items()) if name != "depth"]
            return torch.cat([self.head(self.cnn(near)), *rest], dim=1)

    return Eyes


def train(out: Path, settings: dict[str, Any], chosen: argparse.Namespace) -> None:
    """PPO of stable-baselines3 for so many steps, or minutes of wall time."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecNormalize

    from citysim.envs.sb3 import CitySb3VecEnv

    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    seed, rate = chosen.seed, [RATE]
    base = CitySb3VecEnv(
        chosen.envs, split="train", max_episode_steps=EPISODE_STEPS, kept_cities=settings["city_seeds"], **settings
    )
    base.seed(seed * 1_000_003)
    if chosen.resume:
        normal = VecNormalize.load(str(out / "normal.pkl"), base)
        model = PPO.load(out / "policy.zip", env=normal, device="cpu", custom_objects={"learning_rate": _rate(rate)})
    else:
        plain = [name for name in settings["sensors"] if name != "depth"]
        normal = VecNormalize(base, norm_reward=True, gamma=0.99, norm_obs_keys=plain)
        layers: dict[str, Any] = {"net_arch": [128, 128]}
        if "depth" in settings["sensors"]:
            layers["features_extractor_class"] = eyes()
        model = PPO(
            "MultiInputPolicy", normal, n_steps=BATCH // chosen.envs, batch_size=1024, n_epochs=5, gamma=0.99,
            gae_lambda=0.95, learning_rate=_rate(rate), ent_coef=0.01, seed=seed, device="cpu", policy_kwargs=layers,
        )  # fmt: skip

    def policy(drawn: bool) -> Any:
        return lambda o: model.predict(normal.normalize_obs(o), deterministic=not drawn)[0]

    rng = np.random.default_rng(seed)
    others = {"random": lambda o: rng.integers(8, size=len(o["goal"])), "greedy": greedy}
    with (out / "log.jsonl").open("a") as lines:
        for name, other in () if chosen.resume else others.items():
            _write(lines, {"policy": name, "seed": seed, **judged(other, chosen.episodes, settings)})
        trained, before = 0.0, model.num_timesteps

        def judge() -> None:
            normal.training = False
            found = judged(policy(False), chosen.episodes, settings)
            drawn = judged(policy(True), chosen.episodes, settings)
            normal.training = True
            _write(lines, {
                "policy": "ppo", "seed": seed, "steps_trained": model.num_timesteps, "minutes": round(trained / 60, 2),
                "steps_s": round((model.num_timesteps - before) / max(trained, 1e-9)), **found,
                **{f"drawn_{name}": drawn[name] for name in ("success", "spl", "contacts_100m")},
            })  # fmt: skip

        if not chosen.resume:
            judge()  # what it does before it has learned anything
        while trained < 60.0 * chosen.minutes and model.num_timesteps < chosen.steps:
            rate[0] = max(LAST_RATE, RATE * (1.0 - model.num_timesteps / chosen.steps))
            begun = time.time()
            model.learn(chosen.every, reset_num_timesteps=False)
            trained += time.time() - begun
            model.save(out / "policy.zip")
            normal.save(str(out / "normal.pkl"))
            judge()
    base.close()


def _rate(rate: list[float]) -> Any:
    return lambda _: rate[0]


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
    parser.add_argument("--observe", choices=("rays", "depth"), default="rays")
    parser.add_argument("--steps", type=int, default=1_500_000, help="to train; the learning rate falls until then")
    parser.add_argument("--minutes", type=float, default=30.0, help="of training at most; judging comes on top")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--envs", type=int, default=32)
    parser.add_argument("--episodes", type=int, default=100, help="a judgement")
    parser.add_argument("--every", type=int, default=131_072, help="steps between judgements")
    parser.add_argument("--crowd", type=int, default=0, help="people within 40 m")
    parser.add_argument("--contact", type=float, default=-0.1, help="what touching somebody is worth")
    parser.add_argument("--cities", type=int, help="training cities, else as many as the observation has by default")
    parser.add_argument("--resume", action="store_true", help="go on from policy.zip in --out")
    parser.add_argument("--ray", action="store_true", help="train with RLlib")
    parser.add_argument("--runners", type=int, default=2, help="with --ray")
    parser.add_argument("--iterations", type=int, default=100, help="with --ray")
    chosen = parser.parse_args()
    settings = {**BOTH, **(RAYS if chosen.observe == "rays" else DEPTH), "crowd": chosen.crowd}
    settings["rewards"] = {**BOTH["rewards"], "contact": chosen.contact}
    if chosen.cities is not None:
        settings["city_seeds"] = chosen.cities
    if chosen.ray:
        train_with_ray(chosen.out, chosen.runners, chosen.iterations, settings)
    else:
        train(chosen.out, settings, chosen)


if __name__ == "__main__":
    main()
