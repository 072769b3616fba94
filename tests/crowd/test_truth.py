"""What people do in a city, judged by its triangles; and published figures over the whole range, slowly."""

import numpy as np
import pytest

from citysim import load_city
from citysim.benchmarks.crowd_soak import soak
from citysim.benchmarks.crowd_truth import door, one_way, two_way
from citysim.crowd.clearance import NARROWEST_M, full_width, measured
from citysim.crowd.weidmann import FREE_SPEED, speed_share


def test_nobody_leaves_the_ground_or_goes_through_a_wall_in_the_town() -> None:
    seen = soak(load_city("mini"), 60.0, 200)
    assert seen.ways > 50_000
    assert seen.feet > 5_000
    assert seen.through <= 1e-5 * seen.ways
    assert seen.off <= 1e-4 * seen.feet


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_nor_in_ten_minutes_of_two_thousand_people_in_the_harbour() -> None:
    seen = soak(load_city("harbour"), 600.0, 2000)
    assert seen.ways > 5_000_000
    assert seen.through <= 1e-5 * seen.ways
    assert seen.off <= 1e-4 * seen.feet


def test_corridors_are_no_wider_than_what_is_built_leaves() -> None:
    city = load_city("mini")
    room, usual = measured(city), full_width(city.network)
    assert (room.half <= usual.half).all()
    assert (room.half >= np.minimum(NARROWEST_M, usual.half)).all()
    assert 0.02 < (room.half < usual.half).mean() < 0.9
    again = measured(city)
    assert again.half.tobytes() == room.half.tobytes()
    assert again.shut.tobytes() == room.shut.tobytes()


@pytest.mark.slow
def test_speeds_doors_and_lanes_over_the_whole_range() -> None:
    for density in (0.5, 1.5, 2.5, 4.0):
        flow = one_way(density, 0.05, seed=13)
        assert abs(flow.speed - FREE_SPEED * speed_share(density)) < 0.26
        assert flow.overlap < 0.12
    for width in (0.8, 1.2, 1.8, 2.4):
        flow_a, deep_a, out_a = door(width, 0.05, seed=22)
        flow_b, deep_b, out_b = door(width, 0.1, seed=22)
        assert out_a
        assert out_b
        assert 1.2 <= flow_a <= 2.0
        assert 1.2 <= flow_b <= 2.0
        assert deep_a < 0.13
        assert deep_b < 0.22
    for width in (2.5, 6.0):
        stream = two_way(1.75, width, 0.05, seed=33)
        assert stream.speed > 0.3
        assert stream.order > 0.7
