"""From chains of nodes to polygons: joining, closing and repairing what mappers and clipping left."""

import math
from collections import defaultdict
from collections.abc import Sequence

from shapely import make_valid
from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import Xy

CLOSING_GAP = 1.0  # metres: an open ring with a smaller gap is closed
SMALLEST = 1.0  # square metres: smaller pieces of a repaired polygon are dropped

Chain = tuple[int, ...]


def join_chains(chains: Sequence[Chain]) -> tuple[list[Chain], list[Chain]]:
    """Join chains of node ids at equal end nodes; returns (closed rings, open chains).

    Deterministic in the order given; a closed ring repeats its first node at its end.
    """
    ends: dict[int, list[int]] = defaultdict(list)
    for index, chain in enumerate(chains):
        if len(chain) >= 2:
            ends[chain[0]].append(index)
            ends[chain[-1]].append(index)
    used = [len(chain) < 2 for chain in chains]
    rings: list[Chain] = []
    rest: list[Chain] = []
    for start, chain in enumerate(chains):
        if used[start]:
            continue
        used[start] = True
        grown = list(chain)
        for _ in range(2):  # forwards, then (after turning round) backwards
            while grown[0] != grown[-1]:
                follow = next((i for i in ends[grown[-1]] if not used[i]), None)
                if follow is None:
                    break
                used[follow] = True
                piece = chains[follow] if chains[follow][0] == grown[-1] else chains[follow][::-1]
                grown.extend(piece[1:])
            grown.reverse()
        (rings if grown[0] == grown[-1] and len(grown) >= 4 else rest).append(tuple(grown))
    return rings, rest


def gap(points: Sequence[Xy]) -> float:
    """Metres between the first and the last point."""
    return math.dist(points[0], points[-1])


def polygons_of(geometry: BaseGeometry, smallest: float = SMALLEST) -> list[Polygon]:
    """The polygons inside any geometry of at least `smallest` square metres, by position of their boxes."""
    if isinstance(geometry, Polygon):
        parts = [geometry]
    elif isinstance(geometry, MultiPolygon) or hasattr(geometry, "geoms"):
        parts = [polygon for part in geometry.geoms for polygon in polygons_of(part, smallest)]
    else:
        parts = []
    return sorted((p for p in parts if p.area >= smallest), key=lambda p: (p.bounds, p.area))


def repaired(points: Sequence[Xy]) -> tuple[list[Polygon], bool]:
    """The valid polygons of one ring of points, and whether it had to be repaired."""
    if len(points) < 3:
        return [], True
    polygon = Polygon(points)
    if polygon.is_valid:
        return ([polygon] if polygon.area >= SMALLEST else []), False
    return polygons_of(make_valid(polygon)), True
