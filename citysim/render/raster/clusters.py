"""Cutting a chunk's triangles into small clusters with vertices of their own: what is culled and transformed as one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk
from citysim.render.raster.cutting import own_vertices, sound, split
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
    room, vertex_counts = np.empty(3 * len(order), dtype=np.int64), np.empty(len(starts), dtype=np.int64)
    corners = np.empty((len(order), 3), dtype=np.uint16)
    vertex = room[: own_vertices(triangles, np.append(starts, len(order)), room, vertex_counts, corners)]
    vertex_starts = np.cumsum(vertex_counts) - vertex_counts
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
        corners,
        source,
        varied,
    )


def sound_triangles(positions: NDArray[np.float32], triangles: NDArray[np.int32]) -> NDArray[np.int64]:
    """Indexes of the triangles that have an area and finite corners."""
    if not len(triangles):
        return np.zeros(0, dtype=np.int64)
    index = np.empty(len(triangles), dtype=np.int64)
    return index[: sound(positions, triangles, FARTHEST, index)].copy()


def kd_order(centroids: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Order of triangles by median splits on the longest axis, and where each cluster begins in it."""
    order, starts = np.arange(len(centroids)), np.empty(max(len(centroids), 1), dtype=np.int64)
    count = split(np.ascontiguousarray(centroids), CLUSTER_TRIANGLES, 4 * CLUSTER_TRIANGLES, order, starts)
    return order, starts[:count].copy()
