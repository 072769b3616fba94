"""Agents that tests of runs load by module:factory, also in worker processes."""

import os
import sys
from typing import Any

from citysim.agents.base import AgentContext, AgentSpec
from citysim.tasks.episode import Observation

DEADLY = "Shop 11"


class Clumsy:
    """Raises on one goal and walks on all others."""

    spec = AgentSpec("clumsy", sees=False)

    def begin(self, context: AgentContext) -> None:
        self.fails = DEADLY in context.instruction

    def act(self, observation: Observation) -> Any:
        if self.fails and observation.step == 2:
            raise RuntimeError("the model server is down")
        return {"move": {"dir": "forward", "seconds": 2}} if observation.step < 5 else {"terminate": {}}


class Mortal(Clumsy):
    """Takes its worker process with it on one goal."""

    spec = AgentSpec("mortal", sees=False)

    def act(self, observation: Observation) -> Any:
        if self.fails:
            os._exit(9)
        return {"terminate": {}}


class Wrecker(Clumsy):
    """Walks on, but takes its worker process with it on one goal."""

    spec = AgentSpec("wrecker", sees=False)

    def act(self, observation: Observation) -> Any:
        if self.fails and observation.step == 2:
            os._exit(9)
        return {"move": {"dir": "forward", "seconds": 2}} if observation.step < 5 else {"terminate": {}}


class Interrupted(Clumsy):
    """Ctrl-C on one goal, as long as the file named by the environment does not exist."""

    spec = AgentSpec("interrupted", sees=False)

    def act(self, observation: Observation) -> Any:
        if self.fails and not os.path.exists(os.environ["TEST_CALM"]):
            raise KeyboardInterrupt
        return {"sprint": {"dir": "forward"}} if observation.step < 3 else {"terminate": {}}


class Watcher(Clumsy):
    """Looks at its pictures and stops after two turns."""

    spec = AgentSpec("watcher")

    def act(self, observation: Observation) -> Any:
        assert observation.rgb is not None
        self.shape = observation.rgb.shape
        return {"look": {"yaw": 90}} if observation.step < 2 else {"terminate": {}}


class Quitter(Clumsy):
    """Calls sys.exit(0) in act on one goal, which must not look like a good end."""

    spec = AgentSpec("quitter", sees=False)

    def act(self, observation: Observation) -> Any:
        if self.fails:
            sys.exit(0)
        return {"terminate": {}}


class Mumbler(Clumsy):
    """Says what no file can hold, and changes what it said afterwards."""

    spec = AgentSpec("mumbler", sees=False)
    kept: dict[str, Any]

    def act(self, observation: Observation) -> Any:
        if self.fails:
            raise ValueError("\ud800\udfff")
        said: list[dict[str, Any]] = [
            {"action": "\ud800\udfff"}, {"move": {"dir": "\udfff"}}, {"look": {"yaw": 5, "\ud800": 1}},
            {"look": {"yaw": 10**5000}}, {"look": {"yaw": float("nan")}}, {"x": [], "y": 1},
        ]  # fmt: skip
        if observation.step == len(said):
            self.kept["x"].append({1, 2})
            return {"terminate": {}}
        self.kept = said[observation.step]
        return self.kept


class Meddler(Clumsy):
    """Tries to move the goal and the budget, and walks off with the working directory."""

    spec = AgentSpec("meddler", privileged=("pose", "goal"), sees=False)

    def begin(self, context: AgentContext) -> None:
        assert context.privileged is not None
        goal, pose = context.privileged.goal, context.privileged.pose()
        object.__setattr__(context.limits, "actions", 3)
        object.__setattr__(goal, "radius_m", 1e9)
        object.__setattr__(goal.start, "east", 0.0)
        object.__setattr__(goal, "position", goal.start.position)
        object.__setattr__(pose, "east", 1e6)
        object.__setattr__(self.spec, "name", "\ud800")
        os.chdir(os.environ["TEST_ELSEWHERE"])

    def act(self, observation: Observation) -> Any:
        return {"look": {"yaw": 5}} if observation.step < 6 else {"terminate": {}}


def leave() -> None:
    """A factory that ends the process."""
    sys.exit(0)


def demanding(model: str) -> Clumsy:
    """A factory that needs an argument."""
    return Clumsy()


def interrupted() -> None:
    """A factory during which Ctrl-C is pressed."""
    raise KeyboardInterrupt


class Nameless(Clumsy):
    spec = AgentSpec(" ")


class Unspeakable(Clumsy):
    spec = AgentSpec("\ud800\udfff")


class Loose(Clumsy):
    spec = "loose"  # type: ignore[assignment]


class Listed(Clumsy):
    spec = AgentSpec("listed", privileged=["pose"])  # type: ignore[arg-type]


class Speechless(Clumsy):
    act = None  # type: ignore[assignment]


number = 5
