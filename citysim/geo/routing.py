"""Shortest walks over a graph of 3D lines: A* from one place on a line to another, and distances to one place."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
NOWHERE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Route:
    """A walk: `points` (N, 3) float64 local metres, its length along them, and the ids of the edges used, in order."""

    points: Array
    length_m: float
    edges: tuple[int, ...]


class Spot(NamedTuple):
    """A place on a line: index of the line, and metres along it from its start."""

    line: int
    offset: float


class Leg(NamedTuple):
    """Part of a walk: along one line from one offset to another, metres."""

    line: int
    start: float
    end: float


@dataclass(frozen=True)
class WalkGraph:
    """Lines between nodes with their allowed directions.

    places (N, 3) float64 node positions; tail, head, length (metres), forward, backward: one entry a line.
    `arcs[node]` lists (line, far node, whether walked as drawn) that may be walked from a node, `rarcs` towards it.
    """

    places: Array
    tail: Sequence[int]
    head: Sequence[int]
    length: Sequence[float]
    forward: Sequence[bool]
    backward: Sequence[bool]
    arcs: list[list[tuple[int, int, bool]]] = field(init=False, repr=False)
    rarcs: list[list[tuple[int, int, bool]]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        arcs: list[list[tuple[int, int, bool]]] = [[] for _ in range(len(self.places))]
        rarcs: list[list[tuple[int, int, bool]]] = [[] for _ in range(len(self.places))]
        for line, (a, b) in enumerate(zip(self.tail, self.head, strict=True)):
            if self.forward[line]:
                arcs[a].append((line, b, True))
                rarcs[b].append((line, a, True))
            if self.backward[line]:
                arcs[b].append((line, a, False))
                rarcs[a].append((line, b, False))
        object.__setattr__(self, "arcs", arcs)
        object.__setattr__(self, "rarcs", rarcs)

    def search(self, a: Spot, b: Spot, closed: frozenset[int] = NOWHERE) -> tuple[float, list[Leg]] | None:
        """Shortest walk between spots by A* (bound: the straight distance) as (metres, legs), or None.

        `closed` lines are never entered, not even to start or to end on them.
        """
        if a.line in closed or b.line in closed:
            return None
        found, legs = self._direct(a, b), [Leg(a.line, a.offset, b.offset)]
        entries = {node: (metres, leg) for metres, node, leg in sorted(self._entries(b), reverse=True)}
        target = self.places[list(entries)].mean(axis=0) if entries else self.places[0]
        slack = max((float(np.linalg.norm(self.places[node] - target)) for node in entries), default=0.0)
        tx, ty, tz = map(float, target)

        def bound(node: int) -> float:
            x, y, z = self.places[node]
            return max(0.0, math.sqrt((x - tx) ** 2 + (y - ty) ** 2 + (z - tz) ** 2) - slack)

        best: dict[int, float] = {}
        came: dict[int, tuple[int, Leg]] = {}  # node -> (node before, -1 at the first; leg walked)
        heap: list[tuple[float, float, int]] = []

        def reach(node: int, metres: float, before: int, leg: Leg) -> None:
            if metres < best.get(node, math.inf):
                best[node], came[node] = metres, (before, leg)
                heapq.heappush(heap, (metres + bound(node), metres, node))

        for metres, node, leg in self._exits(a):
            reach(node, metres, -1, leg)
        last = -1
        while heap and entries:
            estimate, metres, node = heapq.heappop(heap)
            if estimate >= found:
                break
            if metres > best[node]:
                continue
            if node in entries and metres + entries[node][0] < found:
                found, last = metres + entries[node][0], node
            for line, far, drawn in self.arcs[node]:
                if line not in closed:
                    size = self.length[line]
                    reach(far, metres + size, node, Leg(line, 0.0, size) if drawn else Leg(line, size, 0.0))
        if last >= 0:
            legs = [entries[last][1]]
            while last >= 0:
                last, leg = came[last]
                legs.append(leg)
            legs.reverse()
        return (found, legs) if found < math.inf else None

    def distances_to(self, b: Spot) -> Array:
        """(N,) metres from every node to `b` (inf where there is no way): Dijkstra against the arcs."""
        far = [math.inf] * len(self.places)
        heap: list[tuple[float, int]] = []
        for metres, node, _ in self._entries(b):
            if metres < far[node]:
                far[node] = metres
                heapq.heappush(heap, (metres, node))
        while heap:
            metres, node = heapq.heappop(heap)
            if metres > far[node]:
                continue
            for line, before, _ in self.rarcs[node]:
                reached = metres + self.length[line]
                if reached < far[before]:
                    far[before] = reached
                    heapq.heappush(heap, (reached, before))
        return np.array(far, dtype=np.float64)

    def from_spot(self, a: Spot, b: Spot, distances: Array) -> float:
        """Metres from `a` to `b`, given `distances_to(b)`."""
        ways = [metres + float(distances[node]) for metres, node, _ in self._exits(a)]
        return min([self._direct(a, b), *ways])

    def _direct(self, a: Spot, b: Spot) -> float:
        if a.line != b.line:
            return math.inf
        allowed = self.forward[a.line] if b.offset >= a.offset else self.backward[a.line]
        return abs(b.offset - a.offset) if allowed or a.offset == b.offset else math.inf

    def _exits(self, spot: Spot) -> list[tuple[float, int, Leg]]:
        line, offset = spot
        size, ways = self.length[line], []
        if self.forward[line] or offset == size:  # at a node: every way from there is open, whatever this line allows
            ways.append((size - offset, self.head[line], Leg(line, offset, size)))
        if self.backward[line] or offset == 0.0:
            ways.append((offset, self.tail[line], Leg(line, offset, 0.0)))
        return ways

    def _entries(self, spot: Spot) -> list[tuple[float, int, Leg]]:
        line, offset = spot
        size, ways = self.length[line], []
        if self.forward[line] or offset == 0.0:
            ways.append((offset, self.tail[line], Leg(line, 0.0, offset)))
        if self.backward[line] or offset == size:
            ways.append((size - offset, self.head[line], Leg(line, size, offset)))
        return ways
