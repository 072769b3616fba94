"""What an agent is: it is told the instruction, then answers observations with actions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from citysim.geo.network import PedestrianNetwork
from citysim.pose import Pose
from citysim.tasks.base import Goal
from citysim.tasks.episode import Limits, Observation


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """What readers of a table must know about an agent.

    `privileged` names what it is told beyond its observations ("pose", "goal", "network"), empty for a fair agent;
    `deterministic` whether the same episode and seed give the same actions; `sees` whether it looks at the pictures
    (they are not drawn for one that does not).
    """

    name: str
    privileged: tuple[str, ...] = ()
    deterministic: bool = True
    sees: bool = True


@dataclass(frozen=True, slots=True)
class Privileged:
    """Knowledge no fair agent has: the goal, the network, and the walker's pose whenever asked.

    Goal and poses are copies; the network is the city's own, too large to copy, and only to be read.
    """

    goal: Goal
    network: PedestrianNetwork
    pose: Callable[[], Pose]


@dataclass(frozen=True, slots=True)
class AgentContext:
    """What an agent is given when an episode begins; `seed` is its own, `privileged` None unless its spec asks."""

    instruction: str
    limits: Limits
    seed: int
    privileged: Privileged | None = None


class Agent(Protocol):
    """A policy. One object plays many episodes: `begin` must forget the last one.

    Three attributes are optional: `said`, the text it gives as its reason for its latest action (kept in the step's
    record); `usage`, counters of the episode so far by name (tokens, seconds; kept in usage.jsonl); and `close()`,
    called when it has to free what it holds, after which it may be asked again.
    """

    spec: AgentSpec

    def begin(self, context: AgentContext) -> None:
        """Start an episode."""

    def act(self, observation: Observation) -> Any:
        """The next action, in any encoding of citysim.tasks.actions."""


def privileges(context: AgentContext) -> Privileged:
    """The context's privileged knowledge; raises ValueError where the runner gave none."""
    if context.privileged is None:
        raise ValueError("expected privileged knowledge, found none; try listing it in the agent's spec")
    return context.privileged
