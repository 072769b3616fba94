"""Drawing of a layout: axes, pavement lines, paths, crossings and islands become ways and areas of a sketch."""

import math
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import shapely
from shapely.geometry import LineString, Polygon

from citysim.build.plans import AreaPlan, CrossingPlan, Xy
from citysim.build.procedural.district.classes import KERB_RADIUS
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.district.strand import Strand
from citysim.build.procedural.sketch import Sketch, snapped
from citysim.build.streets.linework import EDGES, RAILS
from citysim.build.streets.planar import lines

if TYPE_CHECKING:
    from citysim.build.procedural.district.layout import Crossing, Layout

KERB_OVERLAP = 0.4  # how far a crossing's line goes on beyond the kerb, metres
WIDE = 12.0  # carriageways wider than this get islands at their crossings, metres
ISLAND = 2.0
BANK = 0.8  # metres of bank that bridges cover beyond the water


def islands(layout: "Layout") -> list[tuple[Edge, Polygon]]:
    """Islands in the middle of carriageways: the reserve from end to end, else pieces at wide crossings."""
    made = []
    for edge in layout.graph.edges:
        mine = sorted(c.s for c in layout.crossings if c.edge is edge)
        width = edge.street.reserve
        if width > 0.0:
            start, end = (layout.clear[(edge.id, at)] for at in (True, False))
            low = 0.0 if math.isinf(start) else start - 2.6
            high = edge.length if math.isinf(end) else edge.length - end + 2.6
            if high - low > 6.0:
                made.append((edge, _band(edge, low, high, width)))
        elif edge.street.carriageway > WIDE:
            made += [(edge, _band(edge, s - 3.2, s + 3.2, ISLAND)) for s in mine]
    return made


def _axes(layout: "Layout") -> list[tuple[Edge, list[Xy]]]:
    """The middle lines of streets, from one junction of kerbed streets to the next."""
    arms = layout.graph.arms()
    through = {}
    for number, found in arms.items():
        for arm in found:
            same = [a for a in found if (a.edge.name, a.edge.street) == (arm.edge.name, arm.edge.street)]
            kerbed = sum(not a.edge.street.flush for a in found)
            if len(same) == 2 and (arm.edge.street.flush or kerbed == 2):
                through[(number, arm.edge.id)] = next(a.edge for a in same if a.edge is not arm.edge)
    done: set[int] = set()
    made = []
    for edge in layout.graph.edges:
        if edge.id in done:
            continue
        first = edge
        while (before := through.get((first.a, first.id))) and before.b == first.a and before is not edge:
            first = before
        points, last = list(layout.axes[first.id].points), first
        done.add(first.id)
        while (after := through.get((last.b, last.id))) and after.a == last.b and after.id not in done:
            points += layout.axes[after.id].points[1:]
            done.add(after.id)
            last = after
        made.append((first, points))
    return made


def draw_layout(layout: "Layout", sketch: Sketch, water: shapely.Geometry | None = None) -> None:
    """Add axes, pavement lines, crossings, paths and islands to a sketch; what lies over `water` is bridges."""
    wet = shapely.buffer(water, BANK) if water is not None and not water.is_empty else None
    put = partial(_lay, sketch, wet)
    found = islands(layout)
    on_island = [p for _, p in found]
    tree = shapely.STRtree(on_island) if on_island else None
    for edge, points in _axes(layout):
        street = edge.street
        tags = {"highway": street.kind} | ({"name": edge.name} if edge.name else {})
        tags |= {"kerb_radius": f"{street.kerb_radius:g}"} if street.kerb_radius != KERB_RADIUS else {}
        tags |= {EDGES: f"{street.edged:g}"} if street.edged else {}
        tags |= {RAILS: f"{street.tracks:g}"} if street.tracks else {}
        put(street.kind, points, street.carriageway, name=edge.name, lanes=street.lanes, oneway=edge.oneway,
            foot=street.flush, surface=street.surface, tags=tags)  # fmt: skip
    for number, (_, polygon) in enumerate(found, 1):
        sketch.areas.append(AreaPlan(f"{sketch.name}:area/island{number}", "island", polygon))
    foot = {"highway": "footway", "footway": "sidewalk"}
    for (number, _), strand in layout.sides.items():
        edge = layout.graph.edges[number]
        guided = foot | ({"tactile_paving": "yes"} if edge.street.tactile else {})
        put("sidewalk", strand.points, edge.street.walk_width, name=edge.name, surface="paving_stones", tags=guided)
    for link in layout.links:
        sketch.way("sidewalk", link.points, 2.0, surface="paving_stones", tags=foot)
    for path in layout.paths:
        tags = {"highway": path.kind, "surface": path.surface} | ({"name": path.name} if path.name else {})
        put(path.kind, path.strand.points, path.width, name=path.name, surface=path.surface, tags=tags)
    for crossing in layout.crossings:
        _draw_crossing(layout, sketch, crossing, tree)


