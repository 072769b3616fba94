"""How far it is from where somebody stood to a goal or a stop."""

import math

from citysim.tasks.base import Facts, Goal
from citysim.tasks.globe import haversine_m
from citysim.tasks.parts import Stop


def distance_m(facts: Facts, to: Goal | Stop, at: int = -1) -> float:
    """Horizontal metres to a goal or stop from the pose number `at`: 0 at the start, k after action k, -1 now.

    On the globe, as UrbanGround measures, where both places are known there; else in the city's local plane.
    """
    if to.lonlat is not None and facts.lonlats:
        return haversine_m(facts.lonlats[at], to.lonlat)
    pose = facts.path[at] if facts.path else facts.pose
    return math.hypot(pose.east - to.position[0], pose.north - to.position[1])


def distances_m(facts: Facts, to: Goal | Stop) -> list[float]:
    """`distance_m` at the start and after every action."""
    return [distance_m(facts, to, at) for at in range(len(facts.path))]
