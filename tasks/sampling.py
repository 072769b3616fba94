"""Drawing point goals on a city's pedestrian network."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from citysim.city import City, Place
from citysim.errors import InputError
from citysim.geo.network import DistanceField, NetworkEdge, PedestrianNetwork, Snap
from citysim.pose import Pose, wrap_angle
from citysim.tasks.base import Goal

ARRIVAL_M = 15.0
"""UrbanGround's radius of arrival."""
MIN_STRAIGHT_M = 45.0
"""No goal is nearer than this as the crow flies: three arrival radii."""
ENTRANCE_M = 12.0
"""How far a place's entrance may be from the network: whoever walks past it has arrived."""
MECHANICAL = frozenset({8, 9, 10, 13, 16, 17, 18, 21})
"""FeatureTypes that do not stand still or cannot be walked: escalators, travelators, lifts."""
STAIRS = frozenset({12, 20})
TRIES = 400
FIELDS = 2000  # distance fields kept: 8 bytes a node of the network each

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Target:
    """Something to walk to: its foot point, its place on the network, and the place it is (None for a bare point)."""

    position: tuple[float, float, float]
    snap: Snap
    place: Place | None


class GoalSampler:
    """Draws starts and goals of one city; keep it to draw many."""

    def __init__(self, city: City) -> None:
        self.city = city
        network = city.network
        if not network.components:
            raise InputError(
                "a city with a pedestrian network", f"'{city.name}' has none", "importing it with --network"
            )
        self.main = frozenset(network.components[0])
        self._starts = [i for i in sorted(self.main) if _plain(network.edges[i]) and network.walk.length[i] > 2.0]
        self._avoid = frozenset(e.id for e in network.edges if e.attributes.get("FeatureType") in MECHANICAL)
        if not self._starts:
            raise InputError("a network with plain footways", f"none in '{city.name}'", "another city")
        lengths = np.array([network.walk.length[i] for i in self._starts])
        self._weights = lengths / lengths.sum()
        self._fields: dict[tuple[float, float, float], DistanceField] = {}

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Every place whose entrance is on the main part of the network's plain footways."""
        found = []
        for place in self.city.places:
            snap = self.city.network.snap(place.entrance, max_distance_m=ENTRANCE_M)
            if snap is None or snap.edge not in self.main or not place.name:
                continue
            if abs(float(snap.point[2]) - place.entrance[2]) < 2.0 and _plain(self.city.network.edges[snap.edge]):
                found.append(Target(place.entrance, snap, place))
        return tuple(found)

    def field(self, to: tuple[float, float, float]) -> DistanceField:
        """Walking distances to a foot point, kept for the next episode."""
        if to not in self._fields:
            if len(self._fields) >= FIELDS:
                del self._fields[next(iter(self._fields))]
            self._fields[to] = self.city.network.distance_field(to)
        return self._fields[to]

    def point(self, rng: np.random.Generator) -> tuple[Array, int, float]:
        """A point drawn evenly from the plain footways: (3,) local metres, its edge, and the line's yaw there."""
        edge = self._starts[int(rng.choice(len(self._starts), p=self._weights))]
        line = self.city.network.edges[edge].line
        steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
        along = float(rng.uniform(0.1, 0.9)) * float(steps.sum())
        before = np.cumsum(steps) - steps
        segment = int(np.searchsorted(before, along, side="right")) - 1
        step = line[segment + 1] - line[segment]
        point = line[segment] + (along - before[segment]) / steps[segment] * step
        return point, edge, math.atan2(float(step[1]), float(step[0]))

    def draw(
        self,
        rng: np.random.Generator,
        min_m: float,
        max_m: float,
        *,
        used: frozenset[str] = frozenset(),
        apart_from: Sequence[Array] = (),
        apart_m: float = 0.0,
    ) -> Goal | None:
        """One goal whose walk is `min_m` to `max_m` long, or None when these limits cannot be met.

        Names of places in `used` are not drawn again; the start keeps `apart_m` from the points `apart_from`.
        """
        for _ in range(TRIES):
            point, _, yaw = self.point(rng)
            turned = bool(rng.integers(2))
            if any(np.hypot(*(point - other)[:2]) < apart_m for other in apart_from):
                continue
            east, north, up = np.round(point, 3).tolist()
            start = Pose(east, north, up, wrap_angle(yaw + math.pi * turned))
            goal = self._goal_from(start, rng, min_m, max_m, used)
            if goal is not None:
                return goal
        return None

    def _goal_from(
        self, start: Pose, rng: np.random.Generator, min_m: float, max_m: float, used: frozenset[str]
    ) -> Goal | None:
        network, field = self.city.network, self.city.network.distance_field(start.position)
        near = [
            t
            for t in self.targets
            if t.place is not None
            and t.place.name not in used
            and MIN_STRAIGHT_M < math.hypot(t.position[0] - start.east, t.position[1] - start.north) <= max_m
        ]
        if near:
            order = rng.permutation(len(near))
            pool = [near[i] for i in order[:40]]
        else:
            pool = [self._bare(rng) for _ in range(12)] if not self.targets else []
        for target in pool:
            if math.hypot(target.position[0] - start.east, target.position[1] - start.north) <= MIN_STRAIGHT_M:
                continue
            if not min_m * 0.9 <= field.at(target.snap.point) <= max_m * 1.1:  # cheap: one-way lines differ a little
                continue
            goal = self._checked(start, target, network, min_m, max_m)
            if goal is not None:
                return goal
        return None

    def _bare(self, rng: np.random.Generator) -> Target:
        point, edge, _ = self.point(rng)
        foot = (round(float(point[0]), 3), round(float(point[1]), 3), round(float(point[2]), 3))
        return Target(foot, Snap(edge, 0.0, point, 0.0), None)

    def _checked(
        self, start: Pose, target: Target, network: PedestrianNetwork, min_m: float, max_m: float
    ) -> Goal | None:
        try:
            route = network.route(start.position, target.position, closed=self._avoid)
        except InputError:
            return None
        if not min_m <= route.length_m <= max_m:
            return None
        name = target.place.name if target.place is not None else network.edges[target.snap.edge].name
        return Goal(
            start,
            target.position,
            instruction=instruction(start, target, network.edges[target.snap.edge]),
            name=name,
            shortest_path_m=round(length_until_near(route.points, target.position, ARRIVAL_M), 3),
        )


