"""Agents by name, or by `module:factory`."""

import importlib
from collections.abc import Callable

from citysim.agents.base import Agent
from citysim.agents.baselines import ForwardAgent, GreedyAgent, RandomAgent
from citysim.agents.oracle import OracleAgent
from citysim.errors import InputError, UnknownNameError

AGENTS: dict[str, tuple[Callable[[], Agent], str]] = {
    "random": (RandomAgent, "uniform over the actions, never stops by itself"),
    "forward": (ForwardAgent, "walks straight ahead"),
    "greedy": (GreedyAgent, "privileged: runs straight at the goal, without a map"),
    "oracle": (OracleAgent, "privileged: follows the shortest route of the pedestrian network"),
}


def agent_names() -> dict[str, str]:
    """Name -> one line about it."""
    return {name: title for name, (_, title) in AGENTS.items()}


def make_agent(spec: str) -> Agent:
    """The agent of a name, or what `factory()` of `module:factory` returns.

    Raises UnknownNameError for an unknown name, InputError for a module or factory that cannot be had or that makes
    something else than an agent.
    """
    if spec in AGENTS:
        return AGENTS[spec][0]()
    module, colon, factory = spec.partition(":")
    if not colon or not module or not factory:
        raise UnknownNameError.of("an agent (or module:factory)", spec, AGENTS)
    try:
        agent = getattr(importlib.import_module(module), factory)()
    except (ImportError, AttributeError) as error:
        raise InputError(f"an importable module:factory as in {spec!r}", str(error), "a module on PYTHONPATH") from None
    missing = [name for name in ("spec", "begin", "act") if not hasattr(agent, name)]
    if missing:
        wanted = f"{spec!r} to make an agent with spec, begin and act"
        raise InputError(wanted, f"no {missing[0]}", "the protocol in citysim.agents.base")
    made: Agent = agent
    return made
