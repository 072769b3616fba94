"""Closures: crossed when touched, told in time, walked round, refused when they cut the goal off."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.city import City, Material
from citysim.crowd.people import WAY
from citysim.errors import InputError
from citysim.geo.network import NetworkEdge, PedestrianNetwork
from citysim.living.closures import Closure, closed_edges, closure_leaves_detour, crosses, cut_network
from citysim.living.exposure import Sky
from citysim.living.scene import CLOSURE_LABELS, PEOPLE_LABELS
from citysim.render.avatar import barrier_bodies, notice_places
from citysim.render.avatar.people import BARRIER, BOARD
from citysim.render.avatar.street import FOOT_M
from citysim.world import Command, CrowdSpec, World
from tests.living.streets import START, grid_town
from tests.render.scenes import box, merge

ACROSS = Closure(((0.0, 30.0, 0.0), (12.0, 30.0, 0.0)), "works", "The street is closed ahead.", 1.0)


def line(*points: tuple[float, float, float]) -> Closure:
    return Closure(points, "line", "closed")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ([(0, -1, 0), (0, 1, 0)], True),
        ([(0, -1, 0), (0, 0, 0)], True),  # its end touches
        ([(0, 0, 0), (0, 5, 0)], True),  # its start touches
        ([(-9, 0, 0), (-1, 0, 0)], True),  # along the line, into it
        ([(-1, 0, 0), (1, 0, 0)], True),  # within it
        ([(-9, 0, 0), (-3, 0, 0)], False),
        ([(3, -1, 0), (3, 1, 0)], False),  # past its end
        ([(2, -1, 0), (2, 1, 0)], True),  # over its end
        ([(0, -1, 0), (0, -1e-9, 0)], False),
        ([(0, -1, 5), (0, 1, 5)], False),  # on a bridge above
        ([(0, -1, -0.5), (0, 1, 2.5)], True),  # at 1 m where it crosses
        ([(0, 0, 0), (0, 0, 0)], False),  # stands on it
        ([(0, 0, 0)], False),
        ([(-9, -9, 0), (9, 9, 0), (9, -9, 0)], True),
    ],
)
def test_a_path_crosses_where_it_meets_the_line(path: list[tuple[float, float, float]], expected: bool) -> None:
    assert crosses(np.array(path, dtype=float), line((-2, 0, 0), (2, 0, 0))) is expected
    assert crosses(np.array(path, dtype=float)[::-1], line((2, 0, 0), (0, 0, 0), (-2, 0, 0))) is expected


coordinates = st.integers(-6, 6)


@given(st.lists(st.tuples(coordinates, coordinates), min_size=2, max_size=2), st.lists(
    st.tuples(coordinates, coordinates), min_size=2, max_size=2
))  # fmt: skip
def test_crossing_is_what_exact_geometry_says(path: list[tuple[int, int]], barrier: list[tuple[int, int]]) -> None:
    shapely = pytest.importorskip("shapely")
    if path[0] == path[1] or barrier[0] == barrier[1]:
        return
    feet = np.array([(*p, 0.0) for p in path])
    expected = shapely.LineString(path).intersects(shapely.LineString(barrier))
    assert crosses(feet, line(*((float(e), float(n), 0.0) for e, n in barrier))) is expected


def test_a_notice_comes_once_at_its_time_and_is_enforced_from_then_on() -> None:
    for parts in ([60, 240], [1] * 300, [7] * 42 + [6]):
        world = World(grid_town(), physics="native")
        early = Closure(((0.0, 19.5, 0.0), (12.0, 19.5, 0.0)), "behind", "Closed behind you.")
        world.reset(START, closures=[ACROSS, early])
        assert list(world.notices) == ["Closed behind you."]
        assert [closure.label for closure in world.closures] == ["behind"]
        told: list[tuple[tuple[str, ...], float]] = []
        crossed: list[str] = []
        disclosed: list[str] = []
        for steps in parts:
            done = world.advance(Command(forward=4.5), steps)
            if done.notices:
                told.append((done.notices, world.time_s))
            crossed += done.crossed
            disclosed += done.disclosed
        assert [texts for texts, _ in told] == [(ACROSS.notice_text,)]
        assert 1.0 <= told[0][1] < 1.0 + 60 / 60 + 1e-9
        assert disclosed == ["works"]
        assert set(crossed) == set(world.crossed) == {"works"}
        assert list(world.notices) == ["Closed behind you.", ACROSS.notice_text]
        world.close()


def test_what_was_crossed_before_the_notice_does_not_count() -> None:
    world = World(grid_town(), physics="native")
    late = Closure(ACROSS.vertices, "late", "closed", notice_at_s=4.0)
    world.reset(START, closures=[late])
    assert world.advance(Command(forward=4.5), 239).crossed == ()
    assert world.pose.north > 31.0
    assert not world.closures
    assert world.advance(Command(), 1).notices == ("closed",)
    assert world.advance(Command(forward=-4.5), 180).crossed == ("late",)
    kept = world.snapshot()
    world.reset(START)
    assert not world.crossed
    world.restore(kept)
    assert list(world.crossed) == ["late"]
    assert list(world.closures) == [late]
    world.close()


def test_barriers_stand_in_the_street_from_the_notice_on() -> None:
    world = World(grid_town(), physics="native")
    world.reset(START, closures=[ACROSS], crowd=CrowdSpec(20, 1, radius_m=30.0))
    bodies = world.bodies()
    assert bodies is not None
    assert (bodies.labels >= PEOPLE_LABELS).all()
    assert (bodies.labels < CLOSURE_LABELS).all()
    world.advance(Command(), 60)
    bodies = world.bodies()
    assert bodies is not None
    barriers = bodies.place[(bodies.labels == CLOSURE_LABELS) & (bodies.mesh == BARRIER)]
    assert len(barriers) >= 5
    boards = bodies.place[(bodies.labels == CLOSURE_LABELS) & (bodies.mesh == BOARD)]
    assert boards[:, 1].tolist() == pytest.approx([29.55, 30.45])
    assert np.sin(boards[:, 3]).tolist() == pytest.approx([-1.0, 1.0])  # each faces who comes towards it
    assert np.abs(barriers[:, 1] - 30.0).max() < 0.01
    assert (np.abs(barriers[:, 0] - 6.0) < 6.0).all()
    world.close()


def test_barriers_stand_on_the_ground_beside_kerbs() -> None:
    """Pavement 0.12 m above the road, and a line that was drawn half a metre too high."""
    ground = merge([box((-10, -10, -1), (10, 0, 0)), box((-10, 0, -1), (10, 10, 0.12))])
    sky = Sky(City.in_memory([ground], [Material()]), 10.0, None)
    bodies = barrier_bodies([np.array([(0.0, -6.0, 0.5), (0.0, 7.0, 0.5)])], 0, sky.ground)
    mesh, feet = bodies.meshes[BARRIER], []
    for place in bodies.place:
        for side in (-1.0, 1.0):
            feet.append((place[1] + side * FOOT_M, place[2]))
    for north, up in feet:
        below = 0.12 if north > 0.0 else 0.0
        assert up in (pytest.approx(below), pytest.approx(0.12))
        assert up + mesh.frames[..., 2].min() < below  # its post reaches the ground
    assert {round(up, 6) for _, up in feet} == {0.0, 0.12}
    assert sky.ground(np.array([(50.0, 50.0, 3.0)])).tolist() == [3.0]


def test_people_go_round_a_closure() -> None:
    world = World(grid_town(), physics="native")
    closed = Closure(((0.0, 30.0, 0.0), (12.0, 30.0, 0.0)), "works", "closed", 40.0)
    world.reset(START, closures=[closed], crowd=CrowdSpec(150, 3))
    crowd, network = world.crowd, world.city.network
    assert crowd is not None
    (edge,) = closed_edges(network, [closed])
    index = next(i for i, e in enumerate(network.edges) if e.id == edge)

    def on_it() -> int:
        return int(((crowd.people.ints[WAY] >> 1 == index) & crowd.active).sum())

    entered = []
    for _ in range(150):
        world.advance(Command(), 60)
        entered.append(on_it())
    assert max(entered[30:40]) > 1
    assert max(entered[-20:]) == 0
    world.close()


def test_edges_are_cut_where_the_line_meets_them() -> None:
    edges = [
        NetworkEdge(1, np.array([(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)])),
        NetworkEdge(2, np.array([(20.0, 0.0, 0.0), (20.0, 20.0, 0.0), (0.0, 20.0, 0.0), (0.0, 0.0, 0.0)])),
        NetworkEdge(3, np.array([(10.0, -5.0, 6.0), (10.0, 25.0, 6.0)])),
    ]
    network = PedestrianNetwork(edges)
    closure = line((10, -1, 0), (10, 1, 0))
    assert closed_edges(network, [closure]) == {1}
    cut = cut_network(network, [closure])
    assert [edge.id for edge in cut.edges] == [1, 1, 2, 3]
    assert cut.edges[0].line[-1] == pytest.approx((9.5, 0, 0))
    assert cut.edges[1].line[0] == pytest.approx((10.5, 0, 0))
    route = closure_leaves_detour(network, closure, (8, 0, 0), (12, 0, 0))
    assert route.length_m == pytest.approx(8 + 20 + 20 + 20 + 8)
    assert not crosses(route.points, closure)
    assert closure_leaves_detour(network, line((50, 0, 0), (60, 0, 0)), (8, 0, 0), (12, 0, 0)).length_m == 4.0


def test_a_closure_that_cuts_the_goal_off_is_refused_with_the_reason() -> None:
    network = grid_town().network
    ring = Closure(((-5.0, 25.0, 0.0), (20.0, 25.0, 0.0), (20.0, -5.0, 0.0)), "ring", "closed")
    start, goal = (6.0, 6.0, 0.0), (130.0, 130.0, 0.0)
    with pytest.raises(InputError, match="round 'ring', found none: the closure cuts all of them") as caught:
        closure_leaves_detour(network, ring, start, goal)
    assert "\n" not in str(caught.value)
    detour = closure_leaves_detour(network, [ACROSS], START.position, goal)
    assert detour.length_m > network.route(START.position, goal).length_m - 1e-9


def test_an_island_is_not_the_closures_fault() -> None:
    edges = [
        NetworkEdge(1, np.array([(0.0, 0.0, 0.0), (20.0, 0.0, 0.0)])),
        NetworkEdge(2, np.array([(0.0, 500.0, 0.0), (20.0, 500.0, 0.0)])),
    ]
    with pytest.raises(InputError, match="separate parts"):
        closure_leaves_detour(PedestrianNetwork(edges), line((10, -1, 0), (10, 1, 0)), (5, 0, 0), (5, 500, 0))


@pytest.mark.parametrize(
    ("vertices", "label", "at", "expected"),
    [
        (((0, 0, 0),), "a", 0.0, "two or more"),
        (((0, 0), (1, 1)), "a", 0.0, "two or more"),
        (((0, 0, 0), (1, math.nan, 0)), "a", 0.0, "two or more"),
        ("nonsense", "a", 0.0, "two or more"),
        (((0, 0, 0), (1, 1, 0)), "", 0.0, "label"),
        (((0, 0, 0), (1, 1, 0)), "a", -1.0, "0 s or later"),
        (((0, 0, 0), (1, 1, 0)), "a", math.inf, "0 s or later"),
    ],
)
def test_bad_closures_are_refused(vertices: object, label: str, at: float, expected: str) -> None:
    with pytest.raises(InputError, match=expected):
        Closure(vertices, label, "closed", at)  # type: ignore[arg-type]


def test_labels_must_differ() -> None:
    world = World(grid_town(), physics="native")
    with pytest.raises(InputError, match="different labels"):
        world.reset(START, closures=[ACROSS, ACROSS])
    world.close()


def test_barriers_end_before_what_stands_in_their_line() -> None:
    """A post 16 cm wide and a bench across the line: nothing goes through them, and the rest of the line is closed."""
    things = merge(
        [box((-10, -10, -1), (10, 10, 0)), box((-0.6, 1.0, 0), (0.6, 1.16, 4)), box((-1, -4, 0), (1, -3.4, 0.45))]
    )
    sky = Sky(City.in_memory([things], [Material()]), 10.0, None)
    line = np.array([(0.0, -8.0, 0.0), (0.0, 8.0, 0.0)])
    free, plain = (barrier_bodies([line], 0, sky.ground, look) for look in (sky.free, None))
    spans = [np.sort([p[1] - s, p[1] + s]) for p, s in zip(free.place, free.scale, strict=True)]
    for low, high in ((1.0, 1.16), (-4.0, -3.4)):
        assert all(end <= low or start >= high for start, end in spans)
    assert any(p[1] - s < 1.0 and p[1] + s > 1.16 for p, s in zip(plain.place, plain.scale, strict=True))
    assert sum(float(end - start) for start, end in spans) > 12.5  # of 16 m
    spots = notice_places(np.array([(0.0, -6.0, 0.0), (0.0, 8.16, 0.0)]), sky.ground, sky.free)
    assert (np.abs(spots[:, 1] - 1.08) > 0.6).all()  # not through the post in the middle


def test_lamps_of_barriers_shine_at_night_alone() -> None:
    from citysim.conditions import Conditions
    from citysim.pose import Pose
    from citysim.render.base import Camera, View
    from citysim.render.raster import RasterRenderer

    city = City.in_memory([box((-50, -50, -1), (50, 50, 0))], [Material(color=(0.3, 0.3, 0.3, 1.0))])
    renderer = RasterRenderer(city)
    bodies = barrier_bodies([np.array([(6.0, -4.0, 0.0), (6.0, 4.0, 0.0)])])
    camera = Camera(Pose(0.0, 0.0, 1.6, 0.0), (320, 240))
    amber = []
    for hour in (12.0, 23.0):
        rgb = renderer.render(View(camera, Conditions(clock_s=hour * 3600.0), bodies=bodies)).rgb.astype(int)
        amber.append(int(((rgb[..., 0] > 200) & (rgb[..., 1] > 100) & (rgb[..., 2] < 120)).sum()))
    assert amber[1] > 40  # nothing else is as bright in a street without lamps
    renderer.close()
