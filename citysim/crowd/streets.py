"""Streets: what all crowds of a city have in common, made once: ways, walls, destinations and the ways to them."""

import contextlib
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim import storage
from citysim.city import City
from citysim.crowd.attraction import Attraction
from citysim.crowd.clearance import Clearance, full_width, measured
from citysim.crowd.corridors import corridor_walls
from citysim.crowd.signals import signal_plan
from citysim.crowd.walls import Walls, build_walls
from citysim.crowd.ways import Ways, build_ways, next_ways, way_costs
from citysim.errors import StorageError

KEPT = 8
MEASURER = 1
"""Raise when `clearance` changes, so that old entries of the cache are not used."""


@dataclass(frozen=True, eq=False)
class Streets:
    """The walking ground of a city's people; nothing of it depends on a crowd's seed or size.

    ways        the network as arrays
    costs       (TASTES, 2 E) what each way is worth to each taste
    attraction  where people go to
    edges       number of each edge id
    spread      (W,) metres of each of `ways.into`
    signals     as `phases_of` takes them
    room        how wide people may walk
    """

    ways: Ways
    costs: NDArray[np.float64]
    attraction: Attraction
    edges: dict[int, int]
    spread: NDArray[np.float64]
    signals: tuple[NDArray[np.float64], NDArray[np.int64]]
    room: Clearance

    @classmethod
    def of(cls, city: City) -> "Streets":
        """The streets of a city; seconds for a large one, so keep them for its next crowd."""
        network, room = city.network, _room(city)
        ways = build_ways(network, room)
        edges = {edge.id: index for index, edge in enumerate(network.edges)}
        lengths = np.repeat(np.asarray(network.walk.length, dtype=np.float64), 2)
        spread, signals = lengths[ways.into], signal_plan(network)
        return cls(ways, way_costs(network, ways, 0), Attraction(city), edges, spread, signals, room)

    @cached_property
    def walls(self) -> Walls:
        """Walls along the edges of the ways."""
        return build_walls(corridor_walls(self.ways, self.room))

    @cached_property
    def _tables(self) -> dict[bytes, Any]:
        return {}

    def table(self, closed: NDArray[np.bool_]) -> Any:
        """What `next_ways` gives for closed edges (E,); the last few are kept."""
        key = closed.tobytes()
        if key not in self._tables:
            while len(self._tables) >= KEPT:
                del self._tables[next(iter(self._tables))]
            self._tables[key] = next_ways(self.ways, self.attraction.goals.tolist(), self.costs, closed)
        return self._tables[key]

    @cached_property
    def _boxes(self) -> NDArray[np.float64]:
        """(4, E) lowest and highest east, north of each edge."""
        starts, plan = self.ways.first[:-1], self.ways.points[:, :2]
        low, high = np.minimum.reduceat(plan, starts), np.maximum.reduceat(plan, starts)
        return np.ascontiguousarray(np.hstack([low, high]).T)

    def spread_near(self, east: float, north: float, radius: float) -> NDArray[np.float64]:
        """`spread` with 0 for all ways that lie further than `radius` metres away (by their boxes)."""
        e0, n0, e1, n1 = self._boxes
        dx, dy = np.maximum(np.maximum(e0 - east, east - e1), 0.0), np.maximum(np.maximum(n0 - north, north - n1), 0.0)
        near = dx * dx + dy * dy < radius * radius
        return np.where(near[self.ways.into >> 1], self.spread, 0.0)


def _room(city: City) -> Clearance:
    """The clearance of a city's lines, kept in the cache folder; the usual widths where there is no geometry."""
    usual = full_width(city.network)
    sha = getattr(city, "content_sha256", "")
    if not len(usual.half) or not getattr(city, "finest", ()):
        return usual
    path = storage.cache_dir() / f"crowd-{MEASURER}" / f"{sha}.f8"
    if sha:
        with contextlib.suppress(OSError):
            half = np.fromfile(path, "<f8")
            if len(half) == len(usual.half) and (half > 0.0).all() and (half <= usual.half).all():
                return Clearance(half, usual.first)
    room = measured(city)
    if sha:
        with contextlib.suppress(StorageError):
            storage.write_atomic(path, room.half.astype("<f8").tobytes())
    return room
