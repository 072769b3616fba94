"""Roads: which ground belongs to vehicles."""

import itertools
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import LineString, MultiLineString
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import WayPlan
from citysim.build.streets.planar import area_of, common, grown, lines, minus, on_lattice, unit
from citysim.build.streets.site import Site, is_drive, is_surface

FLUSH_KINDS = ("service", "living_street", "tram")  # no kerb: on the level of the pavements
PAVEMENT_LEAST = 1.6  # metres a carriageway leaves free in front of a wall
CORE = 3.0  # metres a carriageway keeps even so
CORNER = 3.0  # radius of kerbs at junctions, metres
SIDEWALK_HALF = 1.0  # half of the width kept for a mapped sidewalk, metres


@dataclass(frozen=True)
class Roads:
    """Carriageways below kerbs, flush lanes, and the lines they were made from."""

    low: BaseGeometry  # kerbed carriageways
    flush: BaseGeometry  # lanes without a kerb
    ways: tuple[tuple[WayPlan, LineString], ...]  # every driven way on the ground

    @classmethod
    def of(cls, site: Site) -> "Roads":
        """Lay out the roads of a site."""
        ways = [
            (way, site.line(way))
            for way in site.plan.ways
            if is_drive(way) and (is_surface(way) or (way.bridge and not way.tunnel)) and way.kind != "tram"
        ]
        kept_off = shapely.union_all([grown(site.solid, PAVEMENT_LEAST), _sidewalks(site, ways)])
        low = _carriageway(site, [(w, line) for w, line in ways if w.kind not in FLUSH_KINDS], kept_off)
        islands = area_of(a.polygon for a in site.plan.areas if a.kind == "island")
        low = low if islands.is_empty else minus(low, islands)
        flush = [grown(line, max(way.width, 2.5) / 2) for way, line in ways if way.kind in FLUSH_KINDS]
        lanes = common(minus(minus(area_of(flush), low), site.solid), site.bounds)
        return cls(low, area_of([grown(grown(lanes, -0.3), 0.3)]), tuple(ways))


def _carriageway(site: Site, ways: list[tuple[WayPlan, LineString]], kept_off: BaseGeometry) -> BaseGeometry:
    wide = shapely.union_all([grown(line, way.width / 2) for way, line in ways])
    core = shapely.union_all([grown(line, min(way.width, CORE) / 2) for way, line in ways])
    road = shapely.union_all([shapely.difference(wide, kept_off), core])
    corner = max((float(way.tags.get("kerb_radius", CORNER)) for way, _ in ways), default=CORNER)
    road = grown(grown(road, corner), -corner)  # rounds the corners of blocks and closes slots
    road = shapely.difference(road, shapely.difference(kept_off, core))
    road = grown(grown(road, -0.6), 0.6)  # takes spikes away
    road = shapely.difference(shapely.intersection(road, site.bounds), grown(site.solid, 0.3))
    filled = [shapely.Polygon(p.exterior, [h for h in p.interiors if shapely.Polygon(h).area > 3.0])
              for p in shapely.get_parts(road) if p.area > 4.0]  # fmt: skip
    return (
        area_of([shapely.simplify(on_lattice(shapely.union_all(filled)), 0.04)]) if filled else shapely.MultiPolygon()
    )


def _sidewalks(site: Site, roads: list[tuple[WayPlan, LineString]]) -> BaseGeometry:
    """Bands along mapped walking lines that run beside a carriageway's axis, which the carriageway must leave free."""
    axes = [line for way, line in roads if way.kind not in FLUSH_KINDS]
    if not axes:
        return MultiLineString()
    tree = shapely.STRtree(axes)
    bands = []
    for way in site.plan.ways:
        if is_drive(way) or not is_surface(way) or way.kind in ("crossing", "steps"):
            continue
        points = np.asarray(site.line(way).coords)
        for a, b in itertools.pairwise(points):
            piece = LineString([a, b])
            if piece.length < 2.0:
                continue
            middle = piece.interpolate(0.5, normalized=True)
            near = sorted(tree.query(middle, predicate="dwithin", distance=12.0).tolist())
            if near and all(_beside(piece, axes[i]) for i in near):
                bands.append(shapely.buffer(piece, SIDEWALK_HALF, cap_style="flat"))
    return shapely.union_all(bands) if bands else MultiLineString()


def _beside(piece: LineString, axis: LineString) -> bool:
    """Whether a segment keeps at least 2 m off an axis or runs along it, rather than crossing it."""
    if piece.distance(axis) < 2.0:
        return False
    middle = piece.interpolate(0.5, normalized=True)
    at = axis.project(middle)
    ahead, behind = axis.interpolate(min(at + 1.0, axis.length)), axis.interpolate(max(at - 1.0, 0.0))
    along = unit((behind.x, behind.y), (ahead.x, ahead.y))
    return bool(abs(float(along @ unit(piece.coords[0], piece.coords[-1]))) > 0.85 or middle.distance(axis) > 8.0)


def axis_pieces(road: BaseGeometry) -> list[LineString]:
    """The kerb lines of a carriageway."""
    return lines(shapely.boundary(road), 0.5)
