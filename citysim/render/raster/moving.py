"""Moving: the bodies of a view as clusters at the end of the arena, drawn in one order with all others."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.jit import fetch
from citysim.render.bodies import (
    BETWEEN_M,
    COARSE_PX,
    LEG_END_M,
    LEG_TOP_M,
    MOST_PARTS,
    MOST_VERTICES,
    Bodies,
    BodyMesh,
    leg_shares,
)
from citysim.render.raster.arena import GeometryArena, packed_corners
from citysim.render.raster.cull import frustum_planes
from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, F, Geometry, Int, Real, U
from citysim.render.raster.shared import ByFigures
from citysim.render.raster.tables import srgb_to_linear

NO_GAIT, NO_FEET = np.zeros(0), np.zeros((0, 2, 3))


class Figures(NamedTuple):
    """The meshes of a crowd, one after the other."""

    spans: Array  # (M, 6) int64 first key vertex, key poses of a gait, vertices, first triangle, triangles, gaits
    reach: Array  # (M,) float64 greatest distance from the feet
    points: Array  # (3 K V...,) float32, key pose by key pose all x, then y, then z: eight vertices are posed at once
    parts: Array  # (V...,) int32, of the first key pose's vertices: their places are those of `points`
    left: Array  # (V...,) float32 likewise, how far they go along with the left foot
    right: Array  # and with the right one
    corners: Array  # (T...,) int32 packed
    lamps: Array  # (T...,) int32 1 for what shines at night


@helper
def pose_along(
    points: Array, slow: Int, fast: Int, here: Int, there: Int, count: Int, part: Any, share: Any, made: Array
) -> None:
    """A coordinate between two key poses of a gait, at `slow` and `fast` of the points, and two of the next."""
    for v in range(count):
        p, q, r, s = points[U(slow + v)], points[U(fast + v)], points[U(here + v)], points[U(there + v)]
        low, high = p + (q - p) * part, r + (s - r) * part
        made[U(v)] = low + (high - low) * share


@helper
def keys_of(figures: Figures, m: Int, phase: Real, stride: Real) -> Int:
    """Where the points of a figure's key poses begin that are before and after a phase, in the strides around."""
    first, keys, step = figures.spans[m, 0], figures.spans[m, 1], 3 * figures.spans[m, 2]
    key = I64(np.floor(phase)) % keys
    after = key + 1 if key + 1 < keys else 0
    last = figures.spans[m, 5] - 1
    cycle = I64(np.floor(stride))
    slow, fast = 3 * first + cycle * keys * step, 3 * first + min(cycle + 1, last) * keys * step
    return slow + key * step, slow + after * step, fast + key * step, fast + after * step


@helper
def steady_stride(figures: Figures, m: Int, gait: Array, n: Int) -> Real:
    """A body's stride within those its figure has."""
    return min(max(gait[n], D(0.0)), D(figures.spans[m, 5] - 1)) if len(gait) else D(0.0)


@helper
def ask_for(figures: Figures, m: Int, phase: Real, stride: Real) -> None:
    """Have the key poses of a body that is posed next in the cache: reading them takes longer than the sums."""
    vertices = figures.spans[m, 2]
    p, q, r, s = keys_of(figures, m, phase, stride)
    for at in range(0, 3 * vertices + 15, 16):
        fetch(figures.points, p + at)
        fetch(figures.points, q + at)
        fetch(figures.points, r + at)
        fetch(figures.points, s + at)
    first = figures.spans[m, 0]
    for at in range(0, vertices + 15, 16):
        fetch(figures.parts, first + at)
        fetch(figures.left, first + at)
        fetch(figures.right, first + at)


@helper
def put_along(
    origin: Any, xs: Array, ys: Array, along: Any, across: Any, lefts: Array, rights: Array, first: Int, left: Any,
    right: Any, count: Int, out: Array, at: Int,
) -> None:  # fmt: skip
    """A coordinate in the world: of (xs, ys) turned, and of legs that go with feet shifted by `left` and `right`."""
    for v in range(count):
        moved = xs[U(v)] * along + ys[U(v)] * across + lefts[U(first + v)] * left + rights[U(first + v)] * right
        out[U(at + v)] = F(origin + D(moved))


@helper
def leg_share(y: Any, z: Any) -> Any:
    """How far a vertex goes along with its foot, and which part of that is the left one's: `bodies.leg_shares`."""
    down = min(max((D(LEG_TOP_M) - D(z)) / D(LEG_TOP_M - LEG_END_M), D(0.0)), D(1.0))
    return down, min(max(D(0.5) + D(y) / D(2.0 * BETWEEN_M), D(0.0)), D(1.0))


