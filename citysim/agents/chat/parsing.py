"""What a model answered: the one action in it, its words, and what is wrong with it if it cannot be used."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citysim.errors import InputError
from citysim.tasks.actions import parse_action
from citysim.tasks.answers import parse_answer
from citysim.tasks.text import encodable


@dataclass(frozen=True, slots=True)
class Choice:
    """`action` for the episode, `said` (observation and reason), `wrong` ("" for a usable one), `message` to remember.

    `call_id` is that of the tool call, "" where it answered in text.
    """

    action: Any
    said: str
    wrong: str
    message: dict[str, Any]
    call_id: str = ""


def choice_of(answer: Mapping[str, Any], mode: str) -> Choice:
    """Read an answer of the endpoint; never raises. `mode` is the observation's."""
    message = _message(answer)
    content = _text(message.get("content"))
    calls = message.get("tool_calls")
    if isinstance(calls, list) and calls and isinstance(calls[0], Mapping):
        return _called(calls, content, mode)
    value: Any = first_object(content)
    if value is None and mode == "answer" and parse_answer(content) is not None:
        value = {"answer": content.strip()}
    remembered = {"role": "assistant", "content": content or "(nothing)"}
    if value is None:
        return Choice(encodable(content[:200]), content, "no JSON object and no tool call in it", remembered)
    action, said = _parts(value)
    return Choice(action, said or content, _wrong(action, mode), remembered)


def first_object(text: str) -> dict[str, Any] | None:
    """The first whole JSON object in a text, in a fence or among words; None where there is none."""
    decoder, at = json.JSONDecoder(), text.find("{")
    while at >= 0:
        try:
            value, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        at = text.find("{", at + 1) if at < 20000 else -1
    return None


def _called(calls: list[Any], content: str, mode: str) -> Choice:
    call = calls[0]
    function = call.get("function")
    function = function if isinstance(function, Mapping) else {}
    name, text = _text(function.get("name")), _text(function.get("arguments"))
    call_id = _text(call.get("id")) or "call_1"
    try:
        given = json.loads(text or "{}")
    except (ValueError, RecursionError):
        given = None
    sound = text if isinstance(given, dict) and text else "{}"  # endpoints refuse a history of broken arguments
    kept = {"id": call_id, "type": "function", "function": {"name": name or "none", "arguments": sound}}
    message = {"role": "assistant", "content": content or None, "tool_calls": [kept]}
    if not isinstance(given, dict):
        wrong = "arguments that are no JSON object"
        return Choice({"action": name, "arguments": encodable(text[:200])}, content, wrong, message, call_id)
    reason = _text(given.pop("reason", ""))
    action = {"answer": given.get("answer")} if name == "answer" else {"action": name, **given}
    said = "\n".join(part for part in (content, reason) if part)
    return Choice(action, said, _wrong(action, mode), message, call_id)


def _parts(value: dict[str, Any]) -> tuple[Any, str]:
    """(action, words) of `{"observation", "reason", "action": {…}}`, `{"answer": "B"}` or an action itself."""
    said = "\n".join(_text(value[key]) for key in ("observation", "reason") if value.get(key))
    rest = {key: part for key, part in value.items() if key not in ("observation", "reason")}
    inner = rest.get("action")
    if isinstance(inner, Mapping) and len(rest) == 1:
        return dict(inner), said
    return rest, said


def _wrong(action: Any, mode: str) -> str:
    if mode == "answer":
        return "" if parse_answer(action) is not None else "no answer A, B, C or D in it"
    try:
        parse_action(action, mode)
    except InputError as error:
        return encodable(str(error))
    return ""


def _message(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = answer.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, Mapping) else None
    return message if isinstance(message, Mapping) else {}


def _text(value: Any) -> str:
    """Text of a content that may be a string, parts, or nothing."""
    if isinstance(value, str):
        return encodable(value)
    if isinstance(value, list):
        return "".join(_text(part.get("text")) for part in value if isinstance(part, Mapping))
    if isinstance(value, Mapping):
        return encodable(json.dumps(value))
    return ""
