"""Flights: straight stretches of stairs, found a place and a direction before the ground is shaped."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.adding import plain_sum
from citysim.build.plans import WayPlan, Xy
from citysim.build.streets.planar import unit
from citysim.build.streets.roads import Roads
from citysim.build.streets.site import Site, is_surface

RISER = 0.155  # metres, where the plan does not count
RISER_MOST = 0.17
TREAD_LEAST = 0.27
TREAD_USUAL = 0.36  # run per riser assumed where risers are not counted
UNCOUNTED_MOST = 18  # risers assumed at most where they are not counted
WIDTH_LEAST = 1.2
WIDEST = 70.0
FLIGHT_MOST = 14  # risers between landings
LANDING = 1.5
ESCALATOR_FLAT = 2.0  # level steps before the first and after the last rising one of an escalator, metres
APRON = 0.05  # level strip before the first and after the last riser, at least


@dataclass(frozen=True)
class Flight:
    """A straight stair from `foot` (lower end) to `head` (upper end), the middles of its end edges, local metres."""

    way: WayPlan
    foot: Xy
    head: Xy
    width: float
    risers: int
    upwards: bool  # whether foot to head is the direction of the way's nodes
    low: float = 0.0  # height of the foot, metres
    high: float = 0.0  # height of the head, metres
    raised: bool = False  # stands on the ground instead of lying in it
    sunken: bool = False  # leads below the ground
    meets_ground: bool = True  # whether its outer end lies on the ground, not on a landing between flights

    @property
    def length(self) -> float:
        """Two-dimensional length, metres."""
        return float(np.hypot(self.head[0] - self.foot[0], self.head[1] - self.foot[1]))

    @cached_property
    def along(self) -> NDArray[np.float64]:
        """(2,) unit vector from foot to head."""
        return unit(self.foot, self.head)

    def corner(self, s: float, side: float) -> NDArray[np.float64]:
        """(2,) the point `s` metres from the foot and `side` metres to the left of the middle."""
        u = self.along
        point: NDArray[np.float64] = np.array(self.foot) + u * s + np.array([-u[1], u[0]]) * side
        return point

    @cached_property
    def outline(self) -> Polygon:
        """The ground it takes, on the lattice, with the end points as corners."""
        half, end = self.width / 2, self.length
        ring = [self.corner(0, -half), self.corner(end, -half), self.head, self.corner(end, half),
                self.corner(0, half), self.foot]  # fmt: skip
        return Polygon(np.round(np.array(ring) * 1024) / 1024)

    def keepout(self, body: float) -> BaseGeometry:
        """Where no walking line of the ground may be: the stair and `body` metres beside it, its ends left open.

        Beside the ends the side walls are kept clear too: a line must not cut their corners.
        """
        half = self.width / 2
        low = -body if self.sunken else 0.03
        high = self.length + (body if self.raised else -0.03)
        whole = self.band(low, high, -half - body, half + body)
        sides = [self.band(low - 0.04, high + 0.04, *sorted((k * (half - 0.25), k * (half + body)))) for k in (-1, 1)]
        return shapely.union_all([whole, *sides])

    def band(self, start: float, end: float, right: float, left: float) -> Polygon:
        """The area between two distances from the foot and two distances to the left of the middle, metres."""
        return Polygon(
            [self.corner(start, right), self.corner(end, right), self.corner(end, left), self.corner(start, left)]
        )

    def end_edge(self, top: bool) -> LineString:
        """The lower or upper end edge on the lattice."""
        s, middle = (self.length, self.head) if top else (0.0, self.foot)
        ring = [self.corner(s, -self.width / 2), middle, self.corner(s, self.width / 2)]
        return LineString(np.round(np.array(ring) * 1024) / 1024)

    def treads(self) -> list[tuple[float, float, float]]:
        """(start, end, height) of every level stretch from the foot to the head, metres; risers stand between them."""
        n, run = self.risers, self.length - 2 * APRON
        rise = (self.high - self.low) / n
        rests = list(range(FLIGHT_MOST, n - 2, FLIGHT_MOST))
        tread = min(max((run - LANDING * len(rests)) / (n - 1 - len(rests)), TREAD_LEAST), 0.40)
        rest = LANDING
        if tread * (n - 1 - len(rests)) + rest * len(rests) > run:
            rests, tread = [], min(run / max(n - 1, 1), 0.40)
        spans = [rest if k in rests else tread for k in range(1, n)]
        apron = max((run - plain_sum(spans)) / 2, 0.0) + APRON
        stops = np.concatenate([[0.0, apron], apron + np.cumsum(spans), [self.length]])
        return [(float(stops[k]), float(stops[k + 1]), self.low + rise * k) for k in range(n + 1)]

    @property
    def moving(self) -> bool:
        """Whether it is an escalator."""
        return self.way.kind == "escalator"

    def nosing(self) -> list[tuple[float, float]]:
        """(distance from the foot, height) along the line a walker's foot follows, with its ends on the landings."""
        if self.moving:
            flat = min(ESCALATOR_FLAT, self.length / 4)
            return [(0.0, self.low), (flat, self.low), (self.length - flat, self.high), (self.length, self.high)]
        treads = self.treads()
        points = [(0.0, self.low)]
        for k, (start, end, z) in enumerate(treads):
            if k == 0 or k == len(treads) - 1 or end - start > 1.2 * TREAD_USUAL + 0.2:
                points += [(start, z), (end, z)]
        tidy = [points[0]]
        for s, z in points[1:]:
            if s - tidy[-1][0] > 0.01:
                tidy.append((s, z))
        tidy[-1] = (self.length, self.high)
        return tidy


