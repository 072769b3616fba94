"""Walking the lines of a network as they are: from vertex to vertex, at the pace of a walker."""

import math

import numpy as np
from numpy.typing import NDArray

from citysim.geo.network import NetworkEdge
from citysim.pose import Pose
from citysim.world import STEP_S, Command, World

Array = NDArray[np.float64]
PACE = 1.4  # metres a second
NEAR = 0.05  # metres from a vertex at which it is reached
HEIGHT = 0.25  # metres by which a foot may be off a vertex: a stair's line runs over its nosings
ESCALATOR, LIFT = 8, 10  # FeatureType
PATIENCE_S = 90.0  # seconds in a lift


def ways(edge: NetworkEdge) -> list[Array]:
    """The line in the directions in which it may be walked."""
    direction = int(edge.attributes.get("Direction") or 0)
    return [line for sense, line in ((1, edge.line), (-1, edge.line[::-1])) if direction in (0, sense)]


def walk(world: World, edge: NetworkEdge, line: Array) -> str | None:
    """Walk one line of an edge; None when its end is reached, else what went wrong."""
    world.reset(Pose(float(line[0, 0]), float(line[0, 1]), float(line[0, 2]), 0.0))
    feature = edge.attributes["FeatureType"]
    if feature == LIFT:
        return _ride(world, line)
    batch = 1 if feature == ESCALATOR else 6  # what carries the walker is felt step by step
    for target in line[1:]:
        for _ in range(3 + math.ceil(3.0 * math.dist(target[:2], _at(world)) / (PACE * STEP_S * batch))):
            east, north = target[0] - world.pose.east, target[1] - world.pose.north
            left = math.hypot(east, north)
            if left < NEAR:
                break
            steps = min(batch, max(math.ceil(left / PACE / STEP_S), 1))
            pace = min(PACE, left / (steps * STEP_S)) / left
            world.advance(Command(forward=east * pace, left=north * pace), steps)
        else:
            return f"stuck at {_where(world)} before {target.round(2).tolist()}"
        if abs(world.pose.up - target[2]) > HEIGHT:
            return f"at {_where(world)}, not at the height of {target.round(2).tolist()}"
    return None


def _ride(world: World, line: Array) -> str | None:
    for _ in range(round(PATIENCE_S / STEP_S / 6)):
        world.advance(Command(), 6)
        if abs(world.pose.up - line[-1, 2]) < 0.02:
            return None
    return f"not carried to {line[-1].round(2).tolist()} but to {_where(world)}"


def _at(world: World) -> tuple[float, float]:
    return world.pose.east, world.pose.north


def _where(world: World) -> list[float]:
    return [round(v, 2) for v in (world.pose.east, world.pose.north, world.pose.up)]
