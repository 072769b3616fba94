"""Segments against the triangles of a scene: first hits, and whether there is any."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.jit import helper, inlined, kernel
from citysim.geometry.tables import LINKS, STACK, Tables

_MARGIN = 1e-9  # of a segment's length: slack of the box tests, far above their rounding
_HUGE = 1e30  # stands for 1 / 0, whose product with 0 would be NaN


class Hits(NamedTuple):
    """Answers of a batch of segments, one row each.

    share     (N,) float64, of the segment's length; inf for a miss
    triangle  (N,) int32, row in `Tables.corners`; -1 for a miss
    normal    (N, 3) float64, unit, facing the segment's start; zeros for a miss
    """

    share: NDArray[np.float64]
    triangle: NDArray[np.int32]
    normal: NDArray[np.float64]


def closest_hits(tables: Tables, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> Hits:
    """First hits of (N, 3) segments in metres; both sides of a triangle count, and so do its edges.

    Watertight after Woop, Benthin and Wald, "Watertight ray/triangle intersection" (2013), in float64. Of triangles
    hit at the same place the one of the lowest rank, then of the lowest id, is named: no tree shape shows through.
    """
    count = len(starts)
    hits = Hits(np.empty(count), np.empty(count, np.int32), np.empty((count, 3)))
    _closest(tables, np.ascontiguousarray(starts, np.float64), np.ascontiguousarray(ends, np.float64), *hits)
    return hits


def any_hits(tables: Tables, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> NDArray[np.bool_]:
    """(N,) whether each segment meets a triangle."""
    blocked = np.empty(len(starts), np.bool_)
    _any(tables, np.ascontiguousarray(starts, np.float64), np.ascontiguousarray(ends, np.float64), blocked)
    return blocked


@kernel
def _closest(tables: Any, starts: Any, ends: Any, shares: Any, triangles: Any, normals: Any) -> None:
    trace_all(tables, starts, ends, False, shares, triangles)
    for ray in range(len(starts)):
        nx, ny, nz = 0.0, 0.0, 0.0
        if triangles[ray] >= 0:
            nx, ny, nz = unit_normal(tables.corners, triangles[ray])
            facing = nx * (ends[ray, 0] - starts[ray, 0]) + ny * (ends[ray, 1] - starts[ray, 1])
            if facing + nz * (ends[ray, 2] - starts[ray, 2]) > 0.0:
                nx, ny, nz = -nx, -ny, -nz
        normals[ray, 0], normals[ray, 1], normals[ray, 2] = nx, ny, nz


@kernel
def _any(tables: Any, starts: Any, ends: Any, blocked: Any) -> None:
    shares, triangles = np.empty(len(starts)), np.empty(len(starts), np.int32)
    trace_all(tables, starts, ends, True, shares, triangles)
    for ray in range(len(starts)):
        blocked[ray] = triangles[ray] >= 0


@helper
def unit_normal(corners: Any, triangle: int) -> tuple[float, float, float]:
    """Unit normal of a triangle, counter-clockwise side."""
    ax, ay, az = np.float64(corners[triangle, 0]), np.float64(corners[triangle, 1]), np.float64(corners[triangle, 2])
    ux, uy, uz = corners[triangle, 3] - ax, corners[triangle, 4] - ay, corners[triangle, 5] - az
    vx, vy, vz = corners[triangle, 6] - ax, corners[triangle, 7] - ay, corners[triangle, 8] - az
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = np.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size


@inlined
def _inverse(x: float) -> float:
    return 1.0 / x if abs(x) > 1e-30 else _HUGE


@inlined
def _enter(
    x0: float, y0: float, z0: float, x1: float, y1: float, z1: float,
    ix: float, iy: float, iz: float, best: float,
) -> float:  # fmt: skip
    """Share of the segment at which it enters a box seen from its start; inf where it does not before `best`."""
    t0, t1 = x0 * ix, x1 * ix
    near, far = min(t0, t1), max(t0, t1)
    t0, t1 = y0 * iy, y1 * iy
    near, far = max(near, min(t0, t1)), min(far, max(t0, t1))
    t0, t1 = z0 * iz, z1 * iz
    near, far = max(near, min(t0, t1), 0.0), min(far, max(t0, t1), best)
    return near if near <= far + _MARGIN else np.inf


@helper
def trace_all(tables: Any, starts: Any, ends: Any, any_hit: bool, shares: Any, triangles: Any) -> None:
    """Share and row of the first triangle each segment meets (of any, where that is enough); (inf, -1) for a miss.

    One function over all rays: a call a ray would cost twenty atomic reference counts, as much as half a ray.
    """
    corners, owners, ids, boxes, links, origins, ranks, roots = tables
    stack, near = np.empty(STACK, np.int32), np.empty(STACK)
    for ray in range(len(starts)):
        shares[ray], triangles[ray] = np.inf, -1
        ox, oy, oz = starts[ray, 0], starts[ray, 1], starts[ray, 2]
        dx, dy, dz = ends[ray, 0] - ox, ends[ray, 1] - oy, ends[ray, 2] - oz
        best, found = np.inf, -1
        # The axis along which the segment is longest becomes the third; the others are sheared to stand square to it.
        if abs(dx) >= abs(dy) and abs(dx) >= abs(dz):
            kx, ky, kz, px, py, pz, shear_x, shear_y, along = 1, 2, 0, oy, oz, ox, dy, dz, dx
        elif abs(dy) >= abs(dz):
            kx, ky, kz, px, py, pz, shear_x, shear_y, along = 2, 0, 1, oz, ox, oy, dz, dx, dy
        else:
            kx, ky, kz, px, py, pz, shear_x, shear_y, along = 0, 1, 2, ox, oy, oz, dx, dy, dz
        if not abs(along) > 0.0:
            continue
        shear_x, shear_y, scale = shear_x / along, shear_y / along, 1.0 / along
        ix, iy, iz = _inverse(dx), _inverse(dy), _inverse(dz)
        depth = 1
        stack[0], near[0] = roots[0], 0.0
        while depth > 0:
            depth -= 1
            link = stack[depth]
            limit = min(best, 1.0)
            if near[depth] > limit + _MARGIN:
                continue
            while link >= 0:
                first = _enter(
                    boxes[link, 0] - ox, boxes[link, 1] - oy, boxes[link, 2] - oz,
                    boxes[link, 3] - ox, boxes[link, 4] - oy, boxes[link, 5] - oz, ix, iy, iz, limit,
                )  # fmt: skip
                second = _enter(
                    boxes[link, 6] - ox, boxes[link, 7] - oy, boxes[link, 8] - oz,
                    boxes[link, 9] - ox, boxes[link, 10] - oy, boxes[link, 11] - oz, ix, iy, iz, limit,
                )  # fmt: skip
                left, right = links[link, LINKS], links[link, LINKS + 1]
                if second < first:
                    first, second, left, right = second, first, right, left
                if first == np.inf:
                    left = -1
                elif second < np.inf:
                    stack[depth], near[depth] = right, second
                    depth += 1
                link = left
            code = -1 - link
            begin, number = code >> 3, code & 7
            if number == 0:
                continue
            owner = owners[begin]
            mx, my, mz = origins[owner, kx] - px, origins[owner, ky] - py, origins[owner, kz] - pz
            for k in range(begin, begin + number):
                az, bz, cz = corners[k, kz] + mz, corners[k, kz + 3] + mz, corners[k, kz + 6] + mz
                ax, ay = corners[k, kx] + mx - shear_x * az, corners[k, ky] + my - shear_y * az
                bx, by = corners[k, kx + 3] + mx - shear_x * bz, corners[k, ky + 3] + my - shear_y * bz
                cx, cy = corners[k, kx + 6] + mx - shear_x * cz, corners[k, ky + 6] + my - shear_y * cz
                u, v, w = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
                if (u < 0.0 or v < 0.0 or w < 0.0) and (u > 0.0 or v > 0.0 or w > 0.0):
                    continue
                total = u + v + w
                if total == 0.0:
                    continue
                share = (u * az + v * bz + w * cz) * scale / total
                if not 0.0 <= share <= 1.0 or share > best:
                    continue
                if share == best:
                    rank, known = ranks[owner], ranks[owners[found]]
                    if rank > known or (rank == known and ids[k] > ids[found]):
                        continue
                best, found = share, k
            if any_hit and found >= 0:
                break
        shares[ray], triangles[ray] = best, found