def straight_runs(site: Site, way: WayPlan, nodes: dict[int, Xy]) -> list[tuple[Xy, Xy]]:
    """The way as straight stretches; at bends 0.75 m on either side stay free for a landing on the ground."""
    points = [nodes[n] for n in way.nodes]
    chord = LineString([points[0], points[-1]])
    if len(points) == 2 or (chord.length > 1.0 and all(chord.distance(Point(p)) < 0.5 for p in points)):
        return [(points[0], points[-1])]
    runs = []
    for k, (a, b) in enumerate(itertools.pairwise(points)):
        u = unit(a, b)
        start = np.array(a) + u * (0.75 if k else 0.0)
        end = np.array(b) - u * (0.75 if k < len(points) - 2 else 0.0)
        if float((end - start) @ u) > 0.8:
            start, end = np.round(start * 1024) / 1024, np.round(end * 1024) / 1024
            runs.append(((float(start[0]), float(start[1])), (float(end[0]), float(end[1]))))
    return runs


def ground_flights(
    site: Site, roads: Roads, nodes: dict[int, Xy], apart: list[Flight]
) -> tuple[list[Flight], list[WayPlan]]:
    """Flights of all stairs that lie in the ground, and the ways for which there is no room.

    `apart` are the flights that lead to bridges and subways; they come first.
    """
    ways = [w for w in site.plan.ways if w.kind == "steps" and is_surface(w) and w.foot]
    if site.plan.terrain is not None:  # only a known relief says how far an escalator rises
        ways += [w for w in site.plan.ways if w.kind == "escalator" and not (w.layer or w.tunnel or w.bridge)]
    ways.sort(key=lambda w: (-w.incline * w.incline, -w.steps, -w.width, w.id))
    placed: list[Flight] = []
    refused = []
    skip = {f.way.id for f in apart}
    for way in ways:
        if way.id in skip:
            continue
        runs = straight_runs(site, way, nodes)
        total = plain_sum(float(np.hypot(b[0] - a[0], b[1] - a[1])) for a, b in runs)
        mine: list[Flight] = []
        for a, b in runs:
            flight = _place(site, roads, way, a, b, total, [*apart, *placed, *mine])
            if flight is None:
                break
            mine.append(flight)
        if runs and len(mine) == len(runs):
            placed += mine
        else:
            refused.append(way)
    return placed, refused


def risers_for(length: float, share: float, way: WayPlan) -> int:
    """How many risers a stretch gets that is `share` of its way."""
    count = round(way.steps * share) if way.steps else min(round(length / TREAD_USUAL), round(UNCOUNTED_MOST * share))
    return max(min(count, int(length / TREAD_LEAST)), 2)


def wide_stair(way: WayPlan) -> float:
    """The width a tag gives to a monumental stair (wider than any street, hence refused as a way's width), or 0."""
    text = way.tags.get("est_width") or way.tags.get("width") or ""
    try:
        width = float(text)
    except ValueError:
        return 0.0
    return width if width <= WIDEST else 0.0


def _place(
    site: Site, roads: Roads, way: WayPlan, a: Xy, b: Xy, total: float, others: Iterable[Flight]
) -> Flight | None:
    length = float(np.hypot(b[0] - a[0], b[1] - a[1]))
    if length < 0.6 or not site.bounds.contains(LineString([a, b])):
        return None
    risers = risers_for(length, length / total, way)
    others = list(others)
    width = max(way.width, WIDTH_LEAST, wide_stair(way))
    while True:
        flight = Flight(way, a, b, width, risers, True)
        outline = flight.outline
        clash = site.solid.intersects(outline) or any(
            shapely.intersection(outline, o.outline).area > 0.02 for o in others
        )
        if not clash and shapely.intersection(outline, roads.low).area < 0.02:
            break
        if width <= WIDTH_LEAST:
            return None
        width = max(width * 0.8, WIDTH_LEAST)
    if not _upwards(site, roads, flight, others):
        flight = replace(flight, foot=b, head=a, upwards=False)
    return flight


def _upwards(site: Site, roads: Roads, flight: Flight, others: list[Flight]) -> bool:
    """Whether the stair rises along its nodes: as tagged, else like its neighbours, else towards a door, else away
    from the street.
    """
    way = flight.way
    if way.incline:
        return way.incline > 0
    here = LineString([flight.foot, flight.head])
    near = [(LineString([o.foot, o.head]).distance(here), k) for k, o in enumerate(others)]
    for distance, k in sorted(near):
        if distance > 30.0:
            break
        agreement = float(others[k].along @ flight.along)
        if abs(agreement) > 0.9:
            return agreement > 0
    a, b = Point(flight.foot), Point(flight.head)
    walls = site.solid.distance(a), site.solid.distance(b)
    if min(walls) < 2.5 and abs(walls[0] - walls[1]) > 1.0:
        return walls[1] < walls[0]
    if roads.low.is_empty:
        return True
    return bool(roads.low.distance(b) >= roads.low.distance(a))
