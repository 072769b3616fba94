"""Explore goal: find any place of a category; where it is, is not told."""

import math

import numpy as np

from citysim.city import City
from citysim.errors import InputError
from citysim.pose import Pose
from citysim.tasks.base import Facts, Goal, Verdict
from citysim.tasks.parts import Stop, lonlat_of
from citysim.tasks.point_goal import ARRIVAL_HEIGHT_M
from citysim.tasks.sampling import Target, sampler_of

CATEGORIES = (
    "cafe", "restaurant", "fast_food", "bakery", "supermarket", "convenience", "pharmacy", "bank", "post_office",
    "hotel", "clothes", "books",
)  # fmt: skip
"""What may be looked for; the place in this table is the category's number and never changes."""

FOUND_M = 8.0
TRIES = 200


class ExploreGoal:
    """Come within 8 m of the entrance of any place of `goal.category`, on its level; that ends the episode by itself.

    `min_m` and `max_m` bound the walk to the nearest one.
    """

    type = "explore_goal"

    def __init__(self, min_m: float = 40.0, max_m: float = 150.0) -> None:
        self.min_m, self.max_m = min_m, max_m

    def choose(self, city: City, rng: np.random.Generator) -> Goal:
        """Draw a start and a category; raises InputError when the city has no such places at these distances."""
        sampler = sampler_of(city)
        kinds: dict[str, list[Target]] = {}
        for target in sampler.targets:
            if target.place is not None and target.place.category in CATEGORIES:
                kinds.setdefault(target.place.category, []).append(target)
        names = sorted(kinds)
        for _ in range(TRIES if names else 0):
            point, _, yaw = sampler.point(rng)
            east, north, up = np.round(point, 3).tolist()
            start = Pose(east, north, up, yaw + math.pi * int(rng.integers(2)))
            category = names[int(rng.integers(len(names)))]
            away = [sampler.field(target.position).at(start.position) for target in kinds[category]]
            nearest = int(np.argmin(away))
            if self.min_m <= away[nearest] <= self.max_m:
                return _goal(city, start, category, kinds[category], nearest, away[nearest])
        raise InputError(
            f"a city with {', '.join(CATEGORIES[:3])} or the like {self.min_m:g} to {self.max_m:g} m from somewhere",
            f"none in '{city.name}'",
            "a larger city or other distances",
        )

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """Success at any of the targets; `distance_m` is the horizontal distance to the nearest one."""
        pose = facts.pose
        away = [math.hypot(pose.east - s.position[0], pose.north - s.position[1]) for s in goal.targets]
        found = any(
            metres <= goal.radius_m and abs(pose.up - stop.position[2]) < ARRIVAL_HEIGHT_M
            for metres, stop in zip(away, goal.targets, strict=True)
        )
        reason = "found" if found else "terminated" if facts.terminated else ""
        return Verdict(found or facts.terminated, found, reason, min(away))


def _goal(city: City, start: Pose, category: str, targets: list[Target], nearest: int, walk_m: float) -> Goal:
    stops = []
    for target in targets:
        assert target.place is not None
        stops.append(Stop(target.place.name, target.position, lonlat_of(city.frame, target.position)))
    text = f"Find a {category.replace('_', ' ')} and walk up to its entrance."
    return Goal(
        start,
        targets[nearest].position,
        instruction=text,
        radius_m=FOUND_M,
        name=category,
        shortest_path_m=round(max(0.0, walk_m - FOUND_M), 3),
        stated=False,
        category=category,
        targets=tuple(stops),
    )
