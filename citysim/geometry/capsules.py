"""Upright capsules among each other and before rays."""

from typing import Any

import numpy as np

from citysim.geometry.jit import helper


@helper
def capsule_gap(
    x: float, y: float, low: float, high: float, other: Any
) -> tuple[float, float, float, float, float, float, float]:
    """Distance of the upright segment over (x, y) from the surface of another capsule, direction and surface point.

    `other` holds east, north, foot height, radius and height. The direction points from the other one here; where
    the axes meet it points east.
    """
    dx, dy = x - other[0], y - other[1]
    bottom, top = other[2] + other[3], other[2] + other[4] - other[3]
    dz, at = 0.0, max(low, bottom)
    if low > top:
        dz, at = low - top, top
    elif high < bottom:
        dz, at = high - bottom, bottom
    size = np.sqrt(dx * dx + dy * dy + dz * dz)
    if size > 0.0:
        dx, dy, dz = dx / size, dy / size, dz / size
    else:
        dx, dy, dz = 1.0, 0.0, 0.0
    r = other[3]
    return size - r, dx, dy, dz, other[0] + r * dx, other[1] + r * dy, at + r * dz


@helper
def hit_capsule(
    ox: float, oy: float, oz: float, dx: float, dy: float, dz: float, other: Any
) -> tuple[float, float, float, float]:
    """Share of the segment from o along d at which it enters a capsule, and the outward normal there.

    The share is inf for a miss and for a segment that starts inside: a body does not see itself from within.
    """
    radius = other[3]
    bottom, top = other[2] + radius, other[2] + other[4] - radius
    px, py = ox - other[0], oy - other[1]
    a, b, c = dx * dx + dy * dy, px * dx + py * dy, px * px + py * py - radius * radius
    nearest = min(max(oz, bottom), top)
    if c + (oz - nearest) * (oz - nearest) <= 0.0:
        return np.inf, 0.0, 0.0, 0.0
    if c > 0.0:  # not above or below: the mantle comes first
        root = b * b - a * c
        if a <= 0.0 or root < 0.0:
            return np.inf, 0.0, 0.0, 0.0
        share = (-b - np.sqrt(root)) / a
        z = oz + share * dz
        if bottom <= z <= top:
            if 0.0 <= share <= 1.0:
                return share, (px + share * dx) / radius, (py + share * dy) / radius, 0.0
            return np.inf, 0.0, 0.0, 0.0
        end = bottom if z < bottom else top
    else:
        end = bottom if oz < bottom else top
    pz = oz - end
    a, b, c = a + dz * dz, b + pz * dz, c + pz * pz
    root = b * b - a * c
    if a <= 0.0 or root < 0.0:
        return np.inf, 0.0, 0.0, 0.0
    share = (-b - np.sqrt(root)) / a
    if not 0.0 <= share <= 1.0:
        return np.inf, 0.0, 0.0, 0.0
    return share, (px + share * dx) / radius, (py + share * dy) / radius, (pz + share * dz) / radius
