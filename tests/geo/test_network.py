"""The pedestrian network: joins, directions, snapping in three dimensions, routes."""

import itertools
import math
import time
from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.errors import InputError
from citysim.geo.network import NetworkEdge, PedestrianNetwork


def edge(number: int, *points: tuple[float, float, float], **attributes: Any) -> NetworkEdge:
    return NetworkEdge(number, np.array(points, dtype=np.float64), attributes)


@pytest.fixture
def cross() -> PedestrianNetwork:
    """A street along x at height 0 with a footbridge over it along y at height 6, joined to it by a long ramp."""
    return PedestrianNetwork(
        [
            edge(1, (-50, 0, 0), (0, 0, 0)),
            edge(2, (0, 0, 0), (50, 0, 0)),
            edge(3, (10, -40, 6), (10, 40, 6), FeatureType=2),
            edge(4, (50, 0, 0), (50, 40, 3), (10, 40, 6)),
            edge(5, (-50, 0, 0), (-50, 30, 0), Direction=1),
            edge(6, (-50, 30, 0), (0, 0, 0), Enabled=2),
        ]
    )


def test_only_shared_end_points_join(cross: PedestrianNetwork) -> None:
    # the bridge crosses the street at (10, 0) and is 6 m above it: one must walk round by the ramp
    route = cross.route((10, 0, 0), (10, 0, 6))
    ramp = math.hypot(40, 3) + math.hypot(40, 3)
    assert route.length_m == pytest.approx(40 + ramp + 40)
    assert route.edges == (2, 4, 3)
    assert cross.walk_distance((10, 0, 0), (10, 0, 6)) == pytest.approx(route.length_m)


def test_points_of_a_route_are_the_walk(cross: PedestrianNetwork) -> None:
    route = cross.route((-30, 2, 0), (30, -1, 0))
    np.testing.assert_allclose(route.points, [(-30, 2, 0), (-30, 0, 0), (0, 0, 0), (30, 0, 0), (30, -1, 0)])
    assert route.length_m == pytest.approx(2 + 60 + 1)


def test_direction_and_enabled_are_obeyed(cross: PedestrianNetwork) -> None:
    assert cross.walk_distance((-50, 0, 0), (-50, 30, 0)) == pytest.approx(30)
    assert cross.walk_distance((-50, 30, 0), (-50, 0, 0)) == math.inf  # one way, and line 6 is closed
    with pytest.raises(InputError, match="no way"):
        cross.route((-50, 30, 0), (-50, 0, 0))
    graph = cross.graph
    assert isinstance(graph, networkx.MultiDiGraph)
    assert sorted(d["id"] for *_, d in graph.edges(data=True)) == [1, 1, 2, 2, 3, 3, 4, 4, 5]


def test_against_the_drawing() -> None:
    network = PedestrianNetwork([edge(1, (0, 0, 0), (10, 0, 0), Direction=-1)])
    assert network.walk_distance((8, 0, 0), (2, 0, 0)) == pytest.approx(6)
    assert network.walk_distance((2, 0, 0), (8, 0, 0)) == math.inf


def test_closed_edges_are_avoided_or_reported(cross: PedestrianNetwork) -> None:
    with pytest.raises(InputError, match="closed"):
        cross.route((10, 0, 0), (10, 0, 6), closed=frozenset({4}))
    assert cross.route((10, 0, 0), (40, 0, 0), closed=frozenset({4})).length_m == pytest.approx(30)


def test_snap_knows_the_bridge_from_the_street(cross: PedestrianNetwork) -> None:
    below, above = cross.snap((10, 1, 0.2)), cross.snap((10, 1, 5.5))
    assert below is not None
    assert above is not None
    assert (cross.edges[below.edge].id, cross.edges[above.edge].id) == (2, 3)
    assert above.offset == pytest.approx(41)
    np.testing.assert_allclose(above.point, (10, 1, 6))
    assert above.distance == pytest.approx(0.5)


