"""What the oracle wants to reach in an episode, in order, and which edges it must keep off."""

import math
from dataclasses import dataclass

from citysim.agents.base import Privileged
from citysim.geo.network import PedestrianNetwork
from citysim.living.closures import cut_network
from citysim.tasks.parts import Point
from citysim.tasks.setting import closures_of
from citysim.tasks.tours import shortest_tour

NEAR_M = 9.0
"""A stop or a searched place counts as reached by the oracle well inside the 15 m of the judges."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Points to reach one after the other, the network without closed ways, and what to do at the end.

    `stay` says that the last point does not end the episode by itself: the oracle declares itself done there. `answer`
    is what it then answers, "" where nothing is asked.
    """

    points: tuple[Point, ...]
    network: PedestrianNetwork
    stay: bool = False
    answer: str = ""


def plan_of(known: Privileged) -> Plan:
    """The plan of an episode, from everything there is to know about it."""
    goal = known.goal
    network = cut_network(known.network, closures_of(goal.zones)) if goal.zones else known.network
    if goal.question is not None:
        here: Point = (goal.start.east, goal.start.north, goal.start.up)
        points = () if math.dist(here, goal.position) < 0.5 else (goal.position,)
        return Plan(points, network, stay=True, answer=goal.question.letter)
    if goal.stops:
        timed = any(stop.deadline_s is not None for stop in goal.stops)
        order = goal.stops if timed else shortest_tour(network, goal.start.position, goal.stops)
        return Plan(tuple(stop.position for stop in order), network)
    if goal.targets:
        far = {place.position: network.walk_distance(goal.start.position, place.position) for place in goal.targets}
        return Plan((min(far, key=lambda point: (far[point], point)),), network, stay=True)
    return Plan((goal.position,), network)
