"""Finding a place of a kind: whichever one, so that all of them count."""

from citysim.tasks.base import Facts, Goal, Verdict
from citysim.tasks.distances import distance_m


class Searching:
    """End, by `terminate` or by the last action, within `goal.radius_m` of any place of the category.

    UrbanGround lets a language model judge the last picture; here the places' own entrances decide.
    """

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """`distance_m` is the distance to the nearest target; it alone never ends the episode."""
        distance = min(distance_m(facts, place) for place in (goal.targets or (goal,)))
        found = distance <= goal.radius_m
        return Verdict(facts.terminated, found, "terminated" if facts.terminated else "", distance)
