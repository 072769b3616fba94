"""Signals: when people may step onto a signalled crossing, given by time alone."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.hashing import stream, units
from citysim.crowd.kinds import SIGNALLED
from citysim.geo.network import PedestrianNetwork
from citysim.geometry.jit import inlined

CYCLE_S = 60.0
GREEN_S = 22.0


def build_signals(network: PedestrianNetwork, seed: int) -> NDArray[np.float64]:
    """(3, E) float64 of each edge: seconds of a cycle (0: no signal), seconds of green at its start, and its offset.

    Every signalled crossing has a cycle of a minute that begins at an offset of its own. Edges that touch each other
    are one crossing: it is green from both kerbs at once.
    """
    lit = np.array([e.attributes.get("FeatureType") in SIGNALLED for e in network.edges], dtype=bool)
    offsets = CYCLE_S * units(stream(seed, "signals"), _crossings(network, lit))
    return np.stack([np.where(lit, CYCLE_S, 0.0), np.where(lit, GREEN_S, 0.0), offsets])


def _crossings(network: PedestrianNetwork, lit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(E,) the least index of the lit edges that an edge is joined to by lit edges; its own for others."""
    first = np.arange(len(lit))
    met: dict[tuple[float, ...], int] = {}

    def root(edge: int) -> int:
        while first[edge] != edge:
            edge = int(first[edge])
        return edge

    for edge in np.flatnonzero(lit).tolist():
        line = network.edges[edge].line
        for end in (line[0], line[-1]):
            other = root(met.setdefault(tuple(end.tolist()), edge))
            mine = root(edge)
            first[max(mine, other)] = min(mine, other)
    return np.array([root(edge) for edge in range(len(lit))], dtype=np.int64)


@inlined
def may_enter(phases: Any, edge: int, time: float) -> bool:
    """Whether people may step onto an edge at a time in seconds; green comes first in a cycle."""
    cycle = phases[0, edge]
    if cycle <= 0.0:
        return True
    since = time + phases[2, edge]
    return since - np.floor(since / cycle) * cycle < phases[1, edge]
