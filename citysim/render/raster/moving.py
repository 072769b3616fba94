"""Moving: the bodies of a view as clusters at the end of the arena, drawn in one order with all others."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.render.bodies import BETWEEN_M, COARSE_PX, LEG_END_M, LEG_TOP_M, Bodies, BodyMesh
from citysim.render.raster.arena import GeometryArena, packed_corners
from citysim.render.raster.cull import frustum_planes
from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, F, Geometry, Int, U
from citysim.render.raster.shared import ByFigures
from citysim.render.raster.tables import srgb_to_linear

NO_GAIT, NO_FEET = np.zeros(0), np.zeros((0, 2, 3))


class Figures(NamedTuple):
    """The meshes of a crowd, one after the other."""

    spans: Array  # (M, 6) int64 first key vertex, key poses of a gait, vertices, first triangle, triangles, gaits
    reach: Array  # (M,) float64 greatest distance from the feet
    points: Array  # (K V..., 3) float32
    parts: Array  # (V...,) int32, of the first key pose's vertices: their places are those of `points`
    corners: Array  # (T...,) int32 packed
    lamps: Array  # (T...,) int32 1 for what shines at night


@helper
def between(points: Array, axis: Any, p: Any, q: Any, r: Any, s: Any, part: Any, share: Any) -> Any:
    """A coordinate between two key poses of a gait and the same two of the next gait."""
    low = points[p, axis] + (points[q, axis] - points[p, axis]) * part
    high = points[r, axis] + (points[s, axis] - points[r, axis]) * part
    return low + (high - low) * share


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
    triangle: Int,
) -> None:  # fmt: skip
    """Write the first `count` bodies of `chosen` to the arrays of `geometry` from the three places on.

    place (N, 4) with the yaw in radians; empty `gait` and `feet` stand for zeros.
    """
    for number in range(count):
        n, m = I64(chosen[number, 0]), I64(chosen[number, 1])
        size = scale[n]
        east, north, up = place[n, 0], place[n, 1], place[n, 2]
        yaw_cos, yaw_sin = steady(np.cos(place[n, 3])) * size, steady(np.sin(place[n, 3])) * size
        first, keys, vertices = figures.spans[m, 0], figures.spans[m, 1], figures.spans[m, 2]
        whole = np.floor(phase[n])
        part = F(phase[n] - whole)
        key = I64(whole) % keys
        after = key + 1 if key + 1 < keys else 0
        last = figures.spans[m, 5] - 1
        stride = min(max(gait[n], D(0.0)), D(last)) if len(gait) else D(0.0)
        cycle = I64(np.floor(stride))
        slow, fast = first + cycle * keys * vertices, first + min(cycle + 1, last) * keys * vertices
        share = F(stride - np.floor(stride))
        here, there = slow + key * vertices, slow + after * vertices
        beyond, onward = fast + key * vertices, fast + after * vertices
        low_x, low_y, low_z, high_x, high_y, high_z = F(1e30), F(1e30), F(1e30), F(-1e30), F(-1e30), F(-1e30)
        for v in range(vertices):
            p, q, r, s, at = U(here + v), U(there + v), U(beyond + v), U(onward + v), U(vertex + v)
            x = D(between(figures.points, U(0), p, q, r, s, part, share))
            y = D(between(figures.points, U(1), p, q, r, s, part, share))
            z = D(between(figures.points, U(2), p, q, r, s, part, share)) * size
            px, py, pz = F(east + x * yaw_cos - y * yaw_sin), F(north + x * yaw_sin + y * yaw_cos), F(up + z)
            if len(feet):
                down, left = leg_share(figures.points[U(first + v), U(1)], figures.points[U(first + v), U(2)])
                if down > D(0.0):
                    right = down * (D(1.0) - left)
                    left = down * left
                    px = F(D(px) + left * feet[n, 0, 0] + right * feet[n, 1, 0])
                    py = F(D(py) + left * feet[n, 0, 1] + right * feet[n, 1, 1])
                    pz = F(D(pz) + left * feet[n, 0, 2] + right * feet[n, 1, 2])
            geometry.x[at], geometry.y[at], geometry.z[at] = px, py, pz
            geometry.u[at], geometry.v[at] = F(0.0), F(0.0)
            low_x, low_y, low_z = min(low_x, px), min(low_y, py), min(low_z, pz)
            high_x, high_y, high_z = max(high_x, px), max(high_y, py), max(high_z, pz)
            tint = figures.parts[U(first + v)]
            for c in range(3):
                geometry.colors[at, U(c)] = linear[U(colors[U(n), U(tint), U(c)])]
            geometry.colors[at, U(3)] = 255
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
                self._linear, self._material, self._arena.geometry, cluster, vertex, triangle,
            )  # fmt: skip
        return cluster, count


FIGURES = ByFigures[Figures]()


def figures_of(meshes: tuple[BodyMesh, ...]) -> Figures:
    """The meshes packed for the kernel."""
    spans: list[tuple[int, int, int, int, int, int]] = []
    points, parts, corners, lamps = [], [], [], []
    vertex = triangle = 0
    for mesh in meshes:
        keys, count = mesh.frames.shape[:2]
        spans.append((vertex, keys // mesh.cycles, count, triangle, len(mesh.triangles), mesh.cycles))
        points.append(np.ascontiguousarray(mesh.frames, dtype=np.float32).reshape(-1, 3))
        parts.append(np.tile(mesh.parts.astype(np.int32), keys))
        corners.append(packed_corners(mesh.triangles, np.zeros(len(mesh.triangles), dtype=np.uint8)))
        lamps.append((mesh.parts[mesh.triangles[:, 0]] == mesh.lamp).astype(np.int32))
        vertex, triangle = vertex + keys * count, triangle + len(mesh.triangles)
    reach: NDArray[np.float64] = np.array([np.linalg.norm(m.frames, axis=2).max() + 0.01 for m in meshes])
    return Figures(
        np.array(spans, dtype=np.int64), reach, np.concatenate(points), np.concatenate(parts), np.concatenate(corners),
        np.concatenate(lamps),
    )  # fmt: skip
