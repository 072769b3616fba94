"""Lifts: where a car is at a time and whom it carries."""

import numpy as np
import pytest

from citysim.city.lifts import DWELL_S, SPEED, Lifts
from citysim.city.model import CityObject

STEP = 1.0 / 60.0
RIDE = 5.0 / SPEED


def thing(values: object) -> CityObject:
    return CityObject(1, "lift", "", (0.0, 0.0, 0.0), 0.0, (0.0,) * 6, {"lift": values}, None)


LIFTS = Lifts.of([thing([3.0, 4.0, 1.0, 6.0])])


def test_the_car_waits_rises_waits_and_sinks() -> None:
    def at(t: float) -> float:
        return float(LIFTS.floors(t)[0])

    assert (at(0.0), at(DWELL_S)) == (1.0, 1.0)
    assert at(DWELL_S + RIDE / 2) == pytest.approx(3.5)
    assert (at(DWELL_S + RIDE), at(2 * DWELL_S + RIDE)) == pytest.approx((6.0, 6.0))
    assert at(2 * DWELL_S + 1.5 * RIDE) == pytest.approx(3.5)
    assert at(2 * DWELL_S + 2 * RIDE) == pytest.approx(1.0)
    assert at(1000.0 * 2 * (DWELL_S + RIDE) + DWELL_S + RIDE / 2) == pytest.approx(3.5, abs=1e-6)


def test_who_stands_in_it_rises_to_the_other_floor_step_by_step() -> None:
    up, heights = 1.0, []
    for k in range(round((2 * DWELL_S + RIDE) / STEP) - 5):
        floor = LIFTS.carried(3.3, 3.8, up, k * STEP, STEP)
        up = up if floor is None else floor
        heights.append(up)
    assert heights[-1] == 6.0
    assert np.diff(heights).max() <= SPEED * STEP + 1e-9
    assert np.diff(heights).min() >= 0.0


@pytest.mark.parametrize(
    "place",
    [(3.0, 4.9, 1.0), (3.0, 4.0, 6.0), (3.0, 4.0, 3.0)],
    ids=["before the door", "at the other floor", "in between"],
)
def test_nobody_else_is_carried(place: tuple[float, float, float]) -> None:
    assert LIFTS.carried(*place, DWELL_S + 0.1, STEP) is None


def test_a_standing_car_carries_nobody() -> None:
    assert LIFTS.carried(3.0, 4.0, 1.0, 1.0, STEP) is None


def test_near() -> None:
    assert LIFTS.near(0.0, 0.0, 5.0)
    assert not LIFTS.near(0.0, 0.0, 3.0)
    assert not Lifts.of([]).near(0.0, 0.0, 1e9)


@pytest.mark.parametrize("values", [None, [], [1.0, 2.0, 3.0], [0.0, 0.0, 2.0, 2.0], "lift"])
def test_objects_that_describe_no_lift_are_left_out(values: object) -> None:
    assert not len(Lifts.of([thing(values)]).table)
    assert Lifts.of([thing(values)]).carried(0.0, 0.0, 2.0, 5.0, STEP) is None
