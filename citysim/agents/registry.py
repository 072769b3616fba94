"""Agents by name, or by `module:factory`."""

import importlib
from collections.abc import Callable

from citysim.agents.base import Agent, AgentSpec
from citysim.agents.baselines import ForwardAgent, GreedyAgent, RandomAgent
from citysim.agents.chat.agent import ChatAgent
from citysim.agents.options import AgentOptions
from citysim.agents.oracle import OracleAgent
from citysim.agents.reader import ReaderAgent
from citysim.errors import InputError, UnknownNameError
from citysim.tasks.text import encodable, shown, told

AGENTS: dict[str, tuple[Callable[[], Agent], str]] = {
    "random": (RandomAgent, "uniform over the actions, never stops by itself"),
    "forward": (ForwardAgent, "walks straight ahead"),
    "greedy": (GreedyAgent, "privileged: runs straight at the goal, without a map"),
    "oracle": (OracleAgent, "privileged: follows the shortest route of the pedestrian network"),
    "reader": (ReaderAgent, "reads signs by OCR to answer questions (extra ocr), walks at random"),
}


def agent_names() -> dict[str, str]:
    """Name -> one line about it."""
    return {name: title for name, (_, title) in AGENTS.items()}


def make_agent(spec: str, options: AgentOptions | None = None) -> Agent:
    """The agent of a name, a model for `chat:MODEL`, or what `factory()` of `module:factory` returns.

    `options` say how a model is talked to. Raises UnknownNameError for an unknown name, InputError for a model that
    cannot be asked (no key), for `human`, and for a module or factory that cannot be had, whatever it raises
    (SystemExit too; Ctrl-C passes), or that makes something else than an agent.
    """
    if spec in AGENTS:
        return AGENTS[spec][0]()
    module, colon, factory = spec.partition(":")
    if module == "human":
        raise InputError("an agent that plays by itself", repr(spec), "citysim play, where a person plays in a browser")
    if module == "chat" and colon and not factory:
        raise InputError("the name of a model in chat:MODEL", repr(spec), "--agent chat:gpt-4o-mini")
    if not colon or not module or not factory:
        advised = "an agent (or chat:MODEL, module:factory)"
        raise UnknownNameError.of(advised, spec, AGENTS)
    if module == "chat":
        return ChatAgent(factory, options or AgentOptions())
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
