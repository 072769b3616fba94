"""Roads and canals of `garden`: a spine, loops off it, canals between them with paths along their banks."""

from dataclasses import dataclass
from itertools import pairwise

import shapely
from shapely.geometry import box

from citysim.build.chance import Chance
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.openland import add_area

SPINE = StreetClass("secondary", 7.0, 6.0, 2, 3, "signals")
COLLECTOR = StreetClass("tertiary", 6.4, 4.2, 2, 2, "zebra")
LOOP = StreetClass("residential", 5.5, 2.6, 2, 1, "unmarked")
COLUMN, ROW = 208.0, 150.0  # metres between roads
CANAL = (12.0, 15.0)  # widths
BANK = 6.0  # green with a path on either side of a canal, metres


@dataclass(frozen=True)
class Plan:
    """Where roads run (x of columns, y of rows), and canals: (middle, width) by direction."""

    columns: tuple[float, ...]
    rows: tuple[float, ...]
    spine: float
    upright: tuple[tuple[float, float], ...]  # canals from south to north
    level: tuple[tuple[float, float], ...]  # canals from west to east

    def water(self, half: float) -> shapely.Geometry:
        """The canals."""
        parts = [box(x - w / 2, -half, x + w / 2, half) for x, w in self.upright]
        parts += [box(-half, y - w / 2, half, y + w / 2) for y, w in self.level]
        return shapely.set_precision(shapely.union_all(parts), 1.0 / 1024.0)


def _lines(half: float, step: float, chance: Chance) -> tuple[float, ...]:
    count = max(round(2 * half / step), 1)
    gap = 2 * half / count
    return tuple(round((-half + gap * (k + 0.5) + chance.uniform(-0.06, 0.06, k) * gap) * 4) / 4 for k in range(count))


def lay_streets(district: District) -> Plan:
    """Draw the roads into the district's graph; canals run midway between some of them."""
    graph, half, names, chance = district.graph, district.half, district.names, district.chance.child("streets")
    columns, rows = _lines(half, COLUMN, chance.child("columns")), _lines(half, ROW, chance.child("rows"))
    spine = min(rows, key=abs)
    plan = Plan(columns, rows, spine, tuple(_canals(columns, half, 0, chance.child("upright"))),
                tuple(_canals(rows, half, 1, chance.child("level"))))  # fmt: skip
    middle = min(columns, key=abs)
    nodes = {(i, j): graph.node((x, y), rim=abs(x) >= half or abs(y) >= half)
             for i, x in enumerate([-half, *columns, half]) for j, y in enumerate([-half, *rows, half])
             if not (abs(x) >= half and abs(y) >= half)}  # fmt: skip
    for j, y in enumerate(rows, 1):
        street = SPINE if y == spine else LOOP
        line = [nodes[i, j] for i in range(len(columns) + 2)]
        graph.street(line, street, names.street("Avenue" if y == spine else "Street"))
    for i, x in enumerate(columns, 1):
        street = COLLECTOR if x == middle else LOOP
        line = [nodes[i, j] for j in range(len(rows) + 2)]
        graph.street(line, street, names.street("Road" if x == middle else "Street"))
    return plan


def _canals(lines: tuple[float, ...], half: float, skip: int, chance: Chance) -> list[tuple[float, float]]:
    """Canals in the middle of every second gap between roads (every third for `skip` 1), at least one."""
    gaps = [((a + b) / 2, k) for k, (a, b) in enumerate(pairwise(lines))]
    if not gaps:
        gaps = [((lines[0] + half) / 2, 0)]
    chosen = [at for at, k in gaps if skip == 0 or k % 3 == 0]
    return [(round(at * 4) / 4, round(chance.uniform(*CANAL, k) * 4) / 4) for k, at in enumerate(chosen)]


def lay_canals(district: District, layout: Layout, plan: Plan) -> None:
    """Water, paths along both banks that cross the roads beside the bridges, benches and rows of trees."""
    half, sketch = district.half, district.sketch
    chance = district.chance.child("canals")
    water = plan.water(half)
    for part in shapely.get_parts(water):
        add_area(sketch, "water", part, district.names.street("Canal"), water="canal", waterway="canal")
    for horizontal, found in ((False, plan.upright), (True, plan.level)):
        for n, (at, width) in enumerate(found):
            name = district.names.street("Walk")
            for sign in (-1, 1):
                line = at + sign * (width / 2 + 2.6)
                trees = at + sign * (width / 2 + 5.0)
                _bank_path(district, layout, horizontal, line, name, sign > 0)
                here = chance.child(f"{horizontal}/{n}/{sign}")
                for k in range(int(2 * half / 9.0)):
                    s = -half + 6.0 + 9.0 * k + here.uniform(-0.7, 0.7, k)
                    spot = (s, trees) if horizontal else (trees, s)
                    if here.unit(f"tree{k}") < 0.85:
                        sketch.prop("tree", *spot)
                    if k % 5 == 2:
                        bench = at + sign * (width / 2 + 4.2)
                        facing = (180.0 if sign > 0 else 0.0) if horizontal else (270.0 if sign > 0 else 90.0)
                        spot = (s + 4.0, bench) if horizontal else (bench, s + 4.0)
                        sketch.prop("bench", *spot, facing)


def _bank_path(district: District, layout: Layout, horizontal: bool, at: float, name: str, crossed: bool) -> None:
    """A path along a bank, broken at every road; where `crossed` there is a crossing on the road."""
    half = district.half
    met: list[tuple[float, Edge, float]] = []
    for edge in district.graph.edges:
        (ax, ay), (bx, by) = edge.axis.points[0], edge.axis.points[-1]
        level = abs(ay - by) < 0.01
        low, high = sorted((ax, bx) if level else (ay, by))
        if level != horizontal and low < at < high:
            met.append((ay if level else ax, edge, at - (ax if level else ay)))
    start = -half + 2.0
    for place, edge, s in sorted(met, key=lambda m: m[0]):
        walk = edge.street.walk
        ends = [start, place - walk]
        points = [(v, at) if horizontal else (at, v) for v in ends]
        layout.path(points, 2.2, "footway", name, "asphalt")
        for point in ((place - walk, at), (place + walk, at)):
            layout.join(point if horizontal else (point[1], point[0]), 2.0)
        if crossed and all(abs(c.s - s) > 24.0 for c in layout.crossings if c.edge is edge):
            layout.cross(edge, s, "unmarked")
        start = place + walk
    points = [(v, at) if horizontal else (at, v) for v in (start, half - 2.0)]
    layout.path(points, 2.2, "footway", name, "asphalt")
