"""Bridges over water rise above it, the water goes on below them, and nothing is left open."""

from dataclasses import replace

import numpy as np
import pytest
from shapely.geometry import box

from citysim.build.draft import CityDraft
from citysim.build.plans import AreaPlan, CityPlan, WayPlan
from citysim.build.streets import build_streets
from citysim.build.streets.spanning import PARAPET
from citysim.build.streets.surface import GroundSurface
from tests.build.streets.small import small_plan
from tests.build.streets.test_network import _follow
from tests.build.streets.worlds import city_of, finest, first_hits, floor_below, samples

Built = tuple[CityDraft, GroundSurface]


def canal_plan() -> CityPlan:
    """A street and a cycleway that cross a canal 30 m wide side by side, and paths along both banks."""
    nodes = {
        1: (80.0, 0.0), 2: (80.0, 40.0), 3: (80.0, 45.0), 4: (80.0, 85.0), 5: (80.0, 90.0), 6: (80.0, 140.0),
        11: (90.0, 40.0), 13: (90.0, 45.0), 14: (90.0, 85.0), 15: (90.0, 90.0),
        20: (0.0, 40.0), 21: (160.0, 40.0), 22: (0.0, 90.0), 23: (160.0, 90.0),
    }  # fmt: skip
    ways = (
        WayPlan("w/south", "primary", (1, 2, 3), 8.0, "Bridge Street", 2),
        WayPlan("w/bridge", "primary", (3, 4), 8.0, "Bridge Street", 2, bridge=True, layer=1),
        WayPlan("w/north", "primary", (4, 5, 6), 8.0, "Bridge Street", 2),
        WayPlan("w/cycle-south", "cycleway", (11, 13), 2.5),
        WayPlan("w/cycle-bridge", "cycleway", (13, 14), 2.5, bridge=True, layer=1),
        WayPlan("w/cycle-north", "cycleway", (14, 15), 2.5),
        WayPlan("w/bank-south", "footway", (20, 2, 11, 21), 2.0),
        WayPlan("w/bank-north", "footway", (22, 5, 15, 23), 2.0),
    )
    areas = (AreaPlan("a/canal", "water", box(0.0, 50.0, 160.0, 80.0), "Canal"),)
    return small_plan(nodes=nodes, ways=ways, areas=areas, buildings=(), crossings=())


@pytest.fixture(scope="module")
def canal() -> Built:
    draft = CityDraft(canal_plan())
    return draft, build_streets(draft)


def test_bridges_side_by_side_are_one_bridge(canal: Built) -> None:
    bridges = [o for o in canal[0].objects if o.category == "bridge"]
    assert [o.name for o in bridges] == ["Bridge Street"]
    assert not [w for w in canal[0].warnings if "dropped" in w]


def test_water_goes_on_below_a_deck_with_room_between(canal: Built) -> None:
    draft, ground = canal
    triangles = finest(draft)
    x, y = np.meshgrid(np.arange(74.0, 91.5, 0.5), np.arange(50.5, 80.0, 0.5))
    xy = np.column_stack([x.ravel(), y.ravel()])
    deck = ground.height(xy)
    level = ground.height([(20.0, 65.0)])[0]
    low = floor_below(triangles, np.column_stack([xy, np.full(len(xy), level + 0.1)]), 0.1)
    on_pier = low > level + 0.01
    assert np.allclose(low[~on_pier], level)
    assert on_pier.mean() < 0.1
    assert (deck - level > 1.1).all()
    assert ground.height([(80.0, 65.0)])[0] - level > 1.8
    assert set(ground.region(xy)) <= {"carriageway", "kerb", "pavement", "court", "path"}


def test_every_ray_from_the_water_meets_the_body_from_outside(canal: Built) -> None:
    """Whoever looks at slab, piers and banks from the canal sees their outer sides: no holes, nothing inside out."""
    triangles = finest(canal[0])
    rng = np.random.default_rng(3)
    for eye in ((66.0, 65.0, -0.6), (104.0, 63.0, -0.6), (80.0, 52.0, -0.75)):
        ahead = rng.normal(size=(300, 3)) * (1.0, 1.0, 0.25)
        distance, cosine = first_hits(triangles, np.array(eye), ahead / np.linalg.norm(ahead, axis=1)[:, None])
        assert (distance < 30.0).sum() > 150
        assert (cosine[distance < 30.0] < 0).all()


def test_parapets_close_the_outer_edges(canal: Built) -> None:
    draft, ground = canal
    triangles = finest(draft)
    for x in (73.6, 91.95):
        near = np.abs(triangles[:, :, 0] - x).max(axis=1) < 1.2
        tall = triangles[near][:, :, 2].max()
        assert tall > ground.height([(80.0, 65.0)])[0] + PARAPET - 0.2


def test_floor_lies_under_every_line_and_slopes_are_gentle(canal: Built) -> None:
    triangles = finest(canal[0])
    for edge in canal[0].edges:
        points = samples(edge)
        assert np.abs(points[:, 2] - floor_below(triangles, points)).max() < 0.03, edge.attributes
        run = np.maximum(np.hypot(*np.diff(edge.line[:, :2], axis=0).T), 0.5)
        assert (np.abs(np.diff(edge.line[:, 2])) / run).max() < 0.16  # lowered kerbs; the bridge itself has 0.05
    along = canal[1].height(np.column_stack([np.full(80, 80.0), np.arange(25.0, 105.0)]))
    assert 0.03 < np.abs(np.diff(along)).max() < 0.06


def test_a_walker_crosses_the_bridge(canal: Built) -> None:
    pytest.importorskip("pybullet")
    from citysim.physics.bullet import BulletSpace
    from citysim.physics.walker import Walker

    walker = Walker(BulletSpace(city_of(canal[0])))
    over = [e for e in canal[0].edges if (np.abs(e.line[:, 1] - 65.0) < 16.0).any()]
    assert len(over) >= 3
    for edge in over:
        _follow(walker, edge.line, edge)


def test_a_short_tunnel_below_a_roof_is_a_street() -> None:
    plan = small_plan()
    nodes = {**plan.nodes, 3: (135.0, 60.0), 99: (160.0, 60.0)}
    street = WayPlan("w/main-under", "primary", (6, 3), 10.0, "Main Street", 2, tunnel=True, layer=-1)
    ends = [replace(street, id=f"w/main-{n}", nodes=n, tunnel=False, layer=0) for n in ((2, 6), (3, 99))]
    kept = [w for w in plan.ways if not w.id.startswith(("w/deck", "w/subway", "w/main-east"))]
    ways = (*kept, street, *ends)
    draft = CityDraft(replace(plan, nodes=nodes, ways=ways))
    ground = build_streets(draft)
    assert set(ground.region([(115.0, 60.0), (122.0, 60.0), (130.0, 60.0)])) == {"carriageway"}
