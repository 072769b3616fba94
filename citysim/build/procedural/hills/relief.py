"""Relief: the terrain of a hilly city: streets, shelves cut into the hill, slopes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import shapely
from shapely.geometry import LineString, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

from citysim.build.procedural.hills.corridor import Corridor
from citysim.build.streets.planar import GRID, lines
from citysim.build.terrain import Patch, Terrain

ON = 0.004  # metres within which a corner lies on a corridor's edge


@dataclass
class Zone:
    """Ground that is no street; `z` says its height where no street's edge does."""

    area: Polygon
    z: Callable[[float, float], float]
    bound: bool = True  # whether its edges take the heights of the streets they touch


@dataclass
class Relief:
    """Streets in the order of their claim on the ground, and zones between them."""

    half: float
    corridors: list[Corridor] = field(default_factory=list)
    zones: list[Zone] = field(default_factory=list)

    def terrain(self) -> Terrain:
        """The terrain, its cells cut where any of the ground bends."""
        edge = box(-self.half, -self.half, self.half, self.half)
        linework: list[BaseGeometry] = [LineString(edge.exterior.coords)]
        for corridor in self.corridors:
            linework += lines(shapely.boundary(corridor.area)) + corridor.cuts()
        for zone in self.zones:
            linework += lines(shapely.boundary(zone.area))
        merged = shapely.unary_union([shapely.intersection(g, edge) for g in linework], grid_size=GRID)
        cells = [c for c in shapely.get_parts(shapely.polygonize(shapely.get_parts(merged))) if c.area > 1e-4]
        cells = [c for c in cells if edge.covers(c.representative_point())]
        cells.sort(key=lambda c: (*c.bounds, c.area))
        zones = shapely.STRtree([z.area for z in self.zones])
        streets = shapely.STRtree([c.area for c in self.corridors])
        return Terrain.of([Patch(cell, self._height(cell, zones, streets)) for cell in cells])

    def _height(
        self, cell: Polygon, zones: shapely.STRtree, streets: shapely.STRtree
    ) -> Callable[[float, float], float]:
        at = cell.representative_point()
        owner = min(streets.query(at, predicate="within").tolist(), default=None)
        near = sorted(streets.query(cell, predicate="dwithin", distance=ON).tolist())
        if owner is not None:
            return _edged(self.corridors[owner].z, [self.corridors[k] for k in near if k < owner])
        hits = sorted(int(k) for k in zones.query(at, predicate="intersects"))
        beside = [self.corridors[k] for k in near]
        if not hits:
            return _edged(lambda x, y: _nearest(self.corridors, x, y), beside)
        zone = self.zones[hits[0]]
        return _edged(zone.z, beside if zone.bound else [])


def _edged(z: Callable[[float, float], float], stronger: Sequence[Corridor]) -> Callable[[float, float], float]:
    def height(x: float, y: float) -> float:
        for corridor in stronger:
            if corridor.area.dwithin(Point(x, y), ON):
                return corridor.z(x, y)
        return z(x, y)

    return height


def _nearest(corridors: Sequence[Corridor], x: float, y: float) -> float:
    best = min(corridors, key=lambda c: c.area.distance(Point(x, y)))
    return best.z(x, y)


def between(low: Corridor, high: Corridor) -> Callable[[float, float], float]:
    """Heights that rise evenly from the upper edge of one street to the lower edge of the next."""

    def z(x: float, y: float) -> float:
        s, t = low.station(x, y), high.station(x, y)
        below = math.dist((x, y), low.axis.at(s)) - low.half
        above = math.dist((x, y), high.axis.at(t)) - high.half
        share = max(below, 0.0) / max(max(below, 0.0) + max(above, 0.0), 1e-6)
        return low.level(s) * (1 - share) + high.level(t) * share

    return z
