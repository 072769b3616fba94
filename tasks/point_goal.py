"""Point goal: walk to a place and stop within 15 m of it (UrbanGround's rule of arrival)."""

import numpy as np

from citysim.city import City
from citysim.tasks.base import Facts, Goal, Verdict
from citysim.tasks.distances import distance_m
from citysim.tasks.sampling import sample_goal

ARRIVAL_HEIGHT_M = 4.0
"""Arrival needs the goal's level too: a storey or a footbridge (4.5 m clearance) above it is not there yet."""


class PointGoal:
    """Arrive within `goal.radius_m` horizontally and 4 m vertically; arriving ends the episode by itself.

    Declaring oneself done anywhere else fails. `min_m` and `max_m` bound the walking distance of drawn goals.
    """

    type = "point_goal"

    def __init__(self, min_m: float = 60.0, max_m: float = 280.0) -> None:
        self.min_m, self.max_m = min_m, max_m

    def choose(self, city: City, rng: np.random.Generator) -> Goal:
        """Draw a start on the network and a reachable goal; raises InputError when there is none."""
        return sample_goal(city, rng, self.min_m, self.max_m)

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """Success on arrival; `distance_m` is the horizontal distance to the goal."""
        distance = distance_m(facts, goal)
        arrived = distance <= goal.radius_m and abs(facts.pose.up - goal.position[2]) < ARRIVAL_HEIGHT_M
        reason = "arrived" if arrived else "terminated" if facts.terminated else ""
        return Verdict(arrived or facts.terminated, arrived, reason, distance)
