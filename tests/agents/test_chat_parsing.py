"""What models answer is read kindly, and what cannot be used is said."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.agents.chat.parsing import choice_of, first_object
from citysim.agents.chat.tools import PARAMETERS, names_in, tools_in
from citysim.tasks.actions import parse_action

WALK = {"action": "move", "dir": "forward", "seconds": 2}


def said(content: Any, calls: Any = None) -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {"choices": [{"message": message | ({"tool_calls": calls} if calls is not None else {})}]}


def call(name: Any, arguments: Any) -> dict[str, Any]:
    return {"id": "call_9", "type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize(
    "content",
    [
        json.dumps({"observation": "a street", "reason": "go on", "action": WALK}),
        "Let me think {hm}.\n```json\n" + json.dumps({"reason": "go on", "action": WALK}) + "\n```\nDone.",
        [{"type": "text", "text": json.dumps(WALK | {"reason": "go on"})}],
    ],
)
def test_actions_in_words(content: Any) -> None:
    choice = choice_of(said(content), "first_person")
    assert choice.wrong == ""
    assert parse_action(choice.action)[0].to_json() == {"action": "move", "dir": "forward", "seconds": 2.0}
    assert "go on" in choice.said


def test_actions_as_calls() -> None:
    choice = choice_of(said("A crossing.", [call("look", '{"reason": "left?", "yaw": -90}')]), "first_person")
    assert (choice.action, choice.wrong, choice.call_id) == ({"action": "look", "yaw": -90}, "", "call_9")
    assert choice.said == "A crossing.\nleft?"
    broken = choice_of(said(None, [call("look", '{"yaw": ')]), "first_person")
    assert "no JSON object" in broken.wrong
    assert broken.message["tool_calls"][0]["function"]["arguments"] == "{}"


def test_answers() -> None:
    for content in ('{"answer": "b"}', "B", "option B.", 'I think {"reason": "seen", "answer": "B"}'):
        choice = choice_of(said(content), "answer")
        assert choice.wrong == "", content
    assert choice_of(said(None, [call("answer", '{"reason": "r", "answer": "D"}')]), "answer").action == {"answer": "D"}
    assert "A, B, C or D" in choice_of(said('{"answer": "E"}'), "answer").wrong


@pytest.mark.parametrize(
    ("answer", "mode", "told"),
    [
        (said("I walk on"), "first_person", "no JSON object"),
        (said(""), "answer", "no JSON object"),
        (said(json.dumps({"action": "fly"})), "first_person", "'fly'"),
        (said(None, [call("map_zoom", '{"factor": 2}')]), "first_person", "open_map first"),
        ({"choices": []}, "first_person", "no JSON object"),
        ({"choices": [{"message": {"tool_calls": [{"function": {"name": 7, "arguments": "{"}}]}}]}, "map", "JSON"),
    ],
)
def test_what_is_wrong_is_said(answer: dict[str, Any], mode: str, told: str) -> None:
    assert told in choice_of(answer, mode).wrong


def test_tools_are_those_of_the_mode_and_their_ranges_are_accepted() -> None:
    assert names_in("answer") == ("answer",)
    assert "open_map" in names_in("first_person")
    assert "open_map" not in names_in("map")
    for mode in ("first_person", "map"):
        for tool in tools_in(mode):
            schema = tool["function"]["parameters"]["properties"]
            for end in ("minimum", "maximum"):
                given = {key: part.get(end, part.get("enum", [None])[0]) for key, part in schema.items()}
                given.pop("reason")
                _, notices = parse_action({"action": tool["function"]["name"], **given}, mode)
                assert notices == ()
    assert set(PARAMETERS) == {*names_in("first_person"), *names_in("map"), "answer"}


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), lambda x: st.lists(x) | st.dictionaries(
    st.sampled_from(["choices", "message", "content", "tool_calls", "function", "arguments", "name", "action", "id"]), x
), max_leaves=12))  # fmt: skip
def test_nothing_that_an_endpoint_answers_raises(value: Any) -> None:
    for answer in ({"choices": [{"message": value}]}, {"choices": value}, said(value), said(None, value)):
        for mode in ("first_person", "map", "answer"):
            choice_of(answer, mode)


def test_deep_nesting_is_no_object() -> None:
    assert first_object('{"a":' * 3000) is None
