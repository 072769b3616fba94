"""Where a path meets a line on the ground."""

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEVEL_M = 2.5
"""A bridge this far above a line does not cross it; the same tolerance as of walking on the network."""


def meetings(path: Array, line: Array) -> list[float]:
    """Where along a path (N, 3) it meets a line (K, 3) seen from above, at about its height; touching counts.

    In numbers of segments of the path, fractions between, rising. Segments without length meet nothing: who stands
    still crosses nothing.
    """
    p, q = path[:-1], path[1:]
    a, b = line[:-1], line[1:]
    low, high = np.minimum(p, q)[:, None], np.maximum(p, q)[:, None]
    near = (low <= np.maximum(a, b)).all(axis=2, where=_PLAN) & (high >= np.minimum(a, b)).all(axis=2, where=_PLAN)
    found: list[float] = []
    for i, j in np.argwhere(near).tolist():
        share = _share(p[i], q[i], a[j], b[j])
        if share is not None:
            found.append(i + share)
    return sorted(found)


_PLAN = np.array([True, True, False])


def _share(p: Array, q: Array, a: Array, b: Array) -> float | None:
    """Share of the segment p q at which it first meets the closed segment a b, None where it does not."""
    sides = [_side(a, b, p), _side(a, b, q), _side(p, q, a), _side(p, q, b)]
    if (p[:2] == q[:2]).all():
        return None
    if sides[0] * sides[1] > 0.0 or sides[2] * sides[3] > 0.0:
        return None
    step = q[:2] - p[:2]
    square = float(step @ step)
    if sides[0] == sides[1] == 0.0:  # along the line: boxes meet, so that the segments do
        ends = sorted(float((v[:2] - p[:2]) @ step) / square for v in (a, b))
        share = min(max(ends[0], 0.0), 1.0)
    else:
        share = min(max(sides[0] / (sides[0] - sides[1]), 0.0), 1.0)
    place = p + share * (q - p)
    run = b[:2] - a[:2]
    along = float((place[:2] - a[:2]) @ run) / max(float(run @ run), 1e-12)
    height = a[2] + min(max(along, 0.0), 1.0) * (b[2] - a[2])
    return share if abs(float(place[2] - height)) <= LEVEL_M else None


def _side(a: Array, b: Array, point: Array) -> float:
    """Twice the signed area of a triangle in plan: 0 on the line."""
    return float((b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]))