@pytest.mark.parametrize(("height", "word"), [(20.0, "above"), (-20.0, "below")])
def test_no_route_from_far_above_or_below_the_ways(cross: PedestrianNetwork, height: float, word: str) -> None:
    with pytest.raises(InputError, match=f"m {word} the nearest way"):
        cross.route((-40, 0, height), (40, 0, 0))
    with pytest.raises(InputError, match="found"):
        cross.route((40, 0, 0), (-40, 0, height))
    assert cross.route((-40, 0, 1.5), (40, 0, 0)).length_m > 80.0


def test_a_route_starts_on_the_level_of_its_place(cross: PedestrianNetwork) -> None:
    below, above = cross.route((10, 0, 1.0), (50, 0, 0)), cross.route((10, 0, 5.5), (50, 0, 0))
    assert below.length_m < 45.0
    assert above.length_m > 80.0


def test_snap_has_a_limit_and_skips_closed_lines(cross: PedestrianNetwork) -> None:
    assert cross.snap((0, 500, 0), max_distance_m=100) is None
    far = cross.snap((0, 500, 0), max_distance_m=1000)
    assert far is not None
    assert cross.edges[far.edge].id in (3, 4)
    on_closed = cross.snap((-25, 15, 0))
    assert on_closed is not None
    assert cross.edges[on_closed.edge].id != 6
    with pytest.raises(InputError, match="within 50 m"):
        cross.route((0, 500, 0), (0, 0, 0))


def test_on_network_tolerances(cross: PedestrianNetwork) -> None:
    assert cross.on_network((20, 2.49, 0))
    assert not cross.on_network((20, 2.51, 0))
    assert cross.on_network((20, 0, 2.49))
    assert not cross.on_network((20, 0, 2.51))
    assert cross.on_network((-25, 15, 0)), "a closed line is still a registered one"
    assert not cross.on_network((10, 20, 0)), "under the bridge is not on it"
    assert cross.on_network((20, 6, 0), tolerance_m=6.5)


def test_lift_shafts_count_over_their_whole_height() -> None:
    network = PedestrianNetwork([edge(1, (0, 0, 0), (0, 0, 30), FeatureType=10)])
    assert network.on_network((1, 0, 15))
    assert not network.on_network((1, 0, 33))
    snap = network.snap((1, 0, 15))
    assert snap is not None
    assert snap.offset == pytest.approx(15)


def test_components_are_ranked_by_length() -> None:
    network = PedestrianNetwork(
        [edge(1, (0, 0, 0), (5, 0, 0)), edge(2, (100, 0, 0), (150, 0, 0)), edge(3, (150, 0, 0), (150, 9, 0))]
    )
    assert network.components == ((1, 2), (0,))
    assert network.component == {0: 1, 1: 0, 2: 0}


def test_an_empty_network_answers() -> None:
    network = PedestrianNetwork([])
    assert network.snap((0, 0, 0)) is None
    assert not network.on_network((0, 0, 0))
    assert network.walk_distance((0, 0, 0), (1, 0, 0)) == math.inf
    assert network.components == ()
    assert network.distance_field((0, 0, 0)).at((1, 1, 0)) == math.inf


def test_bad_lines_are_refused() -> None:
    with pytest.raises(InputError, match="edge 7"):
        PedestrianNetwork([NetworkEdge(7, np.array([[0.0, 0.0, np.nan], [1.0, 0.0, 0.0]]))])


points = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 1))


@st.composite
def networks(draw: st.DrawFn) -> PedestrianNetwork:
    ends = draw(st.lists(st.tuples(points, points), min_size=1, max_size=14))
    kinds = st.tuples(st.sampled_from([0, 0, 1, -1]), st.sampled_from([1, 1, 1, 2]))
    made = []
    for number, (a, b) in enumerate(ends):
        if a == b:
            b = (a[0] + 7, a[1], a[2])
        scale = [tuple(10.0 * np.array(p)) for p in (a, b)]
        direction, enabled = draw(kinds)
        made.append(edge(number, *scale, Direction=direction, Enabled=enabled))
    return PedestrianNetwork(made)


