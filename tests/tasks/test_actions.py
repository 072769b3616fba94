"""Structured actions: ranges, encodings, refusals."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.errors import InputError
from citysim.tasks.actions import DIRECTIONS, MAX_S, MIN_S, STEP_S, Action, parse_action
from citysim.tasks.motion import command_of


@pytest.mark.parametrize(
    "value",
    [
        {"action": "move", "dir": "left", "seconds": 1.0, "yaw_rate": 30},
        {"type": "move", "dir": "left", "seconds": 1.0, "yaw_rate": 30},
        {"move": {"dir": "left", "seconds": 1.0, "yaw_rate": 30}},
    ],
)
def test_three_encodings_mean_the_same(value: Any) -> None:
    assert parse_action(value) == (Action("move", 60, "left", 30.0), ())


@pytest.mark.parametrize("value", [{"jump": None}, {"jump": {}}, {"action": "jump"}])
def test_actions_without_parameters(value: Any) -> None:
    assert parse_action(value)[0].name == "jump"


def test_defaults() -> None:
    action, notices = parse_action({"action": "sprint", "dir": "forward"})
    assert (action.seconds, action.yaw_rate_deg_s, action.jump_step) == (0.5, 0.0, None)
    assert notices == ()


@pytest.mark.parametrize(
    ("given_s", "steps"), [(0.01, 3), (0.05, 3), (0.5, 30), (0.508, 30), (0.51, 31), (2.0, 120), (99.0, 120)]
)
def test_durations_are_whole_steps_within_limits(given_s: float, steps: int) -> None:
    action, notices = parse_action({"action": "move", "dir": "forward", "seconds": given_s})
    assert action.steps == steps
    assert bool(notices) == (not MIN_S <= given_s <= MAX_S)


def test_numbers_out_of_range_are_clamped_with_a_notice() -> None:
    action, notices = parse_action({"action": "look", "yaw": 270, "pitch": -100, "zoom": 3})
    assert (action.yaw_deg, action.pitch_deg) == (180.0, -90.0)
    assert len(notices) == 3
    assert "'zoom' is no parameter of look" in notices[0]
    assert "yaw 270 is outside -180 to 180: 180 was used" in notices[1]


def test_jump_at_stays_within_the_action() -> None:
    action, _ = parse_action({"action": "sprint", "dir": "forward", "seconds": 1.0, "jump": True, "jump_at": 5})
    assert action.jump_step == 59
    assert command_of(action).jump_after_s == pytest.approx(59 * STEP_S)
    assert parse_action({"action": "move", "dir": "forward", "jump": False, "jump_at": 0.1})[0].jump_step is None


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("move", "an action as an object"),
        (None, "an action as an object"),
        ({}, "one action under 'action'"),
        ({"dir": "forward", "seconds": 1}, "one action under 'action'"),
        ({"action": "teleport", "lat": 1}, "an action among"),
        ({"action": 3}, "an action's name"),
        ({"action": "move"}, "no 'dir'"),
        ({"action": "move", "dir": "up"}, "'up'"),
        ({"action": "move", "dir": ["forward"]}, "'dir' of move"),
        ({"action": "move", "dir": "forward", "seconds": "2"}, "a finite number for 'seconds'"),
        ({"action": "move", "dir": "forward", "seconds": True}, "a finite number for 'seconds'"),
        ({"action": "look", "yaw": math.nan}, "a finite number for 'yaw'"),
        ({"action": "look", "yaw": math.inf}, "a finite number for 'yaw'"),
        ({"action": "move", "dir": "forward", "jump": "yes"}, "true or false for 'jump'"),
        ({"move": {"dir": "forward"}, "look": {}}, "one action"),
        ({"move": 3}, "one action"),
    ],
)
def test_refusals_say_what_was_wrong(value: Any, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_action(value)
    assert told in str(caught.value)
    assert "try " in str(caught.value)


json_like = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
named = st.fixed_dictionaries(
    {"action": st.sampled_from(["move", "sprint", "look", "jump", "terminate", "fly"])},
    optional={
        "dir": st.sampled_from([*DIRECTIONS, "up"]) | json_like,
        **dict.fromkeys(("seconds", "yaw_rate", "pitch_rate", "jump", "jump_at", "yaw", "pitch"), json_like),
    },
)


@given(json_like | named)
def test_anything_is_either_a_legal_action_or_refused_by_name(value: Any) -> None:
    try:
        action, _ = parse_action(value)
    except InputError:
        return
    assert action.name in ("move", "sprint", "look", "jump", "terminate")
    assert 0 <= action.steps <= 120
    assert abs(action.yaw_rate_deg_s) <= 180
    assert abs(action.pitch_deg) <= 90
    again, notices = parse_action(action.to_json())
    assert again == action, "the recorded form carries out the same action"
    assert notices == ()


def test_headings_turn_clockwise() -> None:
    command = command_of(parse_action({"action": "move", "dir": "right", "yaw_rate": 90})[0])
    assert command.yaw_rate == pytest.approx(-math.pi / 2)
    assert (command.forward, command.left) == (0.0, -1.5)
