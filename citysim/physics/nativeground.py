"""`GroundProbe` as kernels."""

from typing import Any

import numpy as np

from citysim.geometry.capsules import hit_capsule
from citysim.geometry.jit import helper
from citysim.physics.nativelocal import BOUNDS, COUNT, ID, NORMAL, PEOPLE, RADIUS, RANK, RIM, SOLE, STEP, WALKABLE

_DROP_M = 0.10


@helper
def feel(near: Any, x: float, y: float, up: float, depth: float) -> tuple[float, float, float, float, float]:
    """Highest foot heights held by walkable and by steep ground, and the normal of the latter; -inf for none."""
    store, feet, _, people, rays, desk = near
    radius = desk[RADIUS]
    start = desk[STEP] + radius
    top, highest = up + start, up + desk[STEP] + 1e-6
    under = _list_feet(store, feet, desk, x, y, radius, up - depth, top)
    walkable, steep, sx, sy, sz = -np.inf, -np.inf, 0.0, 0.0, 1.0
    first, last = 0, int(desk[SOLE])
    for ring in range(2):
        for k in range(first, last):
            distance, nx, ny, nz = _look_down(
                store, feet, people, int(desk[PEOPLE]), under, rays[k, 0] + x, rays[k, 1] + y, top, start + depth
            )
            height = top - distance
            if height > highest:
                continue
            if nz >= desk[WALKABLE]:
                walkable = max(walkable, height - rays[k, 2])
            elif height - rays[k, 2] > steep:
                steep, sx, sy, sz = height - rays[k, 2], nx, ny, nz
        if ring == 1 or walkable >= up - _DROP_M:
            break
        first, last = last, last + int(desk[RIM])
    return walkable, steep, sx, sy, sz


@helper
def levels_off(near: Any, x: float, y: float, up: float, nx: float, ny: float) -> bool:
    """Whether steep ground of this normal rises no more than a step uphill: a bevel or roughness, not a slope."""
    store, feet, _, people, rays, desk = near
    flat = max(np.sqrt(nx * nx + ny * ny), 1e-9)
    start = desk[STEP] + desk[RADIUS]
    under = _list_feet(store, feet, desk, x, y, rays[len(rays) - 1, 0], up, up + start)
    highest = -np.inf
    for k in range(int(desk[SOLE]) + int(desk[RIM]), len(rays)):
        east, north = x - rays[k, 0] * nx / flat, y - rays[k, 0] * ny / flat
        distance, _, _, _ = _look_down(
            store, feet, people, int(desk[PEOPLE]), under, east, north, up + start, start - 0.01
        )
        highest = max(highest, start - distance)
    return -np.inf < highest <= desk[STEP]


@helper
def _list_feet(store: Any, feet: Any, desk: Any, x: float, y: float, across: float, low: float, high: float) -> int:
    """Gathered triangles whose bounds meet a box, in `feet`; returns how many."""
    x0, y0, x1, y1, low, high = x - across, y - across, x + across, y + across, low - 1e-6, high + 1e-6
    count = 0
    for k in range(int(desk[COUNT])):
        if store[k, BOUNDS] > x1 or store[k, BOUNDS + 3] < x0:
            continue
        if store[k, BOUNDS + 1] > y1 or store[k, BOUNDS + 4] < y0:
            continue
        if store[k, BOUNDS + 2] <= high and store[k, BOUNDS + 5] >= low:
            feet[count] = k
            count += 1
    return count


@helper
def _look_down(
    store: Any, feet: Any, people: Any, count: int, under: int, x: float, y: float, top: float, length: float
) -> tuple[float, float, float, float]:
    """Distance from `top` down to the first of the listed triangles or people, and its normal; inf for a miss.

    The same sums as `geometry.rays.trace` does for an upright ray.
    """
    dz = (top - length) - top
    scale = 1.0 / dz
    best, found = np.inf, -1
    for f in range(under):
        k = feet[f]
        if store[k, BOUNDS] > x or store[k, BOUNDS + 3] < x or store[k, BOUNDS + 1] > y or store[k, BOUNDS + 4] < y:
            continue
        ax, ay, bx, by = store[k, 0] - x, store[k, 1] - y, store[k, 3] - x, store[k, 4] - y
        cx, cy = store[k, 6] - x, store[k, 7] - y
        u, v, w = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
        if (u < 0.0 or v < 0.0 or w < 0.0) and (u > 0.0 or v > 0.0 or w > 0.0):
            continue
        total = u + v + w
        if total == 0.0:
            continue
        share = (u * (store[k, 2] - top) + v * (store[k, 5] - top) + w * (store[k, 8] - top)) * scale / total
        if not 0.0 <= share <= 1.0 or share > best:
            continue
        if share == best:
            rank, known = store[k, RANK], store[found, RANK]
            if rank > known or (rank == known and store[k, ID] > store[found, ID]):
                continue
        best, found = share, k
    nx, ny, nz = 0.0, 0.0, 0.0
    if found >= 0:
        sign = -1.0 if store[found, NORMAL + 2] < 0.0 else 1.0
        nx, ny, nz = sign * store[found, NORMAL], sign * store[found, NORMAL + 1], sign * store[found, NORMAL + 2]
    for k in range(count):
        if abs(people[k, 0] - x) <= people[k, 3] and abs(people[k, 1] - y) <= people[k, 3]:
            at, ex, ey, ez = hit_capsule(x, y, top, 0.0, 0.0, dz, people[k])
            if at < best:
                best, nx, ny, nz = at, ex, ey, ez
    return best * -dz, nx, ny, nz
