"""A town with people for the tests of the living city."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.physics import ENGINES
from citysim.pose import Pose
from citysim.world import Command, CrowdSpec, World
from tests.towns import grid_town

__all__ = ["BUSY", "ENGINES", "START", "City", "commands", "gaps", "grid_town", "walk"]

START = Pose(6.0, 20.0, 0.0, math.pi / 2)
"""In the middle of a street, looking along it."""
BUSY = CrowdSpec(40, 0, radius_m=25.0)


def commands(seed: int, count: int) -> list[Command]:
    """What a restless walker does."""
    rng = np.random.default_rng(seed)
    speeds, turns = rng.choice([0.0, 1.5, 4.5], count), rng.normal(0.0, 0.4, count)
    return [Command(forward=float(v), yaw_rate=float(w)) for v, w in zip(speeds, turns, strict=True)]


def walk(world: World, plan: Sequence[Command], steps: int) -> None:
    """Carry out commands of so many steps each."""
    for command in plan:
        world.advance(command, steps)


def gaps(world: World) -> NDArray[np.float64]:
    """(N,) gap between the walker and each person seen from above, inf for those indoors or on another level."""
    from citysim.crowd.rows import RADIUS

    company = world._life.company
    assert company is not None
    places = company.positions(world._steps)
    pose, radii = world.pose, company.crowd.rows[RADIUS]
    away = np.hypot(places[0] - pose.east, places[1] - pose.north) - radii - 0.3
    level = np.abs(places[2] - pose.up) < 1.5
    return np.where(company.crowd.active & level, away, math.inf)
