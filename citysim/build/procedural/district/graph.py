"""StreetGraph: streets as edges between nodes, before anything is drawn."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from citysim.build.plans import Xy
from citysim.build.procedural.district.axis import Axis
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.sketch import snapped


@dataclass(frozen=True)
class Edge:
    """A piece of street from node `a` to node `b`."""

    id: int
    a: int
    b: int
    street: StreetClass
    axis: Axis
    name: str
    oneway: int = 0  # 1 along the axis, -1 against it
    crossed: bool = True  # whether its ends and its middle get crossings

    @property
    def length(self) -> float:
        """Metres along the axis."""
        return self.axis.length


@dataclass(frozen=True)
class Arm:
    """An edge as seen from one of its ends: `outward` is the unit direction away from the node."""

    edge: Edge
    at_start: bool
    outward: Xy

    def station(self, away: float) -> float:
        """The distance along the edge's axis of a place `away` metres from this end."""
        return away if self.at_start else self.edge.length - away

    def side(self, left: bool) -> int:
        """The edge's side (1 left of its axis, -1 right) that lies left (or right) of who looks outward."""
        return (1 if left else -1) * (1 if self.at_start else -1)


@dataclass
class StreetGraph:
    """Nodes and edges in the order they were added. Nodes on the rim end nowhere: the street goes on beyond the map."""

    nodes: list[Xy] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    rim: set[int] = field(default_factory=set)
    plain: set[int] = field(default_factory=set)  # junctions without crossings
    _at: dict[Xy, int] = field(default_factory=dict)

    def node(self, xy: Xy, rim: bool = False) -> int:
        """The node at a point; two calls with one point give one node."""
        at = snapped(xy)
        if at not in self._at:
            self._at[at] = len(self.nodes)
            self.nodes.append(at)
        if rim:
            self.rim.add(self._at[at])
        return self._at[at]

    def edge(
        self, a: int, b: int, street: StreetClass, name: str, bends: Sequence[Xy] = (), oneway: int = 0,
        crossed: bool = True,
    ) -> Edge:  # fmt: skip
        """Add a piece of street between two nodes, through `bends`."""
        axis = Axis.through([self.nodes[a], *bends, self.nodes[b]])
        made = Edge(len(self.edges), a, b, street, axis, name, oneway, crossed)
        self.edges.append(made)
        return made

    def street(self, points: Sequence[int], street: StreetClass, name: str, oneway: int = 0) -> list[Edge]:
        """Edges of one street through several nodes."""
        return [self.edge(a, b, street, name, oneway=oneway) for a, b in itertools.pairwise(points)]

    def arms(self) -> dict[int, list[Arm]]:
        """Per node the edges that end there, counter-clockwise from east."""
        found: dict[int, list[Arm]] = defaultdict(list)
        for edge in self.edges:
            u, v = edge.axis.along(0.0)
            found[edge.a].append(Arm(edge, True, (u, v)))
            u, v = edge.axis.along(edge.length)
            found[edge.b].append(Arm(edge, False, (-u, -v)))
        return {n: sorted(arms, key=lambda a: (math.atan2(a.outward[1], a.outward[0]), a.edge.id))
                for n, arms in sorted(found.items())}  # fmt: skip
