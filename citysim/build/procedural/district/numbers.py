"""House numbers: odd on a street's left, even on its right, rising along it."""

from collections import defaultdict
from collections.abc import Sequence

from citysim.build.procedural.district.graph import StreetGraph
from citysim.build.procedural.district.parcels import Lot


def house_numbers(graph: StreetGraph, lots: Sequence[Lot], step: int = 2) -> list[str]:
    """The number of every lot on the street of its front; unique among the lots of a street."""
    before: dict[int, float] = {}
    length: dict[str, float] = defaultdict(float)
    for edge in graph.edges:
        before[edge.id] = length[edge.name]
        length[edge.name] += edge.length
    sides: dict[tuple[str, int], list[tuple[float, int]]] = defaultdict(list)
    for k, lot in enumerate(lots):
        front = lot.front
        s, _ = front.edge.axis.nearest(front.at(front.length / 2))
        sides[(front.edge.name, front.sign)].append((before[front.edge.id] + s, k))
    numbers = [""] * len(lots)
    for (_, sign), found in sorted(sides.items()):
        for n, (_, k) in enumerate(sorted(found)):
            numbers[k] = str(step * n + (1 if sign > 0 else 2))
    return numbers
