"""Signals: when people may step onto a signalled crossing, given by time alone."""

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.hashing import stream, units
from citysim.crowd.kinds import SIGNALLED
from citysim.geo.network import PedestrianNetwork
from citysim.geometry.jit import inlined

Array = NDArray[np.float64]

CYCLE_S = 60.0
GREEN_S = 22.0
BESIDE_M = 0.7  # an edge that runs this near along a crossing is a part of it
KERB_M = 1.5  # a crossing is entered no further from its ends
SAMPLE_M = 0.5


def build_signals(network: PedestrianNetwork, seed: int) -> Array:
    """(3, 2E) float64 of each way, as in `ways`: seconds of a cycle (0: may be entered at any time), seconds of green
    at its start, and its offset.

    Every signalled crossing has a cycle of a minute that begins at an offset of its own. Edges that touch each other
    are one crossing, and so is what runs along it: it is green from both kerbs at once. Whoever is in its middle goes
    on whatever the signal.
    """
    return phases_of(*signal_plan(network), seed)


def phases_of(cycles: Array, crossing: NDArray[np.int64], seed: int) -> Array:
    """The same from a network's `signal_plan`, which takes longer to make."""
    offsets = np.repeat(CYCLE_S * units(stream(seed, "signals"), np.where(crossing >= 0, crossing, 0)), 2)
    return np.stack([cycles, np.where(cycles > 0.0, GREEN_S, 0.0), offsets])


def signal_plan(network: PedestrianNetwork) -> tuple[Array, NDArray[np.int64]]:
    """What of the signals no seed changes: (2E,) seconds of each way's cycle, and (E,) which crossing an edge is of."""
    lit = np.array([e.attributes.get("FeatureType") in SIGNALLED for e in network.edges], dtype=bool)
    crossing = _along(network, _crossings(network, lit))
    cycles = np.zeros(2 * len(lit))
    for number in np.unique(crossing[crossing >= 0]).tolist():
        edges = np.flatnonzero(crossing == number)
        ends = np.array([(network.edges[e].line[0], network.edges[e].line[-1]) for e in edges.tolist()])
        cycles[2 * edges], cycles[2 * edges + 1] = np.where(_at_kerb(ends), CYCLE_S, 0.0).T
    return cycles, crossing


def _crossings(network: PedestrianNetwork, lit: NDArray[np.bool_]) -> NDArray[np.int64]:
    """(E,) the least index of the lit edges that a lit edge is joined to by lit edges; -1 for others."""
    first = np.where(lit, np.arange(len(lit)), -1)
    met: dict[tuple[float, ...], int] = {}

    def root(edge: int) -> int:
        while first[edge] != edge:
            edge = int(first[edge])
        return edge

    for edge in np.flatnonzero(lit).tolist():
        line = network.edges[edge].line
        for end in (line[0], line[-1]):
            other, mine = root(met.setdefault(tuple(end.tolist()), edge)), root(edge)
            first[max(mine, other)] = min(mine, other)
    for edge in np.flatnonzero(lit).tolist():
        first[edge] = root(edge)
    return np.asarray(first, dtype=np.int64)


def _along(network: PedestrianNetwork, crossing: NDArray[np.int64]) -> NDArray[np.int64]:
    """The same with all edges that run beside one crossing: maps often have a second line over the same stripes."""
    from scipy.spatial import cKDTree

    lit = np.flatnonzero(crossing >= 0).tolist()
    if not lit:
        return crossing
    spots = [_spaced(network.edges[edge].line, SAMPLE_M) for edge in lit]
    owners = np.repeat(crossing[lit], [len(s) for s in spots])
    tree = cKDTree(np.concatenate(spots))
    found = crossing.copy()
    for edge in np.flatnonzero(crossing < 0).tolist():
        line = network.edges[edge].line
        apart, near = tree.query(line[[0, -1]], distance_upper_bound=BESIDE_M)
        if not np.isfinite(apart).all() or np.hypot(*(line[-1] - line[0])[:2]) < 1.0:
            continue
        apart, near = tree.query(_spaced(line, SAMPLE_M), distance_upper_bound=BESIDE_M)
        if np.isfinite(apart).all() and len(set(owners[near].tolist())) == 1:
            found[edge] = owners[near[0]]
    return found


def _at_kerb(ends: Array) -> NDArray[np.bool_]:
    """(M, 2) which ends (M, 2, 3) of a crossing's edges are near its own ends, along its longest direction."""
    flat = ends[:, :, :2].reshape(-1, 2)
    around = flat - flat.mean(axis=0)
    spread = around.T @ around
    angle = 0.5 * np.arctan2(2.0 * spread[0, 1], spread[0, 0] - spread[1, 1])
    along = around @ np.array([np.cos(angle), np.sin(angle)])
    near = (along < along.min() + KERB_M) | (along > along.max() - KERB_M)
    return np.asarray(near.reshape(-1, 2))


def _spaced(line: Array, step: float) -> Array:
    """Points of a line, at most a step apart."""
    parts = [line[:1]]
    for a, b in itertools.pairwise(line):
        count = max(1, int(np.ceil(np.linalg.norm(b - a) / step)))
        parts.append(a + (b - a) * (np.arange(1, count + 1) / count)[:, None])
    return np.concatenate(parts)


@inlined
def may_enter(phases: Any, way: int, time: float) -> bool:
    """Whether people may step onto a way at a time in seconds; green comes first in a cycle."""
    cycle = phases[0, way]
    if cycle <= 0.0:
        return True
    since = time + phases[2, way]
    return since - np.floor(since / cycle) * cycle < phases[1, way]
