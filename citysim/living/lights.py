"""Lights: the states of the signals at crossings."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.geo.network import PedestrianNetwork


@dataclass(frozen=True, slots=True)
class SignalState:
    """A signalled crossing: id of an edge at a kerb, whether people may step onto it now, seconds until it changes."""

    edge: int
    green: bool
    left_s: float


def signal_states(network: PedestrianNetwork, phases: NDArray[np.float64], time_s: float) -> tuple[SignalState, ...]:
    """The states of all signals at a time, in the network's order; phases (3, 2E) as of `crowd.signals`."""
    edges = phases.reshape(3, -1, 2).max(axis=2)
    found = []
    for index in np.flatnonzero(edges[0] > 0.0).tolist():
        cycle, green, offset = edges[:, index].tolist()
        since = (time_s + offset) % cycle
        left = green - since if since < green else cycle - since
        found.append(SignalState(network.edges[index].id, since < green, left))
    return tuple(found)
