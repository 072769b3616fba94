"""Ways: the pedestrian network as flat arrays, and for every destination the next way from everywhere.

Way 2 e walks along edge e as drawn, way 2 e + 1 against it.
"""

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.clearance import Clearance, full_width, shares_of
from citysim.crowd.hashing import stream, units
from citysim.crowd.kinds import LIFTS, PASSING, SIGNALLED, STEPS, half_width, pace_on
from citysim.crowd.weidmann import FREE_SPEED
from citysim.geo.network import PedestrianNetwork
from citysim.geometry.jit import helper, kernel

TASTES = 4
"""Ways to choose: the quickest, one with other habits, one without stairs, one without lifts."""

AVOIDED = 6.0  # times as long
LIFT_WAIT_S, SIGNAL_WAIT_S = 25.0, 12.0
HABIT = 0.35
MARGIN_M = 0.45  # kept from the edge of a way
NARROW_M = 3.5  # before and behind a narrow place people walk as if they were there

# Columns of `Ways.legs`
LEG_X, LEG_Y, LEG_Z, LEG_UX, LEG_UY, LEG_LENGTH, LEG_RISE, LEG_ASIDE = range(8)


class Ways(NamedTuple):
    """Arrays the kernels read; E edges, V nodes, P points of all lines.

    points (P, 3) float64 local metres; first (E + 1,) int32 first point of each edge; ends (2, E) int32 nodes at its
    tail and head; half (E,) float64 half widths in metres; paces (2 E,) float64 share of the free speed on each way;
    passing (E,) uint8: nobody starts there; places (V, 3) float64; starts (V + 1,) and into (W,) int32: the allowed
    ways that end at each node; legs (L, 8) float64 the straight pieces of all ways in walking direction: start, unit
    vector in the plane, length in the plane, rise, how far aside people walk; leg (2 E + 1,) int32 first of each way.
    """

    points: NDArray[np.float64]
    first: NDArray[np.int32]
    ends: NDArray[np.int32]
    half: NDArray[np.float64]
    paces: NDArray[np.float64]
    passing: NDArray[np.uint8]
    places: NDArray[np.float64]
    starts: NDArray[np.int32]
    into: NDArray[np.int32]
    legs: NDArray[np.float64]
    leg: NDArray[np.int32]


def build_ways(network: PedestrianNetwork, room: Clearance | None = None) -> Ways:
    """The arrays of a network; edges without an attribute count as footways. `room` is how wide they are, if known."""
    room = full_width(network) if room is None else room
    edges, walk = network.edges, network.walk
    sizes = [len(edge.line) for edge in edges]
    points = np.concatenate([edge.line for edge in edges]) if edges else np.empty((0, 3))
    kinds = [edge.attributes.get("FeatureType") for edge in edges]
    paces = [pace_on(kind, float(step)) for kind, e in zip(kinds, edges, strict=True) for step in _climbs(e.line)]
    count = len(edges)
    directions = (walk.forward, walk.backward)
    allowed = [2 * e + k for e in range(count) for k in (0, 1) if directions[k][e]]
    goals = [walk.tail[w >> 1] if w & 1 else walk.head[w >> 1] for w in allowed]
    order = np.lexsort((allowed, goals)) if allowed else np.empty(0, np.int64)
    half = np.array([half_width(kind) for kind in kinds], dtype=np.float64)
    pieces = [piece for k, e in enumerate(edges) for piece in _legs(e.line, k, room)]
    return Ways(
        np.ascontiguousarray(points, dtype=np.float64),
        np.r_[0, np.cumsum(sizes, dtype=np.int64)].astype(np.int32),
        np.array([list(walk.tail), list(walk.head)], dtype=np.int32).reshape(2, count),
        half,
        np.array(paces, dtype=np.float64),
        np.array([kind in PASSING for kind in kinds], dtype=np.uint8),
        np.ascontiguousarray(walk.places, dtype=np.float64),
        np.searchsorted(np.array(goals, np.int64)[order], np.arange(len(walk.places) + 1)).astype(np.int32),
        np.array(allowed, dtype=np.int32)[order],
        np.concatenate(pieces) if pieces else np.empty((0, 8)),
        np.r_[0, np.cumsum(np.repeat(np.array(sizes, dtype=np.int64) - 1, 2))].astype(np.int32),
    )


