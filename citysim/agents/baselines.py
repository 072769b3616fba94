"""The agents every table starts with: random, forward and greedy."""

import math
from typing import Any

import numpy as np

from citysim.agents.base import AgentContext, AgentSpec, Privileged, privileges
from citysim.pose import wrap_angle
from citysim.tasks.actions import DIRECTIONS, MAX_S, MIN_S, SPRINT_M_S
from citysim.tasks.episode import Observation
from citysim.tasks.parts import LETTERS
from citysim.tasks.seeds import child_rng


class RandomAgent:
    """Uniform over move, sprint, look and jump and over their parameters, from the episode's seed.

    It never terminates by itself: that way chance gets the whole budget, and the random row of a table is an upper
    estimate of luck, not one spoilt by stopping early.
    """

    spec = AgentSpec("random", sees=False)

    def begin(self, context: AgentContext) -> None:
        """Seed the generator."""
        self._rng = child_rng(context.seed, "random")

    def act(self, observation: Observation) -> dict[str, Any]:
        """Draw an action, or a letter where an answer is asked for."""
        rng = self._rng
        if observation.mode == "answer":
            return {"answer": LETTERS[int(rng.integers(len(LETTERS)))]}
        name = ("move", "sprint", "look", "jump")[int(rng.integers(4))]
        if name == "jump":
            return {"action": "jump"}
        if name == "look":
            return {"action": "look", "yaw": _uniform(rng, 180.0), "pitch": _uniform(rng, 90.0)}
        return {
            "action": name,
            "dir": tuple(DIRECTIONS)[int(rng.integers(len(DIRECTIONS)))],
            "seconds": round(float(rng.uniform(MIN_S, MAX_S)), 3),
            "yaw_rate": _uniform(rng, 180.0),
        }


class ForwardAgent:
    """Walks straight ahead for two seconds, again and again."""

    spec = AgentSpec("forward", sees=False)

    def begin(self, context: AgentContext) -> None:
        """Nothing to prepare."""

    def act(self, observation: Observation) -> dict[str, Any]:
        """Ahead."""
        return {"action": "move", "dir": "forward", "seconds": MAX_S}


class GreedyAgent:
    """Turns towards the goal and runs straight at it, knowing its own pose and the goal's, but no map.

    What stands in between stops it: the gap between greedy and oracle is what way-finding is worth.
    """

    spec = AgentSpec("greedy", privileged=("pose", "goal"), sees=False)

    def begin(self, context: AgentContext) -> None:
        """Take the privileged knowledge."""
        self._known: Privileged = privileges(context)

    def act(self, observation: Observation) -> dict[str, Any]:
        """Turn when more than 10 degrees off, else sprint as far as the goal."""
        pose, (east, north, _) = self._known.pose(), self._known.goal.position
        off = wrap_angle(math.atan2(north - pose.north, east - pose.east) - pose.yaw)
        if abs(off) > math.radians(10.0):
            return {"action": "look", "yaw": round(-math.degrees(off), 3)}
        distance = math.hypot(east - pose.east, north - pose.north)
        seconds = min(MAX_S, max(MIN_S, distance / SPRINT_M_S))
        return {"action": "sprint", "dir": "forward", "seconds": round(seconds, 3)}


def _uniform(rng: np.random.Generator, bound: float) -> float:
    return round(float(rng.uniform(-bound, bound)), 3)
