"""The gait of the crowd is the gait that is drawn."""

import numpy as np

from citysim.crowd.gliding import glide
from citysim.crowd.gliding import turns as turns_of_one
from citysim.crowd.rows import GAIT, PHASE, empty_state
from citysim.gait import STANDING_HZ, scattered, sizes, stride, turns


def test_the_crowd_turns_as_the_figures_do() -> None:
    speeds = np.linspace(0.0, 2.2, 200)
    state, active = empty_state(len(speeds)), np.ones(len(speeds), np.uint8)
    state[GAIT] = [turns_of_one.py_func(float(speed)) for speed in speeds]
    np.testing.assert_allclose(state[GAIT], turns(speeds), rtol=0, atol=1e-12)
    active[::7] = 0
    glide(0, len(speeds), 0.05, state, active)
    np.testing.assert_allclose(state[PHASE], np.where(active, turns(speeds) * 0.05, 0.0), rtol=0, atol=1e-12)


def test_strides_are_those_of_people() -> None:
    speed = np.linspace(0.0, 2.0, 400)
    metres = stride(speed)
    assert metres[0] == 0.0
    assert (np.diff(metres) > 0.0).all()
    assert np.abs(np.diff(turns(speed))).max() < 0.004  # no jump where the line meets the curve
    assert abs(float(stride(np.array([1.34]))[0]) - 1.4) < 0.05
    assert turns(np.zeros(1))[0] == STANDING_HZ


def test_sizes_grow_with_age_and_differ_by_person_alone() -> None:
    ids = np.arange(500)
    small, tall = sizes(np.full(500, 6.0), ids), sizes(np.full(500, 30.0), ids)
    assert (small < 0.8 * tall).all()
    assert np.ptp(tall) > 0.05
    assert (sizes(np.full(3, 30.0), ids[200:203]) == tall[200:203]).all()
    assert len(set(scattered(ids).tolist())) == 500
