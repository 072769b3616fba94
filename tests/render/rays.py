"""An independent reference: float64 rays against every triangle (Moeller and Trumbore 1997)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk
from citysim.render.base import Camera


class Hits(NamedTuple):
    """(N,) answers: depth along the view axis (inf: none), triangle (-1: none), u and v."""

    depth: NDArray[np.float64]
    triangle: NDArray[np.int64]
    uv: NDArray[np.float64]


def rays(camera: Camera, pixels: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Origins and directions (unit step along the view axis) through the centres of (N, 2) pixels x, y."""
    right, down, forward = camera.rotation
    offset = (pixels + 0.5 - np.array(camera.size) / 2.0) / camera.focal_px
    sideways = offset[:, :1] * right + offset[:, 1:] * down
    if camera.ortho_height_m is not None:
        return camera.pose.position + sideways, np.broadcast_to(forward, sideways.shape)
    return np.broadcast_to(camera.pose.position, sideways.shape), sideways + forward


def cast(camera: Camera, chunk: Chunk, pixels: NDArray[np.int64], both_sides: bool = False) -> Hits:
    """The nearest front-facing triangle behind the near plane under each pixel's centre."""
    origins, directions = rays(camera, pixels)
    points = chunk.positions.astype(np.float64) + chunk.origin
    a, b, c = (points[chunk.triangles[:, k]] for k in range(3))
    e1, e2 = b - a, c - a
    depth, triangle = np.full(len(pixels), np.inf), np.full(len(pixels), -1)
    uv = np.zeros((len(pixels), 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        for i, (start, ray) in enumerate(zip(origins, directions, strict=True)):
            p = np.cross(ray, e2)
            det = (e1 * p).sum(axis=1)
            s = start - a
            beta = (s * p).sum(axis=1) / det
            q = np.cross(s, e1)
            gamma = (q @ ray) / det
            t = (q * e2).sum(axis=1) / det
            seen = (beta >= 0) & (gamma >= 0) & (beta + gamma <= 1) & (t >= camera.near_m)
            seen &= (det != 0) if both_sides else (det > 0)
            t = np.where(seen, t, np.inf)
            k = int(np.argmin(t))
            if np.isfinite(t[k]):
                depth[i], triangle[i] = t[k], k
                corners = chunk.uvs[chunk.triangles[k]].astype(np.float64)
                uv[i] = corners[0] + beta[k] * (corners[1] - corners[0]) + gamma[k] * (corners[2] - corners[0])
    return Hits(depth, triangle, uv)
