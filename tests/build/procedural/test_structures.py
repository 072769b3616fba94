"""Walkways, arcades, railings and guiding lines of embedded cities, as planned."""

from collections import Counter

import networkx as nx
import pytest
import shapely

from citysim.build.plans import CityPlan
from citysim.build.procedural import PRESETS
from citysim.build.procedural.dressing.manners import MANNERS


@pytest.fixture(scope="module")
def harbour() -> CityPlan:
    return PRESETS["harbour"].plan(0, 600.0)


@pytest.fixture(scope="module")
def akiba() -> CityPlan:
    return PRESETS["akiba"].plan(0, 400.0)


def test_footbridges_of_the_harbour_are_one_network_with_stairs_escalators_and_lifts(harbour: CityPlan) -> None:
    decks = [w for w in harbour.ways if w.bridge and w.kind == "footway"]
    assert all(w.covered for w in decks)
    graph = nx.Graph()
    for way in decks:
        nx.add_path(graph, way.nodes)
    parts = sorted(nx.connected_components(graph), key=len, reverse=True)
    names = {w.name for w in decks if w.nodes[0] in parts[0]}
    assert len(names) >= 3  # bridges joined
    leading = Counter(w.kind for w in harbour.ways if (w.nodes[0] in parts[0]) != (w.nodes[-1] in parts[0]))
    assert leading["elevator"] == 2
    assert leading["escalator"] == 2
    assert leading["steps"] >= 4
    senses = [w.conveying for w in harbour.ways if w.kind == "escalator" and {*w.nodes} & parts[0]]
    assert sorted(senses) == [-1, 1]


@pytest.mark.parametrize("size", [200.0, 330.0, 450.0, 900.0])
@pytest.mark.parametrize("seed", [1, 5])
def test_any_size_of_harbour_has_room_or_does_without(seed: int, size: float) -> None:
    plan = PRESETS["harbour"].plan(seed, size)
    lifts = [w for w in plan.ways if w.kind == "elevator"]
    assert len(lifts) in (0, 2)
    solid = shapely.union_all([b.polygon for b in plan.buildings if b.kind != "roof"])
    for way in [*lifts, *(w for w in plan.ways if w.kind == "escalator" and not w.layer)]:
        assert not solid.intersects(plan.line(way).buffer(0.8))
    raised = [w for w in plan.ways if w.bridge]
    assert all(not solid.intersects(plan.line(w).buffer(w.width / 2)) for w in raised)


def test_arcades_stand_over_pavements_before_houses(harbour: CityPlan) -> None:
    roofs = [b for b in harbour.buildings if b.kind == "roof"]
    assert len(roofs) >= 10
    houses = shapely.union_all([b.polygon for b in harbour.buildings if b.kind != "roof"])
    roads = shapely.union_all([harbour.line(w).buffer(w.width / 2) for w in harbour.ways if w.kind == "tertiary"])
    over_pavements = [r for r in roofs if r.height > 4.0]
    for roof in over_pavements:
        assert not roads.intersects(roof.polygon)
        assert shapely.intersection(houses, roof.polygon).area < 0.01
        assert houses.distance(roof.polygon) < 0.5
    walks = [harbour.line(w) for w in harbour.ways if w.kind == "sidewalk"]
    under = sum(shapely.intersection(line, roof.polygon).length for line in walks for roof in over_pavements)
    assert under > 200.0


def test_lamps_and_trees_leave_arcades_free(harbour: CityPlan) -> None:
    roofs = shapely.union_all([b.polygon for b in harbour.buildings if b.kind == "roof"])
    tall = [p for p in harbour.props if p.kind in ("tree", "street_lamp", "traffic_signals")]
    assert not [p for p in tall if roofs.contains(shapely.Point(p.xy))]


@pytest.mark.parametrize("name", ["harbour", "akiba"])
def test_railings_stand_behind_kerbs_and_leave_crossings_open(name: str, harbour: CityPlan, akiba: CityPlan) -> None:
    plan = {"harbour": harbour, "akiba": akiba}[name]
    rails = [b.line for b in plan.barriers if "/kerb" in b.id]
    assert sum(line.length for line in rails) > 150.0
    roads = shapely.union_all(
        [plan.line(w).buffer(w.width / 2) for w in plan.ways if w.kind in ("primary", "tertiary")]
    )
    crossings = shapely.union_all([plan.line(w).buffer(w.width / 2) for w in plan.ways if w.kind == "crossing"])
    for line in rails:
        assert not roads.intersects(line)
        assert roads.distance(line) < 0.4
        assert not crossings.intersects(line)


def test_guiding_lines_of_akiba_follow_its_main_pavements(akiba: CityPlan) -> None:
    guided = [w for w in akiba.ways if w.tags.get("tactile_paving") == "yes"]
    assert {w.kind for w in guided} == {"sidewalk"}
    assert sum(akiba.line(w).length for w in guided) > 1000.0


def test_kerbs_of_grid_are_wider_at_junctions() -> None:
    plan = PRESETS["grid"].plan(0, 300.0)
    assert {w.tags.get("kerb_radius") for w in plan.ways if w.kind in ("primary", "secondary")} == {"5"}


def test_every_big_preset_asks_for_over_eight_landmarks() -> None:
    for name, manner in MANNERS.items():
        if name != "mini":
            assert len(manner.ground) + len(manner.roofs) > 8
