import itertools
import os
import subprocess
import sys
from collections import Counter
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import STRtree
from shapely.geometry import Point

from citysim.build.plans import DRIVE_KINDS, CityPlan
from citysim.build.procedural import plan_mini
from citysim.build.procedural.mini import SIZES

_DIGEST = """
import hashlib
from citysim.build.procedural import plan_mini
p = plan_mini(3)
text = repr((p.nodes, p.ways, p.crossings, p.props, p.places, p.title))
text += repr([(b.id, b.height, b.color, b.polygon.wkt, b.entrances) for b in p.buildings])
print(hashlib.sha256((text + repr([(a.id, a.polygon.wkt) for a in p.areas])).encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def plan() -> CityPlan:
    return plan_mini(0)


def outlines(plan: CityPlan) -> list[Any]:
    return [b for b in plan.buildings if b.parent is None]


def test_it_has_one_of_everything(plan: CityPlan) -> None:
    kinds = Counter(w.kind for w in plan.ways)
    assert kinds["steps"] == 3
    assert sum(w.bridge for w in plan.ways) == 1
    assert sum(w.passage for w in plan.ways) == 2
    assert {c.kind for c in plan.crossings} == {"signals", "zebra", "unmarked"}
    assert {a.kind for a in plan.areas} >= {"square", "park", "garden", "grass", "paved", "playground"}
    assert {b.kind for b in outlines(plan)} >= {"church", "hotel", "office", "apartments", "school", "public"}
    assert sum(bool(b.polygon.interiors) for b in outlines(plan)) == 1
    props = {p.kind for p in plan.props}
    assert props >= {
        "tree", "street_lamp", "bench", "waste_basket", "bus_shelter", "post_box", "vending_machine", "car",
        "traffic_signals", "fountain", "statue", "kiosk", "fire_hydrant", "bicycle_parking", "clock",
    }  # fmt: skip


def test_the_footbridge_hangs_between_two_stairs_over_the_main_street(plan: CityPlan) -> None:
    bridge = next(w for w in plan.ways if w.bridge)
    main = next(w for w in plan.ways if w.kind == "secondary")
    assert (bridge.layer, bridge.width) == (1, 3.0)
    assert plan.line(bridge).crosses(plan.line(main))
    stairs = [w for w in plan.ways if w.kind == "steps" and w.steps >= 30]
    assert {w.nodes[-1] for w in stairs} == {bridge.nodes[0], bridge.nodes[-1]}
    for stair in stairs:
        assert stair.incline == 1
        assert plan.line(stair).length / stair.steps >= 0.3
        foot = Point(plan.nodes[stair.nodes[0]])
        assert plan.line(main).distance(foot) > main.width / 2 + stair.width / 2  # on the pavement


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**63), size=st.floats(*SIZES))
def test_every_seed_and_size_gives_a_sound_plan(seed: int, size: float) -> None:
    plan = plan_mini(seed, size)
    tops = outlines(plan)
    tree = STRtree([b.polygon for b in tops])
    for k, building in enumerate(tops):
        assert building.polygon.is_valid
        assert building.entrances
        for j in tree.query(building.polygon):
            assert j == k or building.polygon.intersection(tops[j].polygon).area < 0.01
        for door in building.entrances:
            assert building.polygon.boundary.distance(Point(door.xy)) < 0.01
    for way in plan.ways:
        line = plan.line(way)
        assert line.is_valid
        if not (way.passage or way.bridge):
            room = line.buffer(0.5 if way.kind not in DRIVE_KINDS else way.width / 2, cap_style="flat")
            hit = [tops[int(i)] for i in tree.query(room, predicate="intersects")]
            assert all(room.intersection(b.polygon).area < 2.6 for b in hit), (way.id, [b.id for b in hit])
    graph: nx.Graph = nx.Graph()
    for way in plan.ways:
        if way.foot:
            nx.add_path(graph, way.nodes)
    assert nx.is_connected(graph)
    e0, n0, e1, n1 = plan.bounds
    assert all(e0 <= x <= e1 and n0 <= y <= n1 for x, y in plan.nodes.values())
    roads = [plan.line(w).buffer(w.width / 2 - 0.05, cap_style="flat") for w in plan.ways if w.kind in DRIVE_KINDS]
    for prop in plan.props:
        assert prop.kind == "car" or not any(road.contains(Point(prop.xy)) for road in roads), prop
        assert e0 < prop.xy[0] < e1
        assert n0 < prop.xy[1] < n1
    for a, b in itertools.combinations(plan.props, 2):
        assert Point(a.xy).distance(Point(b.xy)) > 0.4, (a, b)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_names_are_unique_readable_and_placed(seed: int) -> None:
    plan = plan_mini(seed)
    names = [p.name for p in plan.places]
    assert len(names) >= 30
    assert len(set(names)) == len(names)
    assert all(6 <= len(name) <= 17 and name.isascii() for name in names)
    roots = [name.split()[0] for name in names]
    assert len(set(roots)) == len(roots)
    assert len({p.category for p in plan.places}) >= 24
    known = {b.id: b for b in outlines(plan)}
    doors = {d.id for b in known.values() for d in b.entrances}
    for place in plan.places:
        if place.building is not None:
            assert place.address
            assert known[place.building].polygon.contains(Point(place.xy))
        if place.entrance is not None:
            assert place.entrance in doors
        assert place.opening_hours
    addresses = [b.address for b in known.values()]
    assert len(set(addresses)) == len(addresses)
    streets = {w.name for w in plan.ways if w.kind in DRIVE_KINDS}
    assert len(streets) == 5


def test_seeds_differ_and_repeat(plan: CityPlan) -> None:
    again, other = plan_mini(0), plan_mini(1)
    assert again.ways == plan.ways
    assert again.places == plan.places
    assert {p.name for p in other.places} != {p.name for p in plan.places}
    assert [b.color for b in other.buildings] != [b.color for b in plan.buildings]
    assert other.nodes != plan.nodes


def test_two_hash_seeds_give_one_plan() -> None:
    found = set()
    for seed in ("0", "77"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run([sys.executable, "-c", _DIGEST], env=env, capture_output=True, text=True, check=True)
        found.add(run.stdout)
    assert len(found) == 1
