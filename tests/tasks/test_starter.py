"""The starter suite: reproducible, distinct, of the promised lengths, bound to its city."""

import dataclasses
import json
import math

import numpy as np
import pytest

from citysim.city import City
from citysim.errors import InputError, UnknownNameError
from citysim.geo.frames import LocalFrame
from citysim.geo.network import NetworkEdge
from citysim.storage import canonical_json
from citysim.tasks.sampling import length_until_near
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.suites import judge_of, load_suite, suite_names
from tests.towns import grid_town


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite("starter", grid_town(), 3)


def test_same_seed_same_suite(suite: Suite) -> None:
    assert load_suite("starter", grid_town(), 3).sha256 == suite.sha256
    assert load_suite("starter", grid_town(), 4).sha256 != suite.sha256


def test_twenty_sound_instances(suite: Suite) -> None:
    city, starts, goals = grid_town(), set(), set()
    assert [i.id for i in suite.instances] == [f"starter-{k:03d}" for k in range(1, 21)]
    for instance in suite.instances:
        route = city.network.route(instance.start.position, instance.goal)
        assert 60.0 <= route.length_m <= 280.0
        assert route.length_m - 40.0 < instance.shortest_path_m < route.length_m - 5.0
        straight = math.hypot(instance.start.east - instance.goal[0], instance.start.north - instance.goal[1])
        assert straight > 45.0
        assert city.network.on_network(instance.start.position)
        snap = city.network.snap(instance.goal)
        assert snap is not None
        assert snap.distance <= 12.0
        assert instance.goal_name in instance.instruction
        heading = instance.start.heading_deg % 90.0
        assert min(heading, 90.0 - heading) < 1e-6, "facing along the street"
        starts.add((instance.start.east, instance.start.north))
        goals.add(instance.goal_name)
    assert len(starts) == 20
    assert len(goals) == 16, "the town has sixteen shops: all are used before one is used again"
    lengths = sorted(i.shortest_path_m for i in suite.instances)
    assert lengths[0] < 75.0
    assert lengths[-1] > 200.0


def test_instances_are_json_and_back(suite: Suite) -> None:
    for instance in suite.instances:
        again = Instance.from_json(json.loads(json.dumps(instance.to_json())))
        assert canonical_json(again.to_json()) == canonical_json(instance.to_json())
        assert again.to_goal() == instance.to_goal()
        lonlath = grid_town().frame.to_geodetic(instance.goal)
        assert instance.goal_lonlat == pytest.approx(lonlath, abs=1e-3)


def test_broken_instances_are_refused(suite: Suite) -> None:
    value = suite.instances[0].to_json()
    for key in ("start", "goal", "instruction", "id"):
        with pytest.raises(InputError, match="an instance"):
            Instance.from_json({k: v for k, v in value.items() if k != key})


def test_another_city_is_refused(suite: Suite) -> None:
    suite.check_city(grid_town())
    other = dataclasses.replace(grid_town(), content_sha256="f" * 64)
    with pytest.raises(InputError, match=r"content 0123456789ab.*content ffffffffffff"):
        suite.check_city(other)


def test_selection(suite: Suite) -> None:
    assert [i.id for i in suite.select("starter-00[12]")] == ["starter-001", "starter-002"]
    assert [i.id for i in suite.select("starter-001,starter-02*")] == ["starter-001", "starter-020"]
    assert len(suite.select(None, 3)) == 3
    with pytest.raises(InputError, match="'nothing'"):
        suite.select("nothing")
    with pytest.raises(InputError, match="limit"):
        suite.select(None, 0)


def test_names() -> None:
    assert "starter" in suite_names()
    with pytest.raises(UnknownNameError, match="'starter'"):
        load_suite("startr", grid_town())
    with pytest.raises(UnknownNameError):
        judge_of("swim")


def test_cities_that_cannot_carry_it() -> None:
    with pytest.raises(InputError, match="pedestrian network"):
        load_suite("starter", City.in_memory([], name="empty"))
    short = [NetworkEdge(1, np.array([(0.0, 0.0, 0.0), (30.0, 0.0, 0.0)]), {"FeatureType": 1})]
    with pytest.raises(InputError, match="larger city"):
        load_suite("starter", City.in_memory([], edges=short, name="hamlet"))


def test_goals_without_places_are_told_by_street_and_direction() -> None:
    town = grid_town()
    bare = City.in_memory([], edges=town.network.edges, frame=LocalFrame(24.94, 60.17), name="bare")
    suite = load_suite("starter", bare, 1)
    assert all("m to the" in i.instruction for i in suite.instances)
    assert any("Avenue" in i.instruction or "Street" in i.instruction for i in suite.instances)


def test_length_until_near_is_exact() -> None:
    points = np.array([(0.0, 0.0, 0.0), (30.0, 40.0, 0.0), (30.0, 100.0, 0.0)])
    assert length_until_near(points, (30.0, 100.0, 0.0), 15.0) == pytest.approx(50 + 45)
    assert length_until_near(points, (0.0, 0.0, 0.0), 15.0) == 0.0
    assert length_until_near(points, (500.0, 0.0, 0.0), 15.0) == pytest.approx(110.0)
    assert length_until_near(points, (18.0, 49.0, 0.0), 15.0) == pytest.approx(50.0 - 0.0, abs=15.0)
