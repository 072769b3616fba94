"""Corridor: the ground of one street from building line to building line, with the height along it."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import Xy
from citysim.build.procedural.district.axis import Axis
from citysim.build.streets.planar import on_lattice, strip


@dataclass(frozen=True)
class Corridor:
    """A band `half` metres to either side of an axis; `stops` are (distance along, height), linear between."""

    axis: Axis
    half: float
    stops: tuple[tuple[float, float], ...]

    @cached_property
    def area(self) -> BaseGeometry:
        """The band, on the lattice."""
        band = on_lattice(strip(LineString(self.axis.points), 2 * self.half))
        shapely.prepare(band)
        return band

    def level(self, s: float) -> float:
        """Height `s` metres along, metres."""
        stations, heights = zip(*self.stops, strict=True)
        return float(np.interp(s, stations, heights))

    def z(self, x: float, y: float) -> float:
        """Height at a place: that of the nearest point of the axis."""
        return self.level(self.station(x, y))

    def station(self, x: float, y: float) -> float:
        """Distance along the axis of its point nearest to a place, metres; beyond its ends straight on."""
        s, _ = self.axis.nearest((x, y))
        if 1e-6 < s < self.axis.length - 1e-6:
            return s
        end = self.axis.points[0] if s <= 1e-6 else self.axis.points[-1]
        u, v = self.axis.along(s if s <= 1e-6 else self.axis.length - 1e-6)
        return s + (x - end[0]) * u + (y - end[1]) * v

    def cuts(self) -> list[LineString]:
        """Lines across the band at its inner stops, where the ground bends."""
        reach = self.half + 0.01
        return [LineString([self.axis.at(s, -reach), self.axis.at(s, reach)]) for s, _ in self.stops[1:-1]]

    def beside(self, away: float) -> LineString:
        """The line `away` metres to the left of the axis, lengthened at both ends."""
        points: list[Xy] = [p for _, p in self.axis.offset(away)]
        (ax, ay), (bx, by) = points[0], points[1]
        first = math.dist(points[0], points[1])
        (cx, cy), (dx, dy) = points[-2], points[-1]
        last = math.dist(points[-2], points[-1])
        head = (ax - (bx - ax) / first * 30.0, ay - (by - ay) / first * 30.0)
        tail = (dx + (dx - cx) / last * 30.0, dy + (dy - cy) / last * 30.0)
        return LineString([head, *points, tail])
