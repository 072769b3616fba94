"""Terraces: gardens and squares that only stairs lead up to: level ground held by walls, railings along the edge."""

import math
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail
from citysim.build.streets.barriers import beside, free_runs, spaced
from citysim.build.streets.flights import RISER, RISER_MOST, Flight
from citysim.build.streets.planar import area_of, grown, lines, minus, on_lattice, polygons
from citysim.build.streets.roads import Roads
from citysim.build.streets.site import BODY, Site
from citysim.build.streets.solids import ribbon, sheet
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.terrain import Terrain

KINDS = ("garden", "park", "square", "playground", "pitch", "grass", "cemetery", "paved", "sand")
LEAST, MOST = 20.0, 20_000.0  # m2
REACH = 1.5  # how far a stair may end before the area it leads to, metres
RISE_LEAST = 0.9  # metres: lower ones are slopes
TREAD_LEAST = 0.24
GUARDED = 0.4  # drop from which an edge has a railing, metres
COPING, COPING_WIDTH = 0.12, 0.36
RAIL = 1.0  # metres above the coping


@dataclass(frozen=True)
class Terrace:
    """Level ground, and the stairs that lead up to it."""

    area: Polygon
    flights: tuple[Flight, ...]
    level: float = 0.0

    @property
    def keepout(self) -> BaseGeometry:
        """Where no line on the ground may be: along its edge, but for the stairs' heads."""
        rim = grown(LineString(self.area.exterior.coords), COPING_WIDTH / 2 + BODY)
        return minus(rim, area_of(_entry(f) for f in self.flights))


def _entry(flight: Flight) -> Polygon:
    half = max(flight.width / 2 - BODY, 0.1)
    return flight.band(flight.length - 1.0, flight.length + 1.0, -half, half)


def find_terraces(site: Site, roads: Roads, flights: list[Flight], walked: list[LineString]) -> list[Terrace]:
    """Areas that nothing but stairs leads to, upwards; their heights come with `settled`."""
    made: list[Terrace] = []
    tree = shapely.STRtree(walked) if walked else None
    for area in site.plan.areas:
        if area.kind not in KINDS or not LEAST < area.polygon.area < MOST:
            continue
        near = [f for f in flights if area.polygon.distance(LineString([f.foot, f.head])) < REACH]
        leading = [f for f in near if _leads_up(f, area.polygon)]
        if not leading or len(leading) < len(near):
            continue
        patches = [f.band(f.length, f.length + REACH + 0.5, -f.width / 2, f.width / 2) for f in leading]
        heads = [f.end_edge(True) for f in leading]
        whole = minus(area_of([area.polygon, *patches]), area_of(f.outline for f in leading))
        parts = polygons(on_lattice(whole), 0.5)
        if len(parts) != 1 or parts[0].interiors or not site.bounds.contains(parts[0]):
            continue
        inside = grown(parts[0], -0.05)
        taken = [site.solid, roads.low, roads.flush, *(t.area for t in made)]
        if any(inside.intersects(g) for g in taken):
            continue
        edge = minus(grown(LineString(parts[0].exterior.coords), 0.02), area_of(grown(h, 0.1) for h in heads))
        if tree is None or not len(tree.query(edge, predicate="intersects")):
            made.append(Terrace(parts[0], tuple(leading)))
    return made


def _leads_up(flight: Flight, area: Polygon) -> bool:
    foot, head = shapely.Point(flight.foot), shapely.Point(flight.head)
    return bool(
        area.distance(head) < REACH
        and area.distance(foot) > area.distance(head) + 0.5
        and shapely.intersection(flight.outline, area).area < 0.2
    )


def settled(terrace: Terrace, terrain: Terrain) -> Terrace | None:
    """The terrace with the heights its highest stair gives it.

    None where it would be low, or where another stair cannot rise as high.
    """
    low = np.round(terrain.height([f.foot for f in terrace.flights]) * 1024) / 1024
    level = max(float(z) + round(f.risers * RISER * 1024) / 1024 for z, f in zip(low, terrace.flights, strict=True))
    if level - float(low.min()) < RISE_LEAST:
        return None
    flights = []
    for z, flight in zip(low.tolist(), terrace.flights, strict=True):
        risers = max(math.ceil((level - z) / RISER_MOST), round((level - z) / RISER))
        if flight.length / risers < TREAD_LEAST:
            return None
        flights.append(replace(flight, low=z, high=level, risers=risers))
    return Terrace(terrace.area, tuple(flights), level)


def build_terrace(draft: CityDraft, site: Site, terrace: Terrace, ground: GroundSurface) -> None:
    """Add coping and railing along the edge wherever the ground beyond lies lower."""
    heads = area_of(grown(f.end_edge(True), 0.1) for f in terrace.flights)
    edge = shapely.difference(LineString(terrace.area.exterior.coords), heads)
    left = shapely.is_ccw(LineString(terrace.area.exterior.coords))
    for part in lines(shapely.line_merge(edge), 0.3):
        points = spaced(part, 0.5)
        middle = (points[1:] + points[:-1]) / 2
        step = np.diff(points, axis=0) / np.maximum(np.hypot(*np.diff(points, axis=0).T), 1e-9)[:, None]
        out = np.column_stack([step[:, 1], -step[:, 0]]) * (1.0 if left else -1.0)
        beyond = middle + out * 0.2
        free = terrace.level - ground.height(beyond) > GUARDED
        free &= ~shapely.contains_xy(site.solid, beyond[:, 0], beyond[:, 1])
        for run in free_runs(points, free):
            line = np.asarray(shapely.simplify(LineString(run), 0.03).coords)
            inner, middle_line = (beside(line, d)[0 if left else 1] for d in (COPING_WIDTH, COPING_WIDTH / 2))
            level = np.full(len(line), terrace.level)
            ribbon(draft, line, inner, level, level + COPING, "stone", flip=not left, detail=Detail.MIDDLE)
            sheet(draft, middle_line, level + COPING, level + COPING + RAIL, "rail_panel", 0, Detail.MIDDLE)
            outside, inside = beside(middle_line, 0.03)[:: -1 if left else 1]
            top = level + COPING + RAIL
            ribbon(draft, outside, inside, top - 0.04, top, "metal", flip=not left, detail=Detail.FINE, bottom=True)
