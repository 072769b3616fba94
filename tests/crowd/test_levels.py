"""Lifts and stairs: nobody hangs in the air between levels, and nobody walks into the side of stairs."""

import numpy as np

from citysim.city import City
from citysim.crowd.crowd import Crowd
from citysim.crowd.people import SEGMENT
from citysim.geo.network import NetworkEdge, PedestrianNetwork
from tests.crowd.test_crowd import Town, digest

DECK_M = 6.0


def city_of(*lines: tuple[int, list[tuple[float, float, float]]]) -> City:
    edges = [
        NetworkEdge(1 + k, np.array(line, dtype=np.float64), {"FeatureType": kind})
        for k, (kind, line) in enumerate(lines)
    ]
    return Town(PedestrianNetwork(edges))  # type: ignore[return-value]


def with_a_lift() -> City:
    return city_of(
        (1, [(-40.0, 0.0, 0.0), (0.0, 0.0, 0.0)]),
        (10, [(0.0, 0.0, 0.0), (0.0, 0.0, DECK_M)]),
        (2, [(0.0, 0.0, DECK_M), (40.0, 0.0, DECK_M)]),
    )


def test_lifts_take_people_in_and_let_them_out_at_their_other_end() -> None:
    crowd, rode, seen = Crowd(with_a_lift(), population=40, seed=5), 0, {0: False, 1: False}
    for _ in range(2400):
        crowd.step(0.05)
        height = crowd.positions[crowd.active, 2]
        between = (height > 0.05) & (height < DECK_M - 0.05)
        assert not between.any(), height[between]
        rode = max(rode, int((crowd.people.ints[SEGMENT, ~crowd.active] < 0).sum()))
        seen[0] |= bool((height < 1.0).any())
        seen[1] |= bool((height > 5.0).any())
    assert rode > 0
    assert seen == {0: True, 1: True}


def test_who_is_in_a_lift_is_kept_by_snapshots() -> None:
    crowd = Crowd(with_a_lift(), population=40, seed=5)
    while not (crowd.people.ints[SEGMENT, ~crowd.active] < 0).any():
        crowd.step(0.05)
        assert crowd.time < 60.0
    kept = crowd.snapshot()
    for _ in range(300):
        crowd.step(0.05)
    after = digest(crowd)
    crowd.restore(kept)
    for _ in range(300):
        crowd.step(0.05)
    assert digest(crowd) == after


def test_nobody_walks_into_the_side_of_stairs_beside_a_street() -> None:
    """Stairs down begin where a street goes on beside them: 3,000 steps of a busy street."""
    city = city_of(
        (1, [(-30.0, 0.0, 0.0), (0.0, 0.0, 0.0)]),
        (1, [(0.0, 0.0, 0.0), (30.0, 0.0, 0.0)]),
        (1, [(0.0, 0.0, 0.0), (1.5, 1.6, 0.0)]),
        (12, [(1.5, 1.6, 0.0), (13.5, 1.6, -6.0)]),
        (1, [(13.5, 1.6, -6.0), (30.0, 1.6, -6.0)]),
    )
    crowd, deepest, many = Crowd(city, population=60, seed=9), 0.0, 0
    for _ in range(3000):
        crowd.step(0.05)
        at = crowd.positions[crowd.active]
        beside = at[(at[:, 0] > 2.8) & (at[:, 0] < 13.0) & (np.abs(at[:, 1] - 1.6) < 0.2)]
        off = beside[:, 2] + (beside[:, 0] - 1.5) * 0.5
        many += len(beside)
        deepest = max(deepest, float(np.abs(off).max(initial=0.0)))
    assert many > 500
    assert deepest < 0.5
