"""Covers: where walking lines on the ground run below roofs and overhanging storeys."""

import itertools
from dataclasses import replace

import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import CityPlan
from citysim.build.streets.planar import GRID, area_of, stretch
from citysim.build.streets.site import HEADROOM, OPEN_KINDS
from citysim.build.streets.walks import Walk

HIGHEST = 6.0  # metres: rain reaches who walks below what begins higher
LEAST = 1.5  # metres: shorter stretches below a roof, or between two, do not count


def covers_of(plan: CityPlan) -> BaseGeometry:
    """The ground below roofs on posts and below storeys that hang over it."""
    return area_of(
        b.polygon
        for b in plan.buildings
        if b.kind in OPEN_KINDS or (HEADROOM <= b.min_height <= HIGHEST and b.kind != "bridge")
    )


def split_at_covers(plan: CityPlan, pieces: list[Walk]) -> list[Walk]:
    """The pieces cut where they come under a cover or out of it, those below one marked as covered."""
    over = covers_of(plan)
    if over.is_empty:
        return pieces
    shapely.prepare(over)
    edge = shapely.boundary(over)
    made: list[Walk] = []
    for piece in pieces:
        line = piece.line
        if not over.intersects(line):
            made.append(piece)
            continue
        cuts = sorted(line.project(Point(p)) for p in shapely.get_coordinates(shapely.intersection(line, edge)))
        stops = [0.0]
        for cut in cuts:
            if LEAST < cut < line.length - LEAST and cut - stops[-1] > LEAST:
                stops.append(cut)
        stops.append(line.length)
        parts = [_cut(line, a, b) for a, b in itertools.pairwise(stops)]
        if any(p is None for p in parts):
            parts = [line]
        for part in parts:
            if part is not None:
                share = shapely.intersection(part, over).length / part.length
                made.append(replace(piece.along(part), covered=share > 0.8))
    return made


def _cut(line: LineString, start: float, end: float) -> LineString | None:
    """Part of a line with ends on the lattice."""
    part = stretch(line, start, end)
    if part is None:
        return None
    points = [(round(x / GRID) * GRID, round(y / GRID) * GRID) for x, y, *_ in part.coords]
    return LineString(points)
