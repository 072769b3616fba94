"""The plans of akiba, grid and garden: sound for any seed and size, and recognisable."""

import math
from collections import Counter

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import STRtree
from shapely.geometry import Point

from citysim.build.plans import DRIVE_KINDS, CityPlan
from citysim.build.procedural.akiba import plan_akiba
from citysim.build.procedural.garden import plan_garden
from citysim.build.procedural.grid import plan_grid

MAKERS = {"akiba": plan_akiba, "garden": plan_garden, "grid": plan_grid}


@pytest.fixture(scope="module")
def plans() -> dict[str, CityPlan]:
    return {name: make(0) for name, make in MAKERS.items()}


def solid(plan: CityPlan) -> list[object]:
    return [b.polygon for b in plan.buildings if b.min_height < 2.3]


def check_sound(plan: CityPlan) -> None:
    shapes = solid(plan)
    tree = STRtree(shapes)
    for k, shape in enumerate(shapes):
        assert shape.is_valid  # type: ignore[attr-defined]
        for j in tree.query(shape).tolist():
            assert j == k or shape.intersection(shapes[j]).area < 0.05  # type: ignore[attr-defined]
    for building in plan.buildings:
        for door in building.entrances:
            assert building.polygon.boundary.distance(Point(door.xy)) < 0.01
    for way in plan.ways:
        line = plan.line(way)
        assert line.length > 0.0
        if way.kind in DRIVE_KINDS:
            room = line.buffer(way.width / 2 - 0.1, cap_style="flat")
            hit = [shapes[i] for i in tree.query(room, predicate="intersects").tolist()]
            assert sum(room.intersection(s).area for s in hit) < 1.0, way.id
    graph: nx.Graph = nx.Graph()
    for way in plan.ways:
        if way.foot:
            nx.add_path(graph, way.nodes)
    parts = sorted((len(c) for c in nx.connected_components(graph)), reverse=True)
    assert parts[0] > 0.98 * sum(parts)
    ids = [x.id for group in (plan.ways, plan.areas, plan.buildings, plan.places, plan.props) for x in group]
    assert len(set(ids)) == len(ids)
    names = [p.name for p in plan.places]
    assert len(set(names)) == len(names)
    outlines = {b.id: b.polygon for b in plan.buildings}
    for place in plan.places:
        assert place.address
        assert place.opening_hours
        if place.building is None:
            assert any(a.kind == place.category and a.polygon.contains(Point(place.xy)) for a in plan.areas), place.id
        else:
            assert outlines[place.building].dwithin(Point(place.xy), 0.5)


@pytest.mark.parametrize("name", sorted(MAKERS))
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**60), size=st.floats(200.0, 420.0))
def test_every_seed_and_size_gives_a_sound_plan(name: str, seed: int, size: float) -> None:
    check_sound(MAKERS[name](seed, size))


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_the_default_size_is_sound(plans: dict[str, CityPlan], name: str) -> None:
    check_sound(plans[name])


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_the_same_seed_gives_the_same_plan(name: str) -> None:
    one, two, other = MAKERS[name](5, 220.0), MAKERS[name](5, 220.0), MAKERS[name](6, 220.0)
    assert one.ways == two.ways
    assert one.places == two.places
    assert [b.polygon.wkt for b in one.buildings] == [b.polygon.wkt for b in two.buildings]
    assert one.props == two.props
    assert other.nodes != one.nodes


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_cities_have_hundreds_of_places_of_many_kinds(plans: dict[str, CityPlan], name: str) -> None:
    assert len(plans[name].places) >= 500
    assert len({p.category for p in plans[name].places}) >= 40


def test_akiba_has_its_railway_scramble_and_deck(plans: dict[str, CityPlan]) -> None:
    plan = plans["akiba"]
    decks = [b for b in plan.buildings if b.kind == "bridge" and b.min_height == pytest.approx(5.0)]
    assert sum(b.polygon.area for b in decks) > 18.0 * 600.0
    assert any(b.kind == "train_station" for b in plan.buildings)
    assert sum(b.kind == "train" for b in plan.buildings) >= 3
    assert sum(b.id.startswith("akiba:arcade") for b in plan.buildings) >= 10
    diagonal = [w for w in plan.ways if w.kind == "crossing" and len(w.nodes) == 3 and _slanted(plan, w.nodes)]
    assert len(diagonal) == 2
    assert sum(w.bridge for w in plan.ways) == 8
    assert sum(w.kind == "steps" for w in plan.ways) == 4
    assert plan.bounds[3] - plan.bounds[1] == pytest.approx(650.0)


def _slanted(plan: CityPlan, nodes: tuple[int, ...]) -> bool:
    (ax, ay), (bx, by) = plan.nodes[nodes[0]], plan.nodes[nodes[-1]]
    return abs(ax - bx) > 5.0 and abs(ay - by) > 2.0


def test_back_streets_of_akiba_do_not_run_through(plans: dict[str, CityPlan]) -> None:
    plan = plans["akiba"]
    level = [plan.line(w) for w in plan.ways if w.kind == "living_street" and w.nodes[0] != w.nodes[-1]
             and abs(plan.nodes[w.nodes[0]][1] - plan.nodes[w.nodes[-1]][1]) < 0.5]  # fmt: skip
    assert level
    assert max(line.length for line in level) < 130.0


def test_grid_has_numbered_streets_towers_in_its_middle_and_a_park(plans: dict[str, CityPlan]) -> None:
    plan = plans["grid"]
    streets = {w.name for w in plan.ways if w.kind == "secondary"}
    assert {"1st Street", "2nd Street", "3rd Street"} <= streets
    assert {w.name for w in plan.ways if w.kind == "primary"} >= {"Avenue A", "Avenue B"}
    assert sum(a.kind == "park" for a in plan.areas) == 1
    high = [math.hypot(b.polygon.centroid.x, b.polygon.centroid.y) for b in plan.buildings if b.height > 50.0]
    low = [math.hypot(b.polygon.centroid.x, b.polygon.centroid.y) for b in plan.buildings if b.height < 20.0]
    assert len(high) >= 8
    assert sum(high) / len(high) < sum(low) / len(low)
    assert sum(w.tunnel for w in plan.ways) == 1


def test_garden_is_green_with_canals_bridges_and_every_sort_of_home(plans: dict[str, CityPlan]) -> None:
    plan = plans["garden"]
    styles = Counter(b.style for b in plan.buildings)
    sorts = ("slab", "gallery", "point", "row", "centre", "school")
    assert {f"garden_{sort}" for sort in sorts} <= set(styles)
    e0, n0, e1, n1 = plan.bounds
    green = sum(a.polygon.area for a in plan.areas if a.kind in ("grass", "park"))
    assert green > 0.4 * (e1 - e0) * (n1 - n0)
    assert sum(b.polygon.area for b in plan.buildings) < 0.2 * (e1 - e0) * (n1 - n0)
    water = [a.polygon for a in plan.areas if a.kind == "water"]
    assert sum(p.area for p in water) > 10_000.0
    bridges = [plan.line(w) for w in plan.ways if w.bridge]
    assert len(bridges) >= 12
    assert all(any(line.intersects(p) for p in water) for line in bridges)
    dry = [plan.line(w) for w in plan.ways if not w.bridge and not w.tunnel]
    assert all(sum(line.intersection(p).length for p in water) < 0.5 for line in dry)
