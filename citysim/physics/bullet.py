"""BulletSpace: the Space protocol on PyBullet in DIRECT mode, one engine a space."""

import math
import os
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.errors import DependencyError, InputError, SimulationFault
from citysim.physics.boxes import Box, BoxGrid
from citysim.physics.space import Array, Contacts, RayHits
from citysim.physics.streaming import ChunkStream

# Found by trial with PyBullet 3.2.7: a shape holds at most 131,072 vertices and 524,288 indices. Smaller pieces cost
# nothing and let the prefilter skip more.
PIECE_TRIANGLES = 32_768
# PyBullet takes MAX_RAY_INTERSECTION_BATCH_SIZE (16,384) rays a call but answers the last of as many with a miss.
RAY_BATCH = 8_192
# Bullet thickens a concave mesh by this margin towards the other shape (measured: every distance is this much short).
MESH_MARGIN_M = 0.001


class BulletSpace:
    """Concave meshes and capsules in a PyBullet engine of its own; the finest chunks of `city` load as needed."""

    def __init__(self, city: City | None = None) -> None:
        self._bullet = _import_pybullet()
        self._client: int = self._bullet.connect(self._bullet.DIRECT)
        if self._client < 0:
            raise SimulationFault("a PyBullet engine", "none could be started", "closing other worlds of this process")
        self._static, self._movers = BoxGrid(), BoxGrid()
        self._bodies: dict[int, list[int]] = {}  # our id -> PyBullet's bodies
        self._ours: dict[int, int] = {}  # PyBullet's body -> our id
        self._capsules: dict[int, tuple[float, float]] = {}  # our id -> radius, height
        self._shapes: dict[tuple[float, float], int] = {}
        self._next = 0
        self._revision = 0
        # Also frees the engine (tens of MB) of a space that was dropped without close().
        self._disconnect = weakref.finalize(self, _disconnect, self._bullet, self._client)
        # PyBullet never frees the mesh of a removed body (measured), so chunks stay; the native space forgets.
        self._stream = None if city is None else ChunkStream(city, self._add_chunk)

    @property
    def revision(self) -> int:
        """Grows whenever a body is added, moved or removed; chunks that load on their own do not count."""
        return self._revision

    def add_triangles(self, positions: Array, triangles: NDArray[np.int32]) -> int:
        """Add a static concave mesh ((V, 3) local metres, (T, 3)) and return its body id."""
        positions = np.asarray(positions, dtype=np.float64).reshape(-1, 3)
        if not np.isfinite(positions).all():
            raise InputError("finite mesh positions", "NaN or infinity", "cleaning the mesh")
        self._revision += 1
        origin = np.round(positions.mean(axis=0)) if len(positions) else np.zeros(3)
        return self._add_mesh(origin, positions - origin, triangles)

    def add_capsule(self, radius: float, height: float, foot: Array) -> int:
        """Add a moving upright capsule by its foot point and return its body id."""
        body = self._bullet.createMultiBody(
            0, self._shape(radius, height), basePosition=_middle(foot, height), physicsClientId=self._client
        )
        key = self._register([body])
        self._capsules[key] = (radius, height)
        self._movers.put(key, _capsule_box(foot, radius, height))
        self._revision += 1
        return key

    def is_moving(self, body: int) -> bool:
        """Whether a body is a moving capsule."""
        return body in self._capsules

    def move(self, body: int, foot: Array) -> None:
        """Place a moving capsule's foot point; raises InputError for a body that is none."""
        if body not in self._capsules:
            raise InputError("the id of a moving capsule", str(body), "an id returned by add_capsule")
        radius, height = self._capsules[body]
        self._bullet.resetBasePositionAndOrientation(
            self._bodies[body][0], _middle(foot, height), (0.0, 0.0, 0.0, 1.0), physicsClientId=self._client
        )
        self._movers.put(body, _capsule_box(foot, radius, height))
        self._revision += 1

    def remove(self, body: int) -> None:
        """Take a body out; raises InputError for an unknown id."""
        if body not in self._bodies:
            raise InputError("the id of a body in this space", str(body), "an id returned by add_*")
        for piece in self._bodies.pop(body):
            self._bullet.removeBody(piece, physicsClientId=self._client)
            del self._ours[piece]
            if body not in self._capsules:
                self._static.drop(piece)
        if self._capsules.pop(body, None) is not None:
            self._movers.drop(body)
        self._revision += 1

    def cast_rays(self, starts: Array, ends: Array) -> RayHits:
        """First hits of (N, 3) segments against everything in the space; both sides of a triangle are solid."""
        first, last = np.asarray(starts).reshape(-1, 3).tolist(), np.asarray(ends).reshape(-1, 3).tolist()
        if self._stream is not None and first:
            east, north = [p[0] for p in first + last], [p[1] for p in first + last]
            self._stream.ensure(min(east), min(north), max(east), max(north))
        distance: list[float] = []
        normal: list[tuple[float, float, float]] = []
        body: list[int] = []
        for base in range(0, len(first), RAY_BATCH):
            answers = self._bullet.rayTestBatch(
                first[base : base + RAY_BATCH], last[base : base + RAY_BATCH], physicsClientId=self._client
            )
            for row, (hit, _, share, _, facing) in enumerate(answers, base):
                # Plain lists and math.dist: for the walker's dozen rays NumPy would cost more than the rays.
                distance.append(math.inf if hit < 0 else share * math.dist(first[row], last[row]))
                normal.append((0.0, 0.0, 0.0) if hit < 0 else facing)
                body.append(-1 if hit < 0 else self._ours[hit])
        return RayHits(np.array(distance), np.array(normal).reshape(-1, 3), np.array(body, dtype=np.int32))

    def capsule_contacts(self, foot: Array, radius: float, height: float, reach: float) -> Contacts:
        """Surface points within `reach` metres of an upright capsule standing at `foot`."""
        grown = _capsule_box(foot, radius + reach, height, reach)
        if self._stream is not None:
            self._stream.ensure(grown.east0, grown.north0, grown.east1, grown.north1)
        query: dict[str, Any] = {
            "collisionShapeA": self._shape(radius, height),
            "collisionShapePositionA": _middle(foot, height),
            "physicsClientId": self._client,
        }
        closest = self._bullet.getClosestPoints
        rows: list[tuple[float, float, float, float, float, float, float, int]] = []
        for piece in self._static.near(grown):
            key = self._ours[piece]
            for answer in closest(-1, piece, reach - MESH_MARGIN_M, **query):
                (x, y, z), (nx, ny, nz), distance = answer[6], answer[7], answer[8]
                m = MESH_MARGIN_M
                rows.append((distance + m, nx, ny, nz, x - m * nx, y - m * ny, z - m * nz, key))
        for key in self._movers.near(grown):
            for answer in closest(-1, self._bodies[key][0], reach, **query):
                rows.append((answer[8], *answer[7], *answer[6], key))
        rows.sort()
        table = np.array(rows, dtype=np.float64).reshape(-1, 8)
        return Contacts(table[:, 0], table[:, 1:4], table[:, 4:7], table[:, 7].astype(np.int32))

    def close(self) -> None:
        """Free the engine; calling it twice is fine."""
        self._disconnect()

    def _shape(self, radius: float, height: float) -> int:
        if (radius, height) not in self._shapes:
            self._shapes[radius, height] = self._bullet.createCollisionShape(
                self._bullet.GEOM_CAPSULE, radius=radius, height=height - 2.0 * radius, physicsClientId=self._client
            )
        return self._shapes[radius, height]

    def _add_chunk(
        self, origin: NDArray[np.float64], positions: NDArray[np.float32], triangles: NDArray[np.int32]
    ) -> int:
        return self._add_mesh(origin, positions.astype(np.float64), triangles)

    def _add_mesh(self, origin: NDArray[np.float64], positions: Array, triangles: NDArray[np.int32]) -> int:
        triangles = np.asarray(triangles).reshape(-1, 3)
        triangles = triangles[_areas(positions, triangles) > 1e-12]
        pieces = []
        for start in range(0, len(triangles), PIECE_TRIANGLES):
            used, local = np.unique(triangles[start : start + PIECE_TRIANGLES], return_inverse=True)
            points = positions[used]
            shape = self._bullet.createCollisionShape(
                self._bullet.GEOM_MESH,
                vertices=points.tolist(),
                indices=local.ravel().tolist(),
                flags=self._bullet.GEOM_FORCE_CONCAVE_TRIMESH,
                physicsClientId=self._client,
            )
            piece = self._bullet.createMultiBody(0, shape, basePosition=origin.tolist(), physicsClientId=self._client)
            pieces.append(piece)
            self._static.put(
                piece, Box(*(points.min(axis=0) + origin).tolist(), *(points.max(axis=0) + origin).tolist())
            )
        return self._register(pieces)

    def _register(self, pieces: list[int]) -> int:
        key = self._next
        self._next += 1
        self._bodies[key] = pieces
        self._ours.update(dict.fromkeys(pieces, key))
        return key


