"""Agents that tests of runs load by module:factory, also in worker processes."""

import os
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
