"""CityParallelEnv: several agents in one city as a PettingZoo parallel environment, who see and stop each other."""

from typing import Any

import numpy as np
from gymnasium.utils import seeding

from citysim.envs.city_env import settings_of
from citysim.envs.places import Places
from citysim.envs.rollout import Rollout
from citysim.errors import DependencyError, InputError
from citysim.living.scene import PEOPLE_LABELS
from citysim.physics.config import WalkerConfig
from citysim.pose import Pose
from citysim.render.base import Bodies

try:
    from pettingzoo import ParallelEnv
except ImportError as error:
    raise DependencyError("PettingZoo", f"{error}", "pip install 'citysim[multi]'") from None

MOST = 64
FAR = 1 << 20  # numbers of agents as people, after any crowd's
AGE = 30.0
APART_M = 1.0


class CityParallelEnv(ParallelEnv):
    """`agents` walkers named agent_0, agent_1, …, each with a goal of its own; arguments as CityEnv has them.

    All start in one city within the same episode. In a step they move one after the other, agent_0 first, each for the
    whole control step, while the others stand where they are; then all look. An agent that arrives leaves the street.
    There is no crowd besides them; `info["cost"]` counts touches of other agents by the one who moved.
    """

    metadata = {"render_modes": [], "name": "citysim_parallel_v0", "is_parallelizable": True}  # noqa: RUF012

    def __init__(self, agents: int = 2, city: Any = "mini", *, max_episode_steps: int = 2000, **settings: Any) -> None:
        if isinstance(agents, bool) or not isinstance(agents, int) or not 1 <= agents <= MOST:
            raise InputError(f"1 to {MOST} agents", repr(agents), "agents=2")
        if settings.get("crowd"):
            raise InputError("no crowd besides the agents", repr(settings["crowd"]), "CityEnv for one agent in a crowd")
        self.settings, self._limit = settings_of(city, None, settings), max_episode_steps
        if len(self.settings.places) > 1:
            raise InputError("one city for all agents", f"{len(self.settings.places)}", "city='mini'")
        self.render_mode = None
        self._places = Places(self.settings.renderer)
        self.possible_agents = [f"agent_{i}" for i in range(agents)]
        self.agents: list[str] = []
        self._rollouts = {name: Rollout(self.settings, self._places) for name in self.possible_agents}
        first = self._rollouts[self.possible_agents[0]]
        self.observation_spaces = dict.fromkeys(self.possible_agents, first.observation_space)
        self.action_spaces = dict.fromkeys(self.possible_agents, first.actions.space)
        self._rng, self._steps, self._open = np.random.default_rng(), 0, True
        config = WalkerConfig()
        self._size = (config.radius, config.height)

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Any]:
        """Start an episode of all; nobody starts within a metre of another, unless 20 draws were in vain.

        `options` may have `conditions`; PettingZoo's rule is to ignore what one does not know.
        """
        self._check_open()
        if seed is not None:
            self._rng = seeding.np_random(seed)[0]
        self.agents, self._steps = list(self.possible_agents), 0
        given = {"conditions": options["conditions"]} if options and "conditions" in options else None
        taken: list[Pose] = []
        for name in self.agents:
            for _ in range(20):
                self._rollouts[name].begin(self._rng, given)
                pose = self._rollouts[name].world.pose
                if all(float(np.hypot(pose.east - t.east, pose.north - t.north)) > APART_M for t in taken):
                    break
            taken.append(pose)
        return self._look(), {name: self._rollouts[name].info() for name in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[Any, Any, Any, Any, Any]:
        """One control step of all agents that are still there."""
        self._check_open()
        if not self.agents or set(actions) != set(self.agents):
            raise InputError(
                f"an action for each of {self.agents or 'nobody: reset first'}", f"{sorted(actions)}", "env.agents"
            )
        acting, self._steps = list(self.agents), self._steps + 1
        for name in acting:  # all are checked before any acts
            self._rollouts[name].actions.command(actions[name])
        for name in acting:
            self._rollouts[name].world.bystanders = self._others(name, acting)
            self._rollouts[name].act(actions[name])
        rolls = {name: self._rollouts[name] for name in acting}
        observations = self._look()
        ended = {name: roll.terminated for name, roll in rolls.items()}
        cut = {name: roll.truncated or self._steps >= self._limit for name, roll in rolls.items()}
        self.agents = [name for name in acting if not (ended[name] or cut[name])]
        rewards, infos = {n: r.reward for n, r in rolls.items()}, {n: r.info() for n, r in rolls.items()}
        return observations, rewards, ended, cut, infos

    def close(self) -> None:
        """Free everything; calling it twice is fine."""
        self._open = False
        for rollout in self._rollouts.values():
            rollout.close()
        self._places.close()

    def _others(self, name: str, present: list[str]) -> Any:
        poses = [self._rollouts[other].world.pose for other in present if other != name]
        return np.array([(p.east, p.north, p.up, *self._size) for p in poses]).reshape(-1, 5)

    def _look(self) -> dict[str, Any]:
        """What all who are there see, when all have moved."""
        seen = {}
        for name in self.agents:
            rollout = self._rollouts[name]
            rollout.world.bystanders = self._others(name, self.agents)
            rollout.draw(bodies=self._figures(name))
            seen[name] = rollout.observe()
        return seen

    def _figures(self, name: str) -> Bodies | None:
        from citysim.render.avatar import people_bodies

        others = [(self.possible_agents.index(o), self._rollouts[o].world.pose) for o in self.agents if o != name]
        if not others:
            return None
        places = np.array([pose.position for _, pose in others])
        yaws = np.array([pose.yaw for _, pose in others])
        zeros, ids = np.zeros(len(others)), np.array([number for number, _ in others], dtype=np.int64) + FAR
        return people_bodies(places, yaws, zeros, zeros, ids, zeros + AGE, label_base=PEOPLE_LABELS)

    def _check_open(self) -> None:
        if not self._open:
            raise InputError("an open environment", "one that was closed", "a new CityParallelEnv")
