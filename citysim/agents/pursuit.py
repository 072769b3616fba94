"""Choosing the one action that gets furthest along a path without leaving its corridor.

All forward walks of a table (speed, duration, turning rate) are rolled out in closed form: heading turns evenly, so the
walk is an arc. The best is the one that comes furthest along the path, among those that stay within the corridor and
end heading along it.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.agents.path import Path
from citysim.pose import Pose
from citysim.tasks.actions import SPRINT_M_S, STEP_S, WALK_M_S

Array = NDArray[np.float64]

SAMPLES = 12
AHEAD_M = 14.0
LEAST_GAIN_M = 0.3


class Choice(NamedTuple):
    """An action of move or sprint: duration in steps of 1/60 s, turning rate in degrees a second (right positive)."""

    name: str
    steps: int
    yaw_rate_deg_s: float
    gain_m: float


@cache
def _table() -> tuple[list[tuple[str, int, float]], Array, Array]:
    """The choices with their walks in body axes: (C, SAMPLES, 2) ahead and left, and (C,) turning in radians."""
    rates = sorted(
        {round(s * r, 1) for s in (-1, 1) for r in (0, 2, 4, 7, 10, 14, 20, 27, 35, 45, 60, 80, 105, 140, 180)}
    )
    rows: list[tuple[str, int, float]] = []
    walks: list[Array] = []
    turns: list[float] = []
    for name, speed in (("sprint", SPRINT_M_S), ("move", WALK_M_S)):
        for steps in (9, 15, 21, 27, 33, 42, 51, 60, 75, 90, 105, 120):
            for rate in rates:
                if name == "move" and abs(rate) < 20 and steps < 60:
                    continue
                count = np.arange(1, steps + 1)
                yaw = -math.radians(rate) * STEP_S * count
                path = np.cumsum(np.stack([np.cos(yaw), np.sin(yaw)], axis=1), axis=0) * speed * STEP_S
                pick = np.ceil(np.linspace(steps / SAMPLES, steps, SAMPLES)).astype(int) - 1
                rows.append((name, steps, rate))
                walks.append(path[pick])
                turns.append(float(yaw[-1]))
    return rows, np.array(walks), np.array(turns)


def choose(path: Path, pose: Pose, where: float, corridor_m: float) -> Choice | None:
    """The best walk from a pose at arc length `where`, or None when none gains ground: turn first, then ask again."""
    rows, walks, turns = _table()
    cos, sin = math.cos(pose.yaw), math.sin(pose.yaw)
    points = np.empty_like(walks)
    points[..., 0] = pose.east + walks[..., 0] * cos - walks[..., 1] * sin
    points[..., 1] = pose.north + walks[..., 0] * sin + walks[..., 1] * cos
    start, unit, size = path.along(where - 1.0, where + AHEAD_M)
    offset = points[:, :, None, :] - start
    along = np.clip((offset * unit).sum(axis=3), 0.0, size)
    away = np.sqrt(((offset - along[..., None] * unit) ** 2).sum(axis=3))
    nearest = np.argmin(away, axis=2)
    stray = np.take_along_axis(away, nearest[..., None], axis=2)[..., 0]
    base = path.start_of(where - 1.0) + np.r_[0.0, np.cumsum(size)[:-1]]
    reached = np.take_along_axis(along, nearest[..., None], axis=2)[..., 0] + base[nearest]
    now = math.hypot(*(path.point_at(where)[:2] - (pose.east, pose.north)))
    limit = np.maximum(corridor_m, now * (1.0 - np.arange(1, SAMPLES + 1) / SAMPLES) + 0.05)
    good = (stray <= limit).all(axis=1) & (np.diff(reached, axis=1) > -0.3).all(axis=1)
    end = reached[:, -1]
    if now > corridor_m:  # off the path: coming back counts as much as getting on
        good = stray[:, -1] < max(now - 0.3, corridor_m)
    else:
        good &= end - where >= LEAST_GAIN_M
    if not good.any():
        return None
    # The direction to hold at the end is towards the path a little further on, which also closes the last gap.
    aim = path.points_at(end[good] + 2.0)[:, :2]
    last = points[good, -1]
    off = np.abs(_wrap(np.arctan2(*(aim - last).T[::-1]) - (pose.yaw + turns[good])))
    gain = end[good] - where
    best = int(np.argmax(gain - 3.0 * off - stray[good, -1]))
    name, steps, rate = rows[int(np.flatnonzero(good)[best])]
    return Choice(name, steps, rate, float(gain[best]))


def _wrap(angle: Array) -> Array:
    return np.asarray((angle + math.pi) % (2.0 * math.pi) - math.pi)