def way_costs(network: PedestrianNetwork, ways: Ways, seed: int) -> NDArray[np.float64]:
    """(TASTES, 2 E) seconds that each way is worth to each taste."""
    lengths = np.repeat(np.asarray(network.walk.length, dtype=np.float64), 2)
    kinds = [edge.attributes.get("FeatureType") for edge in network.edges]
    seconds = lengths / (FREE_SPEED * ways.paces)
    lift = np.repeat(np.array([k in LIFTS for k in kinds], dtype=bool), 2)
    steps = np.repeat(np.array([k in STEPS for k in kinds], dtype=bool), 2)
    signal = np.repeat(np.array([k in SIGNALLED for k in kinds], dtype=bool), 2)
    seconds = seconds + LIFT_WAIT_S * lift + SIGNAL_WAIT_S * signal
    costs = np.tile(seconds, (TASTES, 1))
    costs[1] *= 1.0 + HABIT * np.repeat(units(stream(seed, "habits"), np.arange(len(kinds))), 2)
    costs[2] *= np.where(steps, AVOIDED, 1.0)
    costs[3] *= np.where(lift, AVOIDED, 1.0)
    return costs


def next_ways(ways: Ways, goals: Sequence[int], costs: NDArray[np.float64], closed: NDArray[np.bool_]) -> Any:
    """(G TASTES, V) int32: the way to take at each node towards goal g for taste t in row g TASTES + t, or -1.

    Edges that are `closed` (E,) are never entered.
    """
    table = np.full((len(goals) * TASTES, len(ways.places)), -1, dtype=np.int32)
    shut = np.where(np.repeat(closed, 2), np.inf, costs)
    if len(ways.into):
        _search(np.asarray(goals, dtype=np.int32), shut, ways, table)
    return table


def _legs(line: NDArray[np.float64], edge: int, room: Clearance) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rows of `Ways.legs` of both ways of an edge."""
    rows, shares = [], shares_of(line)
    whole = float(np.hypot(*(line[1:, :2] - line[:-1, :2]).T).sum())
    beyond = NARROW_M / max(whole, 1e-6)  # walls are as far apart as the narrowest place near allows
    half = np.array([room.least(edge, a - beyond, b + beyond) for a, b in itertools.pairwise(shares.tolist())])
    for points, wide in ((line, half), (line[::-1], half[::-1])):
        step, row = points[1:] - points[:-1], np.empty((len(points) - 1, 8))
        length = np.sqrt(step[:, 0] ** 2 + step[:, 1] ** 2)
        row[:, :3], row[:, 3:5] = points[:-1], step[:, :2] / np.maximum(length, 1e-6)[:, None]
        row[:, LEG_LENGTH], row[:, LEG_RISE], row[:, LEG_ASIDE] = length, step[:, 2], np.maximum(wide - MARGIN_M, 0.0)
        rows.append(row)
    return rows[0], rows[1]


def _climbs(line: NDArray[np.float64]) -> tuple[float, float]:
    rise = float(line[-1, 2] - line[0, 2])
    return rise, -rise


@kernel
def _search(goals: Any, costs: Any, ways: Any, table: Any) -> None:
    """Dijkstra against the ways from every goal for every taste; of equals the lower node goes first."""
    tastes, nodes = costs.shape[0], ways.places.shape[0]
    room = ways.into.shape[0] + 2
    keys, heap, best = np.empty(room), np.empty(room, np.int32), np.empty(nodes)
    for row in range(goals.shape[0] * tastes):
        goal, cost = goals[row // tastes], costs[row % tastes]
        best[:] = np.inf
        best[goal] = 0.0
        size = _push(keys, heap, 0, 0.0, goal)
        while size > 0:
            metres, node = keys[0], heap[0]
            size = _pop(keys, heap, size)
            if metres > best[node]:
                continue
            for k in range(ways.starts[node], ways.starts[node + 1]):
                way = ways.into[k]
                source = ways.ends[way & 1, way >> 1]
                reached = metres + cost[way]
                if reached < best[source]:
                    best[source] = reached
                    table[row, source] = way
                    size = _push(keys, heap, size, reached, source)


@helper
def _push(keys: Any, heap: Any, size: int, key: float, node: int) -> int:
    at = size
    while at > 0:
        above = (at - 1) >> 1
        if keys[above] < key or (keys[above] == key and heap[above] <= node):
            break
        keys[at], heap[at] = keys[above], heap[above]
        at = above
    keys[at], heap[at] = key, node
    return size + 1


@helper
def _pop(keys: Any, heap: Any, size: int) -> int:
    size -= 1
    key, node, at = keys[size], heap[size], 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and (
            keys[below + 1] < keys[below] or (keys[below + 1] == keys[below] and heap[below + 1] < heap[below])
        ):
            below += 1
        if key < keys[below] or (key == keys[below] and node <= heap[below]):
            break
        keys[at], heap[at] = keys[below], heap[below]
        at = below
    keys[at], heap[at] = key, node
    return size