def _draw_crossing(layout: "Layout", sketch: Sketch, crossing: "Crossing", islands: shapely.STRtree | None) -> None:
    edge, s = crossing.edge, crossing.s
    middle = edge.axis.at(s)
    node = sketch.node(*middle)
    sketch.crossings.append(CrossingPlan(f"{sketch.name}:crossing/{len(sketch.crossings) + 1}", node, crossing.kind))
    reach = edge.street.half + KERB_OVERLAP
    tags = {"highway": "footway", "footway": "crossing"}
    foot = {"highway": "footway", "footway": "sidewalk"}
    width = 5.0 if edge.street.rank >= 3 else 4.0
    refuge = islands is not None and len(islands.query(shapely.Point(middle), predicate="intersects")) > 0
    if refuge:
        near = (edge.street.reserve or ISLAND) / 2 - KERB_OVERLAP
        for sign in (1, -1):
            line = [edge.axis.at(s, sign * reach), edge.axis.at(s, sign * near)]
            sketch.way("crossing", line, width, crossing=crossing.kind, tags=tags)
        line = [edge.axis.at(s, near), middle, edge.axis.at(s, -near)]
        sketch.way("sidewalk", line, 2.0, tags={"highway": "footway", "footway": "traffic_island"})
    else:
        line = [edge.axis.at(s, reach), middle, edge.axis.at(s, -reach)]
        sketch.way("crossing", line, width, crossing=crossing.kind, tags=tags)
    for sign in (1, -1):
        stub = [edge.axis.at(s, sign * reach), layout.stubs[(edge.id, sign, s)]]
        if math.dist(*stub) > 0.05:
            sketch.way("sidewalk", stub, 3.0, name=edge.name, tags=foot)


def _lay(
    sketch: Sketch, wet: shapely.Geometry | None, kind: str, points: Sequence[Xy], width: float, **more: Any
) -> None:
    """Add a way, in pieces where it passes over water."""
    line = LineString(points)
    if wet is None or not wet.intersects(line):
        sketch.way(kind, list(points), width, **more)
        return
    strand = Strand(list(points))
    cuts = [strand.insert(c, 0.2) for part in lines(shapely.intersection(line, wet))
            for c in (part.coords[0], part.coords[-1])]  # fmt: skip
    piece = [strand.points[0]]
    for point in strand.points[1:]:
        piece.append(point)
        if point in cuts or point == strand.points[-1]:
            middle = LineString(piece).interpolate(0.5, normalized=True)
            over = bool(wet.intersects(middle))
            tags = {**more.get("tags", {}), **({"bridge": "yes", "layer": "1"} if over else {})}
            sketch.way(kind, piece, width, **{**more, "tags": tags, "bridge": over, "layer": 1 if over else 0})
            piece = [point]


def _band(edge: Edge, start: float, end: float, width: float) -> Polygon:
    """A strip along the middle of an edge with pointed ends."""
    s = max(start, 0.0), min(end, edge.length)
    axis = edge.axis
    inner = [m for m in axis.marks[1:-1] if s[0] + 1.5 < m < s[1] - 1.5]
    stations = [s[0] + 0.6, *inner, s[1] - 0.6]
    left = [axis.at(x, width / 2) for x in stations]
    right = [axis.at(x, -width / 2) for x in reversed(stations)]
    return Polygon([snapped(axis.at(s[0])), *right[::-1], snapped(axis.at(s[1])), *left[::-1]])
