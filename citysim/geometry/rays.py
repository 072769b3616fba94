"""Segments against the triangles of a scene: first hits, and whether there is any."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.jit import helper, kernel
from citysim.geometry.tables import STACK, Tables

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
    stack, near = np.empty(STACK, np.int32), np.empty(STACK)
    for ray in range(len(starts)):
        share, triangle = trace(tables, starts[ray], ends[ray], stack, near, False)
        shares[ray], triangles[ray] = share, triangle
        if triangle < 0:
            normals[ray, 0], normals[ray, 1], normals[ray, 2] = 0.0, 0.0, 0.0
            continue
        x, y, z = unit_normal(tables.corners, triangle)
        facing = x * (ends[ray, 0] - starts[ray, 0])
        facing = facing + y * (ends[ray, 1] - starts[ray, 1]) + z * (ends[ray, 2] - starts[ray, 2])
        sign = -1.0 if facing > 0.0 else 1.0
        normals[ray, 0], normals[ray, 1], normals[ray, 2] = sign * x, sign * y, sign * z


@kernel
def _any(tables: Any, starts: Any, ends: Any, blocked: Any) -> None:
    stack, near = np.empty(STACK, np.int32), np.empty(STACK)
    for ray in range(len(starts)):
        blocked[ray] = trace(tables, starts[ray], ends[ray], stack, near, True)[1] >= 0


@helper
def unit_normal(corners: Any, triangle: int) -> tuple[float, float, float]:
    """Unit normal of a triangle, counter-clockwise side."""
    ax, ay, az = np.float64(corners[triangle, 0]), np.float64(corners[triangle, 1]), np.float64(corners[triangle, 2])
    ux, uy, uz = corners[triangle, 3] - ax, corners[triangle, 4] - ay, corners[triangle, 5] - az
    vx, vy, vz = corners[triangle, 6] - ax, corners[triangle, 7] - ay, corners[triangle, 8] - az
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = np.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size


@helper
def _inverse(x: float) -> float:
    return 1.0 / x if abs(x) > 1e-30 else _HUGE


@helper
def _enter(boxes: Any, node: int, at: int, o: Any, i: Any, best: float) -> float:
    """Share of the segment at which it enters a child's box; inf where it does not before `best`."""
    t0, t1 = (boxes[node, at] - o[0]) * i[0], (boxes[node, at + 3] - o[0]) * i[0]
    near, far = min(t0, t1), max(t0, t1)
    t0, t1 = (boxes[node, at + 1] - o[1]) * i[1], (boxes[node, at + 4] - o[1]) * i[1]
    near, far = max(near, min(t0, t1)), min(far, max(t0, t1))
    t0, t1 = (boxes[node, at + 2] - o[2]) * i[2], (boxes[node, at + 5] - o[2]) * i[2]
    near, far = max(near, min(t0, t1), 0.0), min(far, max(t0, t1), best)
    return near if near <= far + _MARGIN else np.inf


@helper
def trace(tables: Any, start: Any, end: Any, stack: Any, near: Any, any_hit: bool) -> tuple[float, int]:
    """Share and row of the first triangle a segment meets (of any, where that is enough); (inf, -1) for a miss."""
    corners, owners, ids, boxes, links, origins, ranks, roots = tables
    ox, oy, oz = start[0], start[1], start[2]
    dx, dy, dz = end[0] - ox, end[1] - oy, end[2] - oz
    best, found = np.inf, -1
    # The axis along which the segment is longest becomes the third; the others are sheared to stand square to it.
    if abs(dx) >= abs(dy) and abs(dx) >= abs(dz):
        kx, ky, kz, px, py, pz, shear_x, shear_y, along = 1, 2, 0, oy, oz, ox, dy, dz, dx
    elif abs(dy) >= abs(dz):
        kx, ky, kz, px, py, pz, shear_x, shear_y, along = 2, 0, 1, oz, ox, oy, dz, dx, dy
    else:
        kx, ky, kz, px, py, pz, shear_x, shear_y, along = 0, 1, 2, ox, oy, oz, dx, dy, dz
    if not abs(along) > 0.0:
        return best, found
    shear_x, shear_y, scale = shear_x / along, shear_y / along, 1.0 / along
    o, i = (ox, oy, oz), (_inverse(dx), _inverse(dy), _inverse(dz))
    depth = 1
    stack[0], near[0] = roots[0], 0.0
    while depth > 0:
        depth -= 1
        link = stack[depth]
        if near[depth] > min(best, 1.0) + _MARGIN:
            continue
        while link >= 0:
            limit = min(best, 1.0)
            first, second = _enter(boxes, link, 0, o, i, limit), _enter(boxes, link, 6, o, i, limit)
            left, right = links[link, 0], links[link, 1]
            if second < first:
                first, second, left, right = second, first, right, left
            if first == np.inf:
                link = -1
                break
            if second < np.inf:
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
            if any_hit:
                return share, k
            if share == best:
                rank, known = ranks[owner], ranks[owners[found]]
                if rank > known or (rank == known and ids[k] > ids[found]):
                    continue
            best, found = share, k
    return best, found
