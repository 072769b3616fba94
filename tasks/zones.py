"""Closures on the network: which edges a polyline cuts, and whether a goal can still be reached."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.geo.network import PedestrianNetwork
from citysim.geo.routing import Route
from citysim.tasks.parts import Point

LEVEL_M = 3.0
"""A closure shuts ways within so much of its own height: not the footbridge above it."""


def cut_edges(network: PedestrianNetwork, vertices: Sequence[Point]) -> tuple[int, ...]:
    """Ids of the edges that an open polyline meets (touching included) at its own level, in the network's order."""
    found = []
    for edge in network.edges:
        line = np.asarray(edge.line)
        if any(_meet(line[:-1], line[1:], np.array(a), np.array(b)) for a, b in pairwise(vertices)):
            found.append(edge.id)
    return tuple(found)


def detour(
    network: PedestrianNetwork, vertices: Sequence[Point], start: Sequence[float], goal: Sequence[float]
) -> Route:
    """The shortest way that keeps off a closure; raises InputError when it cuts the goal off."""
    closed = frozenset(cut_edges(network, vertices))
    try:
        return network.route(np.asarray(start), np.asarray(goal), closed=closed)
    except InputError as error:
        raise InputError("a closure that leaves a way to the goal", error.found, "another place for it") from None


def _meet(start: NDArray[np.float64], end: NDArray[np.float64], a: NDArray[np.float64], b: NDArray[np.float64]) -> bool:
    """Whether any of the segments (N, 3) meets the segment from a to b seen from above, near its height."""
    step, cut = end[:, :2] - start[:, :2], b[:2] - a[:2]
    apart = a[:2] - start[:, :2]
    across = step[:, 0] * cut[1] - step[:, 1] * cut[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        along = (apart[:, 0] * cut[1] - apart[:, 1] * cut[0]) / across
        share = (apart[:, 0] * step[:, 1] - apart[:, 1] * step[:, 0]) / across
        height = start[:, 2] + along * (end[:, 2] - start[:, 2]) - (a[2] + share * (b[2] - a[2]))
    inside = (along >= 0.0) & (along <= 1.0) & (share >= 0.0) & (share <= 1.0) & (np.abs(height) <= LEVEL_M)
    return bool(inside.any())
