"""Streets: what all crowds of a city have in common, made once: ways, walls, destinations and the ways to them."""

import contextlib
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
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
MEASURER = 15
"""Raise when `clearance`, `built` or `corridors` change, so that old entries of the cache are not used."""


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
    sha256      of the city's content, empty for one without geometry: names what is kept in the cache folder
    city        whose they are
    """

    ways: Ways
    costs: NDArray[np.float64]
    attraction: Attraction
    edges: dict[int, int]
    spread: NDArray[np.float64]
    signals: tuple[NDArray[np.float64], NDArray[np.int64]]
    room: Clearance
    sha256: str = ""
    city: City | None = None

    @classmethod
    def of(cls, city: City) -> "Streets":
        """The streets of a city; seconds for a large one, so keep them for its next crowd."""
        network, sha = city.network, getattr(city, "content_sha256", "") if getattr(city, "finest", ()) else ""
        room = _room(city, sha)
        ways = build_ways(network, room)
        edges = {edge.id: index for index, edge in enumerate(network.edges)}
        lengths = np.repeat(np.asarray(network.walk.length, dtype=np.float64), 2)
        spread, signals = lengths[ways.into], signal_plan(network)
        return cls(ways, way_costs(network, ways, 0), Attraction(city), edges, spread, signals, room, sha, city)

    @cached_property
    def walls(self) -> Walls:
        """Walls along the edges of the ways."""
        kept = _read(self.sha256, "walls")
        if kept is None or len(kept) % 7:
            kept = corridor_walls(self.ways, self.room, self.city if self.sha256 else None)
            _write(self.sha256, "walls", kept)
        return build_walls(kept.reshape(-1, 7))

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


def _room(city: City, sha: str) -> Clearance:
    """The clearance of a city's lines; the usual widths where there is no geometry."""
    usual = full_width(city.network)
    if not sha or not len(usual.half):
        return usual
    kept, edges = _read(sha, "room"), usual.shut.shape[1]
    if kept is None or len(kept) != len(usual.half) + 2 * edges:
        room = measured(city)
        _write(sha, "room", np.concatenate([room.half, room.shut.ravel()]))
        return room
    return Clearance(kept[: -2 * edges].copy(), usual.first, kept[-2 * edges :].reshape(2, edges) > 0.0)


def _read(sha: str, name: str) -> NDArray[np.float64] | None:
    """Numbers from the cache folder; None when there are none or the file is not whole."""
    with contextlib.suppress(OSError):
        data = _path(sha, name).read_bytes()
        if sha and len(data) % 8 == 4 and zlib.crc32(data[4:]) == int.from_bytes(data[:4], "little"):
            return np.frombuffer(data, "<f8", offset=4).copy()
    return None


def _write(sha: str, name: str, numbers: NDArray[np.float64]) -> None:
    """Keep numbers in the cache folder, with their checksum; a folder that cannot be written only costs time."""
    if sha:
        data = numbers.astype("<f8").tobytes()
        with contextlib.suppress(StorageError):
            storage.write_atomic(_path(sha, name), zlib.crc32(data).to_bytes(4, "little") + data)


def _path(sha: str, name: str) -> Path:
    return storage.cache_dir() / f"crowd-{MEASURER}" / f"{sha}.{name}"
