"""Land: what lies between the streets: shelves with lots, terraces between them, slopes, waterfront."""

from collections.abc import Callable
from dataclasses import dataclass, field

import shapely
import shapely.ops
from shapely.geometry import Polygon, box

from citysim.build.plans import Xy
from citysim.build.procedural.harbour.streets import Streets
from citysim.build.procedural.harbour.survey import QUAY
from citysim.build.procedural.hills.corridor import Corridor
from citysim.build.procedural.hills.ladders import Ladder, middle_of
from citysim.build.procedural.hills.relief import Relief, Zone, between
from citysim.build.streets.planar import area_of, minus, polygons

FRONT, BACK = 20.0, 17.0  # depth of lots above a street and below one, metres
TERRACE_LEAST = 9.0  # depth of a terrace worth making, metres
STEEP = 1.4  # rise of a block from which it is cut into shelves, metres
LOW = 5.0  # rise of a block below which one wall is enough, metres
WELL = 1.0  # metres free on either side of a wall between two rows of lots
HILLTOP = 9.0  # rise of the ground above the highest street, metres


@dataclass
class Terrace:
    """Ground between two rows of lots, with the ladders whose long landings lead to it."""

    area: Polygon
    west: Ladder | None
    east: Ladder | None


@dataclass
class Land:
    """The relief, ground that is not built on, and the kinds of open land."""

    relief: Relief
    taken: list[Polygon] = field(default_factory=list)
    terraces: list[Terrace] = field(default_factory=list)
    slopes: list[Polygon] = field(default_factory=list)
    shore: Polygon | None = None
    sea: Polygon | None = None
    hilltop: list[Polygon] = field(default_factory=list)
    shelves: list[Polygon] = field(default_factory=list)


def divide(streets: Streets) -> Land:
    """Cut the ground between the streets."""
    survey = streets.survey
    half = survey.half
    relief = Relief(half, streets.corridors)
    land = Land(relief)
    bounds = box(-half, -half, half, half)
    for area in polygons(minus(bounds, area_of(c.area for c in streets.corridors)), 1.0):
        at = area.representative_point()
        k = streets.belt((at.x, at.y))
        if k == 0:
            _shore(land, area, survey.shore, half)
        elif k == len(streets.rows):
            top = streets.rows[-1]
            relief.zones.append(Zone(area, _above(top, half)))
            land.hilltop.append(area)
            land.taken.append(area)
        else:
            _block(land, streets, area, k - 1)
    land.taken += [_polygon(ladder.corridor) for ladder in streets.ladders]
    return land


def _polygon(corridor: Corridor) -> Polygon:
    return max(polygons(corridor.area), key=lambda p: p.area)


def _shore(land: Land, area: Polygon, shore: float, half: float) -> None:
    sea = box(-half, -half, half, shore)
    land.relief.zones.append(Zone(area, lambda x, y: QUAY))
    land.taken.append(area)
    if land.shore is None or area.area > land.shore.area:
        land.shore = max(polygons(minus(area, sea)), key=lambda p: p.area)
        land.sea = sea


def _above(row: Corridor, half: float) -> Callable[[float, float], float]:
    def z(x: float, y: float) -> float:
        s = row.station(x, y)
        away = max(y - row.axis.at(s)[1] - row.half, 0.0)
        return row.level(s) + min(0.35 * away, HILLTOP)

    return z


def _block(land: Land, streets: Streets, area: Polygon, k: int) -> None:
    """One block between the rows k and k + 1."""
    low, high = streets.rows[k], streets.rows[k + 1]
    at = area.representative_point()
    xy = (float(at.x), float(at.y))
    s, t = low.station(*xy), high.station(*xy)
    rise = high.level(t) - low.level(s)
    rising = between(low, high)
    ladders = [x for x in streets.ladders if x.corridor.area.distance(area) < 0.05]
    west = next((x for x in ladders if x.axis.nearest(xy)[1] < 0.0), None)
    east = next((x for x in ladders if x.axis.nearest(xy)[1] > 0.0), None)
    if k in streets.linked and west is None:
        land.relief.zones.append(Zone(area, rising))
        land.slopes.append(area)
        land.taken.append(area)
        return
    if rise < STEEP:
        land.relief.zones.append(Zone(area, rising))
        return
    depth = low.axis.at(s)[1] + low.half, high.axis.at(t)[1] - high.half
    room = depth[1] - depth[0]
    if room - FRONT - BACK < TERRACE_LEAST or rise < LOW:
        wall = low.beside(low.half + room / 2)
        parts = _split(area, [wall])
        for part in parts:
            mine = low if _south_of(part, low, room / 2) else high
            land.relief.zones.append(Zone(part, mine.z, bound=False))
            land.shelves.append(part)
        well = shapely.intersection(shapely.buffer(wall, WELL, cap_style="flat"), shapely.buffer(area, 0.5))
        land.taken += polygons(well, 1.0)
        return
    front, back = low.beside(low.half + FRONT), high.beside(-high.half - BACK)
    for part in _split(area, [front, back]):
        if _south_of(part, low, FRONT):
            land.relief.zones.append(Zone(part, low.z, bound=False))
            land.shelves.append(part)
        elif _south_of(part, high, -BACK - 2 * high.half):
            land.relief.zones.append(Zone(part, _level_between(west, east, low, high, area), bound=False))
            land.terraces.append(Terrace(part, west, east))
            land.taken.append(max(polygons(shapely.buffer(part, 0.02, join_style="mitre")), key=lambda p: p.area))
        else:
            land.relief.zones.append(Zone(part, high.z, bound=False))
            land.shelves.append(part)


def _south_of(part: Polygon, row: Corridor, away: float) -> bool:
    """Whether a part lies south of the line `away` metres beyond the upper edge of a row."""
    at = part.representative_point()
    return row.axis.nearest((at.x, at.y))[1] < row.half + away


def _split(area: Polygon, cuts: list[shapely.LineString]) -> list[Polygon]:
    bands: shapely.Geometry = area
    for cut in cuts:
        parts = [p for piece in polygons(bands, 0.5) for p in shapely.get_parts(shapely.ops.split(piece, cut))]
        bands = shapely.GeometryCollection(parts)
    found = [p for p in shapely.get_parts(bands) if p.geom_type == "Polygon" and p.area > 0.5]
    return sorted((shapely.set_precision(p, 1 / 1024) for p in found), key=lambda p: (*p.bounds, p.area))


def _level_between(
    west: Ladder | None, east: Ladder | None, low: Corridor, high: Corridor, area: Polygon
) -> Callable[[float, float], float]:
    """The height of a terrace: that of the long landings at its ends, sloping evenly between them."""
    ends: list[tuple[float, float]] = []
    for ladder, x in ((west, area.bounds[0]), (east, area.bounds[2])):
        if ladder is not None:
            ends.append((x, middle_of(ladder)[1]))
    if not ends:
        at: Xy = (area.centroid.x, area.centroid.y)
        ends = [(area.bounds[0], (low.z(*at) + high.z(*at)) / 2)]
    if len(ends) == 1:
        level = ends[0][1]
        return lambda x, y: level
    (x0, z0), (x1, z1) = ends

    def z(x: float, y: float) -> float:
        share = min(max((x - x0) / (x1 - x0), 0.0), 1.0)
        return z0 + (z1 - z0) * share

    return z
