"""Lifts: shafts between the ground and a level above it, with a door to each, and their lines in the network."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon

from citysim.build.plans import WayPlan, Xy
from citysim.build.streets.planar import on_lattice, unit
from citysim.build.streets.site import BODY

LENGTH, WIDTH = 2.4, 2.2  # outer sides of a shaft, along its way and across it, metres
WALL = 0.12
DOOR, DOOR_HEIGHT = 1.1, 2.1
PORTAL = 0.9  # metres from a shaft's face to the node before its door
KIND = "elevator"

Height = Callable[[Any], NDArray[np.float64]]


@dataclass(frozen=True)
class Lift:
    """A shaft whose lower door faces `ground`, a node on the ground, and whose upper door faces `deck`, on a level.

    Its way has these two nodes; the shaft's middle lies on the line between them, PORTAL from the lower one.
    """

    way: WayPlan
    ground: Xy
    deck: Xy
    high: float  # height of the level, metres

    @cached_property
    def along(self) -> NDArray[np.float64]:
        """(2,) unit vector from the lower door to the upper one."""
        return unit(self.ground, self.deck)

    @cached_property
    def middle(self) -> Xy:
        """The middle of the shaft, on the lattice."""
        x, y = np.round((np.array(self.ground) + self.along * (PORTAL + LENGTH / 2)) * 1024) / 1024
        return float(x), float(y)

    def corner(self, ahead: float, side: float) -> Xy:
        """The point `ahead` metres from the middle towards the upper door and `side` metres to the left, on the
        lattice.
        """
        u = self.along
        x, y = np.array(self.middle) + u * ahead + np.array([-u[1], u[0]]) * side
        return round(x * 1024) / 1024, round(y * 1024) / 1024

    def band(self, start: float, end: float, right: float, left: float) -> Polygon:
        """The area between two distances from the middle and two to its left, metres."""
        return Polygon(
            [self.corner(start, right), self.corner(end, right), self.corner(end, left), self.corner(start, left)]
        )

    @property
    def outline(self) -> Polygon:
        """The ground the shaft takes."""
        return self.band(-LENGTH / 2, LENGTH / 2, -WIDTH / 2, WIDTH / 2)

    @property
    def sill(self) -> LineString:
        """The shaft's upper face, where the level's floor meets it."""
        return LineString([self.corner(LENGTH / 2, -WIDTH / 2), self.corner(LENGTH / 2, WIDTH / 2)])

    @property
    def keepout(self) -> shapely.Geometry:
        """Where no other walking line of the ground may be: the shaft and a body's width round it."""
        whole = shapely.buffer(self.outline, BODY, join_style="mitre")
        mouth = self.band(-LENGTH / 2 - BODY - 0.1, -LENGTH / 2 + 0.1, -BODY, BODY)
        return on_lattice(shapely.difference(whole, mouth))

    def lines(self, height: Height) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """The network's lines: (2, 3) over the ground into the shaft, (2, 3) up, (2, 3) out onto the level."""
        low = np.round(height([self.ground, self.middle]) * 1024) / 1024
        foot, head = (*self.middle, float(low[1])), (*self.middle, self.high)
        return (
            np.array([(*self.ground, float(low[0])), foot]),
            np.array([foot, head]),
            np.array([head, (*self.deck, self.high)]),
        )


def find_lifts(ways: Sequence[WayPlan], nodes: dict[int, Xy], part: set[int], goal: float) -> list[Lift]:
    """The lifts that lead from the ground to a level: `part` are the level's nodes, `goal` is its height, metres."""
    found = []
    for way in ways:
        first, last = way.nodes[0], way.nodes[-1]
        if way.kind != KIND or (first in part) == (last in part):
            continue
        ground, deck = (nodes[last], nodes[first]) if first in part else (nodes[first], nodes[last])
        if math.dist(ground, deck) >= PORTAL + LENGTH + 0.3:
            found.append(Lift(way, ground, deck, goal))
    return found
