"""The people of a city: on streets that can be checked by hand, with signals, stairs, closures and islands."""

import itertools
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pytest

from citysim.city import City, Place
from citysim.crowd.crowd import Crowd
from citysim.crowd.gliding import TURN_RAD_S
from citysim.crowd.people import AGE, PACE, PARTY, SIZE, TRIP, WAY, build_people
from citysim.crowd.rows import SPEED, X, Y
from citysim.errors import InputError
from citysim.geo.network import NetworkEdge, PedestrianNetwork


@dataclass
class Town:
    """What a crowd reads of a city."""

    network: PedestrianNetwork
    places: tuple[Place, ...] = ()
    name: str = "town"
    more: dict[str, Any] = field(default_factory=dict)


def grid(blocks: int = 3, side: float = 40.0, *, island: bool = False, signals: bool = True) -> City:
    """Streets of a chequerboard at height 0, a footbridge with stairs across it, and perhaps an island."""
    edges: list[NetworkEdge] = []

    def add(kind: int, *points: tuple[float, float, float]) -> None:
        edges.append(NetworkEdge(100 + len(edges), np.array(points, dtype=np.float64), {"FeatureType": kind}))

    for i in range(blocks + 1):
        for j in range(blocks):
            kind = 30 if signals and i == 1 and j == 1 else 1
            add(kind, (side * j, side * i, 0.0), (side * (j + 1), side * i, 0.0))
            add(1, (side * i, side * j, 0.0), (side * i, side * (j + 1), 0.0))
    a, b = side / 4.0, side * blocks
    add(12, (0.0, 0.0, 0.0), (a, a, 5.0))
    add(2, (a, a, 5.0), (b - a, b - a, 5.0))
    add(12, (b - a, b - a, 5.0), (b, b, 0.0))
    if island:
        add(1, (1000.0, 0.0, 0.0), (1030.0, 0.0, 0.0))
    return cast(City, Town(PedestrianNetwork(edges)))


def digest(crowd: Crowd) -> bytes:
    kept = crowd.snapshot()
    return b"".join(a.tobytes() for a in (kept.state, kept.active, *kept.people))


def test_people_walk_their_ways_and_stay_on_them() -> None:
    city = grid()
    crowd = Crowd(city, population=150, seed=3)
    assert crowd.active.sum() == 150
    for step in range(1500):
        crowd.step(0.1)
        if step % 25 == 0:
            for place in crowd.positions[crowd.active]:
                assert city.network.on_network(place, 1.9, 1.3), place
    assert crowd.people.ints[TRIP].sum() > 40
    assert np.hypot(*crowd.velocities[crowd.active].T).mean() > 0.8


def test_nobody_stands_for_long_where_no_signal_holds_them() -> None:
    crowd = Crowd(grid(signals=False), population=120, seed=4)
    for _ in range(300):
        crowd.step(0.1)
    before, trips, out = crowd.positions, crowd.people.ints[TRIP].copy(), crowd.active.copy()
    for _ in range(300):
        crowd.step(0.1)
    same = out & crowd.active & (trips == crowd.people.ints[TRIP])
    assert same.sum() > 60
    assert np.hypot(*(crowd.positions - before)[same, :2].T).min() > 1.0


def test_red_holds_people_before_the_crossing_and_green_lets_them_go() -> None:
    city = grid(blocks=2, side=30.0)
    crowd = Crowd(city, population=150, seed=5)
    crossing = next(i for i, e in enumerate(city.network.edges) if e.attributes["FeatureType"] == 30)
    cycle, green, offset = crowd.signals[:, 2 * crossing]
    ways = crowd.people.ints[WAY]
    entered_green = waited = 0
    for _ in range(2400):
        on = (ways >> 1 == crossing) & crowd.active
        since = (crowd.time + offset) % cycle
        crowd.step(0.1)
        fresh = (ways >> 1 == crossing) & crowd.active & ~on
        if fresh.any():
            assert since < green
            entered_green += int(fresh.sum())
        waited += int((crowd._movement.state[SPEED][crowd.active] == 0.0).any())
    assert entered_green > 5
    assert waited > 100


