"""Paint on the road: where drivers have to stop."""

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPolygon

from citysim.build.plans import WayPlan
from citysim.build.streets.markings import _degrees, _stops
from citysim.build.streets.roads import Roads
from citysim.build.streets.walks import Walk

ARMS = {1: (0.0, 70.0), 2: (70.0, 0.0), 3: (0.0, -70.0), 4: (-70.0, 0.0)}


def test_nobody_stops_on_the_way_out_of_a_junction() -> None:
    """Four arms with a signalled crossing each: one stop line an arm, on the side of who arrives."""
    ways = tuple(
        (WayPlan(f"w/{n}", "primary", (n, 0), 8.0, lanes=2), LineString([end, (0.0, 0.0)])) for n, end in ARMS.items()
    )
    roads = Roads(shapely.union_all([line.buffer(4.0) for _, line in ways]), MultiPolygon(), ways)
    quads = []
    for x, y in ARMS.values():
        ux, uy = x / 70.0, y / 70.0
        across = LineString([(11 * ux - 4 * uy, 11 * uy + 4 * ux), (11 * ux + 4 * uy, 11 * uy - 4 * ux)])
        quads += _stops(Walk(across, 30, 0), across, roads, _degrees(roads))
    assert len(quads) == 4
    assert all(np.hypot(*quad.mean(axis=0)) > 12.5 for quad in quads)
    assert len({tuple(np.sign(np.round(quad.mean(axis=0) / 5.0))) for quad in quads}) == 4  # one on each arm


def test_between_junctions_both_lanes_stop() -> None:
    way = WayPlan("w/1", "primary", (1, 2), 8.0, lanes=2)
    line, across = LineString([(-60.0, 0.0), (60.0, 0.0)]), LineString([(0.0, -4.0), (0.0, 4.0)])
    roads = Roads(line.buffer(4.0), MultiPolygon(), ((way, line),))
    quads = _stops(Walk(across, 30, 0), across, roads, _degrees(roads))
    assert sorted(float(np.sign(quad[:, 0].mean())) for quad in quads) == [-1.0, 1.0]
