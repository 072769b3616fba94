"""Rays and contacts of a native space: triangles and capsules together."""

from typing import Any

import numpy as np

from citysim.geometry.capsules import capsule_gap, hit_capsule
from citysim.geometry.jit import kernel
from citysim.geometry.rays import trace_all, unit_normal
from citysim.physics.space import Array


@kernel
def first_hits(
    tables: Any, capsules: Any, bodies: Any, starts: Any, ends: Any, distance: Any, normal: Any, body: Any
) -> None:
    """Fill the arrays of `RayHits`; `bodies` gives the id of each mesh. A capsule loses a tie against a triangle."""
    triangles = np.empty(len(starts), np.int32)
    trace_all(tables, starts, ends, False, distance, triangles)
    for ray in range(len(starts)):
        ox, oy, oz = starts[ray, 0], starts[ray, 1], starts[ray, 2]
        dx, dy, dz = ends[ray, 0] - ox, ends[ray, 1] - oy, ends[ray, 2] - oz
        share, triangle = distance[ray], triangles[ray]
        key, nx, ny, nz = -1, 0.0, 0.0, 0.0
        if triangle >= 0:
            key = bodies[tables.owners[triangle]]
            nx, ny, nz = unit_normal(tables.corners, triangle)
            if nx * dx + ny * dy + nz * dz > 0.0:
                nx, ny, nz = -nx, -ny, -nz
        for k in range(len(capsules)):
            at, ex, ey, ez = hit_capsule(ox, oy, oz, dx, dy, dz, capsules[k])
            if at < share:
                share, key, nx, ny, nz = at, int(capsules[k, 5]), ex, ey, ez
        distance[ray] = share * np.sqrt(dx * dx + dy * dy + dz * dz) if key >= 0 else np.inf
        normal[ray, 0], normal[ray, 1], normal[ray, 2] = nx, ny, nz
        body[ray] = key


def capsules_near(
    capsules: Array, x: float, y: float, z: float, radius: float, height: float, reach: float
) -> tuple[Array, Any]:
    """Contacts (N, 7) of a capsule with others, as `geometry.contacts.capsule_contacts` gives them, and their ids."""
    rows, found = np.empty((len(capsules), 7)), np.empty(len(capsules), np.int32)
    count = _capsules_near(capsules, x, y, z + radius, z + height - radius, float(radius), float(reach), rows, found)
    return rows[:count], found[:count]


@kernel
def _capsules_near(
    capsules: Any, x: float, y: float, low: float, high: float, radius: float, reach: float, rows: Any, found: Any
) -> int:
    count = 0
    for k in range(len(capsules)):
        row = rows[count]
        gap, row[1], row[2], row[3], row[4], row[5], row[6] = capsule_gap(x, y, low, high, capsules[k])
        row[0] = gap - radius
        if row[0] <= reach:
            found[count] = int(capsules[k, 5])
            count += 1
    return count