def test_a_crossing_of_several_pieces_is_one_and_nobody_stops_on_it() -> None:
    spots = [(float(x), 0.0, 0.0) for x in (0, 30, 33, 36, 40, 70)]
    lines = itertools.pairwise(spots)
    edges = [NetworkEdge(n, np.array(line), {"FeatureType": 30 if 0 < n < 4 else 1}) for n, line in enumerate(lines)]
    crowd = Crowd(cast(City, Town(PedestrianNetwork(edges))), population=60, seed=8)
    cycle, _, offset = crowd.signals
    assert (cycle > 0.0).tolist() == [n in (2, 7) for n in range(10)]  # from both kerbs inwards
    assert offset[2] == offset[7]
    crossed = 0
    for _ in range(1500):
        crowd.step(0.1)
        ways, speeds = crowd.people.ints[WAY] >> 1, crowd._movement.state[SPEED]
        middle = crowd.active & ((ways == 1) | (ways == 2)) & (np.abs(crowd.positions[:, 0] - 33.0) < 2.0)
        crossed += int(middle.sum())
        assert (speeds[middle] > 0.0).all()
    assert crossed > 100


def test_heights_follow_stairs_and_the_bridge() -> None:
    crowd = Crowd(grid(), population=200, seed=6)
    seen, jump = 0.0, 0.0
    for _ in range(600):
        before, trips = crowd.positions[:, 2], crowd.people.ints[TRIP].copy()
        out = crowd.active.copy()
        crowd.step(0.1)
        same = out & crowd.active & (trips == crowd.people.ints[TRIP])
        jump = max(jump, float(np.abs(crowd.positions[:, 2] - before)[same].max()))
        seen = max(seen, float(crowd.positions[crowd.active, 2].max()))
    assert seen == pytest.approx(5.0, abs=0.01)
    assert jump < 0.15


def test_a_closed_street_is_entered_by_nobody() -> None:
    city = grid()
    crowd = Crowd(city, population=200, seed=7)
    shut = [9, 10]
    crowd.close([city.network.edges[k].id for k in shut])
    on = np.isin(crowd.people.ints[WAY] >> 1, shut) & crowd.active
    assert on.any()
    for _ in range(900):
        crowd.step(0.1)
        now = np.isin(crowd.people.ints[WAY] >> 1, shut) & crowd.active
        assert not (now & ~on).any()
        on &= now
    assert not on.any()
    crowd.close([])
    for _ in range(900):
        crowd.step(0.1)
    assert (np.isin(crowd.people.ints[WAY] >> 1, shut) & crowd.active).any()


def test_equal_seeds_give_equal_bytes_and_a_snapshot_goes_on_exactly() -> None:
    city = grid()
    one, two = (Crowd(city, population=130, seed=8, threads=k) for k in (1, 2))
    other = Crowd(city, population=130, seed=9)
    agent = np.array([40.0, 41.0, 0.0, 0.5, 0.0, 0.3])
    for _ in range(100):
        one.step(0.1, agent)
        two.step(0.1, agent)
    assert digest(one) == digest(two) != digest(other)
    one.close([105])
    kept = one.snapshot()
    for _ in range(200):
        one.step(0.05, agent)
    other.restore(kept)  # all that is drawn later depends on the seed of the crowd
    two.restore(kept)
    for _ in range(200):
        two.step(0.05, agent)
    assert digest(one) == digest(two)


def test_one_person_more_changes_nobody_else() -> None:
    few, many = build_people(60, 1), build_people(600, 1)
    np.testing.assert_array_equal(few.reals, many.reals[:, :60])
    np.testing.assert_array_equal(few.ints, many.ints[:, :60])


def test_people_are_as_many_ages_and_paces_as_in_a_street() -> None:
    people = build_people(6000, 2)
    assert people.reals[PACE].min() >= 0.6
    assert people.reals[PACE].max() <= 2.0
    assert people.reals[PACE].mean() == pytest.approx(1.3, abs=0.08)
    old, young = people.reals[AGE] > 70.0, (people.reals[AGE] > 18.0) & (people.reals[AGE] < 35.0)
    alone = people.ints[SIZE] == 1
    assert people.reals[PACE, old & alone].mean() < people.reals[PACE, young & alone].mean() - 0.3
    assert 0.3 < (people.ints[SIZE] > 1).mean() < 0.7
    for member in np.flatnonzero(people.ints[SIZE] > 1)[:50]:
        assert people.reals[PACE, member] == people.reals[PACE, people.ints[PARTY, member]]


def test_parties_stay_together() -> None:
    crowd = Crowd(grid(signals=False), population=90, seed=10)
    for _ in range(400):
        crowd.step(0.1)
    party, state = crowd.people.ints[PARTY], crowd._movement.state
    mates = [(i, int(party[i])) for i in range(90) if party[i] != i and crowd.active[i] and crowd.active[party[i]]]
    apart = [float(np.hypot(*(state[[X, Y], i] - state[[X, Y], j]))) for i, j in mates]
    assert len(apart) > 8
    assert np.median(apart) < 3.0


