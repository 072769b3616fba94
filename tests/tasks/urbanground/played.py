"""Facts of walks written down by hand."""

from collections.abc import Sequence

from citysim.pose import Pose
from citysim.tasks.base import Facts, Goal
from citysim.tasks.globe import EARTH_RADIUS_M
from citysim.tasks.parts import LonLat, Stop

METRE = 57.29577951308232 / EARTH_RADIUS_M
"""Degrees of a metre along a meridian, or along the equator."""
HERE = Pose.from_heading(0.0, 0.0, 0.0, 0.0)


def place(east: float, north: float) -> LonLat:
    """A point of a city at longitude 0, latitude 0, where great circles are as long as metres say."""
    return east * METRE, north * METRE, 0.0


def stop(name: str, east: float, north: float, deadline_s: float | None = None) -> Stop:
    return Stop(name, (east, north, 0.0), place(east, north), deadline_s)


def goal_at(east: float, north: float, **parts: object) -> Goal:
    made = Goal(HERE, (east, north, 0.0), start_lonlat=place(0.0, 0.0), lonlat=place(east, north), **parts)  # type: ignore[arg-type]
    return made


def walked(points: Sequence[tuple[float, float]], *, seconds: float = 2.0, **facts: object) -> Facts:
    """Facts after walking from the origin over points, one action each."""
    path = [(0.0, 0.0), *points]
    return Facts(
        pose=Pose.from_heading(*path[-1], 0.0, 0.0),
        path=[Pose.from_heading(e, n, 0.0, 0.0) for e, n in path],
        actions=len(points),
        elapsed_s=seconds * len(points),
        lonlats=[place(e, n)[:2] for e, n in path],
        times_s=[seconds * k for k in range(len(path))],
        **facts,  # type: ignore[arg-type]
    )
