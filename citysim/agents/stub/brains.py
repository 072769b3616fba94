"""Brains of the stub: scripted, malformed, slow, limited and dying ones."""

import json
import threading
from collections.abc import Iterable
from typing import Any

from citysim.agents.stub.server import Brain, Reply


def called(action: dict[str, Any], reason: str = "as scripted") -> Reply:
    """A reply that takes an action (or gives `{"answer": "B"}`) by a tool call."""
    given = {"reason": reason} | {key: value for key, value in action.items() if key != "action"}
    function = {"name": action.get("action", "answer"), "arguments": json.dumps(given)}
    call = {"id": "call_stub", "type": "function", "function": function}
    return Reply({"role": "assistant", "content": None, "tool_calls": [call]})


def spoken(text: str) -> Reply:
    """A reply in words."""
    return Reply({"role": "assistant", "content": text})


def as_asked(request: dict[str, Any], action: dict[str, Any], reason: str = "as scripted") -> Reply:
    """The action as a tool call where the request has tools, else as a JSON object."""
    if request.get("tools"):
        return called(action, reason)
    if "answer" in action and "action" not in action:
        return spoken(json.dumps({"observation": "-", "reason": reason, **action}))
    return spoken(json.dumps({"observation": "-", "reason": reason, "action": action}))


def scripted(actions: Iterable[dict[str, Any] | Reply]) -> Brain:
    """One after the other, whoever asks; the last one again and again."""
    left, lock = list(actions), threading.Lock()

    def brain(request: dict[str, Any]) -> Reply:
        with lock:
            found = left.pop(0) if len(left) > 1 else left[0]
        return found if isinstance(found, Reply) else as_asked(request, found)

    return brain


def malformed() -> Brain:
    """Everything that is no action, in turns: prose, half an object, a wrong tool, a wrong kind, nothing."""
    return _in_turns([
        spoken("I would rather walk on."),
        spoken('{"action": "move", "dir": '),
        called({"action": "fly"}),
        spoken("[1, 2, 3]"),
        Reply({"role": "assistant", "content": None}),
        Reply({"role": "assistant", "content": None, "tool_calls": [{"function": {"name": 7, "arguments": "{"}}]}),
        Reply(),
    ])  # fmt: skip


def slow(brain: Brain, seconds: float) -> Brain:
    """The same, later."""

    def late(request: dict[str, Any]) -> Reply:
        reply = brain(request)
        return Reply(reply.message, reply.status, reply.headers, seconds, reply.dead, reply.text)

    return late


def limited(brain: Brain, refusals: int, retry_after: str = "0", status: int = 429) -> Brain:
    """Refuses so many requests with a rate limit, then behaves."""
    return _after([Reply(status=status, headers={"Retry-After": retry_after})] * refusals, brain)


def dying(brain: Brain, answers: int) -> Brain:
    """Dies after so many answers: every later connection is closed without a word."""
    lock, count = threading.Lock(), [0]

    def mortal(request: dict[str, Any]) -> Reply:
        with lock:
            count[0] += 1
            alive = count[0] <= answers
        return brain(request) if alive else Reply(dead=True)

    return mortal


def _after(first: list[Reply], brain: Brain) -> Brain:
    left, lock = list(first), threading.Lock()

    def then(request: dict[str, Any]) -> Reply:
        with lock:
            reply = left.pop(0) if left else None
        return reply if reply is not None else brain(request)

    return then


def _in_turns(replies: list[Reply]) -> Brain:
    count, lock = [0], threading.Lock()

    def brain(request: dict[str, Any]) -> Reply:
        with lock:
            reply = replies[count[0] % len(replies)]
            count[0] += 1
        return reply

    return brain
