"""Passages: free below, built above, lined inside."""

import numpy as np
from numpy.typing import NDArray
from shapely.geometry import Polygon, box

from citysim.build.mesh import FINEST
from citysim.build.plans import WayPlan
from tests.build.buildings.street import Slope, built, house, plan_of, triangles

EVERYTHING = ("facade/", "plain/", "roof/", "trim/", "door/", "plate/")


def way(width: float = 3.0, kind: str = "footway") -> WayPlan:
    return WayPlan("test:w", kind, (1, 2), width, passage=True)


def cuts_box(corners: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    """Whether any triangle meets a box: densely sampled points of the triangles."""
    grid = [(i / 24, j / 24) for i in range(25) for j in range(25 - i)]
    weights = np.array([(1 - a - b, a, b) for a, b in grid])
    points = np.einsum("gw,twx->tgx", weights, corners).reshape(-1, 3)
    return bool(((points > low) & (points < high)).all(axis=1).any())


def test_a_body_walks_through_and_the_house_stands_above() -> None:
    nodes = {1: (10.0, -5.0), 2: (10.0, 20.0)}
    draft, facades = built(plan_of([house("a", box(0, 0, 20, 12), style="classical")], [way()], nodes))
    corners = triangles(draft, EVERYTHING, FINEST)
    assert not cuts_box(corners, np.array([8.4, -3.0, 0.0]), np.array([11.6, 15.0, 2.95]))
    front = corners[(np.abs(corners[:, :, 1]) < 0.01).all(axis=1)]
    assert cuts_box(front, np.array([8.4, -0.1, 4.6]), np.array([11.6, 0.1, 12.0]))
    walls = corners[(np.abs(corners[:, :, 0] - 8.25) < 0.01).all(axis=1)]
    assert len(walls), "side walls"
    ceiling = corners[(np.ptp(corners[:, :, 2], axis=1) < 1e-6) & (np.abs(corners[:, 0, 2] - 3.5) < 0.02)]
    assert len(ceiling)
    assert (np.cross(ceiling[:, 1] - ceiling[:, 0], ceiling[:, 2] - ceiling[:, 0])[:, 2] < 0).all()
    assert not any(f.at(f.length / 2)[1] < 0.01 and f.length > 19 for f in facades), "the front is in two pieces"
    for facade in facades:
        for u in (0.0, facade.length):
            x, y = facade.at(u)
            assert not (8.3 < x < 11.7 and -0.1 < y < 0.1)


def test_a_passage_that_ends_in_a_court_leaves_the_far_wing_whole() -> None:
    court = Polygon(box(0, 0, 30, 30).exterior, [box(10, 10, 20, 20).exterior])
    nodes = {1: (15.0, -2.0), 2: (15.0, 12.0)}
    draft, _ = built(plan_of([house("a", court, style="glass")], [way()], nodes))
    corners = triangles(draft, EVERYTHING, FINEST)
    assert not cuts_box(corners, np.array([13.4, -1.0, 0.0]), np.array([16.6, 12.0, 2.95]))
    far = corners[(np.abs(corners[:, :, 1] - 20.0) < 0.01).all(axis=1)]
    assert cuts_box(far, np.array([13.4, 19.9, 0.5]), np.array([16.6, 20.1, 2.5]))


def test_vehicles_get_four_metres_above_the_highest_ground() -> None:
    nodes = {1: (-5.0, 6.0), 2: (25.0, 6.0)}
    plan = plan_of([house("a", box(0, 0, 20, 12), style="brick")], [way(5.0, "service")], nodes)
    draft, _ = built(plan, Slope(0.04))
    corners = triangles(draft, EVERYTHING, FINEST)
    assert not cuts_box(corners, np.array([-2.0, 3.4, 1.0]), np.array([22.0, 8.6, 4.8]))


def test_passage_through_two_buildings_has_no_wall_between() -> None:
    nodes = {1: (-5.0, 6.0), 2: (45.0, 6.0)}
    row = [house("a", box(0, 0, 20, 12)), house("b", box(20, 0, 40, 12), 22.0)]
    draft, _ = built(plan_of(row, [way()], nodes))
    corners = triangles(draft, EVERYTHING, FINEST)
    assert not cuts_box(corners, np.array([-2.0, 4.4, 0.0]), np.array([42.0, 7.6, 2.95]))
