"""Planar helpers: everything lies on the 1/1024 m lattice, every answer has a fixed order."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from citysim.build.mesh import LATTICE
from citysim.build.plans import Xy

GRID = 1.0 / LATTICE
ROUND = 4  # segments in a quarter circle, fixed so that buffers never change


def on_lattice(geometry: Any) -> Any:
    """The geometry (or array of geometries) with coordinates on the lattice and repaired where that broke it."""
    return shapely.set_precision(geometry, GRID)


def polygons(geometry: BaseGeometry, least: float = 0.0) -> list[Polygon]:
    """The polygons in a geometry of any kind whose area exceeds `least` m2, from west to east."""
    found = [p for p in shapely.get_parts(shapely.get_parts(geometry)) if isinstance(p, Polygon) and p.area > least]
    return sorted(found, key=lambda p: (*p.bounds, p.area))


def lines(geometry: BaseGeometry, least: float = 0.0) -> list[LineString]:
    """The lines in a geometry of any kind that are longer than `least` metres."""
    parts = [p for p in shapely.get_parts(shapely.get_parts(geometry)) if p.geom_type in ("LineString", "LinearRing")]
    return [LineString(p.coords) for p in parts if p.length > least]


def area_of(geometries: Iterable[BaseGeometry]) -> BaseGeometry:
    """The union of polygons, on the lattice; an empty MultiPolygon for none."""
    solid = [g for g in geometries if not g.is_empty]
    if not solid:
        return MultiPolygon()
    return MultiPolygon(polygons(on_lattice(shapely.union_all(solid))))


def common(a: BaseGeometry, b: BaseGeometry) -> BaseGeometry:
    """The area two polygonal geometries share, on the lattice, lines and points left out."""
    return MultiPolygon(polygons(shapely.intersection(a, b, grid_size=GRID)))


def minus(a: BaseGeometry, b: BaseGeometry) -> BaseGeometry:
    """The area of `a` outside `b`, on the lattice, lines and points left out."""
    return MultiPolygon(polygons(shapely.difference(a, b, grid_size=GRID)))


def grown(geometry: BaseGeometry, distance: float, square: bool = False) -> BaseGeometry:
    """The geometry grown (or shrunk, when negative) by `distance` metres, with round or mitred corners."""
    style = "mitre" if square else "round"
    return shapely.buffer(
        geometry, distance, quad_segs=ROUND, join_style=style, cap_style="flat" if square else "round"
    )


def strip(line: LineString, width: float, ahead: float = 0.0) -> BaseGeometry:
    """The band of `width` metres along a line, cut square at its ends and `ahead` metres longer at either end."""
    if ahead > 0.0:
        line = longer(line, ahead)
    return shapely.buffer(line, width / 2, quad_segs=ROUND, cap_style="flat", join_style="mitre", mitre_limit=2.0)


def longer(line: LineString, ahead: float) -> LineString:
    """The line lengthened straight on at both ends."""
    points = np.asarray(line.coords)[:, :2]
    first, last = points[0] - points[1], points[-1] - points[-2]
    first /= max(float(np.hypot(*first)), 1e-9)
    last /= max(float(np.hypot(*last)), 1e-9)
    return LineString(np.vstack([points[0] + first * ahead, points, points[-1] + last * ahead]))


def stretch(line: LineString, start: float, end: float) -> LineString | None:
    """The part of a line between two distances along it, None where that is no line."""
    part = substring(line, start, end)
    return part if part.geom_type == "LineString" and part.length > 2 * GRID else None


def intervals(line: LineString, part: BaseGeometry) -> list[tuple[float, float]]:
    """Where pieces of a line (an intersection or difference with it) begin and end, in metres along it."""
    found = []
    for piece in lines(part, 2 * GRID):
        a, b = line.project(Point(piece.coords[0])), line.project(Point(piece.coords[-1]))
        found.append((min(a, b), max(a, b)))
    return sorted(found)


def key_of(point: Sequence[float]) -> tuple[int, int]:
    """The lattice address of a point: equal for points that are the same."""
    return round(point[0] * LATTICE), round(point[1] * LATTICE)


def xy_of(key: tuple[int, int]) -> Xy:
    """The point at a lattice address."""
    return key[0] / LATTICE, key[1] / LATTICE


def unit(a: Sequence[float] | NDArray[np.float64], b: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """The unit vector from a to b, (2,)."""
    d = np.array([b[0] - a[0], b[1] - a[1]], dtype=np.float64)
    return d / max(float(np.hypot(d[0], d[1])), 1e-9)
