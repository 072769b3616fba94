"""Scan: a ring of level rays around the walker against surfaces and people, as a flat lidar measures."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.capsules import hit_capsule
from citysim.geometry.jit import kernel
from citysim.geometry.rays import trace_all
from citysim.world import World

Array = NDArray[np.float64]
HEIGHT_M = 0.7
"""Above the foot: over kerbs and steps, below table tops; benches, bollards and railings are met."""

SURFACE, PERSON = 1, 2


class Scan:
    """`count` rays of `range_m` metres, the first one straight ahead, the others following to the left.

    They start `height_m` above the foot.
    """

    def __init__(self, count: int, range_m: float, height_m: float = HEIGHT_M) -> None:
        turns = np.arange(count) * (2.0 * math.pi / count)
        self._cos, self._sin, self.range_m = np.cos(turns), np.sin(turns), range_m
        self._height = height_m

    def measure(self, world: World) -> tuple[Array, NDArray[np.uint8]]:
        """(N,) metres to the first thing met, `range_m` for none; and (N,) what that is: 1 a surface, 2 a person."""
        pose, space, reach = world.pose, world.surfaces, self.range_m
        space.load(pose.east - reach, pose.north - reach, pose.east + reach, pose.north + reach)
        count = len(self._cos)
        metres, kinds = np.empty(count), np.empty(count, np.uint8)
        sin, cos = math.sin(pose.yaw), math.cos(pose.yaw)
        start = np.array([pose.east, pose.north, pose.up + self._height])
        _measure(space.scene.tables, start, sin, cos, self._sin, self._cos, reach, world.capsules, metres, kinds)
        return metres, kinds


@kernel
def _measure(
    tables: Any, start: Any, sin: float, cos: float, sins: Any, coss: Any, reach: float, capsules: Any, metres: Any,
    kinds: Any,
) -> None:  # fmt: skip
    count = len(sins)
    starts, ends = np.empty((count, 3)), np.empty((count, 3))
    for ray in range(count):
        starts[ray] = start
        ends[ray, 0] = start[0] + reach * (cos * coss[ray] - sin * sins[ray])
        ends[ray, 1] = start[1] + reach * (sin * coss[ray] + cos * sins[ray])
        ends[ray, 2] = start[2]
    shares, triangles = np.empty(count), np.empty(count, np.int32)
    trace_all(tables, starts, ends, False, shares, triangles)
    for ray in range(count):
        kinds[ray] = SURFACE if triangles[ray] >= 0 else 0
        metres[ray] = reach * shares[ray] if triangles[ray] >= 0 else reach
    for person in range(len(capsules)):
        dx, dy = capsules[person, 0] - start[0], capsules[person, 1] - start[1]
        far = reach + capsules[person, 3]
        if dx * dx + dy * dy > far * far:
            continue
        for ray in range(count):
            ex, ey = ends[ray, 0] - start[0], ends[ray, 1] - start[1]
            share = hit_capsule(start[0], start[1], start[2], ex, ey, 0.0, capsules[person])[0]
            if share * reach < metres[ray]:
                metres[ray], kinds[ray] = share * reach, PERSON
