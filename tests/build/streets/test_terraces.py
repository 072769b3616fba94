"""A garden that only a stair leads up to is level, held by walls and fenced in; one with other ways is a slope."""

import numpy as np
import pytest
import shapely
from shapely.geometry import box

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.plans import AreaPlan, CityPlan, WayPlan, Xy
from citysim.build.streets import build_streets
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.terraces import COPING, RAIL
from tests.build.streets.small import small_plan
from tests.build.streets.test_network import _follow
from tests.build.streets.worlds import city_of, finest, first_hits, floor_below, samples

Built = tuple[CityDraft, GroundSurface]
GARDEN = box(60.0, 70.0, 100.0, 110.0)


def terrace_plan(*more: WayPlan) -> CityPlan:
    """A street path, a stair of twelve risers and a raised garden with a path."""
    places: dict[int, Xy] = {
        1: (0.0, 40.0), 2: (80.0, 40.0), 3: (160.0, 40.0), 4: (80.0, 65.0), 5: (80.0, 69.5), 6: (80.0, 95.0),
        7: (130.0, 95.0), 8: (130.0, 40.0),
    }  # fmt: skip
    ways = (
        WayPlan("w/path", "footway", (1, 2, 8, 3), 2.5),
        WayPlan("w/to", "footway", (2, 4), 2.5),
        WayPlan("w/steps", "steps", (4, 5), 2.5, "Garden Steps", steps=12, incline=1),
        WayPlan("w/garden", "footway", (5, 6), 2.0, "Garden"),
        *more,
    )
    areas = (AreaPlan("a/garden", "garden", GARDEN, "High Garden"),)
    return small_plan(nodes=places, ways=ways, areas=areas, buildings=(), crossings=())


@pytest.fixture(scope="module")
def garden() -> Built:
    draft = CityDraft(terrace_plan())
    return draft, build_streets(draft)


def test_the_garden_is_level_and_the_street_too(garden: Built) -> None:
    ground = garden[1]
    inside = ground.height(np.array([(61.0, 71.0), (99.0, 71.0), (80.0, 90.0), (62.0, 109.0), (80.0, 72.0)]))
    around = ground.height(np.array([(59.0, 70.0), (70.0, 69.0), (101.0, 90.0), (80.0, 112.0), (80.0, 50.0)]))
    assert np.allclose(around, 0.0)
    assert np.allclose(inside, 12 * 0.155, atol=0.002)


def test_walls_close_its_sides_and_rails_its_edge(garden: Built) -> None:
    draft, ground = garden
    triangles = finest(draft)
    panels = look(draft, "rail_panel").material  # seen from both sides
    solid = np.concatenate([p.positions[p.triangles] for p in draft.mesh.parts if p.material != panels])
    top = float(ground.height([(80.0, 90.0)])[0])
    rng = np.random.default_rng(2)
    for eye in ((50.0, 60.0, 1.0), (110.0, 100.0, 1.0), (90.0, 60.0, 0.5)):
        to = np.column_stack([rng.uniform((61, 71), (99, 109), (200, 2)), rng.uniform(0.1, top - 0.1, 200)])
        away = to - eye
        distance, cosine = first_hits(solid, np.array(eye), away / np.linalg.norm(away, axis=1)[:, None])
        assert (distance < np.linalg.norm(away, axis=1)).all(), "nobody looks under the garden"
        assert (cosine < 0).all()
    sides = (((50.0, 90.0), (1, 0)), ((110.0, 90.0), (-1, 0)), ((70.0, 60.0), (0, 1)), ((90.0, 120.0), (0, -1)))
    for place, ahead in sides:
        distance, _ = first_hits(triangles, np.array([*place, top + COPING + RAIL - 0.02]), np.array([[*ahead, 0.0]]))
        assert 9.0 < distance[0] < 10.5, "a handrail stands along the edge"


def test_only_the_stair_leads_up(garden: Built) -> None:
    draft = garden[0]
    triangles = finest(draft)
    rim = shapely.LineString(GARDEN.exterior.coords)
    for edge in draft.edges:
        line = shapely.LineString(edge.line[:, :2])
        meets = shapely.intersection(line, rim)
        assert meets.is_empty or meets.distance(shapely.Point(80.0, 70.0)) < 1.3
        points = samples(edge)
        allowed = 0.175 if edge.attributes["FeatureType"] == 12 else 0.03
        assert np.abs(points[:, 2] - floor_below(triangles, points)).max() < allowed
    assert max(edge.line[:, 2].max() for edge in draft.edges) > 1.8


def test_a_walker_goes_up_and_down(garden: Built) -> None:
    pytest.importorskip("pybullet")
    from citysim.physics.bullet import BulletSpace
    from citysim.physics.walker import Walker

    walker = Walker(BulletSpace(city_of(garden[0])))
    for edge in garden[0].edges:
        for line in (edge.line, edge.line[::-1]):
            _follow(walker, line, edge)


def test_a_garden_with_another_way_in_is_a_slope() -> None:
    draft = CityDraft(terrace_plan(WayPlan("w/round", "footway", (6, 7, 8), 2.0)))
    ground = build_streets(draft)
    z = ground.height(np.column_stack([np.linspace(90.0, 125.0, 36), np.full(36, 95.0)]))
    assert z[0] - z[-1] > 0.1
    assert np.abs(np.diff(z)).max() < 0.3
