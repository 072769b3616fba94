"""Cutting a chunk's triangles into small clusters with vertices of their own: what is culled and transformed as one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk
from citysim.render.raster.layout import Array

CLUSTER_TRIANGLES = 120  # measured: flat between 96 and 128; 3 x 120 unshared vertices fit the scratch of 512
FARTHEST = 1.0e6  # metres: coordinates beyond are taken for broken


class Clusters(NamedTuple):
    """One chunk cut up; the fields are rows to append to Geometry's arrays (vertex and triangle firsts from 0)."""

    boxes: NDArray[np.float32]
    cluster_vertices: NDArray[np.int32]
    cluster_triangles: NDArray[np.int32]
    positions: NDArray[np.float32]
    uvs: NDArray[np.float32]
    colors: NDArray[np.uint8]
    corners: NDArray[np.uint16]
    source: NDArray[np.int64]  # (T,) the chunk's triangle that each one was
    varied: NDArray[np.bool_]  # (T,) whether the corners differ in colour


def cut(chunk: Chunk) -> Clusters:
    """Cut a chunk; triangles without area, or with NaN, infinite or absurd coordinates, are left out."""
    positions = (chunk.positions.astype(np.float64) + chunk.origin).astype(np.float32)
    uvs = np.nan_to_num(chunk.uvs.astype(np.float32), nan=0.0, posinf=0.0, neginf=0.0)
    uvs = np.clip(uvs, -1.0e5, 1.0e5)
    source = sound_triangles(positions, chunk.triangles)
    triangles = chunk.triangles[source].astype(np.int64)
    order, starts = kd_order(positions[triangles].astype(np.float64).mean(axis=1))
    source, triangles = source[order], triangles[order]
    counts = np.diff(np.append(starts, len(order)))
    owner = np.repeat(np.arange(len(starts)), counts)
    # Vertices of each cluster in one sort: the key orders by cluster, then by the chunk's vertex.
    keys, inverse = np.unique(
        (owner[:, None] * np.int64(max(len(positions), 1)) + triangles).ravel(), return_inverse=True
    )
    vertex, holder = keys % max(len(positions), 1), keys // max(len(positions), 1)
    vertex_counts = np.bincount(holder, minlength=len(starts))
    vertex_starts = np.cumsum(vertex_counts) - vertex_counts
    corners = inverse.reshape(-1, 3) - vertex_starts[owner][:, None]
    points, tints = positions[vertex], chunk.colors[vertex]
    if len(starts):
        boxes = np.hstack([np.minimum.reduceat(points, vertex_starts), np.maximum.reduceat(points, vertex_starts)])
    else:
        boxes = np.zeros((0, 6), dtype=np.float32)
    first = chunk.colors[triangles[:, 0]]
    varied = ((chunk.colors[triangles[:, 1]] != first) | (chunk.colors[triangles[:, 2]] != first))[:, :3].any(axis=1)
    return Clusters(
        boxes.astype(np.float32),
        np.stack([vertex_starts, vertex_counts], axis=1).astype(np.int32).reshape(-1, 2),
        np.stack([starts, counts], axis=1).astype(np.int32).reshape(-1, 2),
        points,
        uvs[vertex],
        tints,
        corners.astype(np.uint16),
        source,
        varied,
    )


def sound_triangles(positions: NDArray[np.float32], triangles: NDArray[np.int32]) -> NDArray[np.int64]:
    """Indexes of the triangles that have an area and finite corners."""
    if not len(triangles):
        return np.zeros(0, dtype=np.int64)
    good = (triangles >= 0).all(axis=1) & (triangles < len(positions)).all(axis=1)
    index = np.flatnonzero(good)
    points = positions[triangles[index]].astype(np.float64)
    fine = np.isfinite(points).all(axis=(1, 2)) & (np.abs(np.nan_to_num(points)) < FARTHEST).all(axis=(1, 2))
    index, points = index[fine], points[fine]
    area = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
    return index[(area != 0.0).any(axis=1)]


def kd_order(centroids: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order of triangles by median splits on the longest axis, and where each cluster begins in it."""
    parts: list[NDArray[np.int64]] = []
    stack = [np.arange(len(centroids))] if len(centroids) else []
    while stack:
        part = stack.pop()
        if len(part) <= CLUSTER_TRIANGLES:
            parts.append(np.sort(part))
            continue
        points = centroids[part]
        axis = int(np.argmax(points.max(axis=0) - points.min(axis=0)))
        middle = max(len(part) // 2 // CLUSTER_TRIANGLES, 1) * CLUSTER_TRIANGLES if len(part) > 480 else len(part) // 2
        halves = np.argsort(points[:, axis], kind="stable")
        stack += [part[halves[middle:]], part[halves[:middle]]]
    lengths = np.array([len(p) for p in parts], dtype=np.int64)
    order = np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
    return order, np.cumsum(lengths) - lengths
