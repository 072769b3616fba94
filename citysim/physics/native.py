"""NativeSpace: the Space protocol on citysim's own triangle hierarchies; nothing to install, bit-exact."""

import math

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.errors import InputError
from citysim.geometry.bvh import soup
from citysim.geometry.bvhcache import cached_bvh
from citysim.geometry.scene import TriangleScene
from citysim.physics.space import Array, Contacts, RayHits
from citysim.physics.streaming import ChunkStream

GROWTH = 16


class NativeSpace:
    """Triangle hierarchies and upright capsules; the finest chunks of `city` load as needed.

    Vertices are float32 relative to their mesh's origin, arithmetic is float64. A hierarchy is built once for every
    machine account: it is kept in the cache folder and mapped from there.
    """

    def __init__(self, city: City | None = None) -> None:
        self._scene = TriangleScene()
        self._slots: dict[int, int] = {}  # our id -> slot of the scene
        self._body_of_slot = np.empty(GROWTH, np.int32)
        self._rows: dict[int, int] = {}  # our id -> row of _capsules
        self._capsules = np.empty((GROWTH, 6))  # east, north, foot height, radius, height, our id
        self._next = 0
        self._revision = self._static_revision = 0
        self._stream = None if city is None else ChunkStream(city, self._add_mesh, self._drop_chunk)

    @property
    def revision(self) -> int:
        """Grows whenever a body is added, moved or removed; chunks that load on their own do not count."""
        return self._revision

    @property
    def static_revision(self) -> int:
        """Grows whenever triangles are added or removed by a call; a move of a capsule does not count."""
        return self._static_revision

    @property
    def scene(self) -> TriangleScene:
        """The triangles loaded so far."""
        return self._scene

    @property
    def capsules(self) -> Array:
        """(C, 6) east, north, foot height, radius, height and id of the moving capsules; a view."""
        return self._capsules[: len(self._rows)]

    def add_triangles(self, positions: Array, triangles: NDArray[np.int32]) -> int:
        """Add a static concave mesh ((V, 3) local metres, (T, 3)) and return its body id."""
        positions = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
        if not np.isfinite(positions).all():
            raise InputError("finite mesh positions", "NaN or infinity", "cleaning the mesh")
        self._revision += 1
        self._static_revision += 1
        origin = np.round(positions.mean(axis=0)) if len(positions) else np.zeros(3)
        return self._add_mesh(origin, (positions - origin).astype(np.float32), triangles)

    def add_capsule(self, radius: float, height: float, foot: Array) -> int:
        """Add a moving upright capsule by its foot point and return its body id.

        Raises InputError for a capsule that is not at least as high as wide, or not at a finite place.
        """
        if not (0.0 < 2.0 * radius <= height < math.inf and np.isfinite(foot).all()):
            raise InputError(
                "a capsule at a finite place, at least as high as wide",
                f"radius {radius}, height {height}, foot {np.asarray(foot).tolist()}",
                "a height of twice the radius or more",
            )
        row = len(self._rows)
        if row == len(self._capsules):
            self._capsules = np.concatenate([self._capsules, np.empty_like(self._capsules)])
        key = self._new_id()
        self._rows[key] = row
        self._capsules[row] = (*np.asarray(foot, dtype=np.float64).tolist(), radius, height, key)
        self._revision += 1
        return key

    def is_moving(self, body: int) -> bool:
        """Whether a body is a moving capsule."""
        return body in self._rows

    def move(self, body: int, foot: Array) -> None:
        """Place a moving capsule's foot point; raises InputError for a body that is none."""
        row = self._rows.get(body)
        if row is None:
            raise InputError("the id of a moving capsule", str(body), "an id returned by add_capsule")
        self._capsules[row, :3] = foot
        self._revision += 1

    def remove(self, body: int) -> None:
        """Take a body out; raises InputError for an unknown id."""
        if body in self._slots:
            self._scene.remove(self._slots.pop(body))
            self._static_revision += 1
        elif body in self._rows:
            row = self._rows.pop(body)
            count = len(self._rows)
            self._capsules[row:count] = self._capsules[row + 1 : count + 1].copy()
            self._rows = {key: at - (at > row) for key, at in self._rows.items()}
        else:
            raise InputError("the id of a body in this space", str(body), "an id returned by add_*")
        self._revision += 1

    def cast_rays(self, starts: Array, ends: Array) -> RayHits:
        """First hits of (N, 3) segments against everything in the space; both sides of a triangle are solid."""
        from citysim.physics.nativequeries import first_hits

        starts = np.ascontiguousarray(starts, np.float64).reshape(-1, 3)
        ends = np.ascontiguousarray(ends, np.float64).reshape(-1, 3)
        if len(starts):
            low, high = np.minimum(starts, ends).min(axis=0), np.maximum(starts, ends).max(axis=0)
            self.load(float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        hits = RayHits(np.empty(len(starts)), np.empty((len(starts), 3)), np.empty(len(starts), np.int32))
        first_hits(self._scene.tables, self.capsules, self._body_of_slot, starts, ends, *hits)
        return hits

    def capsule_contacts(self, foot: Array, radius: float, height: float, reach: float) -> Contacts:
        """Surface points within `reach` metres of an upright capsule standing at `foot`."""
        from citysim.geometry.contacts import capsule_contacts
        from citysim.physics.nativequeries import capsules_near

        x, y, grown = float(foot[0]), float(foot[1]), radius + reach
        self.load(x - grown, y - grown, x + grown, y + grown)
        tables = self._scene.tables
        rows, triangles = capsule_contacts(tables, foot, radius, height, reach)
        bodies = self._body_of_slot[tables.owners[triangles]]
        if self._rows:
            people, ids = capsules_near(self.capsules, x, y, float(foot[2]), radius, height, reach)
            rows, bodies = np.concatenate([rows, people]), np.concatenate([bodies, ids])
        order = np.lexsort((bodies, *rows.T[::-1]))
        rows, bodies = rows[order], bodies[order]
        return Contacts(rows[:, 0], rows[:, 1:4], rows[:, 4:7], bodies)

    def load(self, east0: float, north0: float, east1: float, north1: float) -> None:
        """Bring in the chunks that reach into a rectangle."""
        if self._stream is not None:
            self._stream.ensure(east0, north0, east1, north1)

    @property
    def window(self) -> tuple[float, float, float, float]:
        """East and north bounds of the rectangle that is loaded whole."""
        return (-math.inf, -math.inf, math.inf, math.inf) if self._stream is None else self._stream.window

    def close(self) -> None:
        """Nothing to free; calling it twice is fine."""

    def _new_id(self) -> int:
        key = self._next
        self._next += 1
        return key

    def _drop_chunk(self, body: int) -> None:
        self._scene.remove(self._slots.pop(body))

    def _add_mesh(
        self, origin: NDArray[np.float64], positions: NDArray[np.float32], triangles: NDArray[np.int32]
    ) -> int:
        slot = self._scene.add(cached_bvh(origin, soup(positions, np.asarray(triangles).reshape(-1, 3))))
        key = self._new_id()
        if slot >= len(self._body_of_slot):
            self._body_of_slot = np.concatenate([self._body_of_slot, np.empty_like(self._body_of_slot)])
        self._slots[key], self._body_of_slot[slot] = slot, key
        return key
