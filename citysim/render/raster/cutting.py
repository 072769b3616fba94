"""Kernels of `clusters`: median splits of triangles, and the vertices that each cluster has."""

from typing import Any

import numpy as np

from citysim.geometry.jit import kernel

DEEP = 128  # splits halve, so no stack is ever deeper


@kernel
def sound(positions: Any, triangles: Any, farthest: float, index: Any) -> int:
    """Fill `index` (T,) with the triangles whose corners are there, finite and near and which have an area: how many.

    positions (V, 3) float32; triangles (T, 3) vertices, out of range where a file is broken.
    """
    count, last = 0, len(positions)
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if min(a, b, c) < 0 or max(a, b, c) >= last:
            continue
        near = True
        for axis in range(3):
            x, y, z = positions[a, axis], positions[b, axis], positions[c, axis]
            near = near and abs(x) < farthest and abs(y) < farthest and abs(z) < farthest  # never so for NaN
        if not near:
            continue
        ax, ay, az = np.float64(positions[a, 0]), np.float64(positions[a, 1]), np.float64(positions[a, 2])
        ux, uy, uz = positions[b, 0] - ax, positions[b, 1] - ay, positions[b, 2] - az
        vx, vy, vz = positions[c, 0] - ax, positions[c, 1] - ay, positions[c, 2] - az
        if uy * vz - uz * vy != 0.0 or uz * vx - ux * vz != 0.0 or ux * vy - uy * vx != 0.0:
            index[count] = t
            count += 1
    return count


@kernel
def split(centroids: Any, least: int, even: int, order: Any, starts: Any) -> int:
    """Order (N,) of (N, 3) centroids by median splits on the longest axis into parts of `least` at most.

    `starts` (N,) takes where each part begins; returns how many there are. Parts of more than `even` are split at a
    multiple of `least`.
    """
    count = 0
    stack = np.empty((DEEP, 2), np.int64)
    size = 1 if len(order) else 0
    stack[0, 0], stack[0, 1] = 0, len(order)
    while size > 0:
        size -= 1
        low, high = stack[size, 0], stack[size, 1]
        number = high - low
        if number <= least:
            order[low:high].sort()
            starts[count] = low
            count += 1
            continue
        part = order[low:high].copy()
        axis, longest = 0, -1.0
        for c in range(3):
            smallest = largest = centroids[part[0], c]
            for i in range(1, number):
                value = centroids[part[i], c]
                smallest, largest = min(smallest, value), max(largest, value)
            if largest - smallest > longest:
                axis, longest = c, largest - smallest
        values = np.empty(number)
        for i in range(number):
            values[i] = centroids[part[i], axis]
        order[low:high] = part[np.argsort(values, kind="mergesort")]
        middle = number // 2
        if number > even:
            middle = max(middle // least, 1) * least
        stack[size, 0], stack[size, 1] = low + middle, high
        stack[size + 1, 0], stack[size + 1, 1] = low, low + middle
        size += 2
    return count


@kernel
def own_vertices(triangles: Any, starts: Any, vertices: Any, counts: Any, corners: Any) -> int:
    """Give each cluster vertices of its own: ascending in `vertices` (3 T,), cluster after cluster.

    triangles (T, 3) int64; starts (C + 1,) first triangle of each cluster; counts (C,) takes how many vertices it has,
    corners (T, 3) uint16 the triangles' corners in them. Returns how many there are in all.
    """
    total = 0
    for cluster in range(len(counts)):
        low, high = starts[cluster], starts[cluster + 1]
        met = triangles[low:high].copy().reshape(-1)
        met.sort()
        first = total
        for i in range(len(met)):
            if i == 0 or met[i] != met[i - 1]:
                vertices[total] = met[i]
                total += 1
        counts[cluster] = total - first
        for t in range(low, high):
            for c in range(3):
                corners[t, c] = np.searchsorted(vertices[first:total], triangles[t, c])
    return total
