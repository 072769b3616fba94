"""Distances on the globe as UrbanGround measures them: great circles on a sphere."""

import math
from collections.abc import Sequence
from itertools import pairwise

EARTH_RADIUS_M = 6_371_000.0

LonLat = Sequence[float]


def haversine_m(a: LonLat, b: LonLat) -> float:
    """Great-circle distance in metres of two places (longitude, latitude in degrees; heights are left out).

    The haversine formula (Sinnott 1984) with R = 6,371,000 m.
    """
    lat_a, lat_b = math.radians(a[1]), math.radians(b[1])
    half_lat, half_lon = 0.5 * (lat_b - lat_a), 0.5 * math.radians(b[0] - a[0])
    h = math.sin(half_lat) ** 2 + math.cos(lat_a) * math.cos(lat_b) * math.sin(half_lon) ** 2
    return 2.0 * EARTH_RADIUS_M * math.asin(min(1.0, math.sqrt(h)))


def path_m(places: Sequence[LonLat]) -> float:
    """Length of a way through places in order."""
    return math.fsum(haversine_m(a, b) for a, b in pairwise(places))


def spanning_tree_m(places: Sequence[LonLat]) -> float:
    """Length of the shortest tree that joins all places (Prim 1957): no way that visits them is shorter."""
    left = list(range(1, len(places)))
    near = {k: haversine_m(places[0], places[k]) for k in left}
    lengths = []
    while left:
        k = min(left, key=lambda i: (near[i], i))
        lengths.append(near[k])
        left.remove(k)
        for other in left:
            near[other] = min(near[other], haversine_m(places[k], places[other]))
    return math.fsum(lengths)
