"""Drape: corridors for a street graph over a smooth hill: even between junctions, level across and at junctions."""

from collections.abc import Callable

from citysim.build.plans import Xy
from citysim.build.procedural.district.graph import StreetGraph
from citysim.build.procedural.hills.corridor import Corridor

REACH = 1.15  # of the widest street at a junction: how far from its middle the ground is level
MOST = 0.38  # share of a street that may be level at one end


def drape(graph: StreetGraph, level: Callable[[Xy], float]) -> list[Corridor]:
    """One corridor an edge, those of wide streets first; `level` gives the height at junctions."""
    wide: dict[int, float] = {}
    for edge in graph.edges:
        for node in (edge.a, edge.b):
            wide[node] = max(wide.get(node, 0.0), edge.street.facade)
    made = []
    for edge in sorted(graph.edges, key=lambda e: (-e.street.facade, e.id)):
        a, b = level(graph.nodes[edge.a]), level(graph.nodes[edge.b])
        start, end = (0.0 if n in graph.rim else min(REACH * wide[n], MOST * edge.length) for n in (edge.a, edge.b))
        stops = [(0.0, a), (start, a), (edge.length - end, b), (edge.length, b)]
        kept = [s for k, s in enumerate(stops) if k in (0, 3) or 0.01 < s[0] < edge.length - 0.01]
        made.append(Corridor(edge.axis, edge.street.facade, tuple(kept)))
    return made
