"""stable-baselines3's VecEnv over a CityVectorEnv: SB3 has an interface of its own and does not take `make_vec`."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from citysim.envs.vector_env import CityVectorEnv
from citysim.errors import DependencyError, InputError

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise DependencyError("stable-baselines3", f"{error}", "pip install 'citysim[rl]'") from None


class CitySb3VecEnv(VecEnv):
    """`num_envs` environments for SB3; arguments as CityVectorEnv has them, the autoreset mode excepted.

    Ended episodes start anew in the same step; `infos[i]["terminal_observation"]` is the last one's, and
    `infos[i]["TimeLimit.truncated"]` says whether it was cut off, as SB3's algorithms read them.
    """

    def __init__(self, num_envs: int = 1, *, max_episode_steps: int = 2000, **settings: Any) -> None:
        if "autoreset_mode" in settings:
            raise InputError("no autoreset_mode: SB3 has one of its own", "one", "CityVectorEnv")
        self.envs = CityVectorEnv(num_envs, max_episode_steps=max_episode_steps, autoreset_mode="same_step", **settings)
        self.render_mode = self.envs.render_mode
        super().__init__(self.envs.num_envs, self.envs.single_observation_space, self.envs.single_action_space)
        self._actions: Any = None

    def reset(self) -> Any:
        """Start all episodes, with the seeds of `seed()` if it was called."""
        seeds: list[int | None] = list(self._seeds)
        self._reset_seeds()
        return self.envs.reset(seed=seeds)[0]

    def step_async(self, actions: Any) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        """One step of all."""
        done = self.envs.step_each(self._actions)
        for i, final in done.finals.items():
            done.infos[i] = final["final_info"] | {
                "terminal_observation": final["final_obs"],
                "TimeLimit.truncated": bool(done.truncated[i] and not done.terminated[i]),
            }
        rewards, ended = done.rewards.astype(np.float32), done.terminated | done.truncated
        return self.envs.stacked(done.observations), rewards, ended, done.infos

    def close(self) -> None:
        """Free everything."""
        self.envs.close()

    def get_images(self) -> Sequence[Any]:
        """The views of all, where there is a render mode."""
        return list(self.envs.render() or ())

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the batch, once for each index; `envs` has them all."""
        return [getattr(self.envs, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Refused: environments of a batch share what they are made of. Raises InputError."""
        raise InputError("arguments at construction", f"set_attr({attr_name!r})", "a new CitySb3VecEnv")

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Refused: environments of a batch have no methods of their own. Raises InputError."""
        raise InputError("a method of the batch", f"env_method({method_name!r})", "vec_env.envs")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Nothing is wrapped."""
        return [False for _ in self._get_indices(indices)]
