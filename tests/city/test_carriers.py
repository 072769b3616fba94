import numpy as np
import pytest

from citysim.city import CityObject
from citysim.city.carriers import Carriers


def escalator(values: object) -> CityObject:
    return CityObject(1, "escalator", "", (0.0, 0.0, 0.0), 0.0, (0.0,) * 6, {"carrier": values}, None)


UP = escalator([10.0, 0.0, 2.0, 18.0, 0.0, 8.0, 1.2, 0.5])


def test_who_stands_on_the_surface_moves_with_it() -> None:
    carriers = Carriers.of([UP])
    east, north = carriers.velocity(12.0, 0.3, 3.4)
    assert east == pytest.approx(0.5 * 8.0 / 10.0)  # half a metre a second along a slope of 6 in 8
    assert north == 0.0


@pytest.mark.parametrize("place", [(9.9, 0.0, 2.0), (18.2, 0.0, 8.0), (12.0, 0.7, 3.4), (12.0, 0.0, 9.0)])
def test_beside_it_nothing_moves(place: tuple[float, float, float]) -> None:
    assert Carriers.of([UP]).velocity(*place) == (0.0, 0.0)


def test_near_means_within_reach_of_any_part() -> None:
    carriers = Carriers.of([UP])
    assert carriers.near(9.0, 0.0, 2.0)
    assert not carriers.near(40.0, 0.0, 5.0)
    assert not Carriers.of([]).near(0.0, 0.0, 1e6)


@pytest.mark.parametrize("values", [None, "up", [1.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 1.0, 0.5]])
def test_objects_that_describe_no_carrier_are_left_out(values: object) -> None:
    assert not len(Carriers.of([escalator(values)]).table)
    assert np.array_equal(Carriers.of([escalator(values)]).velocity(0.0, 0.0, 0.0), (0.0, 0.0))