@settings(max_examples=150, deadline=None)
@given(networks(), points, points)
def test_routes_agree_with_networkx_and_with_distance_fields(
    network: PedestrianNetwork, a: tuple[int, int, int], b: tuple[int, int, int]
) -> None:
    places = network.walk.places
    start, goal = 10.0 * np.array(a), 10.0 * np.array(b)
    snaps = network.snap(start, 1e-9), network.snap(goal, 1e-9)
    at = [np.flatnonzero((places == p).all(axis=1)) for p in (start, goal)]
    if any(s is None for s in snaps) or any(len(i) != 1 for i in at):
        return  # not on a node of an open line
    source, target = int(at[0][0]), int(at[1][0])
    lengths = networkx.single_source_dijkstra_path_length(network.graph, source, weight="length")
    expected = lengths.get(target, math.inf)
    found = network.walk_distance(start, goal)
    assert found == pytest.approx(expected)
    assert network.distance_field(goal).at(start) == pytest.approx(found)
    if found < math.inf:
        route = network.route(start, goal)
        assert route.length_m == pytest.approx(found)
        np.testing.assert_array_equal(route.points[0], start)
        np.testing.assert_array_equal(route.points[-1], goal)
        ids = {e.id for e in network.edges if e.enabled}
        assert set(route.edges) <= ids


@settings(max_examples=100, deadline=None)
@given(networks(), st.tuples(st.floats(-20, 60), st.floats(-20, 60), st.floats(-5, 15)))
def test_snap_and_on_network_agree_with_brute_force(network: PedestrianNetwork, p: tuple[float, float, float]) -> None:
    point = np.array(p)
    best, near = math.inf, False
    for one in network.edges:
        for a, b in itertools.pairwise(one.line):
            share = np.linspace(0.0, 1.0, 2001)[:, None]
            samples = a + share * (b - a)
            if one.enabled:
                best = min(best, float(np.linalg.norm(samples - point, axis=1).min()))
            sideways = np.hypot(*(samples - point)[:, :2].T)
            closest = int(np.argmin(sideways))
            near |= bool(sideways[closest] <= 2.45 and abs(samples[closest, 2] - point[2]) <= 2.4)
    snap = network.snap(point, 500.0)
    assert (snap is None) == (best == math.inf)
    if snap is not None:
        assert snap.distance == pytest.approx(best, abs=0.02)
        assert np.linalg.norm(snap.point - point) == pytest.approx(snap.distance)
    if near:
        assert network.on_network(point)


def test_on_network_is_fast_enough_for_every_step() -> None:
    rng = np.random.default_rng(1)
    grid = [((i * 60.0, j * 60.0, 0.0), (i * 60.0 + 60, j * 60.0, 0.0)) for i in range(40) for j in range(40)]
    network = PedestrianNetwork([edge(n, a, b) for n, (a, b) in enumerate(grid)])
    asked = np.column_stack([rng.uniform(0, 2400, (500, 2)), np.zeros(500)])
    network.on_network(asked[0])
    best = math.inf
    for _ in range(5):
        begin = time.perf_counter()
        for point in asked:
            network.on_network(point)
        best = min(best, (time.perf_counter() - begin) / len(asked))
    assert best < 200e-6, f"{best * 1e6:.0f} us a call"


def test_a_joint_wins_over_a_line_that_only_passes() -> None:
    lines = [[(0, 0, 0), (70, 0, 0)], [(0, 10, 10), (70, 10, 10)], [(0, 0, 0), (10, 10, 10)]]
    network = PedestrianNetwork([NetworkEdge(i, np.array(line, dtype=float), {}) for i, line in enumerate(lines)])
    assert network.walk_distance((0, 0, 0), (10, 10, 10)) == pytest.approx(math.sqrt(300))
