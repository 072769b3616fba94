"""A street graph becomes pavements that meet round corners, crossings, islands and bridges."""

import itertools
import math
from collections import Counter

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, box

from citysim.build.chance import Chance
from citysim.build.plans import WayPlan
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.district.graph import StreetGraph
from citysim.build.procedural.district.layout import MIDDLE, Layout
from citysim.build.procedural.sketch import Sketch

AVENUE = StreetClass("primary", 19.0, 5.5, 6, 3, "signals")
DUAL = StreetClass("primary", 17.0, 4.5, 4, 3, "signals", reserve=2.2)
STREET = StreetClass("secondary", 10.0, 3.5, 2, 2, "zebra")
LANE = StreetClass("living_street", 5.0, rank=0)


def bent_grid(seed: int, jitter: float = 16.0) -> StreetGraph:
    """Three avenues and three streets with bent lines, a lane into one of them and a cul-de-sac."""
    chance = Chance(seed, "grid")
    graph = StreetGraph()
    nodes = {}
    for i, j in itertools.product(range(5), range(5)):
        rim = i in (0, 4) or j in (0, 4)
        dx, dy = (0.0 if rim else chance.uniform(-jitter, jitter, f"{i}/{j}/{k}") for k in "xy")
        nodes[i, j] = graph.node((110.0 * (i - 2) + dx, 100.0 * (j - 2) + dy), rim=rim)
    for i, kind in ((1, AVENUE), (2, DUAL), (3, AVENUE)):
        graph.street([nodes[i, j] for j in range(5)], kind, f"Avenue {i}")
    (ax, ay), (bx, by) = graph.nodes[nodes[0, 1]], graph.nodes[nodes[1, 1]]
    side = graph.node(((ax + bx) / 2, (ay + by) / 2))
    for j in (1, 2, 3):
        line = [nodes[i, j] for i in range(5)]
        graph.street([line[0], side, *line[1:]] if j == 1 else line, STREET, f"Street {j}")
    x, y = graph.nodes[side]
    graph.edge(side, graph.node((x, y + 42.0)), LANE, "Lane")
    return graph


def drawn(graph: StreetGraph) -> tuple[Layout, Sketch]:
    layout, sketch = Layout(graph), Sketch("test")
    layout.draw(sketch)
    return layout, sketch


def line(sketch: Sketch, way: WayPlan) -> LineString:
    return LineString([sketch.nodes[n] for n in way.nodes])


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_pavements_keep_off_carriageways_and_are_joined(seed: int) -> None:
    _, sketch = drawn(bent_grid(seed))
    roads = [line(sketch, w).buffer(w.width / 2 - 0.05, cap_style="flat") for w in sketch.ways if w.kind != "crossing"
             and w.kind in ("primary", "secondary")]  # fmt: skip
    walks = [w for w in sketch.ways if w.kind == "sidewalk" and w.tags.get("footway") == "sidewalk"]
    for way in walks:
        here = line(sketch, way)
        assert here.is_simple
        assert sum(here.intersection(road).length for road in roads) < 0.5, way
    graph: nx.Graph = nx.Graph()
    for way in sketch.ways:
        if way.kind in ("sidewalk", "crossing"):
            nx.add_path(graph, way.nodes)
    assert nx.is_connected(graph)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_crossings_run_from_kerb_to_kerb_at_junctions_and_between(seed: int) -> None:
    layout, sketch = drawn(bent_grid(seed))
    for crossing in layout.crossings:
        street = crossing.edge.street
        assert 3.0 < crossing.s < crossing.edge.length - 3.0
        pieces = [w for w in sketch.ways if w.kind == "crossing"
                  and line(sketch, w).distance(Point(crossing.edge.axis.at(crossing.s))) < 1.3]  # fmt: skip
        reach = max(line(sketch, w).distance(Point(crossing.edge.axis.at(crossing.s, s * street.half))) for w in pieces
                    for s in (1,))  # fmt: skip
        assert reach < street.carriageway
        assert len(pieces) == (2 if street.carriageway > 12.0 else 1)
    by_edge = Counter(c.edge.id for c in layout.crossings)
    junctions = {n for n, arms in layout.graph.arms().items() if sum(not a.edge.street.flush for a in arms) > 2}
    inner = [e for e in layout.graph.edges if {e.a, e.b} <= junctions]
    assert all(by_edge[e.id] >= 2 for e in inner)
    for edge in inner:
        stops = sorted(c.s for c in layout.crossings if c.edge is edge)
        assert all(b - a <= MIDDLE + 0.1 for a, b in itertools.pairwise(stops))


def test_signals_stand_where_main_streets_meet() -> None:
    layout, _ = drawn(bent_grid(1, 0.0))
    assert {c.kind for c in layout.crossings if c.edge.street is AVENUE} == {"signals"}


def test_straight_streets_have_their_crossings_on_the_pavement_line() -> None:
    layout, sketch = drawn(bent_grid(0, 0.0))
    corner = next(c for c in layout.corners if math.dist(c.left_end, c.right_end) < 0.01 and c.along_first > 0)
    assert corner.along_first == pytest.approx(corner.second.edge.street.walk)
    assert corner.along_second == pytest.approx(corner.first.edge.street.walk)
    assert any(corner.left_end in [sketch.nodes[n] for n in w.nodes] for w in sketch.ways if w.kind == "sidewalk")


def test_a_lane_meets_the_pavement_it_runs_into() -> None:
    _, sketch = drawn(bent_grid(2))
    lane = next(w for w in sketch.ways if w.kind == "living_street")
    shared = [n for w in sketch.ways if w.kind == "sidewalk" for n in w.nodes if n in lane.nodes]
    assert shared


def test_reserves_are_islands_with_refuges() -> None:
    _, sketch = drawn(bent_grid(3))
    islands = [a.polygon for a in sketch.areas if a.kind == "island"]
    assert max(p.length for p in islands) > 100.0
    refuges = [w for w in sketch.ways if w.tags.get("footway") == "traffic_island"]
    assert refuges
    assert all(any(p.intersects(line(sketch, w)) for p in islands) for w in refuges)


def test_what_passes_over_water_is_a_bridge() -> None:
    graph = StreetGraph()
    graph.street([graph.node((-100.0, 0.0), rim=True), graph.node((100.0, 0.0), rim=True)], STREET, "Road")
    layout, sketch = Layout(graph), Sketch("test")
    layout.path([(0.0, -40.0), (60.0, -40.0)])
    layout.draw(sketch, box(20.0, -100.0, 32.0, 100.0))
    bridges = [w for w in sketch.ways if w.bridge]
    assert Counter(w.kind for w in bridges) == {"secondary": 1, "sidewalk": 2, "footway": 1}
    assert all(12.0 < line(sketch, w).length < 15.0 for w in bridges)


def test_paths_join_lines_within_reach_only() -> None:
    layout = Layout(bent_grid(0, 0.0))
    assert layout.join((1000.0, 0.0)) is None
    at = layout.join((-60.0, 9.0), 20.0)
    assert at is not None
    assert any(at in s.points for s in layout.sides.values())
