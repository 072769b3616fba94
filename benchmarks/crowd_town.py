"""A town for the crowd's benchmark: a chequerboard of streets with shops and signalled crossings, of any size."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.city import City, Place
from citysim.crowd.crowd import Crowd
from citysim.crowd.hashing import stream, units
from citysim.geo.network import NetworkEdge, PedestrianNetwork

SIDE_M = 40.0
HALF_M = 1.4
FOOTWAY, SIGNALLED_CROSSING = 1, 30
SHOPS = 48
PERSONS_PER_EDGE = 1_000 / 264  # 1,000 persons on 11 by 11 blocks: 0.034 persons/m^2 of street


@dataclass
class Town:
    """What a crowd reads of a city."""

    network: PedestrianNetwork
    places: tuple[Place, ...]
    name: str = "chequerboard"


def blocks_for(persons: int) -> int:
    """How many blocks a side has so many persons at the benchmark's density."""
    return max(2, round((1.0 + 2.0 * persons / PERSONS_PER_EDGE) ** 0.5 / 2.0 - 0.5))


def town(blocks: int) -> City:
    """Streets at height 0; every sixteenth stretch of street is a crossing with signals."""
    edges: list[NetworkEdge] = []
    for i in range(blocks + 1):
        for j in range(blocks):
            for x, y, dx, dy in ((j, i, 1, 0), (i, j, 0, 1)):
                kind = SIGNALLED_CROSSING if len(edges) % 16 == 7 else FOOTWAY
                line = SIDE_M * np.array([[x, y, 0.0], [x + dx, y + dy, 0.0]])
                edges.append(NetworkEdge(1 + len(edges), line, {"FeatureType": kind}))
    return cast(City, Town(PedestrianNetwork(edges), tuple(_shops(blocks))))


def _shops(blocks: int) -> list[Place]:
    spots = np.floor(
        np.column_stack([units(stream(1, axis), np.arange(SHOPS)) for axis in ("east", "north")]) * (blocks + 1)
    )
    return [_shop(k, SIDE_M * float(e), SIDE_M * float(n)) for k, (e, n) in enumerate(spots)]


def _shop(number: int, east: float, north: float) -> Place:
    fields: dict[str, Any] = {"id": f"shop-{number}", "name": f"Shop {number}", "category": "shop"}
    return Place(**fields, entrance=(east, north, 0.0))


def ground(blocks: int) -> Any:
    """The walkable ground of the town as a polygon with one hole a block."""
    length, bands = blocks * SIDE_M + HALF_M, [SIDE_M * k for k in range(blocks + 1)]
    streets = [shapely.box(-HALF_M, k - HALF_M, length, k + HALF_M) for k in bands]
    across = [shapely.box(k - HALF_M, -HALF_M, k + HALF_M, length) for k in bands]
    return shapely.union_all([*streets, *across])


def in_the_open(count: int, area: float) -> tuple[NDArray[np.float64], Any]:
    """(N, 2) places on a jittered grid in a square of an area, and the square."""
    side, ids = float(area) ** 0.5, np.arange(count)
    across = int(np.ceil(np.sqrt(count)))
    cells = (ids % across, ids // across)
    spots = [
        1.0 + (cell + 0.2 + 0.6 * units(stream(1, axis), ids)) * ((side - 2.0) / across)
        for cell, axis in zip(cells, "xy", strict=True)
    ]
    return np.column_stack(spots), shapely.box(0.0, 0.0, side, side)


def crowd_in_town(persons: int, seconds: float = 20.0) -> Crowd:
    """So many persons on a town of their size, after some time of walking."""
    crowd = Crowd(town(blocks_for(persons)), population=persons, seed=1)
    for _ in range(round(seconds / 0.1)):
        crowd.step(0.1)
    return crowd
