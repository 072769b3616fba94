"""CityEnv: rewards, endings, options, refusals."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from citysim.conditions import Conditions
from citysim.envs import CityEnv
from citysim.envs.actions import DISCRETE
from citysim.envs.rewards import RewardWeights
from citysim.errors import InputError, UnknownNameError
from citysim.pose import Pose
from tests.envs.street import goal, street
from tests.physics.scenes import Scene

ACTION = {name: number for number, (name, _) in enumerate(DISCRETE)}


@pytest.fixture
def env() -> Iterator[CityEnv]:
    env = CityEnv(street(), image_size=(32, 24))
    yield env
    env.close()


def test_walking_to_the_goal_is_rewarded_and_ends(env: CityEnv) -> None:
    env.reset(options={"goal": goal(20.0)})
    total, steps = 0.0, 0
    info: dict[str, Any] = {}
    terminated = truncated = False
    while not (terminated or truncated) and steps < 200:
        _, reward, terminated, truncated, info = env.step(ACTION["forward"])
        assert reward == math.fsum(info["reward_terms"].values())
        total, steps = total + reward, steps + 1
    assert terminated
    assert not truncated
    assert info["success"]
    assert info["reason"] == "arrived"
    assert info["reward_terms"]["success"] == 10.0
    assert steps == 34  # 5 m at 0.15 m a step
    assert total == pytest.approx(34 * 0.15 + 10.0 - 34 * 0.01)


def test_bumping_costs_once(env: CityEnv) -> None:
    env.reset(options={"goal": goal(0.0, 80.0, start=Pose(9, 4, 0, yaw=math.pi / 2))})
    costs = [env.step(ACTION["forward"])[4]["reward_terms"]["collision"] for _ in range(30)]
    assert sum(costs) == pytest.approx(-0.1)


@pytest.mark.parametrize(
    ("name", "ahead", "left", "turn"),
    [
        ("stop", 0.0, 0.0, 0.0),
        ("forward", 1.5, 0.0, 0.0),
        ("turn_left", 0.0, 0.0, math.pi / 2),
        ("turn_right", 0.0, 0.0, -math.pi / 2),
        ("forward_left", 1.5, 0.0, math.pi / 2),
        ("backward", -1.5, 0.0, 0.0),
        ("sprint", 4.5, 0.0, 0.0),
    ],
)
def test_discrete_actions_do_what_the_table_says(
    env: CityEnv, name: str, ahead: float, left: float, turn: float
) -> None:
    env.reset(options={"goal": goal()})
    observation = env.step(ACTION[name])[0]
    assert observation["velocity"] == pytest.approx([ahead, left, turn], abs=0.02)


def test_continuous_actions_scale_and_clip() -> None:
    env = CityEnv(street(), image_size=(32, 24), action="continuous", sensors="velocity")
    env.reset(options={"goal": goal()})
    assert env.step(np.array([0.5, 0.0, 0.0], np.float32))[0] == pytest.approx([0.75, 0, 0], abs=1e-5)
    assert np.hypot(*env.step(np.array([1.0, -1.0, 0.0], np.float32))[0][:2]) == pytest.approx(1.5, abs=1e-5)
    assert env.step(np.array([0.0, 0.0, 7.0], np.float32))[0] == pytest.approx([0, 0, math.pi / 2], abs=1e-5)
    for bad in ([math.nan, 0, 0], [math.inf, 0, 0], [0, 0], 1, "abc", ["a", "b", "c"], None, [[1, 2], 3, 4]):
        with pytest.raises(InputError, match="three finite numbers"):
            env.step(bad)
    env.close()


@pytest.mark.parametrize(("bearing_deg", "sin", "cos"), [(0, 0, 1), (90, 1, 0), (-90, -1, 0), (180, 0, -1)])
def test_the_goal_sensor_is_positive_to_the_left(env: CityEnv, bearing_deg: float, sin: float, cos: float) -> None:
    turn = math.radians(30 + bearing_deg)
    aim = goal(70 * math.cos(turn), 70 * math.sin(turn), start=Pose(0, 0, 0, yaw=math.radians(30)))
    observation, _ = env.reset(options={"goal": aim})
    assert observation["goal"] == pytest.approx([70, sin, cos], abs=1e-5)


def test_a_fall_out_of_the_city_truncates_with_its_reason() -> None:
    scene = Scene().box(-3, -3, -1, 3, 3, 0).quad((99, 99, 0), (100, 99, 0), (100, 100, 0), (99, 100, 0))
    env = CityEnv(scene.city(), image_size=(16, 16))
    env.reset(options={"goal": goal(90.0)})
    for _ in range(400):
        _, reward, terminated, truncated, info = env.step(ACTION["sprint"])
        assert math.isfinite(reward)
        if truncated:
            break
    assert truncated
    assert not terminated
    assert "ground under the walker" in info["fault"]
    env.close()


def test_options_set_goal_and_conditions(env: CityEnv) -> None:
    _, info = env.reset(options={"goal": goal(), "conditions": Conditions(clock_s=3600.0, weather="fog")})
    assert info["instruction"] == "Walk east."
    assert env.goal.position == (60.0, 0.0, 0.0)
    assert env.world.conditions.weather == "fog"
    env.reset(seed=0)
    assert env.world.conditions.weather == "sunny"
    for bad in ({"goals": 1}, {"goal": 3}, {"conditions": "fog"}):
        with pytest.raises(InputError, match="options"):
            env.reset(options=bad)
    for wrong in (5, "goal", [("goal", goal())]):
        with pytest.raises(InputError, match="options"):
            env.reset(options=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"image_size": (15, 84)}, "image_size"),
        ({"image_size": (84,)}, "image_size"),
        ({"image_size": (84.0, 84.0)}, "image_size"),
        ({"image_size": 84}, "image_size"),
        ({"control_hz": 7}, "60 Hz, found 7"),
        ({"control_hz": 0}, "60 Hz, found 0"),
        ({"fov_deg": 200.0}, "field of view"),
        ({"render_mode": "human"}, "rgb_array"),
        ({"time": "25:00"}, "time"),
        ({"city": None}, "as city, found None"),
        ({"city": 5}, "as city, found 5"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        CityEnv(**{"city": street(), **arguments})


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "joystick"},
        {"sensors": ("rgb", "smell")},
        {"sensors": "smell"},
        {"renderer": "crayon"},
        {"physics": "newton"},
        {"weather": "snow"},
        {"city": "atlantis"},
    ],
)
def test_unknown_names_are_listed(arguments: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError, match="expected"):
        CityEnv(**{"city": street(), **arguments})


def test_nothing_works_after_close_or_before_reset(env: CityEnv) -> None:
    with pytest.raises(InputError, match=r"env\.reset"):
        env.step(0)
    env.reset(seed=0)
    for bad in (-1, len(DISCRETE), 1.5, math.nan, "forward", None):
        with pytest.raises(InputError, match="an action from 0 to 7"):
            env.step(bad)
    env.close()
    for call in (lambda: env.step(0), env.reset, env.render):
        with pytest.raises(InputError, match="closed"):
            call()


@pytest.mark.parametrize("hz", [1, 5, 10, 30, 60])
def test_control_rates_share_one_physics(hz: int) -> None:
    env = CityEnv(street(), image_size=(16, 16), control_hz=hz, sensors="goal")
    env.reset(options={"goal": goal()})
    for _ in range(2 * hz):
        info = env.step(ACTION["forward"])[4]
    assert info["time_s"] == pytest.approx(2.0)
    assert info["path_length_m"] == pytest.approx(3.0)
    assert env.metadata["render_fps"] == hz
    env.close()


def test_weights_must_be_finite_and_scale_their_term() -> None:
    with pytest.raises(InputError, match="weight for progress"):
        RewardWeights(progress=math.nan)
    env = CityEnv(street(), image_size=(16, 16), sensors="goal", rewards=RewardWeights(progress=2.0, step=0.0))
    env.reset(options={"goal": goal()})
    assert env.step(ACTION["forward"])[1] == pytest.approx(0.3)
    env.close()