def test_bumping_into_people_is_counted_once_a_touch() -> None:
    crowd = Crowd(grid(signals=False), population=30, seed=11)
    person = int(np.flatnonzero(crowd.active)[0])
    place = crowd.positions[person]
    inside = np.array([*place[:2] + 0.2, place[2], 1.0, 0.0, 0.3])
    first = crowd.step(0.05, inside)
    assert person in [c.person for c in first]
    assert crowd.contacts == first
    assert all(c.time == pytest.approx(0.05) and 0.0 <= c.agent_share <= 1.0 for c in first)
    assert person not in [c.person for c in crowd.step(0.05, inside)]
    above = inside + np.array([0, 0, 4.0, 0, 0, 0])
    assert not crowd.step(0.05, above)


def test_an_island_keeps_its_own_and_nobody_comes_out_of_nowhere() -> None:
    crowd = Crowd(grid(island=True), population=100, seed=12)
    for _ in range(300):
        crowd.step(0.1)
    assert np.isfinite(crowd.positions).all()
    assert crowd.active.sum() > 80


def test_no_population_is_a_quiet_city() -> None:
    crowd = Crowd(grid(), population=0, seed=0)
    assert crowd.step(0.1) == ()
    assert crowd.positions.shape == (0, 3)
    Crowd(cast(City, Town(PedestrianNetwork([]))), population=0, seed=0).step(0.1)


@pytest.mark.parametrize(("population", "hour"), [(-1, 12.0), (10**7, 12.0), (10, 25.0), (10, float("nan"))])
def test_absurd_input_is_refused(population: int, hour: float) -> None:
    with pytest.raises(InputError):
        Crowd(grid(), population=population, seed=0, hour=hour)


def test_more_people_than_fit_wait_indoors() -> None:
    crowd = Crowd(grid(blocks=1, side=10.0), population=3000, seed=13)
    assert 0 < crowd.active.sum() < 3000
    crowd.step(0.1)
    assert np.isfinite(crowd.positions).all()


def test_unknown_edges_cannot_be_closed_and_no_network_is_no_city() -> None:
    with pytest.raises(InputError, match="edges"):
        Crowd(grid(), population=1, seed=0).close([7])
    with pytest.raises(InputError, match="network"):
        Crowd(cast(City, Town(PedestrianNetwork([]))), population=1, seed=0)


def test_bodies_turn_about_as_bodies_do() -> None:
    crowd = Crowd(grid(), population=200, seed=4)
    most, turned = 0.0, 0
    for _ in range(600):
        before, was, trips = crowd.headings, crowd.active.copy(), crowd.people.ints[TRIP].copy()
        crowd.step(1.0 / 60.0)
        same = was & crowd.active & (trips == crowd.people.ints[TRIP])
        change = np.abs((crowd.headings - before + np.pi) % (2.0 * np.pi) - np.pi)[same]
        most, turned = max(most, float(change.max())), turned + int((change > 0.02).sum())
    assert most < TURN_RAD_S / 60.0 + 1e-3
    assert turned > 100


def test_shorter_steps_only_glide_between_decisions() -> None:
    city = grid()
    slow, fast = (Crowd(city, population=150, seed=14) for _ in range(2))
    for _ in range(100):
        slow.step(0.05)
        for _ in range(3):
            fast.step(1.0 / 60.0)
    same = slow.active & fast.active
    assert same.sum() > 140
    np.testing.assert_allclose(fast.positions[same], slow.positions[same], atol=1e-6)
    before = fast.positions
    fast.step(1.0 / 60.0)
    first = fast.positions - before
    before = fast.positions
    fast.step(1.0 / 60.0)
    np.testing.assert_allclose(fast.positions - before, first, atol=1e-12)


def test_a_snapshot_between_decisions_goes_on_exactly() -> None:
    city, agent = grid(), np.array([40.0, 41.0, 0.0, 0.5, 0.0, 0.3])
    one, two = (Crowd(city, population=120, seed=15) for _ in range(2))
    for _ in range(40):
        one.step(1.0 / 60.0, agent)
    two.restore(one.snapshot())
    for dt in (1.0 / 60.0, 1.0 / 60.0, 0.1, 0.05, 1.0 / 60.0, 1.0 / 60.0, 0.03):
        one.step(dt, agent)
        two.step(dt, agent)
        assert digest(one) == digest(two)
