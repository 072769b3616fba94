"""Casting: the shadows of moving bodies, stamped into the sun's fine map for as long as pictures of them are made.

A figure is a cloud of points of its skin, no two in a cell of 17 cm. Each point makes one texel of the map (19 cm wide)
nearer to the sun, and what was there is put back before the next pictures: the light of a picture knows nothing of it.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.render.bodies import Bodies, BodyMesh
from citysim.render.camera import Camera
from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import I64, SHADOW_SIDE, Array, D, Int, U
from citysim.render.raster.moving import NO_FEET, NO_GAIT, leg_share, steady
from citysim.render.raster.shadows import DEPTH_STEPS, Place
from citysim.render.raster.shared import ByFigures

CELL_M = 0.17
FAR_CELL_M, FAR_PX = 0.30, 22.0  # of those who are less than so high in the picture, whose feet are not shifted either
INSIDE_M = 0.14  # a point lies so far inside, so that a body does not shade the side that the sun is on,
SIMPLER = 3  # steps of detail from the best figure to the one that the points are taken from
FEET_M, OUTSIDE_M = 0.5, 0.3  # but below knees so far outside: shadows begin at the feet, not beside them


class Clouds(NamedTuple):
    """The points of all figures."""

    spans: Array  # (M, 4) int64 first point, points, key poses of a gait, gaits
    points: Array  # (..., 3) float32, key pose by key pose
    reach: Array  # (M,) float64 greatest distance from the feet
    far: Array  # (M, 4) int64 as `spans`, for those who are far away


@kernel
def stamp(
    pool: Array, first: Int, linear: Array, place: Array, step: float, clouds: Clouds, simple: Array, mesh: Array,
    where: Array, phase: Array, gait: Array, shifts: Array, scale: Array, eye: Array, texels: Array, before: Array,
) -> Int:  # fmt: skip
    """Stamp bodies into the map at `first` of the pool; texels and before (room,) get what was changed, in order.

    `step` is steps of the map a metre; simple (M,) the figure whose points stand for each one; where (N, 4) as
    Bodies.place; empty `gait` and `shifts`, of feet, stand for zeros; eye (4,) its place, and how far away one is far.
    Returns how many texels were changed.
    """
    changed = 0
    texels_m = np.sqrt(linear[0, 0] * linear[0, 0] + linear[0, 1] * linear[0, 1] + linear[0, 2] * linear[0, 2])
    for n in range(len(mesh)):
        m, size = simple[mesh[n]], scale[n]
        room = 2.0 + clouds.reach[m] * size * texels_m
        east, north, up = where[n, 0], where[n, 1], where[n, 2]
        x0 = linear[0, 0] * east + linear[0, 1] * north + linear[0, 2] * up + place[0]
        y0 = linear[1, 0] * east + linear[1, 1] * north + linear[1, 2] * up + place[1]
        if not (x0 > room and y0 > room and x0 < SHADOW_SIDE - room and y0 < SHADOW_SIDE - room):
            continue
        z0 = linear[2, 0] * east + linear[2, 1] * north + linear[2, 2] * up + place[2]
        dx, dy, dz = east - eye[0], north - eye[1], up - eye[2]
        close = dx * dx + dy * dy + dz * dz < eye[3] * eye[3] * size * size
        span = clouds.spans[m] if close else clouds.far[m]
        points, keys, last = span[1], span[2], span[3] - 1
        key = I64(np.floor(phase[n] + 0.5)) % keys
        cycle = min(max(I64(np.floor(gait[n] + 0.5)), 0), last) if len(gait) else 0
        start = span[0] + (cycle * keys + key) * points
        # One matrix turns, scales and projects a point of the figure.
        cos, sin = steady(np.cos(where[n, 3])) * size, steady(np.sin(where[n, 3])) * size
        xx, xy = linear[0, 0] * cos + linear[0, 1] * sin, linear[0, 1] * cos - linear[0, 0] * sin
        yx, yy = linear[1, 0] * cos + linear[1, 1] * sin, linear[1, 1] * cos - linear[1, 0] * sin
        zx, zy = linear[2, 0] * cos + linear[2, 1] * sin, linear[2, 1] * cos - linear[2, 0] * sin
        xz, yz, zz = linear[0, 2] * size, linear[1, 2] * size, linear[2, 2] * size
        feet = FEET_M / size
        inner, outer = z0 - INSIDE_M * step, z0 + OUTSIDE_M * step
        for k in range(start, start + points):
            x, y, z = D(clouds.points[U(k), U(0)]), D(clouds.points[U(k), U(1)]), D(clouds.points[U(k), U(2)])
            at_x, at_y = x0 + xx * x + xy * y + xz * z, y0 + yx * x + yy * y + yz * z
            if close and len(shifts):
                still = span[0] + k - start
                down, left = leg_share(clouds.points[U(still), U(1)], clouds.points[U(still), U(2)])
                if down > 0.0:
                    e = down * (left * shifts[n, 0, 0] + (1.0 - left) * shifts[n, 1, 0])
                    f = down * (left * shifts[n, 0, 1] + (1.0 - left) * shifts[n, 1, 1])
                    at_x += linear[0, 0] * e + linear[0, 1] * f
                    at_y += linear[1, 0] * e + linear[1, 1] * f
            column, row = I64(at_x), I64(at_y)
            near = (outer if z < feet else inner) + zx * x + zy * y + zz * z
            value = np.uint16(min(max(near, 0.0), DEPTH_STEPS))
            at = first + row * SHADOW_SIDE + column
            held = pool[U(at)]
            if value > held:
                texels[U(changed)], before[U(changed)] = at, held
                pool[U(at)] = value
                changed += 1
    return changed


@kernel
def put_back(pool: Array, texels: Array, before: Array, count: Int) -> None:
    """Undo `stamp`, the last texel first."""
    for k in range(count):
        at = U(count - 1 - k)
        pool[U(texels[at])] = before[at]


class Casting:
    """Stamps the bodies of the pictures at hand; `lift` takes all stamps away."""

    def __init__(self) -> None:
        self._meshes: tuple[BodyMesh, ...] = ()
        self._clouds: Clouds | None = None
        self._simple = np.zeros(0, dtype=np.int32)
        self._most = 0  # points of a figure
        self._stamped: dict[int, tuple[Bodies | None, tuple[float, ...]]] = {}  # slot -> whose shadows, for which eye
        self._undo: list[tuple[Array, Array, Array, int]] = []

    def conflicts(self, slot: int, bodies: Bodies | None, camera: Camera) -> bool:
        """Whether a picture at hand needs other shadows in this slot."""
        if slot not in self._stamped:
            return False
        held, eye = self._stamped[slot]
        return held is not bodies or (bodies is not None and eye != _eye(camera))

    def cast(self, bodies: Bodies | None, pool: Array, slot: int, place: Place, camera: Camera) -> None:
        """Have the shadows of exactly these bodies in a slot of the pool, for which there is no conflict.

        Those whom the camera sees small cast simpler ones.
        """
        if slot in self._stamped:
            return
        self._stamped[slot] = (bodies, _eye(camera))
        if bodies is None:
            return
        if self._clouds is None or self._meshes is not bodies.meshes:
            self._meshes, self._simple = bodies.meshes, np.arange(len(bodies.meshes), dtype=np.int32)
            if bodies.coarser is not None:  # simple figures will do
                for _ in range(SIMPLER):
                    self._simple = bodies.coarser[self._simple]
            needed = frozenset(self._simple.tolist())
            self._clouds = CLOUDS.get(bodies.meshes, needed, lambda: clouds_of(bodies.meshes, needed))
            self._most = int(self._clouds.spans[:, 1].max())
        room = self._most * len(bodies)
        texels, before = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.uint16)
        changed = stamp(
            pool, slot * SHADOW_SIDE * SHADOW_SIDE, place.linear, place.origin, place.step, self._clouds, self._simple,
            bodies.mesh, bodies.place, bodies.phase, bodies.gait if bodies.gait is not None else NO_GAIT,
            bodies.feet if bodies.feet is not None else NO_FEET, bodies.scale, np.array(_eye(camera)),
            texels, before,
        )  # fmt: skip
        self._undo.append((pool, texels, before, changed))

    def lift(self) -> bool:
        """Leave no trace; whether there was one."""
        found = bool(self._undo)
        while self._undo:
            put_back(*self._undo.pop())
        self._stamped.clear()
        return found


def _eye(camera: Camera) -> tuple[float, float, float, float]:
    """Where an eye is, and from how far away on people of size 1 are small in its picture."""
    pose, px = camera.pose, 2.0 * camera.focal_px
    if camera.ortho_height_m is not None:  # everyone is as near
        return (pose.east, pose.north, pose.up, float("inf") if px >= FAR_PX else 0.0)
    return (pose.east, pose.north, pose.up, px / FAR_PX)


CLOUDS = ByFigures[Clouds]()


def clouds_of(meshes: tuple[BodyMesh, ...], needed: Collection[int]) -> Clouds:
    """The points of the figures that are needed; which points is settled in the first key pose."""
    clouds: list[NDArray[np.float32]] = []
    near, far = (_spans(meshes, needed, cell, clouds) for cell in (CELL_M, FAR_CELL_M))
    reach: NDArray[np.float64] = np.array([np.linalg.norm(mesh.frames, axis=2).max() for mesh in meshes])
    return Clouds(near, np.concatenate(clouds), reach, far)


def _spans(
    meshes: tuple[BodyMesh, ...], needed: Collection[int], cell: float, clouds: list[NDArray[np.float32]]
) -> NDArray[np.int64]:
    """(M, 4) as `Clouds.spans`, with no two points of a figure in a cell; the points go to the end of `clouds`."""
    spans: list[tuple[int, int, int, int]] = []
    total = sum(map(len, clouds))
    for number, mesh in enumerate(meshes):
        if number not in needed:
            spans.append((0, 0, 1, 1))
            continue
        corner, weight = _samples(mesh.frames[0][mesh.triangles].astype(np.float64))
        still = np.einsum("nk,nkd->nd", weight, mesh.frames[0][mesh.triangles[corner]].astype(np.float64))
        _, chosen = np.unique(np.floor(still / cell).astype(np.int64), axis=0, return_index=True)
        index, share = mesh.triangles[corner[chosen]], weight[chosen].astype(np.float32)
        made = np.zeros((len(mesh.frames), len(chosen), 3), dtype=np.float32)
        for k in range(3):  # one corner after the other: the same sums on every machine
            made += mesh.frames[:, index[:, k]] * share[None, :, k, None]
        spans.append((total, len(chosen), len(mesh.frames) // mesh.cycles, mesh.cycles))
        clouds.append(made.reshape(-1, 3))
        total += len(clouds[-1])
    return np.array(spans, dtype=np.int64)


def _samples(corners: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Triangles and barycentric weights of points on (T, 3, 3) triangles, closer together than a cell."""
    edges = corners - np.roll(corners, 1, axis=1)
    steps = np.maximum(np.ceil(np.sqrt((edges**2).sum(axis=2)).max(axis=1) / (0.7 * CELL_M)), 1).astype(np.int64)
    owners, weights = [], []
    for count in np.unique(steps).tolist():
        i, j = (a.ravel() for a in np.meshgrid(np.arange(count), np.arange(count)))
        inside = i + j < count
        u, v = (i[inside] + 1.0 / 3.0) / count, (j[inside] + 1.0 / 3.0) / count
        mine = np.flatnonzero(steps == count)
        owners.append(np.repeat(mine, len(u)))
        weights.append(np.tile(np.stack([1.0 - u - v, u, v], axis=1), (len(mine), 1)))
    return np.concatenate(owners), np.concatenate(weights)
