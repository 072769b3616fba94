"""Ground, stairs, walls and escalators on a plan with a terrain."""

import math
from dataclasses import replace

import numpy as np
import pytest
from shapely.geometry import box

from citysim.build.draft import CityDraft
from citysim.build.plans import BuildingPlan, CityPlan, EntrancePlan, WayPlan
from citysim.build.streets import build_streets
from citysim.build.streets.surface import GroundSurface
from citysim.build.terrain import Patch, Terrain
from citysim.geo.frames import LocalFrame
from citysim.pose import Pose
from citysim.world import Command, World
from tests.acceptance.walking import follow
from tests.build.streets.worlds import city_of, finest, floor_below, samples

LOW, HIGH, RISE = 1.0, 4.0, 3.0


def hill() -> CityPlan:
    """Two level streets three metres apart in height; a stair and an escalator between them; a sloping side street."""
    nodes = {
        1: (0.0, 20.0), 2: (60.0, 20.0), 3: (100.0, 20.0), 4: (0.0, 60.0), 5: (60.0, 60.0), 6: (100.0, 60.0),
        10: (20.0, 26.0), 11: (20.0, 36.0), 12: (20.0, 42.0), 13: (20.0, 54.0),
        20: (28.0, 26.0), 21: (28.0, 36.0), 22: (28.0, 46.0), 23: (28.0, 54.0),
    }  # fmt: skip
    ways = (
        WayPlan("w/low", "residential", (1, 2, 3), 7.0, "Low Street", 2),
        WayPlan("w/high", "residential", (4, 5, 6), 7.0, "High Street", 2),
        WayPlan("w/side", "residential", (2, 5), 7.0, "Side Street", 2),
        WayPlan("w/foot", "footway", (10, 11), 2.5),
        WayPlan("w/steps", "steps", (11, 12), 3.0, "Hill Steps", steps=20, incline=1),
        WayPlan("w/head", "footway", (12, 13), 2.5),
        WayPlan("w/escalator-foot", "footway", (20, 21), 2.5),
        WayPlan("w/escalator", "escalator", (21, 22), 1.6, "Hill Escalator", incline=1, conveying=1, covered=True),
        WayPlan("w/escalator-head", "footway", (22, 23), 2.5),
    )  # fmt: skip
    door = EntrancePlan("d/1", (80.0, 54.0), "main")
    buildings = (BuildingPlan("b/1", box(72.0, 36.0, 90.0, 54.0), 12.0, entrances=(door,)),)

    def side(x: float, y: float) -> float:
        return LOW + RISE * min(max((y - 26.0) / 28.0, 0.0), 1.0)

    def flight(start: float, length: float):  # type: ignore[no-untyped-def]
        return lambda x, y: LOW + RISE * min(max((y - start) / length, 0.0), 1.0)

    patches = [
        Patch.level(box(0.0, 0.0, 100.0, 26.0), LOW), Patch.level(box(0.0, 54.0, 100.0, 80.0), HIGH),
        Patch(box(54.0, 26.0, 66.0, 54.0), side),
        Patch.level(box(17.0, 26.0, 23.0, 36.0), LOW), Patch(box(17.0, 36.0, 23.0, 42.0), flight(36.0, 6.0)),
        Patch.level(box(17.0, 42.0, 23.0, 54.0), HIGH),
        Patch.level(box(26.0, 26.0, 30.0, 36.0), LOW), Patch(box(26.0, 36.0, 30.0, 46.0), flight(36.0, 10.0)),
        Patch.level(box(26.0, 46.0, 30.0, 54.0), HIGH),
    ]  # fmt: skip
    shelves = [(0.0, 17.0), (23.0, 26.0), (30.0, 54.0), (66.0, 100.0)]
    for x0, x1 in shelves:
        patches += [Patch.level(box(x0, 26.0, x1, 40.0), LOW), Patch.level(box(x0, 40.0, x1, 54.0), HIGH)]
    return CityPlan(
        name="hill", title="Hill", source="test", licence="Apache-2.0", attribution="", frame=LocalFrame(24.94, 60.17),
        bounds=(0.0, 0.0, 100.0, 80.0), seed=3, generator={}, nodes=nodes, ways=ways, buildings=buildings,
        terrain=Terrain.of(patches),
    )  # fmt: skip


@pytest.fixture(scope="module")
def built() -> tuple[CityDraft, GroundSurface]:
    draft = CityDraft(hill())
    return draft, build_streets(draft)


