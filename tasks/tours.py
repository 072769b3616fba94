"""The shortest way over a few places."""

import math
from collections.abc import Sequence
from itertools import pairwise, permutations

from numpy.typing import ArrayLike

from citysim.geo.network import PedestrianNetwork
from citysim.tasks.parts import Stop


def shortest_tour(network: PedestrianNetwork, start: ArrayLike, stops: Sequence[Stop]) -> list[Stop]:
    """Stops in the order that is shortest to walk from a start (3,); all orders are tried (four stops have 24)."""
    fields = [network.distance_field(stop.position) for stop in stops]
    first = [field.at(start) for field in fields]
    apart = [[field.at(stop.position) for field in fields] for stop in stops]

    def length(order: tuple[int, ...]) -> float:
        return math.fsum([first[order[0]], *(apart[a][b] for a, b in pairwise(order))])

    best = min(permutations(range(len(stops))), key=lambda order: (length(order), order))
    return [stops[k] for k in best]
