"""Splits of city seeds, and drawing among cities and conditions."""

from dataclasses import replace

import pytest

from citysim.envs.city_env import CityEnv
from citysim.envs.splits import cities_of, split_of, split_seeds
from citysim.errors import InputError, UnknownNameError
from tests.envs.street import street


def test_no_seed_is_in_both_halves() -> None:
    train, test = split_seeds("train", 40), split_seeds("test", 40)
    assert train[:6] == (0, 1, 2, 3, 5, 6)
    assert test[:3] == (4, 9, 14)
    assert not set(train) & set(test)
    assert all(split_of(seed) == "train" for seed in train)


def test_names_are_spelled_out() -> None:
    assert cities_of(("mini", "harbour"), "test", 2) == ("mini@4", "mini@9", "harbour@4", "harbour@9")
    with pytest.raises(UnknownNameError, match="a split among test, train"):
        CityEnv("mini", split="validation")
    for wrong in ("mini@3", "atlantis"):
        with pytest.raises(InputError, match="names of presets"):
            CityEnv(wrong, split="train")
    for count in (0, -1, True, 1.5):
        with pytest.raises(InputError, match="city seeds"):
            CityEnv("mini", split="train", city_seeds=count)
    with pytest.raises(InputError, match="one or more cities"):
        CityEnv(cities=())


def test_episodes_draw_cities_times_and_weathers() -> None:
    other = replace(street(), name="other")
    env = CityEnv(
        cities=(street(), other), sensors="goal", physics="native", kept_cities=1, weather=("fog", "rainy"),
        time=("08:00", "20:00"),
    )  # fmt: skip
    drawn = set()
    for seed in range(24):
        info = env.reset(seed=seed)[1]
        drawn.add((info["city"], env.world.conditions.weather, env.world.conditions.hour))
        env.step(1)
    assert {city for city, _, _ in drawn} == {street().name, "other"}
    assert {weather for _, weather, _ in drawn} == {"fog", "rainy"}
    assert {hour for _, _, hour in drawn} == {8.0, 20.0}
    again = env.reset(seed=3)[1], env.reset(seed=3)[1]
    assert again[0]["city"] == again[1]["city"]
    env.close()


@pytest.mark.parametrize("difficulty", ["easy", "medium"])
def test_difficulty_is_how_far_one_walks(difficulty: str) -> None:
    env = CityEnv(street(), sensors="goal", physics="native", difficulty=difficulty)
    low, high = {"easy": (50.0, 80.0), "medium": (60.0, 120.0)}[difficulty]
    for seed in range(5):
        info = env.reset(seed=seed)[1]
        assert low - 20.0 <= info["shortest_path_m"] <= high
    env.close()
