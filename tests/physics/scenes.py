"""Scenes of boxes, slopes and stairs for the tests of physics, world and envs."""

import math

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk, City
from citysim.geo.network import NetworkEdge
from citysim.physics import default_engine, make_space, make_walker
from citysim.physics.space import Space
from citysim.physics.walker import Walker

Point = tuple[float, float, float]


engines = [default_engine()]
"""The physics under test: its last entry makes the spaces, see conftest.py."""


def empty_space() -> Space:
    """A space without anything in it."""
    return make_space(engines[-1])


class Scene:
    """Collects triangles; every method returns the scene, so that calls chain."""

    def __init__(self) -> None:
        self.points: list[Point] = []
        self.faces: list[tuple[int, int, int]] = []

    def quad(self, a: Point, b: Point, c: Point, d: Point) -> "Scene":
        n = len(self.points)
        self.points += [a, b, c, d]
        self.faces += [(n, n + 1, n + 2), (n, n + 2, n + 3)]
        return self

    def floor(self, half: float = 30.0, up: float = 0.0) -> "Scene":
        return self.quad((-half, -half, up), (half, -half, up), (half, half, up), (-half, half, up))

    def box(self, e0: float, n0: float, u0: float, e1: float, n1: float, u1: float) -> "Scene":
        self.quad((e0, n0, u1), (e1, n0, u1), (e1, n1, u1), (e0, n1, u1))
        self.quad((e0, n0, u0), (e0, n1, u0), (e1, n1, u0), (e1, n0, u0))
        self.quad((e0, n0, u0), (e1, n0, u0), (e1, n0, u1), (e0, n0, u1))
        self.quad((e1, n1, u0), (e0, n1, u0), (e0, n1, u1), (e1, n1, u1))
        self.quad((e0, n1, u0), (e0, n0, u0), (e0, n0, u1), (e0, n1, u1))
        return self.quad((e1, n0, u0), (e1, n1, u0), (e1, n1, u1), (e1, n0, u1))

    def sheet(self, e0: float, n0: float, e1: float, n1: float, u0: float, u1: float) -> "Scene":
        return self.quad((e0, n0, u0), (e1, n1, u0), (e1, n1, u1), (e0, n0, u1))

    def stairs(self, count: int, riser: float, tread: float, *, east: float = 2.0, width: float = 3.0) -> "Scene":
        """Up towards east from `east`, with a landing of 6 m."""
        for k in range(count):
            last = 6.0 if k == count - 1 else 0.0
            start = east + k * tread
            self.box(start, -width / 2, k * riser, start + tread + last, width / 2, (k + 1) * riser)
        return self

    def spiral(
        self, count: int, riser: float, *, inner: float = 0.8, outer: float = 2.6, turn_deg: float = 20.0
    ) -> "Scene":
        """Up counter-clockwise around the origin, starting in the east."""
        for k in range(count):
            a, b = math.radians(k * turn_deg), math.radians((k + 1) * turn_deg)
            up, low = (k + 1) * riser, k * riser
            i0, o0 = (inner * math.cos(a), inner * math.sin(a)), (outer * math.cos(a), outer * math.sin(a))
            i1, o1 = (inner * math.cos(b), inner * math.sin(b)), (outer * math.cos(b), outer * math.sin(b))
            self.quad((*i0, up), (*o0, up), (*o1, up), (*i1, up))
            self.quad((*i0, low), (*o0, low), (*o0, up), (*i0, up))
            self.quad((*o0, low), (*o1, low), (*o1, up), (*o0, up))
        return self

    def ramp(self, slope_deg: float, *, east: float = 2.0, length: float = 4.0, width: float = 6.0) -> "Scene":
        """A slope up towards east over a horizontal length, with a plateau of 6 m."""
        up = length * math.tan(math.radians(slope_deg))
        half, end = width / 2, east + length
        self.quad((east, -half, 0.0), (end, -half, up), (end, half, up), (east, half, 0.0))
        return self.quad((end, -half, up), (end + 6, -half, up), (end + 6, half, up), (end, half, up))

    def terrain(self, heights: NDArray[np.float64], cell: float) -> "Scene":
        """A height field centred on the origin."""
        n, m = heights.shape
        base = len(self.points)
        for i in range(n):
            for j in range(m):
                self.points.append(((i - (n - 1) / 2) * cell, (j - (m - 1) / 2) * cell, float(heights[i, j])))
        for i in range(n - 1):
            for j in range(m - 1):
                k = base + i * m + j
                self.faces += [(k, k + m, k + m + 1), (k, k + m + 1, k + 1)]
        return self

    def invert(self) -> "Scene":
        """Turn every second triangle inside out."""
        self.faces = [(a, c, b) if k % 2 else (a, b, c) for k, (a, b, c) in enumerate(self.faces)]
        return self

    def join(self, other: "Scene") -> "Scene":
        """Add everything of another scene."""
        base = len(self.points)
        self.points += other.points
        self.faces += [(a + base, b + base, c + base) for a, b, c in other.faces]
        return self

    @property
    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        return np.array(self.points, dtype=np.float64), np.array(self.faces, dtype=np.int32)

    def space(self) -> Space:
        space = empty_space()
        space.add_triangles(*self.arrays)
        return space

    def walker(self, east: float = 0.0, north: float = 0.0, up: float = 0.0) -> Walker:
        walker = make_walker(self.space())
        walker.place(east, north, up)
        return walker

    def chunk(self, origin: Point = (0.0, 0.0, 0.0)) -> Chunk:
        points, faces = self.arrays
        count = len(faces)
        return Chunk(
            origin=np.array(origin),
            positions=(points - origin).astype(np.float32),
            uvs=np.zeros((len(points), 2), dtype=np.float32),
            colors=np.full((len(points), 4), 255, dtype=np.uint8),
            triangles=faces,
            materials=np.zeros(count, dtype=np.int32),
            labels=np.zeros(count, dtype=np.int32),
        )

    def city(self, *edges: NetworkEdge) -> City:
        return City.in_memory([self.chunk()], edges=edges)


def crossings(
    starts: NDArray[np.float64], ends: NDArray[np.float64], points: NDArray[np.float64], faces: NDArray[np.int32]
) -> int:
    """How many of the (N, 3) segments cross a triangle (Moller and Trumbore 1997, both sides)."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    e1, e2 = b - a, c - a
    total = 0
    for start, end in zip(starts, ends, strict=True):
        d = end - start
        p = np.cross(d, e2)
        det = np.einsum("ij,ij->i", e1, p)
        ok = np.abs(det) > 1e-14
        inverse = np.where(ok, 1.0 / np.where(ok, det, 1.0), 0.0)
        s = start - a
        u = np.einsum("ij,ij->i", s, p) * inverse
        q = np.cross(s, e1)
        v = q @ d * inverse
        t = np.einsum("ij,ij->i", e2, q) * inverse
        total += int(np.any(ok & (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1)))
    return total
