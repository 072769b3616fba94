"""The pedestrian network: 3D lines with Hong Kong's attribute names, as a graph with a spatial index."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.errors import InputError
from citysim.geo.network_index import SegmentIndex
from citysim.geo.routing import NOWHERE, Leg, Route, Spot, WalkGraph

if TYPE_CHECKING:
    import networkx

Array = NDArray[np.float64]

ON_NETWORK_M = 2.5
"""Horizontal tolerance of `on_network`: half a wide pavement plus the 1 m accuracy of Hong Kong's lines."""
ON_NETWORK_VERTICAL_M = 2.5
"""Vertical tolerance: the lines' 2 m height accuracy and a kerb, well below the 4.5 m clearance under a footbridge."""
SNAP_M = 50.0
LEVEL_M = 5.0  # who is higher above or below a way is not on it: between a deck and the street below lie about six


@dataclass(frozen=True, slots=True)
class NetworkEdge:
    """One walkable line. Attribute names and codes are those of the Hong Kong 3D Pedestrian Network.

    line (K, 3) float64 local metres; edges that share an end point bit for bit are joined there.
    """

    id: int
    line: NDArray[np.float64]
    attributes: dict[str, Any] = field(default_factory=dict)

    @property
    def enabled(self) -> bool:
        """Whether the line is open (`Enabled` is 1 or absent; 2 means False)."""
        return self.attributes.get("Enabled", 1) in (1, None)

    @property
    def name(self) -> str:
        """English street or alias name, "" where there is none."""
        name = self.attributes.get("StreetNameEN") or self.attributes.get("AliasNameEN") or ""
        return " ".join(str(name).split())


@dataclass(frozen=True, slots=True)
class Snap:
    """The place on an open line closest to a point: index into `edges`, metres along it, (3,) point, metres away."""

    edge: int
    offset: float
    point: Array
    distance: float


