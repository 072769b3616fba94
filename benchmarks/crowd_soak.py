"""Does anyone leave the ground or go through a wall? A soak of many people, judged by a city's triangles alone.

`python -m citysim.benchmarks.crowd_soak CITY [SECONDS [PEOPLE]]` prints what was found.
"""

import sys
from typing import NamedTuple

import numpy as np

from citysim.catalog import load_city
from citysim.city import City
from citysim.crowd.crowd import Crowd
from citysim.crowd.people import TRIP
from citysim.geometry.bvh import soup
from citysim.geometry.bvhcache import cached_bvh
from citysim.geometry.rays import any_hits, closest_hits
from citysim.geometry.scene import TriangleScene

STEP_S, EVERY, CHEST_M, OFF_M = 0.05, 4, 1.0, 0.5


class Soak(NamedTuple):
    """What was seen: ways between two looks, those that met a triangle; feet looked at, those without ground.

    A way is the straight line at breast height from where someone was to where they are 0.2 s later. Ground counts
    within OFF_M of the foot.
    """

    ways: int
    through: int
    feet: int
    off: int


def soak(city: City, seconds: float, people: int, seed: int = 77) -> Soak:
    """Let a crowd walk and look at it five times a second; at the ground every two seconds."""
    scene = TriangleScene()
    soft = np.array([m.name.rpartition("/")[2] == "foliage" for m in city.materials], dtype=bool)
    for tile in city.finest:
        chunk = city.chunk(tile)
        solid = chunk.triangles[~soft[chunk.materials]]
        if len(solid):
            scene.add(cached_bvh(np.asarray(chunk.origin), soup(chunk.positions, solid)))
    tables, crowd = scene.tables, Crowd(city, population=people, seed=seed)
    ways = through = feet = off = 0
    before, out, trips = crowd.positions, crowd.active.copy(), crowd.people.ints[TRIP].copy()
    chest = np.array([0.0, 0.0, CHEST_M])
    for look in range(1, round(seconds / (STEP_S * EVERY)) + 1):
        for _ in range(EVERY):
            crowd.step(STEP_S)
        now, active, trip = crowd.positions, crowd.active.copy(), crowd.people.ints[TRIP].copy()
        same = out & active & (trips == trip)
        ways += int(same.sum())
        through += int(any_hits(tables, before[same] + chest, now[same] + chest).sum())
        if look % 10 == 0:
            stand = now[active]
            share = closest_hits(tables, stand + chest, stand - [0.0, 0.0, OFF_M]).share
            feet += len(stand)
            off += int((~(np.abs(share * (CHEST_M + OFF_M) - CHEST_M) <= OFF_M)).sum())
        before, out, trips = now, active, trip
    return Soak(ways, through, feet, off)


if __name__ == "__main__":
    words = [*sys.argv[2:], *("600", "2000")[len(sys.argv) - 2 :]]
    print(soak(load_city(sys.argv[1]), float(words[0]), int(words[1])))
