"""Where to stand to see a thing."""

import math

import numpy as np

from citysim.city import CityObject
from citysim.pose import Pose
from citysim.tasks.urbanground.making.scout import Scout

NEAR_M, FAR_M = 4.0, 13.0
ASIDE_DEG = 35.0
FOOTWAY_M = 9.0


def viewpoint(
    scout: Scout, rng: np.random.Generator, thing: CityObject, up: float, *, glance_deg: float = 0.0
) -> Pose | None:
    """A pose on a footway 4 to 13 m before a thing, up to 35 degrees aside of its front, turned to it.

    Things have their front where they are headed. `up` tells the level; `glance_deg` turns the view so far from the
    thing at most. None where there is no footway.
    """
    e0, n0, _, e1, n1, _ = thing.bounds
    middle = (0.5 * (e0 + e1), 0.5 * (n0 + n1))
    yaw = math.radians(90.0 - thing.heading_deg + float(rng.uniform(-ASIDE_DEG, ASIDE_DEG)))
    away = float(rng.uniform(NEAR_M, FAR_M))
    east, north = middle[0] + away * math.cos(yaw), middle[1] + away * math.sin(yaw)
    snap = scout.city.network.snap((east, north, up), max_distance_m=FOOTWAY_M)
    if snap is None:
        return None
    heading = math.degrees(math.atan2(middle[0] - snap.point[0], middle[1] - snap.point[1]))
    heading += float(rng.uniform(-glance_deg, glance_deg))
    point = [round(float(v), 3) for v in snap.point]
    return scout.ground(point[0], point[1], point[2], round(heading % 360.0, 1) % 360.0)