def test_the_ground_has_the_terrain_s_heights_but_for_kerbs(built: tuple[CityDraft, GroundSurface]) -> None:
    _, ground = built
    np.testing.assert_allclose(ground.height([(40.0, 25.0), (40.0, 55.0), (80.0, 30.0)]), [LOW, HIGH, LOW], atol=1e-3)
    (z,) = ground.height([(60.0, 40.0)])
    assert z == pytest.approx(LOW + RISE / 2 - 0.12, abs=1e-3)


def test_both_sides_of_a_wall_keep_their_heights(built: tuple[CityDraft, GroundSurface]) -> None:
    draft, ground = built
    low, high = ground.height([(40.0, 39.9), (40.0, 40.1)])
    assert (low, high) == (LOW, HIGH)
    walls = [o for o in draft.objects if o.category == "retaining_wall"]
    assert {o.attributes["height"] for o in walls} >= {RISE}


def test_nothing_of_the_ground_is_open(built: tuple[CityDraft, GroundSurface]) -> None:
    """Straight down from anywhere something is hit, on walls and stairs too."""
    draft, _ = built
    rng = np.random.default_rng(1)
    points = np.column_stack([rng.uniform(0.5, 99.5, 4000), rng.uniform(0.5, 79.5, 4000), np.full(4000, 40.0)])
    inside = (points[:, 0] > 71.9) & (points[:, 0] < 90.1) & (points[:, 1] > 35.9) & (points[:, 1] < 54.1)
    floor = floor_below(finest(draft), points[~inside])
    assert (floor > -0.2).all()


def test_lines_follow_the_ground(built: tuple[CityDraft, GroundSurface]) -> None:
    draft, _ = built
    triangles = finest(draft)
    for edge in draft.edges:
        points = samples(edge)
        gap = np.abs(points[:, 2] - floor_below(triangles, points + np.array([0.0, 0.0, 0.3]), 0.3))
        assert gap.max() < 0.2 if edge.attributes["FeatureType"] == 12 else gap.max() < 0.03


def test_gradients_and_covers_are_told(built: tuple[CityDraft, GroundSurface]) -> None:
    draft, _ = built
    by_type = {e.attributes["FeatureType"]: e.attributes for e in draft.edges}
    assert by_type[12]["Gradient"] == pytest.approx(math.atan2(3.0, 6.0), abs=0.02)
    assert by_type[8]["Gradient"] == pytest.approx(math.atan2(3.0, 10.0), abs=0.02)
    assert by_type[8]["Direction"] == 1
    assert by_type[8]["WeatherProof"] == 1
    assert by_type[8]["WheelchairBarrier"] == 1


@pytest.mark.parametrize("physics", ["native", "bullet"])
def test_every_line_is_walked_in_its_directions(built: tuple[CityDraft, GroundSurface], physics: str) -> None:
    if physics == "bullet":
        pytest.importorskip("pybullet")
    draft, _ = built
    world = World(city_of(draft), physics=physics)
    failed = []
    for edge in draft.edges:
        one_way = edge.attributes["Direction"] == 1
        for line in [edge.line] if one_way else [edge.line, edge.line[::-1]]:
            walked = follow(world, line, 1.4)
            if not walked.arrived or walked.fell:
                failed.append((edge.id, line[0].tolist(), line[-1].tolist()))
    world.close()
    assert not failed


@pytest.mark.parametrize("physics", ["native", "bullet"])
def test_an_escalator_carries_who_stands_on_it(built: tuple[CityDraft, GroundSurface], physics: str) -> None:
    if physics == "bullet":
        pytest.importorskip("pybullet")
    draft, _ = built
    world = World(city_of(draft), physics=physics)
    world.reset(Pose(28.0, 36.3, LOW, math.pi / 2))
    begun = world.snapshot()
    world.advance(Command(), 60 * 30)
    there = world.pose
    assert there.up == pytest.approx(HIGH, abs=0.02)
    assert there.north == pytest.approx(46.0, abs=0.1)
    world.restore(begun)
    for _ in range(60):
        world.advance(Command(), 30)
    assert world.pose == there
    world.close()


def test_a_house_on_a_slope_stands_level_with_its_door() -> None:
    from citysim.build.buildings import build_buildings

    draft = CityDraft(replace(hill(), ways=hill().ways[:3]))
    build_buildings(draft, build_streets(draft))
    house = next(o for o in draft.objects if o.category == "building")
    assert house.position[2] == HIGH
    walls = np.concatenate([p.positions for p in draft.mesh.parts if p.label == house.id])
    assert walls[:, 2].min() < LOW  # its plinth reaches below the lower ground
    door = next(o for o in draft.objects if o.category == "entrance")
    assert door.position[2] == HIGH
