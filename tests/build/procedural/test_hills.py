"""Embedded cities on hills: what their plans promise holds in the ground that is built."""

import numpy as np
import pytest

from citysim.build.draft import CityDraft
from citysim.build.plans import CityPlan
from citysim.build.procedural import plan_preset
from citysim.build.streets import build_streets
from citysim.build.streets.surface import GroundSurface
from citysim.city import City
from citysim.world import World
from tests.acceptance.walking import follow
from tests.build.streets.worlds import city_of, finest, floor_below, samples

HILLY = ("harbour", "oldtown")


@pytest.fixture(scope="module", params=HILLY)
def built(request: pytest.FixtureRequest) -> tuple[CityDraft, GroundSurface]:
    draft = CityDraft(plan_preset(request.param, seed=3, size=240.0))
    return draft, build_streets(draft)


@pytest.mark.parametrize("name", HILLY)
@pytest.mark.parametrize(("seed", "size"), [(0, 200.0), (1, 310.0), (2, 450.0), (11, 700.0)])
def test_any_seed_and_size_makes_a_plan_on_a_hill(name: str, seed: int, size: float) -> None:
    plan = plan_preset(name, seed=seed, size=size)
    assert plan.bounds[2] - plan.bounds[0] == size
    assert plan.terrain is not None
    assert len(plan.buildings) > size / 10.0
    assert len({p.name for p in plan.places}) == len(plan.places)
    rng = np.random.default_rng(seed)
    points = rng.uniform(plan.bounds[0], plan.bounds[2], (2000, 2))
    heights = plan.terrain.heights(points)
    assert np.isfinite(heights).all()
    assert np.ptp(heights) > 4.0


def test_the_default_harbour_climbs_from_the_sea_to_sixty_metres() -> None:
    plan = plan_preset("harbour")
    assert plan.terrain is not None
    assert plan.terrain.height(0.0, -295.0) == pytest.approx(3.5, abs=0.5)
    assert 50.0 < plan.terrain.height(0.0, 290.0) < 80.0
    kinds = {w.kind for w in plan.ways}
    assert {"steps", "escalator", "crossing", "sidewalk", "pedestrian"} <= kinds
    assert any(w.bridge for w in plan.ways)
    assert any(w.tunnel for w in plan.ways)
    assert len(plan.places) >= 500


def _grades(plan: CityPlan) -> list[float]:
    assert plan.terrain is not None
    found = []
    for way in plan.ways:
        if way.kind in ("primary", "tertiary", "residential"):
            line = plan.line(way)
            stations = np.arange(0.0, line.length, 4.0)
            points = np.array([line.interpolate(s).coords[0] for s in stations])
            z = plan.terrain.heights(points)
            found += (np.abs(np.diff(z)) / 4.0).tolist()
    return found


@pytest.mark.parametrize("name", HILLY)
def test_streets_that_are_driven_are_no_steeper_than_an_eighth(name: str) -> None:
    grades = _grades(plan_preset(name))
    assert float(np.quantile(grades, 0.995)) < 0.125
    assert max(grades) < 0.25  # where a link road meets a street at a sharp angle


def test_the_ground_catches_every_drop(built: tuple[CityDraft, GroundSurface]) -> None:
    draft, _ = built
    rng = np.random.default_rng(5)
    half = draft.plan.bounds[2] - 0.6
    points = np.column_stack([rng.uniform(-half, half, (3000, 2)), np.full(3000, 200.0)])
    import shapely

    solid = shapely.union_all([b.polygon.buffer(0.1) for b in draft.plan.buildings])
    free = ~shapely.contains_xy(solid, points[:, 0], points[:, 1])
    floor = floor_below(finest(draft), points[free], 0.5)
    assert (floor > -5.0).all()


def test_lines_lie_on_the_ground_and_join(built: tuple[CityDraft, GroundSurface]) -> None:
    draft, _ = built
    city: City = city_of(draft)
    assert len(city.network.components[0]) > 0.97 * len(city.network.edges)
    triangles = finest(draft)
    off = []
    for edge in draft.edges:
        if edge.attributes["FeatureType"] in (12, 8):
            continue
        points = samples(edge, 1.0)
        off.append(np.abs(points[:, 2] - floor_below(triangles, points + np.array([0.0, 0.0, 0.2]), 0.2)).max())
    assert max(off) < 0.05


@pytest.mark.timeout(300)
def test_every_line_is_walked_in_its_directions(built: tuple[CityDraft, GroundSurface]) -> None:
    draft, _ = built
    world = World(city_of(draft), physics="native")
    failed = []
    for edge in draft.edges:
        one_way = edge.attributes["Direction"]
        lines = {0: [edge.line, edge.line[::-1]], 1: [edge.line], -1: [edge.line[::-1]]}[one_way]
        for line in lines:
            walked = follow(world, line, 1.4)
            if not walked.arrived or walked.fell:
                failed.append((edge.id, line[0].round(1).tolist(), line[-1].round(1).tolist()))
    world.close()
    assert not failed
