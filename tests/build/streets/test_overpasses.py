"""Bridges without stairs clear what they cross, their ramps are walked, and where none fits there is no crossing."""

import networkx as nx
import numpy as np
import pytest
import shapely
from shapely.geometry import box

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.plans import AreaPlan, CityPlan, CrossingPlan, WayPlan, Xy
from citysim.build.streets import build_streets
from citysim.build.streets.overpasses import DECK, OVER_FOOT, OVER_RAIL, OVER_ROAD
from citysim.build.streets.surface import GroundSurface
from tests.build.streets.small import small_plan
from tests.build.streets.test_network import _follow
from tests.build.streets.worlds import city_of, finest, first_hits, floor_below, samples

Built = tuple[CityDraft, GroundSurface]
BOUNDS = (0.0, 0.0, 320.0, 120.0)


def _plan(
    nodes: dict[int, Xy],
    *ways: WayPlan,
    areas: tuple[AreaPlan, ...] = (),
    crossings: tuple[CrossingPlan, ...] = (),
) -> CityPlan:
    return small_plan(nodes=nodes, ways=ways, areas=areas, buildings=(), crossings=crossings, bounds=BOUNDS)


def road_plan(west: float = 40.0) -> CityPlan:
    """A primary on a bridge over a secondary; side streets join it `west` metres from the west and at 280 m."""
    nodes = {
        1: (0.0, 60.0), 2: (west, 60.0), 3: (145.0, 60.0), 4: (175.0, 60.0), 5: (280.0, 60.0), 6: (320.0, 60.0),
        10: (160.0, 0.0), 11: (160.0, 120.0), 20: (west, 0.0), 21: (280.0, 0.0), 30: (0.0, 20.0), 31: (320.0, 20.0),
        32: (west, 20.0), 33: (160.0, 20.0), 34: (280.0, 20.0), 40: (20.0, 60.0),
    }  # fmt: skip
    return _plan(
        nodes,
        WayPlan("w/west", "primary", (1, 40, 2, 3), 9.0, "High Street", 2),
        WayPlan("w/bridge", "primary", (3, 4), 9.0, "High Street", 2, bridge=True, layer=1),
        WayPlan("w/east", "primary", (4, 5, 6), 9.0, "High Street", 2),
        WayPlan("w/low", "secondary", (10, 33, 11), 8.0, "Low Street", 2),
        WayPlan("w/side-west", "residential", (20, 32, 2), 6.0, "West Street", 2),
        WayPlan("w/side-east", "residential", (21, 34, 5), 6.0, "East Street", 2),
        WayPlan("w/south", "footway", (30, 32, 33, 34, 31), 2.0),
        crossings=(CrossingPlan("c/1", 40, "zebra"),),
    )


def foot_plan(over: str) -> CityPlan:
    """A footbridge with long ramps over a road, a path or rails, whose ends lie on a path round it."""
    nodes = {
        1: (20.0, 60.0), 2: (80.0, 60.0), 3: (240.0, 60.0), 4: (300.0, 60.0), 10: (160.0, 0.0), 11: (160.0, 120.0),
        20: (20.0, 20.0), 21: (300.0, 20.0), 22: (160.0, 20.0),
    }  # fmt: skip
    crossed = {
        "road": (WayPlan("w/low", "secondary", (10, 22, 11), 8.0, "Low Street", 2),),
        "path": (WayPlan("w/low", "footway", (10, 22, 11), 2.5, "Low Path"),),
        "rail": (),
    }[over]
    rail = AreaPlan("a/rail", "rail", box(150.0, 30.0, 170.0, 120.0))
    return _plan(
        nodes,
        WayPlan("w/to-west", "footway", (20, 1, 2), 2.5),
        WayPlan("w/bridge", "footway", (2, 3), 3.0, "Long Bridge", bridge=True, layer=1),
        WayPlan("w/to-east", "footway", (3, 4, 21), 2.5),
        WayPlan("w/round", "footway", (20, 22, 21), 2.0),
        *crossed,
        areas=(rail,) if over == "rail" else (),
    )


@pytest.fixture(scope="module", params=["drive", "road", "path", "rail"])
def bridged(request: pytest.FixtureRequest) -> tuple[str, CityDraft, GroundSurface]:
    plan = road_plan() if request.param == "drive" else foot_plan(request.param)
    draft = CityDraft(plan)
    return request.param, draft, build_streets(draft)


def _bridge(draft: CityDraft) -> tuple[float, ...]:
    found = [o for o in draft.objects if o.category in ("bridge", "footbridge")]
    assert len(found) == 1
    return found[0].bounds


def test_deck_clears_what_it_crosses(bridged: tuple[str, CityDraft, GroundSurface]) -> None:
    kind, draft, ground = bridged
    assert not [w for w in draft.warnings if "bridges" in w]
    reach = 1.4 if kind == "path" else 3.5
    xy = np.column_stack([np.linspace(160.0 - reach, 160.0 + reach, 15), np.full(15, 60.0)])
    floor = ground.height(xy)
    triangles = finest(draft)
    clear = {"drive": OVER_ROAD, "road": OVER_ROAD, "path": OVER_FOOT, "rail": OVER_RAIL}[kind]
    for x, y in xy:
        distance, cosine = first_hits(triangles, np.array([x, y, 0.3]), np.array([[0.0, 0.0, 1.0]]))
        assert distance[0] + 0.3 >= clear - 0.01
        assert cosine[0] < 0
    wanted = {"drive": "carriageway", "road": "carriageway", "path": "pavement", "rail": "rail"}[kind]
    assert ground.region([(160.0, 60.0)]) == [wanted]
    assert np.abs(floor).max() < 0.2
    top = floor_below(triangles, np.array([[160.0, 60.0, 20.0]]))
    assert clear + DECK - 0.2 < top[0] < clear + DECK + 0.2


