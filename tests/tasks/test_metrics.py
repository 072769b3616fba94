"""Formulas against values worked out by hand or elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.tasks.metrics import mean, network_adherence, spl, wilson_interval


def test_wilson_interval_of_known_cases() -> None:
    # Newcombe 1998, table I: 81 of 263 -> 0.2553 to 0.3662; 15 of 148 -> 0.0624 to 0.1605; 0 of 20 -> 0 to 0.1611
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson_interval(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson_interval(0, 0) == (0.0, 1.0)


@given(st.integers(1, 500), st.data())
def test_wilson_interval_holds_the_share(trials: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, trials))
    low, high = wilson_interval(wins, trials)
    assert 0.0 <= low <= wins / trials + 1e-12
    assert wins / trials - 1e-12 <= high <= 1.0


def test_spl() -> None:
    assert spl(True, 100.0, 125.0) == pytest.approx(0.8)
    assert spl(True, 100.0, 80.0) == 1.0
    assert spl(False, 100.0, 100.0) == 0.0
    assert spl(True, 0.0, 0.0) == 1.0


def test_network_adherence_weighs_by_time() -> None:
    assert network_adherence([(2.0, True), (1.0, False), (1.0, True)]) == pytest.approx(0.75)
    assert network_adherence([(0.0, True)]) is None


def test_mean_leaves_out_what_is_not_known() -> None:
    assert mean([1.0, None, 3.0]) == 2.0
    assert mean([None]) is None
