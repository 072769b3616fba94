"""Jumps and falls."""

import pytest

from citysim.physics import make_walker
from tests.physics.scenes import Scene
from tests.physics.walks import walk


def test_a_jump_rises_as_physics_says() -> None:
    done = walk(Scene().floor().walker(), 1.5, 0.0, jump_at=0.1)
    assert done.points[:, 2].max() == pytest.approx(3.2**2 / (2 * 9.81), abs=0.002)
    assert done.end.up == pytest.approx(0.0, abs=1e-6)
    assert done.airborne / 60 == pytest.approx(2 * 3.2 / 9.81, abs=0.04)


def test_a_jump_in_the_air_does_nothing() -> None:
    walker = Scene().floor().walker()
    walk(walker, 0.2, 0.0, jump_at=0.0)
    speed = walker.state.vertical_speed
    assert walker.step(0.0, 0.0, jump=True).vertical_speed < speed


def test_a_ceiling_ends_a_jump() -> None:
    done = walk(Scene().floor().box(-3, -3, 1.9, 3, 3, 2.1).walker(), 1.0, 0.0, jump_at=0.1)
    assert 0.10 < done.points[:, 2].max() < 0.15
    assert done.end.up == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("speed", [1.5, 4.5])
def test_a_box_of_forty_centimetres_is_jumped_onto(speed: float) -> None:
    done = walk(Scene().floor().box(2.0, -3, 0, 9, 3, 0.4).walker(), 4.5 / speed, speed, jump_at=1.4 / speed)
    assert done.end.up == pytest.approx(0.4)


@pytest.mark.parametrize("height", [1.0, 3.0, 10.0, 50.0, 150.0])
def test_a_thin_floor_stops_any_fall(height: float) -> None:
    done = walk(Scene().floor().walker(0.0, 0.0, height), 12.0, 0.0)
    assert done.end.up == pytest.approx(0.0, abs=1e-6)
    assert done.points[:, 2].min() > -1e-6


def test_a_ledge_is_walked_off_and_landed_below() -> None:
    done = walk(Scene().floor().box(-3, -3, 0, 2, 3, 3.0).walker(0.0, 0.0, 3.0), 4.0)
    assert done.end.up == pytest.approx(0.0, abs=1e-6)
    assert done.end.east == pytest.approx(6.0, abs=0.35)


def test_a_fall_along_a_wall_does_not_enter_it() -> None:
    done = walk(Scene().floor().box(2, -3, 0, 4, 3, 30).walker(1.6, 0.0, 20.0), 4.0, 4.5)
    assert done.points[:, 0].max() <= 2 - 0.31 + 1e-6
    assert done.end.up == pytest.approx(0.0, abs=1e-6)


def test_the_state_continues_a_walk_exactly() -> None:
    scene = Scene().floor().stairs(12, 0.17, 0.3).box(-4, 1.2, 0, 12, 1.5, 3)
    walker = scene.walker()
    walk(walker, 1.3, 1.5, 20.0, jump_at=1.2)
    saved = walker.state
    first = [walker.step(1.4, 0.5, jump=k == 30) for k in range(240)]
    other = make_walker(scene.space())
    for again in (walker, other):
        again.state = saved
        assert [again.step(1.4, 0.5, jump=k == 30) for k in range(240)] == first
    assert first[-1].static_touch.total == 1