def test_floor_lies_under_every_line_and_ramps_keep_their_grade(bridged: tuple[str, CityDraft, GroundSurface]) -> None:
    kind, draft, _ = bridged
    triangles = finest(draft)
    over = [e for e in draft.edges if e.line[:, 2].max() > 2.0]
    assert len(over) == (2 if kind == "drive" else 1)
    for edge in draft.edges:
        points = samples(edge)
        assert np.abs(points[:, 2] - floor_below(triangles, points)).max() < 0.03, edge.attributes
    for edge in over:
        run = np.hypot(*np.diff(edge.line[:, :2], axis=0).T)
        assert (np.abs(np.diff(edge.line[:, 2])) / run).max() <= (0.082 if kind == "drive" else 0.102)


def test_everything_is_one_network(bridged: tuple[str, CityDraft, GroundSurface]) -> None:
    graph = nx.Graph((e.line[0].tobytes(), e.line[-1].tobytes()) for e in bridged[1].edges)
    over = next(e for e in bridged[1].edges if e.line[:, 2].max() > 2.0)
    low = next(e for e in bridged[1].edges if abs(e.line[0, 1] - 20.0) < 2.0)
    assert nx.has_path(graph, over.line[0].tobytes(), low.line[0].tobytes())
    assert graph.degree(over.line[0].tobytes()) > 1
    assert graph.degree(over.line[-1].tobytes()) > 1


def test_ramps_are_closed_and_face_outwards(bridged: tuple[str, CityDraft, GroundSurface]) -> None:
    """Whoever looks at the bridge from the ground sees outer sides only, and no way into a ramp."""
    _, draft, _ = bridged
    panels = look(draft, "rail_panel").material  # seen from both sides
    triangles = np.concatenate([p.positions[p.triangles] for p in draft.mesh.parts if p.material != panels])
    outline = shapely.box(*np.array(_bridge(draft))[[0, 1, 3, 4]])
    rng = np.random.default_rng(5)
    for eye in ((100.0, 48.0, 1.6), (160.0, 52.0, 1.6), (220.0, 75.0, 1.6), (160.0, 60.0, 1.6)):
        ahead = rng.normal(size=(300, 3)) * (1.0, 1.0, 0.3)
        ahead /= np.linalg.norm(ahead, axis=1)[:, None]
        distance, cosine = first_hits(triangles, np.array(eye), ahead)
        hit = np.isfinite(distance)
        at = np.array(eye)[:2] + ahead[:, :2] * np.where(hit, distance, 0.0)[:, None]
        near = hit & shapely.contains_xy(outline.buffer(0.5), at[:, 0], at[:, 1])
        assert near.any()
        assert (cosine[near] < 0).all()


def test_a_walker_crosses_and_passes_below(bridged: tuple[str, CityDraft, GroundSurface]) -> None:
    pytest.importorskip("pybullet")
    from citysim.physics.bullet import BulletSpace
    from citysim.physics.walker import Walker

    _, draft, _ = bridged
    walker = Walker(BulletSpace(city_of(draft)))
    followed = [e for e in draft.edges if (np.abs(e.line[:, 0] - 160.0) < 30.0).any()]
    assert len(followed) >= 2
    for edge in followed:
        _follow(walker, edge.line, edge)


@pytest.mark.parametrize("plan", [road_plan(west=120.0), _plan({
    1: (20.0, 60.0), 2: (150.0, 60.0), 3: (170.0, 60.0), 4: (300.0, 60.0), 5: (150.0, 100.0), 10: (160.0, 0.0),
    11: (160.0, 120.0), 12: (160.0, 30.0), 13: (150.0, 30.0)},
    WayPlan("w/path", "footway", (1, 2), 2.5), WayPlan("w/bridge", "footway", (2, 3), 2.5, bridge=True, layer=1),
    WayPlan("w/on", "footway", (3, 4), 2.5), WayPlan("w/up", "footway", (2, 5), 2.5),
    WayPlan("w/low", "residential", (10, 12, 11), 6.0, lanes=2), WayPlan("w/link", "footway", (12, 13, 2), 2.0),
)])  # fmt: skip
def test_a_bridge_without_room_for_ramps_is_left_out_and_counted(plan: CityPlan) -> None:
    draft = CityDraft(plan)
    ground = build_streets(draft)
    assert any("1 bridges" in w and "without room for ramps" in w for w in draft.warnings)
    assert not [o for o in draft.objects if o.category in ("bridge", "footbridge")]
    over = shapely.LineString([(154.0, 60.0), (156.0, 60.0)])
    assert not any(shapely.LineString(e.line[:, :2]).distance(over) < 0.3 and e.attributes["FeatureType"] != 1
                   for e in draft.edges)  # fmt: skip
    assert ground.region([(160.0, 60.0)]) == ["carriageway"]
    assert ground.region([(153.8, 60.0)]) != ["carriageway"]
