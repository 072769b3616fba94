"""Walks: the lines people walk along on the ground, before they become a graph."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import CityPlan, WayPlan, Xy
from citysim.build.streets.planar import grown, intervals, lines, on_lattice, stretch
from citysim.build.streets.roads import Roads
from citysim.build.streets.site import Site, is_drive

NUDGE = 2.0  # how far a node inside a wall's margin is moved to free ground, metres
CROSSING_CODES = {"signals": 30, "zebra": 31, "unmarked": 32, "rail": 33}
LANE_KINDS = ("service", "living_street", "unclassified", "residential")


@dataclass(frozen=True, slots=True)
class Walk:
    """One walkable line on the ground with what the network says about it. Lower `rank` wins where lines coincide."""

    line: LineString
    feature: int  # FeatureType code
    rank: int
    name: str = ""
    way: WayPlan | None = None
    width: float = 2.0
    source: str = ""
    covered: bool = False  # runs below a roof

    def along(self, line: LineString) -> "Walk":
        """The same walk on another line."""
        return replace(self, line=line)


def feature_of(way: WayPlan) -> int:
    """FeatureType of a way on the ground."""
    if way.kind == "crossing":
        return CROSSING_CODES.get(way.crossing, 32)
    if is_drive(way):
        return 5
    if way.tags.get("footway") == "traffic_island":
        return 6
    return {"path": 24, "cycleway": 14}.get(way.kind, 1)


def nudged_nodes(site: Site, plan: CityPlan) -> dict[int, Xy]:
    """The plan's nodes on the lattice, those in a wall's margin moved to the nearest free ground within NUDGE."""
    used = sorted({n for w in plan.ways if not is_drive(w) or w.kind in LANE_KINDS for n in w.nodes})
    xy = np.array([plan.nodes[n] for n in used], dtype=np.float64).reshape(-1, 2)
    inside = shapely.contains_xy(site.blocked, xy[:, 0], xy[:, 1])
    edge = shapely.boundary(grown(site.blocked, 0.02))
    nodes = {}
    for number, (x, y), hit in zip(used, xy, inside, strict=True):
        if hit and site.bounds.contains(Point(x, y)):
            near = shapely.shortest_line(Point(x, y), edge)
            if near.length <= NUDGE:
                x, y = near.coords[-1]
        nodes[number] = (round(x * 1024) / 1024, round(y * 1024) / 1024)
    return nodes


def mapped_walks(site: Site, roads: Roads, nodes: dict[int, Xy]) -> list[Walk]:
    """Every mapped way that is walked on the ground, stairs left out, led round walls."""
    found = []
    for way in site.plan.ways:
        if not way.foot or not site.on_ground(way) or way.kind in ("steps", "tram"):
            continue
        if is_drive(way) and way.kind not in LANE_KINDS:
            continue
        line = LineString([nodes[n] for n in way.nodes])
        walk = Walk(line, feature_of(way), 2 if way.kind == "crossing" else 3, way.name, way, way.width, way.id)
        if is_drive(way):
            # a lane is walked along its middle; inside a kerbed carriageway there is a pavement beside it
            walk = replace(walk, rank=6)
            outside = [line] if roads.low.is_empty else lines(shapely.difference(line, roads.low), 1.0)
            found += [walk.along(part) for part in outside]
        else:
            found.append(walk)
    return [walk.along(part) for walk in found for part in led_round(walk.line, site)]


def stairs_as_paths(site: Site, nodes: dict[int, Xy], ways: set[str]) -> list[Walk]:
    """Level paths in place of the stairs with the given way ids."""
    found = []
    for way in site.plan.ways:
        if way.id in ways:
            line = LineString([nodes[n] for n in way.nodes])
            walk = Walk(line, 1, 3, way.name, way, max(way.width, 1.5), way.id)
            found += [walk.along(part) for part in led_round(line, site)]
    return found


def led_round(line: LineString, site: Site) -> list[LineString]:
    """The free parts of a line; where it cuts a corner of something solid it is led round it.

    A detour is taken when it is shorter than three times the stretch it replaces or than that stretch and 15 m.
    """
    if line.length < 0.05:
        return []
    blocked = site.blocked
    if not blocked.intersects(line):
        return [line]
    hit = intervals(line, shapely.intersection(line, blocked))
    whole: list[list[Any]] = [[]]
    at = 0.0
    for start, end in hit:
        free = stretch(line, at, start)
        whole[-1] += list(free.coords) if free is not None else []
        detour = _round(line, start, end, blocked) if start > 0.01 and end < line.length - 0.01 else None
        if detour is None:
            whole.append([])
        else:
            whole[-1] += detour
        at = end
    free = stretch(line, at, line.length)
    whole[-1] += list(free.coords) if free is not None else []
    made = [on_lattice(LineString(points)) for points in whole if len(points) > 1]
    clear = [part for part in made if not part.is_empty and part.length > 0.3]
    return [p for part in clear for p in lines(shapely.difference(part, site.tight), 0.3)]


def _round(line: LineString, start: float, end: float, blocked: BaseGeometry) -> list[Any] | None:
    a, b = line.interpolate(start), line.interpolate(end)
    middle = line.interpolate((start + end) / 2)
    for solid in shapely.get_parts(blocked):
        if not solid.intersects(middle):
            continue
        ring = next((r for r in _rings(solid) if r.distance(a) < 0.01 and r.distance(b) < 0.01), None)
        if ring is None:
            return None
        u, v = ring.project(a), ring.project(b)
        forth, back = abs(v - u), ring.length - abs(v - u)
        gap = end - start
        if min(forth, back) > max(3 * gap, gap + 15.0):
            return None
        low, high = min(u, v), max(u, v)
        if forth <= back:
            part = stretch(ring, low, high)
            points = list(part.coords) if part is not None else []
        else:
            tail, head = stretch(ring, high, ring.length), stretch(ring, 0.0, low)
            points = (list(tail.coords) if tail is not None else []) + (list(head.coords) if head is not None else [])
            points = points[::-1] if u < v else points
            return points
        return points if u <= v else points[::-1]
    return None


def _rings(solid: Polygon) -> list[LineString]:
    return [LineString(ring.coords) for ring in (solid.exterior, *solid.interiors)]
