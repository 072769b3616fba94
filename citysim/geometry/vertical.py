"""Heights of all surfaces that a vertical line crosses."""

import numpy as np
from numpy.typing import NDArray


def crossings(
    positions: NDArray[np.float32], triangles: NDArray[np.int32], east: float, north: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the vertical line at (east, north) meets triangles.

    positions (V, 3) metres, triangles (T, 3); east and north in the frame of the positions. Returns the heights (N,)
    in metres and the up components of the unit normals (N,), ordered by height. Edges count as inside.
    """
    xy = positions[:, :2].astype(np.float64) - (east, north)
    # The bounding boxes reject nearly everything before any exact work.
    low = np.minimum.reduce([xy[triangles[:, k]] for k in range(3)])
    high = np.maximum.reduce([xy[triangles[:, k]] for k in range(3)])
    near = triangles[((low <= 0) & (high >= 0)).all(axis=1)]
    a, b, c = xy[near[:, 0]], xy[near[:, 1]], xy[near[:, 2]]
    wa = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
    wb = c[:, 0] * a[:, 1] - c[:, 1] * a[:, 0]
    wc = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    area = wa + wb + wc
    inside = ((wa >= 0) & (wb >= 0) & (wc >= 0)) | ((wa <= 0) & (wb <= 0) & (wc <= 0))
    inside &= np.abs(area) > 1e-12
    near, area = near[inside], area[inside]
    corners = positions[near].astype(np.float64)
    heights = (wa[inside] * corners[:, 0, 2] + wb[inside] * corners[:, 1, 2] + wc[inside] * corners[:, 2, 2]) / area
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    ups = normals[:, 2] / np.where(lengths > 0, lengths, 1.0)
    order = np.lexsort((ups, heights))
    return heights[order], ups[order]
