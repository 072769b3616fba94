"""Lines along streets: edge lines keep off junctions and never meet, rails keep their gauge round bends."""

import numpy as np
import shapely
from shapely.geometry import LineString

from citysim.build.plans import WayPlan
from citysim.build.streets.linework import EDGES, GAUGE, JOINT, RAILS, edge_lines, tram_rails
from citysim.build.streets.roads import Roads

NODES = {1: (0.0, 0.0), 2: (40.0, 0.0), 3: (80.0, 20.0), 4: (40.0, -50.0)}


def _roads(**tags: str) -> Roads:
    ways = [WayPlan("a", "living_street", (1, 2, 3), 6.4, tags=tags), WayPlan("b", "living_street", (2, 4), 4.4)]
    drawn = tuple((w, LineString([NODES[n] for n in w.nodes])) for w in ways)
    return Roads(shapely.Polygon(), shapely.union_all([line.buffer(3.2) for _, line in drawn]), drawn)


def test_edge_lines_run_on_both_sides_and_stop_at_junctions() -> None:
    quads = edge_lines(_roads(**{EDGES: "1"}), shapely.Point())
    shapes = shapely.polygons(np.array(quads))
    far = shapely.distance(shapes, shapely.Point(NODES[2]))
    assert far.min() >= 0.95 * JOINT
    way = LineString([NODES[n] for n in (1, 2, 3)])
    assert np.allclose(shapely.distance(shapely.centroid(shapes), way), 2.2, atol=0.02)
    assert len(shapes) > 10
    assert all(shape.exterior.is_ccw for shape in shapes)


def test_no_two_pieces_overlap() -> None:
    quads = shapely.polygons(np.array(tram_rails(_roads(**{RAILS: "1.2"}))))
    first, second = shapely.STRtree(quads).query(quads, predicate="overlaps")
    assert not len(first), [(i, j) for i, j in zip(first, second, strict=True)]


def test_rails_keep_their_gauge_round_a_bend() -> None:
    way = LineString([NODES[n] for n in (1, 2, 3)])
    middles = shapely.centroid(shapely.polygons(np.array(tram_rails(_roads(**{RAILS: "1.2"})))))
    off = shapely.distance(middles, way)
    assert np.allclose(np.sort(np.unique(off.round(2))), [2.0 - GAUGE / 2, 2.0 + GAUGE / 2], atol=0.02)


def test_streets_without_tags_have_none() -> None:
    assert edge_lines(_roads(), shapely.Point()) == []
    assert tram_rails(_roads()) == []
