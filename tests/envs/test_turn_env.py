"""CitySim/UrbanGround-v0: Gymnasium's rules, modes, encodings, questions and errors."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from citysim.envs.turn_env import TurnEnv
from citysim.errors import InputError, UnknownNameError
from citysim.tasks.base import Goal
from citysim.tasks.parts import Question
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.suitefile import write_suite
from tests.envs.street import street

SMALL: dict[str, Any] = {"image_size": (48, 32), "physics": "native"}


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk and a question in the test street."""
    city = street()
    from citysim.tasks.sampling import GoalSampler

    goal = GoalSampler(city).draw(np.random.default_rng(0), 46.0, 200.0)
    assert goal is not None
    asked = Question("Which?", ("red", "blue", "green", "black"), 2)
    question = Goal(goal.start, (goal.start.east, goal.start.north, goal.start.up), "Which?", question=asked)
    instances = tuple(
        Instance.of(goal, city, id=f"{type}-001", type=type, level="L2", seed=1)
        for goal, type in ((goal, "SN"), (question, "VR"))
    )
    path = tmp_path_factory.mktemp("suite") / "small.jsonl"
    write_suite(path, Suite("small", "1", instances))
    return path


@pytest.fixture
def env(suite: Path) -> Iterator[gym.Env[Any, Any]]:
    made = gym.make("citysim:CitySim/UrbanGround-v0", suite=str(suite), city=street(), **SMALL)
    yield made
    made.close()
    made.close()


def test_gymnasium_has_nothing_to_say(env: gym.Env[Any, Any]) -> None:
    check_env(env.unwrapped)


def test_the_map_is_another_mode(env: gym.Env[Any, Any]) -> None:
    seen, info = env.reset(seed=0, options={"instance": "SN-001"})
    assert (info["instance"], info["type"], seen["mode"]) == ("SN-001", "SN", 0)
    first = seen["rgb"].copy()
    seen, _, _, _, info = env.step({"map_zoom": {"factor": 0.5}})
    assert "open_map first" in info["notices"][0]
    assert seen["turns_left"] == 99, "a refused action costs a turn"
    seen, *_ = env.step({"action": "open_map"})
    assert seen["mode"] == 1
    assert (seen["rgb"] != first).any()
    _, _, _, _, info = env.step({"type": "map_select", "x": 0.5, "y": 0.5})
    assert info["notices"][0].startswith("here stands")
    *_, info = env.step({"move": {"dir": "forward"}})
    assert "close_map first" in info["notices"][0]
    seen, *_ = env.step({"action": "close_map"})
    assert seen["mode"] == 0


def test_a_question_is_asked_at_the_end(env: gym.Env[Any, Any]) -> None:
    _, info = env.reset(seed=0, options={"instance": "VR-001"})
    assert info["options"] == ("red", "blue", "green", "black")
    seen, reward, ended, *_ = env.step({"action": "terminate"})
    assert (seen["mode"], reward, ended) == (2, 0.0, False)
    _, reward, ended, _, info = env.step({"answer": "option c"})
    assert (reward, ended, info["success"], info["reason"]) == (1.0, True, True, "answered")


def test_a_wrong_answer_is_no_answer(env: gym.Env[Any, Any]) -> None:
    env.reset(seed=0, options={"instance": "VR-001"})
    env.step({"action": "terminate"})
    _, reward, ended, _, info = env.step({"answer": "the third one"})
    assert (reward, ended) == (0.0, True)
    assert "counts as wrong" in info["notices"][0]


def test_members_of_the_space_are_actions(env: gym.Env[Any, Any]) -> None:
    env.reset(seed=0, options={"instance": "SN-001"})
    env.action_space.seed(3)
    for _ in range(40):
        *_, info = env.step(env.action_space.sample())
        refused = [notice for notice in info["notices"] if notice.startswith("refused")]
        assert all("first" in notice for notice in refused), "only the mode is ever wrong"
        if info["reason"]:
            break


def test_the_budget_truncates(suite: Path) -> None:
    env = TurnEnv(str(suite), instance="SN-001", city=street(), actions=2, **SMALL)
    env.reset(seed=0)
    assert env.step({"action": "look", "yaw": 90})[2:4] == (False, False)
    assert env.step({"action": "look", "yaw": 90})[2:4] == (False, True)
    with pytest.raises(InputError, match="one that ended: budget"):
        env.step({"action": "jump"})
    env.close()
    with pytest.raises(InputError, match="was closed"):
        env.reset()


def test_wrong_arguments(suite: Path) -> None:
    with pytest.raises(UnknownNameError, match="urbangrund"):
        TurnEnv("urbangrund")
    with pytest.raises(InputError, match="XX-1"):
        TurnEnv(str(suite), instance="XX-1", city=street())
    env = TurnEnv(str(suite), city=street(), **SMALL)
    with pytest.raises(InputError, match="options"):
        env.reset(options={"seed": 1})
    with pytest.raises(InputError, match="under way"):
        TurnEnv(str(suite), city=street(), **SMALL).step({"action": "jump"})
    env.close()
