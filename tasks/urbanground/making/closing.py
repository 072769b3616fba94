"""CN: going to a stated place past a closed section that cuts the shortest way and leaves another."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.living.closures import Closure, closed_edges, closure_leaves_detour
from citysim.tasks.parts import Point, Zone, lonlat_of
from citysim.tasks.sampling import length_until_near
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.figures import walk_figures
from citysim.tasks.urbanground.making.going import goal_within
from citysim.tasks.urbanground.making.scout import Scout, rounded_point

WALK_M = (210.0, 420.0)
FIRST_M = 150.0
"""The closure lies at least so far along the shortest way: a sprint of 30 s, so that a notice comes before it."""
REACH_M = 16.0
CHEST_M = 1.2
LONGER_M = 15.0
LONGEST_M = 560.0


def constrained_goal(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A walk of 210 to 420 m whose shortest way is closed from wall to wall at one point of its second half."""
    draft = goal_within(scout, rng, *WALK_M)
    if draft is None:
        return None
    goal, network = draft.goal, scout.city.network
    route = scout.route(goal.start.position, goal.position)
    if route is None or route.length_m < FIRST_M + 40.0:
        return None
    along = float(rng.uniform(FIRST_M, route.length_m - 30.0))
    point, heading = _at(route.points, along)
    snap = network.snap(point)
    vertices = _across(scout, point, heading)
    if snap is None or vertices is None or not network.edges[snap.edge].name:
        return None
    closure = Closure(vertices, "closure", "")
    cut = closed_edges(network, [closure])
    if not cut & set(route.edges) or len(cut) > 8:
        return None
    try:
        around = closure_leaves_detour(network, closure, goal.start.position, goal.position)
    except InputError:
        return None
    if not route.length_m + LONGER_M <= around.length_m <= LONGEST_M:
        return None
    street = network.edges[snap.edge].name
    label = f"the section of {street} at {_door(scout, point)}"
    lonlats = tuple(lonlat_of(scout.city.frame, vertex) for vertex in vertices)
    (lon_a, lat_a, _), (lon_b, lat_b, _) = lonlats[0], lonlats[-1]
    ends = f"from latitude {lat_a:.6f}, longitude {lon_a:.6f} to latitude {lat_b:.6f}, longitude {lon_b:.6f}"
    zone = Zone(label, vertices, lonlats, f"Notice: {label} is closed.")
    told = f"{goal.instruction} Do not cross {label}, which is closed {ends}."
    shortest = round(length_until_near(around.points, goal.position, goal.radius_m), 3)
    made = replace(goal, instruction=told, zones=(zone,), shortest_path_m=shortest)
    figures = walk_figures(around.points) | {"shortest_open_m": round(route.length_m, 1)}
    return replace(draft, goal=made, figures=figures)


def _at(points: NDArray[np.float64], along: float) -> tuple[NDArray[np.float64], float]:
    """The point (3,) at an arc length of a walk and the yaw there."""
    sizes = np.linalg.norm(np.diff(points, axis=0), axis=1)
    ends = np.cumsum(sizes)
    k = min(int(np.searchsorted(ends, along)), len(sizes) - 1)
    step = points[k + 1] - points[k]
    share = (along - (ends[k] - sizes[k])) / sizes[k]
    return points[k] + share * step, math.atan2(step[1], step[0])


def _across(scout: Scout, point: NDArray[np.float64], yaw: float) -> tuple[Point, ...] | None:
    """A line square to a way, from what stands on its one side to what stands on the other, 16 m at most each."""
    start = point + np.array([0.0, 0.0, CHEST_M])
    ends = []
    for side in (1.0, -1.0):
        aim = np.array([-side * math.sin(yaw), side * math.cos(yaw), 0.0])
        free = scout.free_m(start, start + REACH_M * aim)
        if free < 1.0:
            return None
        ends.append(rounded_point(point + min(free, REACH_M) * aim))
    return ends[0], rounded_point(point), ends[1]


def _door(scout: Scout, point: NDArray[np.float64]) -> str:
    """The name of the place whose door is nearest."""
    place = min(scout.places, key=lambda p: (math.dist(p.entrance, point), p.id))
    return place.name