def _disconnect(bullet: ModuleType, client: int) -> None:
    if bullet.isConnected(client):
        bullet.disconnect(physicsClientId=client)


def _import_pybullet() -> ModuleType:
    try:
        with _silent_stderr():
            import pybullet
    except ImportError:
        raise DependencyError(
            "PyBullet for --physics bullet",
            "no module pybullet",
            "pip install 'citysim[bullet]' (compiles for minutes on Python 3.12 and later)",
        ) from None
    module: ModuleType = pybullet
    return module


@contextmanager
def _silent_stderr() -> Iterator[None]:
    """PyBullet prints its build time from C when it is imported; nobody asked."""
    try:
        saved, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    except OSError:  # no standard error to keep clean
        yield
        return
    try:
        os.dup2(null, 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)
        os.close(null)


def _middle(foot: Array, height: float) -> tuple[float, float, float]:
    return float(foot[0]), float(foot[1]), float(foot[2]) + 0.5 * height


def _capsule_box(foot: Array, radius: float, height: float, reach: float = 0.0) -> Box:
    x, y, z = float(foot[0]), float(foot[1]), float(foot[2])
    return Box(x - radius, y - radius, z - reach, x + radius, y + radius, z + height + reach)


def _areas(positions: Array, triangles: NDArray[np.int32]) -> Array:
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    doubled: Array = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return 0.5 * doubled
