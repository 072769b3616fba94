"""How far an upright capsule can move before it meets a triangle."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.gather import load_triangle, triangles_in_box
from citysim.geometry.jit import helper, kernel
from citysim.geometry.tables import Tables
from citysim.geometry.upright import segment_gap

_TOUCH_M = 1e-9
_MOST_STEPS = 100
_GRAZING = 1e-9  # of the move: what approaches by less slides along, whatever rounding says


class Sweeps(NamedTuple):
    """Answers of a batch of sweeps, one row each.

    share     (N,) float64, of the move that is free; inf where all of it is
    triangle  (N,) int32, row in `Tables.corners`; -1 where all is free
    normal    (N, 3) float64, unit, from the triangle to the capsule; zeros where all is free
    """

    share: NDArray[np.float64]
    triangle: NDArray[np.int32]
    normal: NDArray[np.float64]


def capsule_sweeps(
    tables: Tables, feet: NDArray[np.float64], moves: NDArray[np.float64], radius: float, height: float
) -> Sweeps:
    """First touches of upright capsules that stand at `feet` (N, 3) and move straight along `moves` (N, 3), metres.

    A capsule that overlaps a triangle at the start is stopped by it (share 0) only when the move goes deeper: it may
    always leave. Of triangles touched at the same share the one of the lowest rank, then of the lowest id, is named.
    """
    feet, moves = np.ascontiguousarray(feet, np.float64), np.ascontiguousarray(moves, np.float64)
    count, room, done = len(feet), 256, 0
    answer = Sweeps(np.empty(count), np.empty(count, np.int32), np.empty((count, 3)))
    while done < count:
        found = np.empty(room, np.int32)
        done, needed = _sweeps(tables, feet, moves, float(radius), float(height), found, done, *answer)
        room = max(room, 2 * needed)
    return answer


@kernel
def _sweeps(
    tables: Any, feet: Any, moves: Any, radius: float, height: float, found: Any, first: int,
    shares: Any, triangles: Any, normals: Any,
) -> tuple[int, int]:  # fmt: skip
    """Answer the rows from `first` on; returns where it had to stop, and for how many triangles room was missing."""
    _, owners, ids, _, _, _, ranks, _ = tables
    box, corners, normal, touch = np.empty(6), np.empty(9), np.empty(3), np.empty(3)
    for row in range(first, len(feet)):
        for axis in range(3):
            a, b = feet[row, axis], feet[row, axis] + moves[row, axis]
            box[axis] = min(a, b) - (radius if axis < 2 else 0.0)
            box[axis + 3] = max(a, b) + (radius if axis < 2 else height)
        near = triangles_in_box(tables, box, found)
        if near > len(found):
            return row, near
        best, which = np.inf, -1
        for k in range(near):
            load_triangle(tables, found[k], corners, normal)
            share = _advance(feet, moves, row, radius, height, corners, normal, min(best, 1.0), touch)
            if share > best or share == np.inf:
                continue
            if share == best:
                rank, known = ranks[owners[found[k]]], ranks[owners[which]]
                if rank > known or (rank == known and ids[found[k]] > ids[which]):
                    continue
            best, which = share, found[k]
            normals[row, 0], normals[row, 1], normals[row, 2] = touch[0], touch[1], touch[2]
        if which < 0:
            normals[row, 0], normals[row, 1], normals[row, 2] = 0.0, 0.0, 0.0
        shares[row], triangles[row] = best, which
    return len(feet), 0


@helper
def _advance(
    feet: Any, moves: Any, row: int, radius: float, height: float, corners: Any, normal: Any, limit: float, touch: Any
) -> float:
    """Share of a move up to one triangle; inf where it is not touched up to `limit`.

    Conservative advancement (Mirtich 1996): the plane through the nearest point parts the two, both being convex, so
    the capsule may go as far as that plane; a move that does not approach the plane never touches.
    """
    x, y, z = feet[row, 0], feet[row, 1], feet[row, 2]
    dx, dy, dz = moves[row, 0], moves[row, 1], moves[row, 2]
    share, grazing = 0.0, _GRAZING * (abs(dx) + abs(dy) + abs(dz))
    for _ in range(_MOST_STEPS):
        low = z + share * dz + radius
        axis_gap, nx, ny, nz, _, _, _ = segment_gap(
            x + share * dx, y + share * dy, low, low + height - 2.0 * radius, corners, normal
        )
        gap, approach = axis_gap - radius, -(dx * nx + dy * ny + dz * nz)
        if approach <= grazing:
            return np.inf
        if gap <= _TOUCH_M:
            break
        share += gap / approach
        if share > limit:
            return np.inf
    touch[0], touch[1], touch[2] = nx, ny, nz
    return share
