"""Walking routes with the real walker, and an independent judge of where a body may be."""

import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.plans import CityPlan
from citysim.pose import Pose
from citysim.world import Command, World

Array = NDArray[np.float64]
CONTROL = 6  # steps of 1/60 s between looks at the route
AHEAD_M = 0.9
REACH_M = 0.7


@dataclass(frozen=True)
class Walked:
    """A walk along a route: foot points at 10 Hz, whether it arrived, the largest height off the route, bumps."""

    points: Array
    arrived: bool
    off_height_m: float
    bumps: int
    fell: bool


def follow(world: World, route: Array, speed: float) -> Walked:
    """Walk a polyline (N, 3) by aiming a little ahead on it."""
    steps = np.linalg.norm(np.diff(route, axis=0), axis=1)
    route = route[np.r_[True, steps > 1e-6]]
    at = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(route[:, :2], axis=0), axis=1))]

    def point(where: float) -> Array:
        return np.array([np.interp(where, at, route[:, k]) for k in range(3)])

    first = point(AHEAD_M) - route[0]
    world.reset(Pose(float(route[0, 0]), float(route[0, 1]), float(route[0, 2]), math.atan2(first[1], first[0])))
    points, where, fell, off = [route[0]], 0.0, False, 0.0
    budget = int((2.0 * at[-1] / speed + 6.0) * 60 / CONTROL)
    for _ in range(budget):
        here = world.pose
        near = np.arange(where, min(where + 2.0, at[-1]) + 0.05, 0.05)
        gaps = np.hypot(np.interp(near, at, route[:, 0]) - here.east, np.interp(near, at, route[:, 1]) - here.north)
        where = float(near[int(np.argmin(gaps))])
        target = point(where + AHEAD_M)
        gap = math.hypot(route[-1, 0] - here.east, route[-1, 1] - here.north)
        if where > at[-1] - REACH_M and gap < REACH_M and abs(here.up - route[-1, 2]) < 0.4:
            break
        bearing = math.atan2(target[1] - here.north, target[0] - here.east)
        world.look(bearing - here.yaw)
        moved = world.advance(Command(forward=speed), CONTROL)
        points.extend(moved.path[1:])
        fell |= moved.fell
        off = max(off, abs(world.pose.up - float(point(where)[2])))
    gap = math.hypot(route[-1, 0] - world.pose.east, route[-1, 1] - world.pose.north)
    arrived = gap < 2 * REACH_M and abs(world.pose.up - route[-1, 2]) < 0.5
    return Walked(np.array(points), arrived, off, world.building_collisions, fell)


class Solids:
    """Where no body can be, from the source's own outlines: never from the meshes that are tested."""

    def __init__(self, plan: CityPlan) -> None:
        blocked = [
            b.polygon.buffer(-0.05)
            for b in plan.buildings
            if b.min_height < 2.0 and b.kind not in ("roof", "canopy", "carport")
        ]
        free = [plan.line(w).buffer(w.width / 2 + 0.6) for w in plan.ways if w.passage or w.covered]
        open_ = [b.polygon for b in plan.buildings if b.parent is None and _stands_on_posts(b.id, plan)]
        self._blocked = shapely.unary_union(blocked).difference(shapely.unary_union([*free, *open_]))
        shapely.prepare(self._blocked)

    def inside(self, points: Array) -> int:
        """How many of the (N, 3) foot points at street level lie within a building."""
        street = points[points[:, 2] > -1.0]
        return int(shapely.contains_xy(self._blocked, street[:, 0], street[:, 1]).sum())


def _stands_on_posts(outline: str, plan: CityPlan) -> bool:
    """Whether all parts of an outline begin above a walker's head."""
    parts = [b for b in plan.buildings if b.parent == outline]
    return bool(parts) and all(p.min_height >= 2.0 for p in parts)
