"""Decks and subways: the floors of levels above and below the ground, with what holds, guards and covers them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail
from citysim.build.streets.barriers import beside, spaced
from citysim.build.streets.levels import DECK, SUBWAY_HEIGHT, Level
from citysim.build.streets.lifts import WIDTH
from citysim.build.streets.planar import area_of, grown, lines, minus, on_lattice, polygons, strip
from citysim.build.streets.roads import Roads
from citysim.build.streets.solids import box, ribbon, sheet
from citysim.build.streets.walks import Walk

PARAPET = 1.1
ASIDE = 0.02  # between a deck and the side walls of stairs, metres
PIER = 0.5
PIER_SPACING = 14.0
WALL = 0.3
ROOF, SLAB, POST_SPACING = 2.6, 0.14, 4.5  # of a covered way: clear height, thickness, between posts, metres

Height = Callable[[Any], NDArray[np.float64]]


def floor_of(level: Level) -> BaseGeometry:
    """The floor of a level: bands along its ways, widened where stairs arrive, without the stairs themselves."""
    bands = []
    for way, a, b in level.stretches:
        width = max(way.width, 2.0)
        bands.append(strip(LineString([a, b]), width))
        bands += [shapely.buffer(Point(end), width / 2, quad_segs=4) for end in (a, b)]
    for flight in level.flights:
        for end in (flight.foot, flight.head):
            if any(end in (a, b) for _, a, b in level.stretches):
                bands.append(shapely.buffer(Point(end), max(flight.width, level.width) / 2 + 0.1, quad_segs=4))
    bands += [strip(LineString([lift.sill.interpolate(0.5, normalized=True).coords[0], lift.deck]), WIDTH)
              for lift in level.lifts]  # fmt: skip
    # a little aside from stairs, so that parapets do not lie in one plane with their side walls
    aside = 0.0 if level.below else ASIDE
    taken: list[BaseGeometry] = [f.outline for f in level.flights]
    taken += [f.band(0.0, f.length, -f.width / 2 - aside, f.width / 2 + aside) for f in level.flights]
    return minus(area_of(bands), area_of([*taken, *(x.outline for x in level.lifts)]))


def landing_between(first: Any, second: Any) -> tuple[BaseGeometry, float]:
    """The platform between two flights that follow each other, and its height."""
    z = first.high if first.upwards else first.low
    edge, onward = first.end_edge(first.upwards), second.end_edge(not second.upwards)
    return on_lattice(shapely.convex_hull(shapely.union(edge, onward))), z


def build_level(draft: CityDraft, level: Level, height: Height, roads: Roads, pieces: list[Walk]) -> int:
    """Add a bridge or subway to the draft (its flights are added by build_flight); returns its object id."""
    floor = floor_of(level)
    bounds = floor.bounds
    middle = floor.representative_point()
    low, high = (level.z, level.z + SUBWAY_HEIGHT) if level.below else (level.z - DECK, level.z + PARAPET)
    name = next((w.name for w in level.ways if w.name), "")
    ident = draft.add_object(
        "subway" if level.below else "footbridge",
        (middle.x, middle.y, level.z),
        name=name,
        bounds=(bounds[0], bounds[1], low, bounds[2], bounds[3], high),
        plan_id=level.ways[0].id,
    )
    open_edges = [f.end_edge(top) for f in level.flights for top in (False, True)]
    open_edges += [lift.sill for lift in level.lifts]
    if level.below:
        _subway(draft, level, floor, open_edges, ident)
    else:
        _slab(draft, floor, level.z, level.z - DECK, open_edges, ident)
        _piers(draft, level, height, roads, pieces, ident)
        _roofs(draft, level, ident)
    for first, second in level.landings:
        platform, z = landing_between(first, second)
        edges = [f.end_edge(top) for f in (first, second) for top in (False, True)]
        if level.below:
            flat(draft, platform, z, "paving", ident, detail=Detail.MIDDLE)
        else:
            base = float(height(shapely.get_coordinates(platform)).min()) - 0.5
            _slab(draft, platform, z, base, edges, ident)
    return ident


def flat(
    draft: CityDraft, area: BaseGeometry, z: float, name: str, label: int, downwards: bool = False,
    detail: Detail = Detail.ALL,
) -> None:  # fmt: skip
    """A level surface, seen from above or, `downwards`, from below."""
    style = look(draft, name)
    for polygon in polygons(area):
        made = shapely.get_parts(shapely.constrained_delaunay_triangles(polygon))
        corners = shapely.get_coordinates(made).reshape(-1, 4, 2)[:, :3]
        u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
        turn = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] < 0) != downwards
        corners[turn] = corners[turn][:, ::-1]
        points = np.column_stack([corners.reshape(-1, 2), np.full(3 * len(corners), z)])
        triangles = np.arange(len(points)).reshape(-1, 3)
        draft.mesh.add(points, triangles, points[:, :2] / style.metres, style.material, label, detail)


def _slab(draft: CityDraft, floor: BaseGeometry, top: float, bottom: float, gaps: list[LineString], ident: int) -> None:
    flat(draft, floor, top, "paving", ident)
    flat(draft, floor, bottom, "concrete", ident, downwards=True)
    open_ends = shapely.union_all([shapely.buffer(gap, 0.06, cap_style="flat") for gap in gaps])
    for polygon in polygons(floor):
        for ring in (polygon.exterior, *polygon.interiors):
            line = LineString(ring.coords)
            ccw = shapely.is_ccw(line)
            solid_left = ccw == (ring is polygon.exterior or ring.equals(polygon.exterior))
            points = np.asarray(line.coords)[:, :2]
            sheet(draft, points, np.full(len(points), bottom), np.full(len(points), top), "concrete", ident,
                  two_sided=False, flip=not solid_left)  # fmt: skip
            for piece in lines(shapely.line_merge(shapely.difference(line, open_ends)), 0.1):
                rail = np.asarray(piece.coords)[:, :2]
                sheet(draft, rail, np.full(len(rail), top), np.full(len(rail), top + PARAPET), "rail_panel", ident,
                      Detail.MIDDLE)  # fmt: skip
                left, right = beside(rail, 0.03)
                ribbon(draft, right, left, np.full(len(rail), top + PARAPET - 0.04), np.full(len(rail), top + PARAPET),
                       "metal", ident, detail=Detail.FINE, bottom=True)  # fmt: skip


def roof_of(level: Level) -> BaseGeometry:
    """What is roofed of a level: bands along its covered ways, but not over escalators, which bring their own."""
    return area_of(
        strip(LineString([a, b]), max(way.width, 2.0) + 0.3, ahead=max(way.width, 2.0) / 2 + 0.15)
        for way, a, b in level.stretches
        if way.covered and way.kind != "escalator"
    )


def _roofs(draft: CityDraft, level: Level, ident: int) -> None:
    """Roofs on posts over the covered ways of a footbridge; posts leave room where ways meet and stairs arrive."""
    roof = roof_of(level)
    low = level.z + ROOF
    flat(draft, roof, low, "metal", ident, downwards=True)
    flat(draft, roof, low + SLAB, "metal", ident)
    for polygon in polygons(roof):
        for ring in (polygon.exterior, *polygon.interiors):
            points = np.asarray(ring.coords)[:, :2]
            inside_left = shapely.is_ccw(ring) == (ring is polygon.exterior or ring.equals(polygon.exterior))
            sheet(draft, points, np.full(len(points), low), np.full(len(points), low + SLAB), "metal", ident,
                  two_sided=False, flip=not inside_left)  # fmt: skip
    paths = [LineString([a, b]) for _, a, b in level.stretches]
    mouths = [Point(end) for f in level.flights for end in (f.foot, f.head)] + [x.sill for x in level.lifts]
    for k, (way, a, b) in enumerate(level.stretches):
        line = LineString([a, b])
        if not way.covered or way.kind == "escalator":
            continue
        count = max(round(line.length / POST_SPACING), 1)
        # behind the railing's plane
        for side in beside(np.asarray(line.coords)[:, :2], max(way.width, 2.0) / 2 - 0.08):
            for n in range(count):
                x, y = side[0] + (side[-1] - side[0]) * ((n + 0.5) / count)
                at = Point(x, y)
                blocked = any(p.distance(at) < 1.2 for i, p in enumerate(paths) if i != k)
                if not blocked and all(m.distance(at) > 1.2 for m in mouths):
                    box(draft, (x - 0.06, y - 0.06, level.z), (x + 0.06, y + 0.06, low), "metal", ident, Detail.MIDDLE)


def _piers(
    draft: CityDraft,
    level: Level,
    height: Height,
    roads: Roads,
    pieces: list[Walk],
    ident: int,
) -> None:
    walked = shapely.union_all([p.line for p in pieces]) if pieces else Point()
    stairs = area_of([*(grown(f.outline, 0.3) for f in level.flights), *(grown(x.outline, 0.6) for x in level.lifts)])
    placed: list[Point] = []
    for way, a, b in level.stretches:
        line = LineString([a, b])
        for s in np.arange(min(1.0, line.length / 2), line.length, 1.0):
            at = line.interpolate(float(s))
            free = roads.low.distance(at) > PIER + 0.5 and walked.distance(at) > 1.0 + PIER / 2
            if not free or stairs.contains(at) or any(p.distance(at) < PIER_SPACING for p in placed):
                continue
            placed.append(at)
            base = float(height([(at.x, at.y)])[0]) - 0.3
            half = min(PIER, way.width / 3) / 2
            box(draft, (at.x - half, at.y - half, base), (at.x + half, at.y + half, level.z - DECK), "concrete", ident)


def _subway(draft: CityDraft, level: Level, floor: BaseGeometry, gaps: list[LineString], ident: int) -> None:
    ceiling = level.z + SUBWAY_HEIGHT
    flat(draft, floor, level.z, "paving", ident, detail=Detail.MIDDLE)
    flat(draft, floor, ceiling, "plaster", ident, downwards=True, detail=Detail.MIDDLE)
    ends = [shapely.buffer(gap, 0.06, cap_style="flat") for gap in gaps]
    sides = [grown(f.outline, 0.01) for f in level.flights]  # where the side walls of stairs stand already
    open_ends = shapely.union_all([*ends, *sides])
    for polygon in polygons(floor):
        for ring in (polygon.exterior, *polygon.interiors):
            for piece in lines(shapely.line_merge(shapely.difference(LineString(ring.coords), open_ends)), 0.05):
                points = spaced(piece, 8.0)
                low, high = np.full(len(points), level.z), np.full(len(points), ceiling)
                sheet(draft, points, low, high, "plaster", ident, Detail.MIDDLE)


def build_well(draft: CityDraft, flight: Any, height: Height, ident: int) -> None:
    """Close the lower end of a stairwell above the subway's ceiling, and guard it at street level."""
    half = flight.width / 2
    inset = 0.012  # not in one plane with the ends of the side walls
    ends = np.array([flight.corner(inset, half), flight.corner(inset, -half)])
    ground = height(np.array([flight.corner(-0.02, half), flight.corner(-0.02, -half)]))
    sheet(draft, ends, np.full(2, flight.low + SUBWAY_HEIGHT), ground + 0.08, "concrete", ident)
    sheet(draft, ends, ground + 0.08, ground + 1.08, "rail_panel", ident, Detail.MIDDLE)
