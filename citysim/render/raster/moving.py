"""Moving: the bodies of a view as clusters at the end of the arena, drawn in one order with all others."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.render.bodies import Bodies, BodyMesh
from citysim.render.raster.arena import GeometryArena, packed_corners
from citysim.render.raster.cull import frustum_planes
from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, F, Geometry, Int, U
from citysim.render.raster.tables import srgb_to_linear


class Figures(NamedTuple):
    """The meshes of a crowd, one after the other."""

    spans: Array  # (M, 6) int64 first key vertex, key poses of a gait, vertices, first triangle, triangles, gaits
    reach: Array  # (M,) float64 greatest distance from the feet
    points: Array  # (K V..., 3) float32
    parts: Array  # (V...,) int32, of the first key pose's vertices: their places are those of `points`
    corners: Array  # (T...,) int32 packed


@helper
def between(points: Array, axis: Any, p: Any, q: Any, r: Any, s: Any, part: Any, share: Any) -> Any:
    """A coordinate between two key poses of a gait and the same two of the next gait."""
    low = points[p, axis] + (points[q, axis] - points[p, axis]) * part
    high = points[r, axis] + (points[s, axis] - points[r, axis]) * part
    return low + (high - low) * share


@kernel
def place_bodies(
    cam: Array, rect: Array, planes: Array, figures: Figures, mesh: Array, place: Array, phase: Array, gait: Array,
    labels: Array, colors: Array, scale: Array, linear: Array, material: Int, geometry: Geometry, cluster: Int,
    vertex: Int, triangle: Int,
) -> Int:  # fmt: skip
    """Write the bodies that meet the frustum to the arrays of `geometry` from the three places on; their number."""
    frustum_planes(cam, rect[0], rect[1], rect[2], rect[3], planes)
    made = 0
    for n in range(len(mesh)):
        m = mesh[n]
        size = scale[n]
        east, north, up, yaw_cos, yaw_sin = place[n, 0], place[n, 1], place[n, 2], place[n, 3], place[n, 4]
        reach = figures.reach[m] * size
        inside = True
        for i in range(6):
            a, b, c = planes[0, i, 0], planes[0, i, 1], planes[0, i, 2]
            if a * east + b * north + c * up + planes[0, i, 3] < -reach * np.sqrt(a * a + b * b + c * c):
                inside = False
        if not inside:
            continue
        first, keys, count = figures.spans[m, 0], figures.spans[m, 1], figures.spans[m, 2]
        whole = np.floor(phase[n])
        part = F(phase[n] - whole)
        key = I64(whole) % keys
        after = key + 1 if key + 1 < keys else 0
        last = figures.spans[m, 5] - 1
        steady = min(max(gait[n], D(0.0)), D(last))
        cycle = I64(np.floor(steady))
        slow, fast = first + cycle * keys * count, first + min(cycle + 1, last) * keys * count
        share = F(steady - np.floor(steady))
        here, there = slow + key * count, slow + after * count
        beyond, onward = fast + key * count, fast + after * count
        low_x, low_y, low_z, high_x, high_y, high_z = F(1e30), F(1e30), F(1e30), F(-1e30), F(-1e30), F(-1e30)
        for v in range(count):
            p, q, r, s, at = U(here + v), U(there + v), U(beyond + v), U(onward + v), U(vertex + v)
            x = D(between(figures.points, U(0), p, q, r, s, part, share)) * size
            y = D(between(figures.points, U(1), p, q, r, s, part, share)) * size
            z = D(between(figures.points, U(2), p, q, r, s, part, share)) * size
            px, py, pz = F(east + x * yaw_cos - y * yaw_sin), F(north + x * yaw_sin + y * yaw_cos), F(up + z)
            geometry.x[at], geometry.y[at], geometry.z[at] = px, py, pz
            geometry.u[at], geometry.v[at] = F(0.0), F(0.0)
            low_x, low_y, low_z = min(low_x, px), min(low_y, py), min(low_z, pz)
            high_x, high_y, high_z = max(high_x, px), max(high_y, py), max(high_z, pz)
            tint = figures.parts[U(first + v)]
            for c in range(3):
                geometry.colors[at, U(c)] = linear[colors[U(n), U(tint), U(c)]]
            geometry.colors[at, U(3)] = 255
        box = geometry.boxes[cluster]
        box[0], box[1], box[2], box[3], box[4], box[5] = low_x, low_y, low_z, high_x, high_y, high_z
        start, total = figures.spans[m, 3], figures.spans[m, 4]
        for t in range(total):
            at = U(triangle + t)
            geometry.corners[at] = figures.corners[U(start + t)]
            geometry.materials[at], geometry.labels[at], geometry.flags[at] = material, labels[U(n)], 0
        geometry.cluster_vertices[cluster, 0], geometry.cluster_vertices[cluster, 1] = vertex, count
        geometry.cluster_triangles[cluster, 0], geometry.cluster_triangles[cluster, 1] = triangle, total
        cluster += 1
        vertex += count
        triangle += total
        made += 1
    return made


class Moving:
    """Puts bodies into an arena, behind what is loaded. `material` is a plain white one."""

    def __init__(self, arena: GeometryArena, material: int) -> None:
        self._arena, self._material = arena, material
        self._meshes: tuple[BodyMesh, ...] = ()
        self._figures: Figures | None = None
        self._planes = np.zeros((2, 6, 4))
        self._linear = np.array([round(255.0 * srgb_to_linear(i / 255.0)) for i in range(256)], dtype=np.uint8)

    def add(self, bodies: Bodies, mesh: NDArray[np.int32], cam: Array, rect: Array) -> tuple[int, int]:
        """Their cluster range for one view, each as figure `mesh` (N,); good until the arena's tail is cleared."""
        if self._figures is None or self._meshes is not bodies.meshes:
            self._meshes, self._figures = bodies.meshes, figures_of(bodies.meshes)
        spans = self._figures.spans[mesh]
        cluster, vertex, triangle = self._arena.tail(len(bodies), int(spans[:, 2].sum()), int(spans[:, 4].sum()))
        yaw = bodies.place[:, 3]
        turned = np.column_stack([bodies.place[:, :3], np.cos(yaw), np.sin(yaw)])
        turned[:, 3:] = np.round(turned[:, 3:] * 2.0**30) / 2.0**30  # another libm's sine does not move a pixel
        gait = bodies.gait if bodies.gait is not None else np.zeros(len(bodies))
        made = place_bodies(
            cam, rect, self._planes, self._figures, mesh, turned, bodies.phase, gait, bodies.labels, bodies.colors,
            bodies.scale, self._linear, self._material, self._arena.geometry, cluster, vertex, triangle,
        )  # fmt: skip
        return cluster, made


def figures_of(meshes: tuple[BodyMesh, ...]) -> Figures:
    """The meshes packed for the kernel."""
    spans: list[tuple[int, int, int, int, int, int]] = []
    points, parts, corners = [], [], []
    vertex = triangle = 0
    for mesh in meshes:
        keys, count = mesh.frames.shape[:2]
        spans.append((vertex, keys // mesh.cycles, count, triangle, len(mesh.triangles), mesh.cycles))
        points.append(np.ascontiguousarray(mesh.frames, dtype=np.float32).reshape(-1, 3))
        parts.append(np.tile(mesh.parts.astype(np.int32), keys))
        corners.append(packed_corners(mesh.triangles, np.zeros(len(mesh.triangles), dtype=np.uint8)))
        vertex, triangle = vertex + keys * count, triangle + len(mesh.triangles)
    reach: NDArray[np.float64] = np.array([np.linalg.norm(m.frames, axis=2).max() + 0.01 for m in meshes])
    return Figures(
        np.array(spans, dtype=np.int64), reach, np.concatenate(points), np.concatenate(parts), np.concatenate(corners)
    )
