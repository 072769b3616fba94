"""CityVectorEnv: many environments of one city in one process, their pictures drawn together."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from citysim.city import City
from citysim.envs.city_env import settings_of
from citysim.envs.places import Place, Places
from citysim.envs.rollout import Rollout
from citysim.errors import InputError, UnknownNameError
from citysim.render.base import View
from citysim.tasks.text import shown

MODES = {"next_step": AutoresetMode.NEXT_STEP, "same_step": AutoresetMode.SAME_STEP, "disabled": AutoresetMode.DISABLED}
MOST = 4096


class Steps(NamedTuple):
    """What a step of a batch gave: by environment, and for those that ended and started anew in it, their last."""

    observations: list[Any]
    rewards: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    infos: list[dict[str, Any]]
    finals: dict[int, dict[str, Any]]


class CityVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` environments as `CityEnv` makes them from the same arguments, as one batch.

    City and renderer are shared; each environment has a world of its own. Environment i of `reset(seed=s)` gives the
    bytes of `CityEnv.reset(seed=s + i)`: neither its place in the batch nor the batch's size shows.

    autoreset_mode     "next_step" (the default), "same_step" (`info["final_obs"]`, `info["final_info"]`) or "disabled"
                       (`reset(options={"reset_mask": …})`), or Gymnasium's AutoresetMode
    max_episode_steps  truncates; make_vec gives the registered one
    threads            share worlds and pictures of the batch; no result depends on it
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012 - as Gymnasium has it
    _open = False

    def __init__(
        self,
        num_envs: int = 1,
        city: City | str | Path = "mini",
        *,
        max_episode_steps: int | None = None,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        for name, value in (("num_envs", num_envs), ("threads", threads)):
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= MOST:
                raise InputError(f"{name} from 1 to {MOST}", shown(value), f"{name}=8")
        if max_episode_steps is not None and not (isinstance(max_episode_steps, int) and max_episode_steps >= 1):
            raise InputError("max_episode_steps of 1 or more, or None", shown(max_episode_steps), "500")
        if not isinstance(autoreset_mode, AutoresetMode):
            if autoreset_mode not in MODES:
                raise UnknownNameError.of("an autoreset mode", str(autoreset_mode), MODES)
            autoreset_mode = MODES[autoreset_mode]
        self.settings = settings_of(city, render_mode, settings)
        self.num_envs, self.render_mode, self._mode = int(num_envs), render_mode, autoreset_mode
        self.metadata = {
            **self.metadata, "render_fps": int(self.settings.control_hz), "autoreset_mode": autoreset_mode,
        }  # fmt: skip
        self._limit, self._threads = max_episode_steps, min(int(threads), self.num_envs)
        self._places = Places(self.settings.renderer, threads=int(threads), kept=self.settings.kept_cities)
        self._rollouts = [Rollout(self.settings, self._places) for _ in range(self.num_envs)]
        first = self._rollouts[0]
        self.single_action_space = first.actions.space
        self.single_observation_space = first.observation_space
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self._rngs: list[np.random.Generator] = [np.random.default_rng() for _ in range(self.num_envs)]
        self._steps = np.zeros(self.num_envs, dtype=np.int64)
        self._over = np.zeros(self.num_envs, dtype=np.bool_)
        self._begun = self._done_once = False
        self._pool = ThreadPoolExecutor(self._threads) if self._threads > 1 else None
        self._open = True

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start new episodes: all, or those of `options["reset_mask"]` (num_envs,) bool; the rest go on.

        Other options go to every environment that starts, as in `CityEnv.reset`.
        """
        self._check_open()
        given = dict(options) if isinstance(options, Mapping) else options
        mask = np.ones(self.num_envs, dtype=np.bool_)
        if isinstance(given, dict) and "reset_mask" in given:
            mask = _mask(given.pop("reset_mask"), self.num_envs)
        if not self._begun and not mask.all():
            raise InputError("a reset of all environments first", "a mask with False in it", "env.reset(seed=0)")
        for i, one in enumerate(_seeds(seed, self.num_envs)):
            if mask[i] and one is not None:
                self._rngs[i], _ = gymnasium.utils.seeding.np_random(one)
        chosen = np.flatnonzero(mask).tolist()
        self._start(chosen, given)
        self._begun = True
        observations = self._observed(range(self.num_envs), chosen)
        infos: dict[str, Any] = {}
        for i in chosen:
            infos = self._add_info(infos, self._rollouts[i].info(), i)
        return self.stacked(observations), infos

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """One control step of all; environments that ended are started anew as the mode says."""
        done = self.step_each(actions)
        batch: dict[str, Any] = {}
        for i, final in done.finals.items():
            batch = self._add_info(batch, final, i)
        for i, info in enumerate(done.infos):
            batch = self._add_info(batch, info, i)
        return self.stacked(done.observations), done.rewards, done.terminated, done.truncated, batch

    def step_each(self, actions: Any) -> Steps:
        """The same, with observations and infos of each environment apart: cheaper for who wants them so."""
        self._check_open()
        if not self._begun:
            raise InputError("episodes under way", "none", "env.reset()")
        listed = isinstance(actions, Sequence) or (isinstance(actions, np.ndarray) and actions.ndim > 0)
        if not listed or len(actions) != self.num_envs:
            found = f"{len(actions)}" if listed else shown(actions)
            raise InputError(f"{self.num_envs} actions", found, "env.action_space.sample()")
        if self._mode is AutoresetMode.DISABLED and self._over.any():
            ended = np.flatnonzero(self._over).tolist()
            raise InputError("episodes under way", f"ended ones in {ended}", "options={'reset_mask': ended}")
        everyone = range(self.num_envs)
        anew = np.flatnonzero(self._over).tolist() if self._mode is AutoresetMode.NEXT_STEP else []
        acting = [i for i in everyone if i not in anew]
        for i in acting:  # all are checked before any acts
            self._rollouts[i].actions.command(actions[i])
        self._each(lambda i: self._rollouts[i].act(actions[i]), acting)
        self._start(anew, None)
        rewards = np.zeros(self.num_envs)
        terminated, truncated = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        for i in acting:
            rollout = self._rollouts[i]
            self._steps[i] += 1
            rewards[i], terminated[i] = rollout.reward, rollout.terminated
            truncated[i] = rollout.truncated or (self._limit is not None and self._steps[i] >= self._limit)
        self._over = terminated | truncated
        observations = self._observed(everyone, everyone)
        finals: dict[int, dict[str, Any]] = {}
        if self._mode is AutoresetMode.SAME_STEP and self._over.any():
            ended = np.flatnonzero(self._over).tolist()
            for i in ended:
                finals[i] = {"final_obs": observations[i], "final_info": self._rollouts[i].info()}
            self._start(ended, None)
            for i, observation in zip(ended, self._observed(ended, ended), strict=True):
                observations[i] = observation
        infos = [rollout.info() for rollout in self._rollouts]
        return Steps(observations, rewards, terminated, truncated, infos, finals)

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """The views of all as (H, W, 3) uint8 arrays; None without a render mode."""
        self._check_open()
        if self.render_mode is None:
            return None
        self._draw(range(self.num_envs), look=True)
        return tuple(rollout.frame.rgb.copy() for rollout in self._rollouts if rollout.frame is not None)

    def close_extras(self, **kwargs: Any) -> None:
        """Free worlds, renderer and threads; nothing where the construction failed."""
        if not self._open:
            return
        self._open = False
        for rollout in self._rollouts:
            rollout.close()
        self._places.close()
        if self._pool is not None:
            self._pool.shutdown()

    def _start(self, chosen: Sequence[int], options: Any) -> None:
        for i in chosen:
            self._rollouts[i].begin(self._rngs[i], options)
            self._steps[i], self._over[i] = 0, False

    def _observed(self, chosen: Sequence[int], changed: Sequence[int]) -> list[Any]:
        """Observations of some, with pictures for those that changed."""
        self._draw(changed)
        return [self._rollouts[i].observe() for i in chosen]

    def _draw(self, chosen: Sequence[int], *, look: bool = False) -> None:
        """Draw what the sensors need, the pictures of one city together."""
        waiting: dict[Place, list[tuple[Rollout, View]]] = {}
        for i in chosen:
            rollout = self._rollouts[i]
            view = rollout.view(look=look)
            if view is not None:
                waiting.setdefault(rollout.place, []).append((rollout, view))
        for place, parts in waiting.items():
            renderer, views = place.renderer, [view for _, view in parts]
            batch = getattr(renderer, "render_batch", None)
            frames = batch(views) if batch is not None and len(views) > 1 else [renderer.render(v) for v in views]
            for (rollout, _), frame in zip(parts, frames, strict=True):
                rollout.show(frame)

    def _each(self, work: Any, numbers: Sequence[int]) -> None:
        if self._pool is None:
            for number in numbers:
                work(number)
        else:
            list(self._pool.map(work, numbers))

    def stacked(self, observations: list[Any]) -> Any:
        """Observations of all as one batch."""
        if isinstance(observations[0], dict):
            return {name: np.stack([one[name] for one in observations]) for name in observations[0]}
        return np.stack(observations)

    def _check_open(self) -> None:
        if not self._open:
            raise InputError("an open environment", "one that was closed", "gymnasium.make_vec again")


def _seeds(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    if seed is None:
        return [None] * count
    if isinstance(seed, int | np.integer):
        return [int(seed) + i for i in range(count)]
    if len(seed) != count:
        raise InputError(f"one seed or {count}", f"{len(seed)}", f"seed={list(range(min(count, 4)))}")
    return list(seed)


def _mask(mask: Any, count: int) -> NDArray[np.bool_]:
    if not (isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (count,) and mask.any()):
        raise InputError(
            f"a reset_mask of {count} bools, one or more of them True", shown(mask), "terminated | truncated"
        )
    return mask
