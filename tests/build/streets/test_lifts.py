"""A footbridge with a stair and a lift, a roof over a path: bodies, network and rides."""

import math

import numpy as np
import pytest
import shapely
from shapely.geometry import LineString, box

from citysim.build.draft import CityDraft
from citysim.build.plans import BuildingPlan, CityPlan, WayPlan
from citysim.build.streets import build_streets
from citysim.build.streets.covers import split_at_covers
from citysim.build.streets.lifts import LENGTH, PORTAL, Lift
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.walks import Walk
from citysim.city.lifts import DWELL_S, SPEED
from citysim.geo.frames import LocalFrame
from citysim.pose import Pose
from citysim.world import Command, World
from tests.build.streets.worlds import city_of, finest, floor_below

Built = tuple[CityDraft, GroundSurface]


def crossing() -> CityPlan:
    """A street from west to east, a roofed bridge over it, a stair south of it and a lift north of it."""
    nodes = {
        1: (0.0, 40.0), 2: (80.0, 40.0), 3: (40.0, 50.0), 4: (40.0, 30.0), 5: (40.0, 11.0), 6: (40.0, 55.0),
        7: (40.0, 70.0), 8: (20.0, 70.0), 9: (40.0, 6.0), 10: (20.0, 6.0),
    }  # fmt: skip
    ways = (
        WayPlan("w/street", "residential", (1, 2), 8.0, "Main Street", 2),
        WayPlan("w/bridge", "footway", (3, 4), 3.0, "High Bridge", bridge=True, layer=1, covered=True),
        WayPlan("w/steps", "steps", (5, 4), 2.2, "High Bridge", steps=38, incline=1),
        WayPlan("w/lift", "elevator", (6, 3), 2.2, "High Bridge Lift"),
        WayPlan("w/north", "footway", (6, 7, 8), 2.5, "North Path"),
        WayPlan("w/south", "footway", (5, 9, 10), 2.5, "South Path"),
    )
    roof = BuildingPlan("b/roof", box(26.0, 68.0, 34.0, 72.0), 3.1, kind="roof", tags={"columns": "3.6"})
    return CityPlan(
        name="lift", title="Lift", source="test", licence="Apache-2.0", attribution="", frame=LocalFrame(24.94, 60.17),
        bounds=(0.0, 0.0, 80.0, 80.0), seed=3, generator={}, nodes=nodes, ways=ways, buildings=(roof,),
    )  # fmt: skip


@pytest.fixture(scope="module")
def built() -> Built:
    draft = CityDraft(crossing())
    return draft, build_streets(draft)


def test_the_shaft_stands_between_its_doors() -> None:
    plan = crossing()
    lift = Lift(plan.ways[3], plan.nodes[6], plan.nodes[3], 6.0)
    assert lift.middle == pytest.approx((40.0, 55.0 - PORTAL - LENGTH / 2), abs=1e-3)
    assert lift.outline.distance(shapely.Point(plan.nodes[6])) == pytest.approx(PORTAL, abs=2e-3)
    assert lift.sill.distance(shapely.Point(plan.nodes[3])) > 0.3
    assert not lift.keepout.contains(shapely.Point(40.0, 55.0 - PORTAL - 0.1))


def test_it_is_an_object_with_three_edges_that_join(built: Built) -> None:
    draft = built[0]
    (lift,) = [o for o in draft.objects if o.category == "lift"]
    x, y, low, high = lift.attributes["lift"]
    assert high - low > 5.0
    mine = [e for e in draft.edges if e.attributes["FeatureType"] == 10 or "Lift" in e.name]
    (rise,) = [e for e in mine if e.attributes["FeatureType"] == 10]
    assert rise.line.tolist() == [[x, y, low], [x, y, high]]
    assert rise.attributes["Gradient"] == pytest.approx(math.pi / 2)
    assert (rise.attributes["WheelchairAccess"], rise.attributes["WheelchairBarrier"]) == (1, 2)
    ends = [p.tobytes() for e in draft.edges for p in e.line[[0, -1]]]
    assert all(ends.count(p.tobytes()) >= 2 for p in rise.line)
    (enter,) = [e for e in mine if e.line[-1].tobytes() == rise.line[0].tobytes() and e is not rise]
    assert ends.count(enter.line[0].tobytes()) >= 2


def test_both_floors_are_solid(built: Built) -> None:
    draft = built[0]
    x, y, low, high = next(o for o in draft.objects if o.category == "lift").attributes["lift"]
    found = floor_below(finest(draft), np.array([[x, y, low], [x, y, high], [x + 0.5, y + 0.5, high]]))
    assert found == pytest.approx([low, high, high], abs=0.02)


def test_a_covered_bridge_has_a_roof_over_its_whole_line(built: Built) -> None:
    draft = built[0]
    triangles = finest(draft)
    edges = [e for e in draft.edges if e.attributes["FeatureType"] == 2 and e.attributes["WeatherProof"] == 1]
    assert edges
    for edge in edges:
        inner = edge.line[:-1] + (edge.line[1:] - edge.line[:-1]) / 2
        roof = floor_below(triangles, inner + np.array([0.0, 0.0, 5.0]))
        assert (roof > inner[:, 2] + 2.2).all()


@pytest.mark.parametrize("physics", ["native", "bullet"])
@pytest.mark.parametrize("piece", [7, 600], ids=["small steps", "one go"])
def test_a_walker_goes_in_rides_and_comes_out(built: Built, physics: str, piece: int) -> None:
    if physics == "bullet":
        pytest.importorskip("pybullet")
    world = World(city_of(built[0]), physics=physics)
    lift = next(o for o in built[0].objects if o.category == "lift")
    x, y, low, high = lift.attributes["lift"]
    world.reset(Pose(40.0, 55.5, low, -math.pi / 2, 0.0))
    _advance(world, Command(forward=1.4), round((55.5 - y) / 1.4 * 60), piece)
    assert math.hypot(world.pose.east - x, world.pose.north - y) < 0.1
    ride = math.ceil((DWELL_S + (high - low) / SPEED - world.time_s) * 60.0) + 2
    heights = _advance(world, Command(forward=0.5), 60, piece)  # it walks into the closed side meanwhile
    heights += _advance(world, Command(), ride - 60, piece)
    assert world.pose.up == pytest.approx(high, abs=0.01)
    assert max(heights) <= high + 0.01
    _advance(world, Command(forward=1.4), 150, piece)
    assert world.pose.north < y - LENGTH / 2 - 1.0
    assert world.pose.up == pytest.approx(high, abs=0.02)
    assert world.grounded
    world.close()


def test_lines_below_roofs_are_covered(built: Built) -> None:
    path = [e for e in built[0].edges if e.name == "North Path"]
    covered = [e for e in path if e.attributes["WeatherProof"] == 1]
    assert sum(e.attributes["Shape_Length"] for e in covered) == pytest.approx(8.0, abs=0.1)
    assert len(path) > len(covered)


def test_a_line_is_cut_where_it_comes_under_a_roof() -> None:
    line = LineString([(20.0, 70.0), (40.0, 70.0)])
    parts = split_at_covers(crossing(), [Walk(line, 1, 3), Walk(LineString([(0.0, 1.0), (9.0, 1.0)]), 1, 3)])
    assert [(p.line.length, p.covered) for p in parts] == [(6.0, False), (8.0, True), (6.0, False), (9.0, False)]


def _advance(world: World, command: Command, steps: int, piece: int) -> list[float]:
    heights = []
    while steps > 0:
        now = min(piece, steps)
        heights += world.advance(command, now).path[:, 2].tolist()
        steps -= now
    return heights
