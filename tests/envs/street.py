"""A street made of boxes with a small pedestrian network, for the tests of environments."""

from dataclasses import replace
from functools import cache

import numpy as np

from citysim.city import City, Place
from citysim.geo.network import NetworkEdge
from citysim.pose import Pose
from citysim.tasks.base import Goal
from tests.physics.scenes import Scene

Line = tuple[tuple[float, float, float], ...]

LINES: tuple[Line, ...] = (
    ((-90, 0, 0), (-2, 0, 0)),
    ((-2, 0, 0), (90, 0, 0)),
    ((-2, 0, 0), (-2, 60, 0)),
)


@cache
def street() -> City:
    scene = Scene().floor(100)
    for k in range(-4, 4):
        scene.box(k * 22, 6, 0, k * 22 + 18, 16, 9).box(k * 22, -16, 0, k * 22 + 18, -6, 12)
    city = scene.city(*(NetworkEdge(i, np.array(line), {"FeatureType": 1}) for i, line in enumerate(LINES)))
    cafes = [Place(f"cafe:{k}", f"Cafe {k}", "cafe", (east, 3.0, 0.0)) for k, east in enumerate((-70.0, 70.0))]
    return replace(city, places=(*cafes, Place("bank:0", "Bank", "bank", (0.0, 55.0, 0.0))))


def goal(east: float = 60.0, north: float = 0.0, *, start: Pose | None = None) -> Goal:
    return Goal(start if start is not None else Pose(0, 0, 0), (east, north, 0.0), "Walk east.")