@kernel
def choose_bodies(
    cam: Array, rect: Array, planes: Array, figures: Figures, coarser: Array, limits: Array, mesh: Array, place: Array,
    scale: Array, chosen: Array, needed: Array,
) -> Int:  # fmt: skip
    """Which bodies meet the frustum, and which figure stands for each: rows of chosen (N, 2); their number.

    `needed` (2,) int64 gets how many vertices and triangles they have. `limits` are heights in pixels of 2 m.
    """
    frustum_planes(cam, rect[0], rect[1], rect[2], rect[3], planes)
    for i in range(6):
        a, b, c = planes[0, i, 0], planes[0, i, 1], planes[0, i, 2]
        planes[1, i, 0] = np.sqrt(a * a + b * b + c * c)
    ortho, double = cam[18] != 0.0, cam[12] * 2.0
    made = vertices = triangles = 0
    for n in range(len(mesh)):
        m, size = I64(mesh[n]), scale[n]
        east, north, up = place[n, 0], place[n, 1], place[n, 2]
        reach = figures.reach[m] * size
        inside = True
        for i in range(6):
            side = planes[0, i, 0] * east + planes[0, i, 1] * north + planes[0, i, 2] * up + planes[0, i, 3]
            if side < -reach * planes[1, i, 0]:
                inside = False
                break
        if not inside:
            continue
        x, y, z = east - cam[9], north - cam[10], up - cam[11]
        high = double * size
        if not ortho:
            high = high / np.sqrt(max(x * x + y * y + z * z, 1e-6))
        for k in range(len(limits)):
            if high < limits[k]:
                m = I64(coarser[m])
        chosen[made, 0], chosen[made, 1] = n, m
        vertices += figures.spans[m, 2]
        triangles += figures.spans[m, 4]
        made += 1
    needed[0], needed[1] = vertices, triangles
    return made


@kernel
def place_bodies(
    figures: Figures, chosen: Array, count: Int, place: Array, phase: Array, gait: Array, feet: Array, labels: Array,
    colors: Array, scale: Array, linear: Array, material: Int, geometry: Geometry, cluster: Int, vertex: Int,
    triangle: Int, pose: Array, palette: Array,
) -> None:  # fmt: skip
    """Write the first `count` bodies of `chosen` to the arrays of `geometry` from the three places on.

    place (N, 4) with the yaw in radians; empty `gait` and `feet` stand for zeros; pose (3, MOST_VERTICES) float32 and
    palette (MOST_PARTS, 4) uint8, whose last column is 255, are room.
    """
    for number in range(count):
        n, m = I64(chosen[number, 0]), I64(chosen[number, 1])
        size = scale[n]
        east, north, up = place[n, 0], place[n, 1], place[n, 2]
        yaw_cos, yaw_sin = steady(np.cos(place[n, 3])) * size, steady(np.sin(place[n, 3])) * size
        if number + 1 < count:
            following, figure = I64(chosen[number + 1, 0]), I64(chosen[number + 1, 1])
            ask_for(figures, figure, phase[following], steady_stride(figures, figure, gait, following))
        first, vertices = figures.spans[m, 0], figures.spans[m, 2]
        stride = steady_stride(figures, m, gait, n)
        part, share = F(phase[n] - np.floor(phase[n])), F(stride - np.floor(stride))
        here, there, beyond, onward = keys_of(figures, m, phase[n], stride)
        for axis in range(3):
            at = axis * vertices
            pose_along(
                figures.points, here + at, there + at, beyond + at, onward + at, vertices, part, share, pose[axis]
            )  # fmt: skip
        le, ln, lu, re, rn, ru = F(0.0), F(0.0), F(0.0), F(0.0), F(0.0), F(0.0)
        if len(feet):
            le, ln, lu = F(feet[n, 0, 0]), F(feet[n, 0, 1]), F(feet[n, 0, 2])
            re, rn, ru = F(feet[n, 1, 0]), F(feet[n, 1, 1]), F(feet[n, 1, 2])
        c, s = F(yaw_cos), F(yaw_sin)
        put_along(
            east, pose[0], pose[1], c, -s, figures.left, figures.right, first, le, re, vertices, geometry.x, vertex
        )
        put_along(
            north, pose[0], pose[1], s, c, figures.left, figures.right, first, ln, rn, vertices, geometry.y, vertex
        )
        put_along(
            up,
            pose[2],
            pose[1],
            F(size),
            F(0.0),
            figures.left,
            figures.right,
            first,
            lu,
            ru,
            vertices,
            geometry.z,
            vertex,
        )
        low_x, low_y, low_z, high_x, high_y, high_z = F(1e30), F(1e30), F(1e30), F(-1e30), F(-1e30), F(-1e30)
        for v in range(vertices):
            at = U(vertex + v)
            px, py, pz = geometry.x[at], geometry.y[at], geometry.z[at]
            low_x, low_y, low_z = min(low_x, px), min(low_y, py), min(low_z, pz)
            high_x, high_y, high_z = max(high_x, px), max(high_y, py), max(high_z, pz)
        for v in range(vertices):
            geometry.u[U(vertex + v)] = F(0.0)
        for v in range(vertices):
            geometry.v[U(vertex + v)] = F(0.0)
        for tint in range(colors.shape[1]):
            for k in range(3):
                palette[U(tint), U(k)] = linear[U(colors[U(n), U(tint), U(k)])]
        for v in range(vertices):
            tint, at = U(figures.parts[U(first + v)]), U(vertex + v)
            for k in range(4):
                geometry.colors[at, U(k)] = palette[tint, U(k)]
        box = geometry.boxes[cluster]
        box[0], box[1], box[2], box[3], box[4], box[5] = low_x, low_y, low_z, high_x, high_y, high_z
        start, total = figures.spans[m, 3], figures.spans[m, 4]
        for t in range(total):
            geometry.corners[U(triangle + t)] = figures.corners[U(start + t)]
        for t in range(total):
            geometry.materials[U(triangle + t)] = material + figures.lamps[U(start + t)]
        for t in range(total):
            geometry.labels[U(triangle + t)] = labels[U(n)]
        for t in range(total):
            geometry.flags[U(triangle + t)] = 0
        geometry.cluster_vertices[cluster, 0], geometry.cluster_vertices[cluster, 1] = vertex, vertices
        geometry.cluster_triangles[cluster, 0], geometry.cluster_triangles[cluster, 1] = triangle, total
        cluster += 1
        vertex += vertices
        triangle += total


