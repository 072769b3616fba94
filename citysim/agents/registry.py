"""Agents by name, or by `module:factory`."""

import importlib
from collections.abc import Callable

from citysim.agents.base import Agent, AgentSpec
from citysim.agents.baselines import ForwardAgent, GreedyAgent, RandomAgent
from citysim.agents.oracle import OracleAgent
from citysim.errors import InputError, UnknownNameError
from citysim.tasks.text import encodable, shown, told

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

    Raises UnknownNameError for an unknown name, InputError for a module or factory that cannot be had, whatever it
    raises (SystemExit too; Ctrl-C passes), or that makes something else than an agent.
    """
    if spec in AGENTS:
        return AGENTS[spec][0]()
    module, colon, factory = spec.partition(":")
    if not colon or not module or not factory:
        raise UnknownNameError.of("an agent (or module:factory)", spec, AGENTS)
    try:
        agent = getattr(importlib.import_module(module), factory)()
        parts = {name: getattr(agent, name, None) for name in ("spec", "begin", "act")}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's code: sys.exit at import must not end us as if all were well
        advice = "a module on PYTHONPATH with a factory that takes no arguments"
        raise InputError(f"an importable module:factory as in {spec!r}", told(error), advice) from None
    missing = [name for name, part in parts.items() if part is None]
    if missing:
        wanted = f"{spec!r} to make an agent with spec, begin and act"
        raise InputError(wanted, f"no {missing[0]}", "the protocol in citysim.agents.base")
    _check_spec(spec, parts["spec"])
    made: Agent = agent
    return made


def _check_spec(spec: str, given: object) -> None:
    """Refuse what tables and manifests could not show."""
    advice = 'spec = AgentSpec("my-agent")'
    if not isinstance(given, AgentSpec):
        raise InputError(f"{spec!r} to make an agent whose spec is an AgentSpec", f"a {type(given).__name__}", advice)
    named = isinstance(given.name, str) and given.name.strip() and encodable(given.name) == given.name
    if not named:
        raise InputError(f"{spec!r} to make an agent with a name", shown(given.name), advice)
    told_of = given.privileged
    if not (isinstance(told_of, tuple) and all(isinstance(p, str) and encodable(p) == p for p in told_of)):
        raise InputError(f"{spec!r} to make an agent with a tuple of texts as privileged", shown(told_of), advice)
