"""What the oracle wants to reach in an episode, in order, and which edges it must keep off."""

import itertools
import math
from dataclasses import dataclass

import numpy as np

from citysim.agents.base import Privileged
from citysim.geo.network import PedestrianNetwork
from citysim.tasks.base import Goal
from citysim.tasks.parts import Point
from citysim.tasks.zones import cut_edges

NEAR_M = 9.0
"""A stop or a searched place counts as reached by the oracle well inside the 15 m of the judges."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Points to reach one after the other, ids of edges to keep off, and what to do at the end.

    `stay` says that the last point does not end the episode by itself: the oracle declares itself done there. `answer`
    is what it then answers, "" where nothing is asked.
    """

    points: tuple[Point, ...]
    closed: frozenset[int]
    stay: bool = False
    answer: str = ""


def plan_of(known: Privileged) -> Plan:
    """The plan of an episode, from everything there is to know about it."""
    goal, network = known.goal, known.network
    closed = frozenset(edge for zone in goal.zones for edge in cut_edges(network, zone.vertices))
    if goal.question is not None:
        here: Point = (goal.start.east, goal.start.north, goal.start.up)
        points = () if math.dist(here, goal.position) < 0.5 else (goal.position,)
        return Plan(points, closed, stay=True, answer=goal.question.letter)
    if goal.stops:
        timed = any(stop.deadline_s is not None for stop in goal.stops)
        places = [stop.position for stop in goal.stops]
        return Plan(tuple(places if timed else _shortest_tour(goal, network)), closed)
    if goal.targets:
        far = {place.position: network.walk_distance(goal.start.position, place.position) for place in goal.targets}
        return Plan((min(far, key=lambda point: (far[point], point)),), closed, stay=True)
    return Plan((goal.position,), closed)


def _shortest_tour(goal: Goal, network: PedestrianNetwork) -> list[Point]:
    """Stops in the order that is shortest to walk; four stops have 24 orders."""
    places = [stop.position for stop in goal.stops]
    start: Point = (goal.start.east, goal.start.north, goal.start.up)
    apart = {
        (a, b): network.walk_distance(np.array(a), np.array(b)) for a in [start, *places] for b in places if a != b
    }

    def length(order: tuple[int, ...]) -> float:
        way = [start, *(places[k] for k in order)]
        return math.fsum(apart.get(pair, 0.0) for pair in itertools.pairwise(way))

    best = min(itertools.permutations(range(len(places))), key=lambda order: (length(order), order))
    return [places[k] for k in best]