@helper
def steady(value: Any) -> Any:
    """A cosine or sine without its last bits: another libm's does not move a pixel."""
    return np.floor(value * 1073741824.0 + 0.5) * (1.0 / 1073741824.0)


class Moving:
    """Puts bodies into an arena, behind what is loaded. `material` is plain white, the next one shines at night."""

    def __init__(self, arena: GeometryArena, material: int) -> None:
        self._arena, self._material = arena, material
        self._meshes: tuple[BodyMesh, ...] = ()
        self._figures: Figures | None = None
        self._same = np.zeros(0, dtype=np.int32)  # as `coarser`, where there are no simpler figures
        self._planes, self._needed = np.zeros((2, 6, 4)), np.zeros(2, dtype=np.int64)
        self._chosen = np.zeros((64, 2), dtype=np.int32)
        self._limits = np.array(COARSE_PX)
        self._pose = np.zeros((3, MOST_VERTICES), dtype=np.float32)
        self._palette = np.full((MOST_PARTS, 4), 255, dtype=np.uint8)
        self._linear = np.array([round(255.0 * srgb_to_linear(i / 255.0)) for i in range(256)], dtype=np.uint8)

    def add(self, bodies: Bodies, cam: Array, rect: Array) -> tuple[int, int]:
        """Their cluster range for one view; good until the arena's tail is cleared."""
        if self._figures is None or self._meshes is not bodies.meshes:
            meshes = self._meshes = bodies.meshes
            self._figures = FIGURES.get(meshes, None, lambda: figures_of(meshes))
            self._same = np.arange(len(bodies.meshes), dtype=np.int32)
        if len(self._chosen) < len(bodies):
            self._chosen = np.zeros((2 * len(bodies), 2), dtype=np.int32)
        coarser = bodies.coarser if bodies.coarser is not None else self._same
        count = choose_bodies(
            cam, rect, self._planes, self._figures, coarser, self._limits, bodies.mesh, bodies.place, bodies.scale,
            self._chosen, self._needed,
        )  # fmt: skip
        cluster, vertex, triangle = self._arena.tail(count, int(self._needed[0]), int(self._needed[1]))
        if count:
            place_bodies(
                self._figures, self._chosen, count, bodies.place, bodies.phase,
                bodies.gait if bodies.gait is not None else NO_GAIT,
                bodies.feet if bodies.feet is not None else NO_FEET, bodies.labels, bodies.colors, bodies.scale,
                self._linear, self._material, self._arena.geometry, cluster, vertex, triangle, self._pose,
                self._palette,
            )  # fmt: skip
        return cluster, count


FIGURES = ByFigures[Figures]()


def figures_of(meshes: tuple[BodyMesh, ...]) -> Figures:
    """The meshes packed for the kernel."""
    spans: list[tuple[int, int, int, int, int, int]] = []
    points, parts, legs, corners, lamps = [], [], [], [], []
    vertex = triangle = 0
    for mesh in meshes:
        keys, count = mesh.frames.shape[:2]
        spans.append((vertex, keys // mesh.cycles, count, triangle, len(mesh.triangles), mesh.cycles))
        points.append(np.asarray(mesh.frames, dtype=np.float32).transpose(0, 2, 1).ravel())
        legs.append(np.tile(leg_shares(mesh).T.astype(np.float32), (1, keys)))
        parts.append(np.tile(mesh.parts.astype(np.int32), keys))
        corners.append(packed_corners(mesh.triangles, np.zeros(len(mesh.triangles), dtype=np.uint8)))
        lamps.append((mesh.parts[mesh.triangles[:, 0]] == mesh.lamp).astype(np.int32))
        vertex, triangle = vertex + keys * count, triangle + len(mesh.triangles)
    reach: NDArray[np.float64] = np.array([np.linalg.norm(m.frames, axis=2).max() + 0.01 for m in meshes])
    left, right = np.ascontiguousarray(np.concatenate(legs, axis=1))
    return Figures(
        np.array(spans, dtype=np.int64), reach, np.concatenate(points), np.concatenate(parts),
        left, right, np.concatenate(corners), np.concatenate(lamps),
    )  # fmt: skip
