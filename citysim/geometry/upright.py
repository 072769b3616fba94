"""Nearest points between an upright segment and a triangle, and the way out of an overlap."""

from typing import Any

import numpy as np

from citysim.geometry.jit import helper

_TOUCHING = 1e-18  # m^2: nearer than this the direction apart is not known from the points


@helper
def nearest_on_triangle(x: float, y: float, z: float, t: Any) -> tuple[float, float, float]:
    """The point of a triangle (nine coordinates) nearest to a point; Ericson, Real-Time Collision Detection, 5.1.5."""
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    px, py, pz = x - t[0], y - t[1], z - t[2]
    d1, d2 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return t[0], t[1], t[2]
    px, py, pz = x - t[3], y - t[4], z - t[5]
    d3, d4 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d3 >= 0.0 and d4 <= d3:
        return t[3], t[4], t[5]
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3)
        return t[0] + s * ux, t[1] + s * uy, t[2] + s * uz
    px, py, pz = x - t[6], y - t[7], z - t[8]
    d5, d6 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d6 >= 0.0 and d5 <= d6:
        return t[6], t[7], t[8]
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s = d2 / (d2 - d6)
        return t[0] + s * vx, t[1] + s * vy, t[2] + s * vz
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return t[3] + s * (t[6] - t[3]), t[4] + s * (t[7] - t[4]), t[5] + s * (t[8] - t[5])
    s, r = vb / (va + vb + vc), vc / (va + vb + vc)
    return t[0] + ux * s + vx * r, t[1] + uy * s + vy * r, t[2] + uz * s + vz * r


@helper
def segment_gap(
    x: float, y: float, low: float, high: float, t: Any, n: Any
) -> tuple[float, float, float, float, float, float, float]:
    """Distance, direction and nearest triangle point of the segment over (x, y) from `low` to `high`.

    `t` holds the triangle's nine coordinates, `n` its unit normal. The direction is a unit vector from the triangle
    to the segment. Where they cross, the distance is minus the shortest translation that parts them, in the direction
    given: along the normal, or over one of the edges.
    """
    qx, qy, qz = nearest_on_triangle(x, y, low, t)
    sx, sy, sz = x - qx, y - qy, low - qz
    best = sx * sx + sy * sy + sz * sz
    px, py, pz = nearest_on_triangle(x, y, high, t)
    dx, dy, dz = x - px, y - py, high - pz
    square = dx * dx + dy * dy + dz * dz
    if square < best:
        best, qx, qy, qz, sx, sy, sz = square, px, py, pz, dx, dy, dz
    for k in range(3):
        i, j = 3 * k, (3 * k + 3) % 9
        ex, ey, ez = t[j] - t[i], t[j + 1] - t[i + 1], t[j + 2] - t[i + 2]
        flat = ex * ex + ey * ey
        if flat > 0.0:
            share = min(max(((x - t[i]) * ex + (y - t[i + 1]) * ey) / flat, 0.0), 1.0)
            px, py, pz = t[i] + share * ex, t[i + 1] + share * ey, t[i + 2] + share * ez
        else:  # an upright edge: as near all along
            px, py, pz = t[i], t[i + 1], max(min(t[i + 2], t[j + 2]), low)
            if pz > max(t[i + 2], t[j + 2]):
                continue
        if low <= pz <= high:
            dx, dy = x - px, y - py
            square = dx * dx + dy * dy
            if square < best:
                best, qx, qy, qz, sx, sy, sz = square, px, py, pz, dx, dy, 0.0
    if best > _TOUCHING and not _crosses(x, y, low, high, t, n):
        size = np.sqrt(best)
        return size, sx / size, sy / size, sz / size, qx, qy, qz
    return _way_out(x, y, low, high, t, n)


@helper
def _crosses(x: float, y: float, low: float, high: float, t: Any, n: Any) -> bool:
    ax, ay, bx, by, cx, cy = t[0] - x, t[1] - y, t[3] - x, t[4] - y, t[6] - x, t[7] - y
    u, v, w = cx * by - cy * bx, ax * cy - ay * cx, bx * ay - by * ax
    if (u < 0.0 or v < 0.0 or w < 0.0) and (u > 0.0 or v > 0.0 or w > 0.0):
        return False
    total = u + v + w
    return total != 0.0 and low <= (u * t[2] + v * t[5] + w * t[8]) / total <= high


@helper
def _way_out(
    x: float, y: float, low: float, high: float, t: Any, n: Any
) -> tuple[float, float, float, float, float, float, float]:
    """Shortest translation out of a triangle: the nearest face of the prism it sweeps along the segment."""
    base = n[0] * (x - t[0]) + n[1] * (y - t[1])
    first, second = base + n[2] * (low - t[2]), base + n[2] * (high - t[2])
    depth, mx, my, mz = -min(first, second), n[0], n[1], n[2]
    if max(first, second) < depth:
        depth, mx, my, mz = max(first, second), -n[0], -n[1], -n[2]
    for k in range(3):
        i, j, o = 3 * k, (3 * k + 3) % 9, (3 * k + 6) % 9
        sx, sy = t[j + 1] - t[i + 1], t[i] - t[j]  # square to the edge and to the segment
        size = np.sqrt(sx * sx + sy * sy)
        if size > 0.0:
            if sx * (t[o] - t[i]) + sy * (t[o + 1] - t[i + 1]) > 0.0:
                sx, sy = -sx, -sy
            out = (sx * (t[i] - x) + sy * (t[i + 1] - y)) / size
            if 0.0 <= out < depth:
                depth, mx, my, mz = out, sx / size, sy / size, 0.0
    px, py, pz = nearest_on_triangle(x, y, low if first * mx >= 0.0 else high, t)
    return -max(depth, 0.0), mx, my, mz, px, py, pz