class PedestrianNetwork:
    """The graph of all edges with its spatial index, both built when first asked for.

    Distances are three-dimensional: the line over a footbridge is not the street below it. Only the graph's ways are
    walked (`Direction` 0 both, 1 as drawn, -1 against; `Enabled` 1); crossings without a shared end point do not join.
    """

    def __init__(self, edges: Sequence[NetworkEdge]) -> None:
        self.edges = tuple(edges)
        for edge in self.edges:
            if edge.line.ndim != 2 or edge.line.shape[1] != 3 or len(edge.line) < 2 or not np.isfinite(edge.line).all():
                raise InputError(
                    "lines of two or more finite 3D points", f"edge {edge.id}", "checking the network's source"
                )

    @cached_property
    def walk(self) -> WalkGraph:
        """Nodes (bit-equal end points, numbered in order of appearance) and allowed ways as plain arrays."""
        numbers: dict[bytes, int] = {}
        ends = [[numbers.setdefault((p + 0.0).tobytes(), len(numbers)) for p in e.line[[0, -1]]] for e in self.edges]
        places = np.array([np.frombuffer(key) for key in numbers], dtype=np.float64).reshape(-1, 3)
        ways = [e.attributes.get("Direction") or 0 for e in self.edges]
        return WalkGraph(
            places,
            tail=[a for a, _ in ends],
            head=[b for _, b in ends],
            length=[float(c[-1]) for c in self._offsets],
            forward=[e.enabled and way != -1 for e, way in zip(self.edges, ways, strict=True)],
            backward=[e.enabled and way != 1 for e, way in zip(self.edges, ways, strict=True)],
        )

    @cached_property
    def graph(self) -> "networkx.MultiDiGraph":
        """The same as a networkx MultiDiGraph: nodes carry `position` (3,), arcs `index`, `id`, `length` (metres)."""
        import networkx

        graph, walk = networkx.MultiDiGraph(), self.walk
        for node, place in enumerate(walk.places):
            graph.add_node(node, position=place)
        for index, edge in enumerate(self.edges):
            data = {"index": index, "id": edge.id, "length": walk.length[index]}
            if walk.forward[index]:
                graph.add_edge(walk.tail[index], walk.head[index], key=2 * index, **data)
            if walk.backward[index]:
                graph.add_edge(walk.head[index], walk.tail[index], key=2 * index + 1, **data)
        return graph

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """Edge indexes of each connected part (directions ignored, open edges only), longest part first."""
        parent = list(range(len(self.walk.places)))

        def root(node: int) -> int:
            while parent[node] != node:
                parent[node] = parent[parent[node]]
                node = parent[node]
            return node

        open_edges = [i for i, edge in enumerate(self.edges) if edge.enabled]
        for i in open_edges:
            a, b = root(self.walk.tail[i]), root(self.walk.head[i])
            parent[max(a, b)] = min(a, b)
        groups: dict[int, list[int]] = {}
        for i in open_edges:
            groups.setdefault(root(self.walk.tail[i]), []).append(i)
        ranked = sorted(groups.values(), key=lambda g: (-sum(self.walk.length[i] for i in g), g[0]))
        return tuple(map(tuple, ranked))

    @cached_property
    def component(self) -> dict[int, int]:
        """Edge index -> rank of its connected part in `components`; closed edges are absent."""
        return {edge: rank for rank, group in enumerate(self.components) for edge in group}

    def snap(self, point: ArrayLike, max_distance_m: float = SNAP_M) -> Snap | None:
        """The closest place on an open line within `max_distance_m` (three-dimensional metres), or None.

        Of equally close places the end of a line wins, since lines join there and may only pass each other elsewhere.
        """
        index, xyz = self._index, np.asarray(point, dtype=np.float64)
        if index is None:
            return None
        x, y = float(xyz[0]), float(xyz[1])
        radius, limit = 4.0, min(max_distance_m, index.farthest(x, y) + abs(float(xyz[2])) + 1e4)
        while True:
            radius = min(radius, limit)
            ids = index.near(x, y, radius)
            ids = ids[self._open[ids]]
            if len(ids):
                found = [self._snap_at(index, *place) for place in index.closest(xyz, ids)]
                if found[0].distance <= radius:
                    ends = (s for s in found if s.offset in (0.0, self.walk.length[s.edge]))
                    return next(ends, found[0])
            if radius >= limit:
                return None
            radius *= 2.0

    def on_network(
        self,
        point: ArrayLike,
        tolerance_m: float = ON_NETWORK_M,
        vertical_m: float = ON_NETWORK_VERTICAL_M,
    ) -> bool:
        """Whether a foot point is within `tolerance_m` sideways and `vertical_m` in height of any line, open or not."""
        if self._index is None:
            return False
        xyz = np.asarray(point, dtype=np.float64)
        ids = self._index.near(float(xyz[0]), float(xyz[1]), tolerance_m)
        if not len(ids):
            return False
        sideways, height = self._index.gaps(xyz, ids)
        return bool(((sideways <= tolerance_m) & (height <= vertical_m)).any())

    def walk_distance(self, a: ArrayLike, b: ArrayLike, max_snap_m: float = SNAP_M) -> float:
        """Metres from `a` to `b`: straight to the network, along it, straight to `b`; inf when there is no way."""
        start, end = self.snap(a, max_snap_m), self.snap(b, max_snap_m)
        if start is None or end is None:
            return float("inf")
        found = self.walk.search(_spot(start), _spot(end))
        return float("inf") if found is None else start.distance + found[0] + end.distance

    def route(
        self, a: ArrayLike, b: ArrayLike, closed: frozenset[int] = frozenset(), max_snap_m: float = SNAP_M
    ) -> Route:
        """The shortest walk from `a` to `b` that enters no edge whose id is `closed`; both points are part of it.

        Of ways above each other the one nearest in height counts. Raises InputError when a point is too far from the
        network, on no level of it, or no way joins the two.
        """
        start, end = self.snap(a, max_snap_m), self.snap(b, max_snap_m)
        for point, snap in ((a, start), (b, end)):
            if snap is None:
                raise InputError(
                    f"a point within {max_snap_m:g} m of the pedestrian network",
                    "({:.1f}, {:.1f}, {:.1f})".format(*map(float, np.asarray(point))),
                    "a point nearer to a street or path",
                )
            above = float(np.asarray(point, dtype=np.float64)[2] - snap.point[2])
            if abs(above) > LEVEL_M:
                raise InputError(
                    f"a point at most {LEVEL_M:g} m above or below the pedestrian network",
                    f"{abs(above):.1f} m {'above' if above > 0.0 else 'below'} the nearest way",
                    "the height of the bridge, deck or street that is meant",
                )
        if start is None or end is None:  # for the type checker: raised above
            return Route(np.empty((0, 3)), 0.0, ())
        shut = frozenset(i for i, e in enumerate(self.edges) if e.id in closed) if closed else NOWHERE
        found = self.walk.search(_spot(start), _spot(end), shut)
        if found is None:
            why = f"{len(shut)} closed edges" if shut else "separate parts of the network or one-way edges"
            raise InputError("two points joined by the pedestrian network", f"no way ({why})", "another goal")
        legs = found[1]
        pieces = [np.asarray(a, dtype=np.float64)[None], start.point[None], *map(self._shape, legs)]
        points = np.concatenate([*pieces, end.point[None], np.asarray(b, dtype=np.float64)[None]])
        points = points[np.r_[True, (np.diff(points, axis=0) != 0.0).any(axis=1)]]
        length = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
        ids = [self.edges[leg.line].id for leg in legs]
        return Route(points, length, tuple(e for i, e in enumerate(ids) if i == 0 or e != ids[i - 1]))

    def distance_field(self, goal: ArrayLike, max_snap_m: float = SNAP_M) -> "DistanceField":
        """Walking distances to one goal, for asking again and again; all inf when the goal is off the network."""
        return DistanceField(self, self.snap(goal, max_snap_m), max_snap_m)

    def _shape(self, leg: Leg) -> Array:
        """Points of a line from one offset to another, in walking order, (N, 3); the offsets' own points may lack."""
        offsets, line = self._offsets[leg.line], self.edges[leg.line].line
        inside = (offsets >= min(leg.start, leg.end)) & (offsets <= max(leg.start, leg.end))
        return line[inside] if leg.start <= leg.end else line[inside][::-1]

    def _snap_at(self, index: SegmentIndex, segment: int, share: float, distance: float) -> Snap:
        edge = bisect_right(self._first, segment) - 1
        offsets, at = self._offsets[edge], segment - self._first[edge]
        offset = float(offsets[at] + share * (offsets[at + 1] - offsets[at]))
        return Snap(edge, offset, index.start[segment] + share * index.step[segment], distance)

    @cached_property
    def _offsets(self) -> list[Array]:
        """Metres along each line at each of its points."""
        steps = (np.linalg.norm(np.diff(edge.line, axis=0), axis=1) for edge in self.edges)
        return [np.r_[0.0, np.cumsum(step)] for step in steps]

    @cached_property
    def _first(self) -> list[int]:
        """Number of the first segment of each edge; segments are numbered through all edges."""
        sizes = [len(edge.line) - 1 for edge in self.edges]
        return [0, *np.cumsum(sizes).tolist()[:-1]]

    @cached_property
    def _open(self) -> NDArray[np.bool_]:
        """(S,) whether each segment may be walked at all."""
        return np.repeat([edge.enabled for edge in self.edges], [len(edge.line) - 1 for edge in self.edges])

    @cached_property
    def _index(self) -> SegmentIndex | None:
        if not self.edges:
            return None
        start = np.concatenate([edge.line[:-1] for edge in self.edges])
        end = np.concatenate([edge.line[1:] for edge in self.edges])
        return SegmentIndex(start, end)


def _spot(snap: Snap) -> Spot:
    return Spot(snap.edge, snap.offset)


class DistanceField:
    """Walking distances from anywhere to one goal; see PedestrianNetwork.distance_field."""

    def __init__(self, network: PedestrianNetwork, goal: Snap | None, max_snap_m: float) -> None:
        self._network, self._goal, self._max_snap_m = network, goal, max_snap_m
        self._distances = network.walk.distances_to(_spot(goal)) if goal is not None else np.empty(0)

    def at(self, point: ArrayLike) -> float:
        """Metres from a point to the goal as in `walk_distance`, inf when there is no way."""
        start = self._network.snap(point, self._max_snap_m)
        if start is None or self._goal is None:
            return float("inf")
        along = self._network.walk.from_spot(_spot(start), _spot(self._goal), self._distances)
        return start.distance + along + self._goal.distance
