"""What a walk is like: its length, turns and changes of level, for the suite's published table."""

import math

import numpy as np
from numpy.typing import NDArray

TURN_DEG = 35.0
SMOOTH_M = 4.0


def walk_figures(points: NDArray[np.float64]) -> dict[str, float]:
    """Length (3-D metres), turns of more than 35 degrees, and metres up and down of a walk (N, 3)."""
    steps = np.diff(points, axis=0)
    rise = np.diff(simplified(points, 0.3)[:, 2])
    return {
        "length_m": round(float(np.linalg.norm(steps, axis=1).sum()), 1),
        "turns": float(len(turns(points))),
        "up_m": round(float(rise[rise > 0.0].sum()), 1),
        "down_m": round(float(-rise[rise < 0.0].sum()), 1),
    }


def turns(points: NDArray[np.float64]) -> list[tuple[NDArray[np.float64], float]]:
    """Corners of a walk: (point (3,), turn in degrees, positive to the right), smaller bends left out."""
    line = simplified(points, SMOOTH_M)
    found = []
    for a, b, c in zip(line, line[1:], line[2:], strict=False):
        before, after = b - a, c - b
        turn = math.degrees(
            math.atan2(before[1] * after[0] - before[0] * after[1], before[0] * after[0] + before[1] * after[1])
        )
        if abs(turn) > TURN_DEG:
            found.append((b, turn))
    return found


def simplified(points: NDArray[np.float64], within_m: float) -> NDArray[np.float64]:
    """A walk without points that lie within so many horizontal metres of the line between others (Douglas-Peucker)."""
    import shapely

    line = shapely.LineString(points)
    return np.array(line.simplify(within_m, preserve_topology=False).coords)
