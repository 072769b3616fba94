"""The bench of environments in small: where a step's time goes, and the soak."""

import pytest

from citysim.benchmarks.env_soak import Soak, soak
from citysim.benchmarks.env_steps import CROWDED, shares, steps_s
from citysim.envs.city_env import CityEnv
from citysim.world import World
from tests.envs.street import street


def test_shares_add_up_and_leave_nothing_behind() -> None:
    env = CityEnv(street(), **CROWDED)
    advance = World.advance
    found = shares(env, 30)
    assert sum(found.values()) == pytest.approx(100.0)
    assert set(found) == {"physics", "crowd", "raster", "rest"}
    assert found["raster"] > 1.0
    assert World.advance is advance
    assert steps_s(env, 20) > 1.0
    env.close()


def test_a_short_soak_finds_nothing() -> None:
    found = soak(street(), 900)
    assert (found.steps, found.episodes) == (900, 5)
    assert (found.nans, found.falls, found.stuck) == (0, 0, 0)


def test_a_soak_is_judged() -> None:
    good = Soak(1, 1, 0, 0, 0, 0.0)
    assert good.good
    for wrong in ({"nans": 1}, {"falls": 1}, {"stuck": 1}, {"grown_mb": 60.0}):
        assert not good._replace(**wrong).good
