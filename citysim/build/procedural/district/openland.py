"""Open land: courts, car parks, pocket parks, squares and playgrounds on lots and in the middle of blocks."""

import math

import shapely
from shapely.geometry import LineString, Point, Polygon

from citysim.build.chance import Chance
from citysim.build.plans import AreaPlan, Xy
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.sketch import Sketch, snapped
from citysim.build.streets.planar import GRID, polygons


def add_area(sketch: Sketch, kind: str, polygon: Polygon, name: str = "", **tags: str) -> AreaPlan:
    """Add ground with a use; tags as in OpenStreetMap."""
    shape = max(polygons(shapely.set_precision(polygon, GRID)), key=lambda p: p.area, default=polygon)
    made = AreaPlan(f"{sketch.name}:area/{kind}{len(sketch.areas) + 1}", kind, shape, name, dict(tags))
    sketch.areas.append(made)
    return made


def scatter(polygon: Polygon, step: float, margin: float, chance: Chance, jitter: float = 0.3) -> list[Xy]:
    """Points on a jittered grid inside a polygon, `margin` metres off its edge."""
    inner = polygon.buffer(-margin)
    if inner.is_empty:
        return []
    shapely.prepare(inner)
    x0, y0, x1, y1 = inner.bounds
    found = []
    for i in range(int((x1 - x0) / step) + 1):
        for j in range(int((y1 - y0) / step) + 1):
            x = x0 + (i + 0.5 + chance.uniform(-jitter, jitter, f"{i}/{j}/x")) * step
            y = y0 + (j + 0.5 + chance.uniform(-jitter, jitter, f"{i}/{j}/y")) * step
            if inner.intersects(Point(x, y)):
                found.append(snapped((x, y)))
    return found


def plant(
    sketch: Sketch, polygon: Polygon, step: float, chance: Chance, kind: str = "tree", margin: float = 2.5
) -> None:
    """Trees all over a polygon, one in eight left out."""
    for k, (x, y) in enumerate(scatter(polygon, step, margin, chance)):
        if chance.unit(f"out{k}") > 0.125:
            sketch.prop(kind, x, y)


def ring_path(sketch: Sketch, layout: Layout, polygon: Polygon, inset: float, width: float, name: str, kind: str,
              surface: str, gates: list[Xy]) -> list[Xy]:  # fmt: skip
    """A path round the inside of an area with ways in from the street at `gates`; returns the ring's points."""
    inner = polygon.buffer(-inset, join_style="mitre").buffer(-6.0).buffer(6.0, quad_segs=2)
    parts = polygons(shapely.simplify(inner, 0.6), 60.0)
    if not parts:
        return []
    ring = [snapped((float(x), float(y))) for x, y in parts[0].exterior.coords]
    tags = {"highway": "footway", "surface": surface}
    line = LineString(ring)
    joints: list[Xy] = []
    for gate in gates:
        start = layout.join(gate)
        if start is None:
            continue
        s = line.project(Point(start))
        at = line.interpolate(s)
        joint = snapped((float(at.x), float(at.y)))
        near = min(ring, key=lambda p: math.dist(p, joint))
        if math.dist(near, joint) < 1.0:
            joint = near
        else:
            ring = insert(ring, joint)
        joints.append(joint)
        sketch.way(kind, [start, joint], width, name=name, surface=surface, tags=tags)
    sketch.way(kind, ring, width, name=name, surface=surface, tags=tags)
    return ring


def insert(ring: list[Xy], at: Xy) -> list[Xy]:
    """A closed or open polyline with a point put into its nearest piece."""
    gaps = [LineString([ring[k], ring[k + 1]]).distance(Point(at)) for k in range(len(ring) - 1)]
    k = min(range(len(gaps)), key=lambda i: (gaps[i], i))
    return [*ring[: k + 1], at, *ring[k + 1 :]]


def benches_along(sketch: Sketch, ring: list[Xy], step: float, aside: float, chance: Chance) -> None:
    """Benches beside a path, looking at it, and a bin beside every other."""
    line = LineString(ring)
    s, k = step / 2, 0
    while s < line.length:
        a, b = line.interpolate(s), line.interpolate(min(s + 0.5, line.length))
        length = max(math.dist((a.x, a.y), (b.x, b.y)), 1e-6)
        u, v = (b.x - a.x) / length, (b.y - a.y) / length
        side = 1.0 if chance.unit(k) < 0.5 else -1.0
        heading = math.degrees(math.atan2(v * side, -u * side)) % 360.0
        sketch.prop("bench", a.x - v * aside * side, a.y + u * aside * side, heading)
        if k % 2 == 0:
            sketch.prop("waste_basket", a.x - v * aside * side + u * 1.6, a.y + u * aside * side + v * 1.6)
        s += step
        k += 1


def car_park(sketch: Sketch, polygon: Polygon, along: Xy, chance: Chance, share: float = 0.6) -> None:
    """A car park with rows of cars at right angles to the direction `along`."""
    add_area(sketch, "parking", polygon, amenity="parking")
    inner = polygon.buffer(-2.2, join_style="mitre")
    if inner.is_empty:
        return
    ux, uy = along
    points = shapely.get_coordinates(polygon)
    s, t = points @ (ux, uy), points @ (-uy, ux)
    shapely.prepare(inner)
    heading = math.degrees(math.atan2(-uy, ux)) % 360.0
    rows, k = [float(t.min()) + 2.55], 0
    while rows[-1] < t.max() - 2.4:
        rows.append(rows[-1] + (10.6 if len(rows) % 2 else 5.2))
    for row in rows[:-1]:
        for n in range(int((s.max() - s.min() - 3.0) / 2.6)):
            at = float(s.min()) + 1.6 + 2.6 * n
            x, y = ux * at - uy * row, uy * at + ux * row
            if inner.intersects(Point(x, y)) and chance.unit(f"car{k}") < share:
                turned = 180.0 if chance.unit(f"turn{k}") < 0.5 else 0.0
                sketch.prop("car", x, y, (heading + turned) % 360.0)
            k += 1
