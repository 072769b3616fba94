"""Geometry of the public client, written from its description alone: nothing of citysim is used here."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

Place = Mapping[str, Any]
R = 6_371_000.0


def haversine(a: Place, b: Place) -> float:
    la, lb = math.radians(a["lat"]), math.radians(b["lat"])
    dla, dlo = lb - la, math.radians(b["lon"] - a["lon"])
    h = math.sin(dla / 2) ** 2 + math.cos(la) * math.cos(lb) * math.sin(dlo / 2) ** 2
    return 2 * R * math.asin(min(1.0, math.sqrt(h)))


def path_length(places: Sequence[Place]) -> float:
    return math.fsum(haversine(a, b) for a, b in pairwise(places))


def spanning_tree(places: Sequence[Place]) -> float:
    """Kruskal, so that it shares nothing with the tree under test."""
    edges = sorted((haversine(places[i], places[j]), i, j) for i in range(len(places)) for j in range(i))
    group = list(range(len(places)))
    total = []
    for length, i, j in edges:
        if group[i] != group[j]:
            old, new = group[i], group[j]
            group = [new if g == old else g for g in group]
            total.append(length)
    return math.fsum(total)


def real(point: Any) -> bool:
    """Whether a point is there and no placeholder."""
    return bool(point) and bool(point.get("lat")) and bool(point.get("lon"))


def project(place: Place, about: Place) -> tuple[float, float]:
    k = math.radians(1.0) * R
    return (place["lon"] - about["lon"]) * k * math.cos(math.radians(about["lat"])), (place["lat"] - about["lat"]) * k


def crossed_edges(before: Place, after: Place, zones: Sequence[Any], about: Place) -> list[dict[str, Any]]:
    """Closure edges that the straight way between two states meets, touching included."""
    a, b = project(before, about), project(after, about)
    if a == b:
        return []
    found = []
    for zone in zones:
        line = [project(v, about) for v in zone["vertices"]]
        for index, (c, d) in enumerate(pairwise(line)):
            if _meet(a, b, c, d):
                found.append({"label": zone.get("label") or "restricted_zone", "edge_index": index})
    return found


Xy = tuple[float, float]


def _turn(a: Xy, b: Xy, c: Xy) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _within(a: Xy, b: Xy, c: Xy) -> bool:
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def _meet(a: Xy, b: Xy, c: Xy, d: Xy) -> bool:
    t = (_turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b))
    if (t[0] > 0) != (t[1] > 0) and (t[2] > 0) != (t[3] > 0) and 0.0 not in t:
        return True
    ends = ((a, b, c), (a, b, d), (c, d, a), (c, d, b))
    return any(value == 0.0 and _within(*trio) for value, trio in zip(t, ends, strict=True))