def length_until_near(points: Array, goal: tuple[float, float, float], radius_m: float) -> float:
    """Metres along a polyline (N, 3) until it first comes within `radius_m` horizontally of the goal.

    The whole length when it never does. Exact: each segment meets the circle at a root of a quadratic.
    """
    walked = 0.0
    for a, b in pairwise(points):
        step, away = b - a, a[:2] - np.array(goal[:2])
        size = float(np.linalg.norm(step))
        qa, qb = float(step[:2] @ step[:2]), float(away @ step[:2])
        qc = float(away @ away) - radius_m * radius_m
        if qc <= 0.0:
            return walked
        root = qb * qb - qa * qc
        if qa > 0.0 and root >= 0.0 and 0.0 <= (-qb - math.sqrt(root)) / qa <= 1.0:
            return walked + size * (-qb - math.sqrt(root)) / qa
        walked += size
    return walked


def instruction(start: Pose, target: Target, edge: NetworkEdge) -> str:
    """What a person is told: the place and its address, or the street; without names, distance and direction."""
    if target.place is not None:
        kind = target.place.category.replace("_", " ").strip()
        what = f"{target.place.name} ({kind})" if kind else target.place.name
        return f"Walk to {what} at {target.place.address}." if target.place.address else f"Walk to {what}."
    east, north = target.position[0] - start.east, target.position[1] - start.north
    winds = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
    wind = winds[round(math.atan2(north, east) / (math.pi / 4)) % 8]
    street = f"the point on {edge.name}" if edge.name else "the point"
    return f"Walk to {street} about {round(math.hypot(east, north), -1):.0f} m to the {wind} of here."


def sampler_of(city: City) -> GoalSampler:
    """The city's sampler, made once: it goes when the city goes."""
    kept: GoalSampler | None = city.__dict__.get("_goal_sampler")
    if kept is None:
        kept = city.__dict__["_goal_sampler"] = GoalSampler(city)
    return kept


def sample_goal(city: City, rng: np.random.Generator, min_m: float, max_m: float) -> Goal:
    """One goal; raises InputError when the city offers none of this length."""
    goal = sampler_of(city).draw(rng, min_m, max_m)
    if goal is None:
        raise InputError(
            f"a city with walks of {min_m:g} to {max_m:g} m",
            f"none found in '{city.name}'",
            "a larger city or other lengths",
        )
    return goal


def _plain(edge: NetworkEdge) -> bool:
    kind = edge.attributes.get("FeatureType")
    return edge.enabled and kind not in MECHANICAL and kind not in STAIRS and edge.attributes.get("Location") != 2
