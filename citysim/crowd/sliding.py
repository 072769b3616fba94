"""Walls in the movement: headings lose what leads into a wall, feet are pushed out of it, no step crosses one."""

from typing import Any

import numpy as np

from citysim.crowd.walls import CELL_M, MARGIN_M
from citysim.geometry.jit import inlined, root

BUFFER_M = 0.1  # headings turn along a wall from here on
TOUCHING_M = 0.01
RISE_M = 0.3  # of height for which a distance to walls stays good
RISE_COSTS = 2.5  # metres of it that a metre of height uses up: all of MARGIN_M before RISE_M


@inlined
def bucket_at(x: float, y: float, heads: Any) -> Any:
    """Bucket of the cell around a point."""
    column, line = np.int64(np.floor(x / CELL_M)), np.int64(np.floor(y / CELL_M))
    return (column + line * 1000003) & (heads.shape[0] - 2)


@inlined
def holds(x: float, y: float, z: float, rows: Any, s: int) -> bool:
    """Whether a wall is one for who stands at a point."""
    if not rows[s, 4] <= z <= rows[s, 5]:
        return False
    if rows[s, 6] == 0.0:
        return True
    ax, ay = rows[s, 0], rows[s, 1]
    return (rows[s, 2] - ax) * (y - ay) - (rows[s, 3] - ay) * (x - ax) <= 0.0


@inlined
def from_wall(x: float, y: float, rows: Any, s: int) -> tuple[float, float, float]:
    """Vector from the nearest point of a segment, and its length."""
    ax, ay = rows[s, 0], rows[s, 1]
    sx, sy = rows[s, 2] - ax, rows[s, 3] - ay
    share = ((x - ax) * sx + (y - ay) * sy) * rows[s, 7]
    share = min(max(share, 0.0), 1.0)
    dx, dy = x - (ax + share * sx), y - (ay + share * sy)
    return dx, dy, root(dx * dx + dy * dy)


@inlined
def nearest_wall(x: float, y: float, z: float, rows: Any, heads: Any, ids: Any) -> tuple[int, float, float]:
    """The nearest wall for who stands at a point, -1 without one near; its distance; and how far none is looked for.

    The last is the distance to the nearest wall of either side and of about this height, at most MARGIN_M: who has
    gone less far, and risen less than RISE_M, meets no wall that was further away.
    """
    bucket, nearest, best, any_side = bucket_at(x, y, heads), -1, 1e18, MARGIN_M * MARGIN_M
    for k in range(heads[bucket], heads[bucket + 1]):
        s = ids[k]
        if not rows[s, 4] - RISE_M <= z <= rows[s, 5] + RISE_M:
            continue
        ax, ay = rows[s, 0], rows[s, 1]
        sx, sy = rows[s, 2] - ax, rows[s, 3] - ay
        dx, dy = x - ax, y - ay
        share = min(max((dx * sx + dy * sy) * rows[s, 7], 0.0), 1.0)
        px, py = dx - share * sx, dy - share * sy
        square = px * px + py * py
        any_side = min(any_side, square)
        if square < best and rows[s, 4] <= z <= rows[s, 5] and (rows[s, 6] == 0.0 or sx * dy - sy * dx <= 0.0):
            nearest, best = s, square
    return nearest, root(best), root(any_side)


@inlined
def along_walls(
    x: float, y: float, z: float, radius: float, ex: float, ey: float, nearest: int, rows: Any, heads: Any, ids: Any
) -> tuple[float, float]:
    """A heading without what leads into walls: of the nearest one by degrees, of others only in contact.

    Two segments that meet at a convex corner would otherwise cancel the heading for ever.
    """
    bucket = bucket_at(x, y, heads)
    for k in range(heads[bucket], heads[bucket + 1]):
        s = ids[k]
        if not holds(x, y, z, rows, s):
            continue
        dx, dy, d = from_wall(x, y, rows, s)
        if d <= 1e-9 or (s != nearest and d >= radius + TOUCHING_M):
            continue
        nx, ny = dx / d, dy / d
        into = ex * nx + ey * ny
        if into < 0.0:
            share = 1.0 if s != nearest else min(max(1.0 - (d - radius) / BUFFER_M, 0.0), 1.0)
            ex -= share * into * nx
            ey -= share * into * ny
    return ex, ey


@inlined
def out_of_walls(
    x0: float, y0: float, x: float, y: float, z: float, radius: float, clearance: float, rows: Any, heads: Any, ids: Any
) -> tuple[float, float]:
    """Where a step from (x0, y0) to (x, y) ends: pushed out of walls, and not taken at all rather than through one.

    `clearance` is the distance from (x0, y0) to the nearest wall: shorter steps cross none.
    """
    for _ in range(2):
        bucket, pushed = bucket_at(x, y, heads), False
        for k in range(heads[bucket], heads[bucket + 1]):
            s = ids[k]
            if holds(x0, y0, z, rows, s):
                dx, dy, d = from_wall(x, y, rows, s)
                if 1e-9 < d < radius:
                    x += dx / d * (radius - d)
                    y += dy / d * (radius - d)
                    pushed = True
        if not pushed:
            break
    if (x - x0) * (x - x0) + (y - y0) * (y - y0) < clearance * clearance:
        return x, y
    bucket = bucket_at(x0, y0, heads)
    for k in range(heads[bucket], heads[bucket + 1]):
        s = ids[k]
        if holds(x0, y0, z, rows, s) and _crosses(x0, y0, x, y, rows[s]):
            return x0, y0
    return x, y


@inlined
def _crosses(x0: float, y0: float, x1: float, y1: float, wall: Any) -> bool:
    """Whether two segments meet, touching included."""
    sx, sy = wall[2] - wall[0], wall[3] - wall[1]
    before = sx * (y0 - wall[1]) - sy * (x0 - wall[0])
    after = sx * (y1 - wall[1]) - sy * (x1 - wall[0])
    if before * after > 0.0 or (before == 0.0 and after == 0.0):
        return False
    mx, my = x1 - x0, y1 - y0
    one = mx * (wall[1] - y0) - my * (wall[0] - x0)
    other = mx * (wall[3] - y0) - my * (wall[2] - x0)
    return one * other <= 0.0
