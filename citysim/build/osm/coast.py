"""The sea: coastline ways have water on their right and stop at the edge of an extract."""

import math

from shapely import unary_union
from shapely.geometry import LineString, Point, Polygon, box
from shapely.ops import polygonize

from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.rings import Chain, join_chains, polygons_of
from citysim.build.plans import AreaPlan, Xy

_EDGE_NEAR = 60.0  # metres: a coastline that stops this near to the bounds is drawn on to them
_BESIDE = 0.05  # metres to the right of a coastline where the water is looked for


def read_sea(source: LocalMap, piers: list[Polygon]) -> list[AreaPlan]:
    """The sea inside the bounds, without the piers standing in it."""
    lines = _coastlines(source)
    if not lines:
        return []
    frame = box(*source.bounds)
    inside = unary_union([line.intersection(frame) for line in lines])
    faces = sorted(polygonize(unary_union([inside, frame.boundary])), key=lambda p: (p.bounds, p.area))
    wet = [face for face in faces if _is_wet(face, lines)]
    if not wet:
        source.faults.add("coastline that encloses no water inside the bounds")
        return []
    water = unary_union(wet).difference(unary_union(piers))
    return [
        AreaPlan(f"osm:sea/{k}", "water", piece, "", {"natural": "coastline"})
        for k, piece in enumerate(polygons_of(water, 4.0))
    ]


def _coastlines(source: LocalMap) -> list[LineString]:
    """Joined coastlines, drawn on to the bounds where the extract cut them."""
    chains: list[Chain] = []
    for way in sorted(source.extract.way_refs):
        if source.extract.way_tags[way].get("natural") != "coastline":
            continue
        run: list[int] = []
        for ref in source.extract.way_refs[way]:
            if ref in source.xy:
                run.append(ref)
            else:
                chains.append(tuple(run))
                run = []
        chains.append(tuple(run))
    rings, rest = join_chains([chain for chain in chains if len(chain) >= 2])
    lines = [[source.xy[n] for n in ring] for ring in rings]
    for chain in rest:
        points = [source.xy[n] for n in chain]
        lines.append([*_onward(source, points[1], points[0]), *points, *_onward(source, points[-2], points[-1])])
    return [LineString(points) for points in lines if len(set(points)) >= 2]


def _onward(source: LocalMap, before: Xy, end: Xy) -> list[Xy]:
    """A point beyond the bounds in the direction of travel, nothing for an end far inside."""
    e0, n0, e1, n1 = source.bounds
    room = min(end[0] - e0, end[1] - n0, e1 - end[0], n1 - end[1])
    if room < 0 or room > _EDGE_NEAR:
        return []
    length = math.dist(before, end) or 1.0
    ahead = ((end[0] - before[0]) / length, (end[1] - before[1]) / length)
    far = (end[0] + ahead[0] * 3 * _EDGE_NEAR, end[1] + ahead[1] * 3 * _EDGE_NEAR)
    if source.inside(far):  # it runs along the edge: leave by the shortest way
        near = min((end[0] - e0, (-1, 0)), (end[1] - n0, (0, -1)), (e1 - end[0], (1, 0)), (n1 - end[1], (0, 1)))
        far = (end[0] + near[1][0] * 2 * _EDGE_NEAR, end[1] + near[1][1] * 2 * _EDGE_NEAR)
    return [far]


def _is_wet(face: Polygon, lines: list[LineString]) -> bool:
    """Whether more metres of coastline have this face on their right than on their left."""
    balance = 0.0
    reach = face.buffer(0.5)
    for line in lines:
        if not line.intersects(reach):
            continue
        for a, b in zip(line.coords[:-1], line.coords[1:], strict=True):
            length = math.dist(a, b)
            if length == 0.0:
                continue
            right = ((b[1] - a[1]) / length * _BESIDE, -(b[0] - a[0]) / length * _BESIDE)
            middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
            if face.contains(Point(middle[0] + right[0], middle[1] + right[1])):
                balance += length
            elif face.contains(Point(middle[0] - right[0], middle[1] - right[1])):
                balance -= length
    return balance > 0
