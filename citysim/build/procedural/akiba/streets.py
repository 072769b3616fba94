"""Streets of `akiba`: an avenue, collectors, and back streets whose ends do not meet."""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

from citysim.build.chance import Chance
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.district.district import District
from citysim.build.procedural.naming import Names

AVENUE = StreetClass("primary", 19.5, 6.5, 6, 3, "signals", tactile=True)
COLLECTOR = StreetClass("tertiary", 7.0, 3.5, 2, 2, "zebra", parking=True, tactile=True)
BACK = StreetClass("living_street", 6.4, rank=1, edged=1.0)
NARROW = StreetClass("living_street", 4.4, rank=0, edged=0.75)
VIADUCT, LANE = 18.0, 6.4  # widths of the railway and of the lanes beside it, metres
SPACING = (56.0, 70.0)  # between back streets that run north to south
DEEP = (70.0, 100.0)  # between those that run east to west
NAMED = 60  # back streets with names of their own
OFFSET = 8.0  # metres by which the ends of back streets pass each other


@dataclass
class Skeleton:
    """Where the main streets run: x of those from south to north, y of those from west to east, x of the railway."""

    avenue: float
    columns: list[float]  # collectors from south to north
    rows: list[float]  # collectors from west to east
    rail: float
    main: float  # the row at the scramble crossing


@dataclass
class _Lines:
    """Straight streets as they are planned, split where others meet them."""

    vertical: list[tuple[float, float, float, StreetClass, str]] = field(default_factory=list)  # x, y0, y1
    horizontal: list[tuple[float, float, float, StreetClass, str]] = field(default_factory=list)  # y, x0, x1
    lanes: int = 0

    def name(self, names: Names, kind: StreetClass) -> str:
        """A name for a back street; narrow ones, and all once there are many, have numbers."""
        self.lanes += 1
        if kind is NARROW or self.lanes > NAMED:
            return names.numbered(self.lanes, "Alley" if kind is NARROW else "Yokocho")
        return names.street("Yokocho")


def skeleton(half: float, high: float, chance: Chance) -> Skeleton:
    """The main streets of a district of some size; the avenue and the scramble are near the middle."""
    avenue = round(chance.uniform(-0.12, -0.04, "avenue") * min(half, 375.0))
    rail = round(avenue + min(chance.uniform(165.0, 185.0, "rail"), 0.62 * (half - avenue)))
    main = round(chance.uniform(-10.0, 10.0, "main"))
    rows = _spread(main, high, 165.0, 195.0, chance.child("rows"))
    columns = [x for x in _spread(avenue, half, 215.0, 255.0, chance.child("columns"))
               if x != avenue and abs(x - rail) > 60.0]  # fmt: skip
    return Skeleton(float(avenue), columns, rows, float(rail), float(main))


def _spread(first: float, half: float, low: float, high: float, chance: Chance) -> list[float]:
    """Lines on both sides of a first one, as far as the rim leaves them 45 m."""
    found = [first]
    for sign in (1, -1):
        at, k = first, 0
        while True:
            at += sign * round(chance.uniform(low, high, f"{sign}/{k}"))
            k += 1
            if abs(at) > half - 45.0:
                break
            found.append(at)
    return sorted(found)


def lay_streets(district: District) -> Skeleton:
    """Draw all streets into the district's graph."""
    half, high, names = district.half, district.high, district.names
    bones = skeleton(half, high, district.chance.child("skeleton"))
    lines = _Lines()
    lines.vertical.append((bones.avenue, -high, high, AVENUE, names.street("Dori")))
    for x in bones.columns:
        lines.vertical.append((x, -high, high, COLLECTOR, names.street("Dori")))
    for y in bones.rows:
        lines.horizontal.append((y, -half, half, COLLECTOR, names.street("Dori")))
    side = VIADUCT / 2 + LANE / 2
    for x in (bones.rail - side, bones.rail + side):
        lines.vertical.append((x, -high, high, BACK, names.street("Alley")))
    walls = sorted([-half, half, bones.avenue, *bones.columns])
    blocked = (bones.rail - side, bones.rail + side)
    for i, (x0, x1) in enumerate(pairwise(walls)):
        spans = [(x0, x1)] if not x0 < bones.rail < x1 else [(x0, blocked[0]), (blocked[1], x1)]
        for n, span in enumerate(spans):
            for j, (y0, y1) in enumerate(pairwise([-high, *bones.rows, high])):
                _back_streets(lines, span, (y0, y1), (half, high), names, district.chance.child(f"back/{i}{n}/{j}"))
    _draw(district, lines)
    return bones


def _back_streets(lines: _Lines, across: tuple[float, float], along: tuple[float, float], rim: tuple[float, float],
                  names: Names, chance: Chance) -> None:  # fmt: skip
    """Back streets in a rectangle between main streets: some from south to north, and between them short ones from
    west to east whose ends are out of line.
    """
    (x0, x1), (y0, y1) = across, along
    count = max(round((x1 - x0) / chance.uniform(*SPACING, "spacing")), 1)
    step = (x1 - x0) / count
    lanes = [x0 + step * (k + chance.uniform(-0.08, 0.08, f"x{k}")) for k in range(1, count)]
    for k, x in enumerate(lanes):
        kind = NARROW if (k + chance.integer(0, 2, "kind")) % 2 else BACK
        lines.vertical.append((round(x * 4) / 4, y0, y1, kind, lines.name(names, kind)))
    rows = max(round((y1 - y0) / chance.uniform(*DEEP, "deep")), 1)
    edges = [x0, *(round(x * 4) / 4 for x in lanes), x1]
    for r in range(1, rows):
        base = y0 + (y1 - y0) * r / rows
        name = lines.name(names, BACK)
        for k, (a, b) in enumerate(pairwise(edges)):
            if chance.unit(f"gap{r}/{k}") < 0.12 and len(edges) > 2:
                continue
            y = base + (OFFSET if k % 2 else 0.0) + chance.uniform(-1.0, 1.0, f"y{r}/{k}")
            if abs(a) >= rim[0] or abs(b) >= rim[0]:
                y = base
            lines.horizontal.append((round(y * 4) / 4, a, b, NARROW if k % 2 else BACK, name))


def _draw(district: District, lines: _Lines) -> None:
    graph, half, high = district.graph, district.half, district.high
    meetings: dict[int, set[float]] = defaultdict(set)
    crossing: dict[int, set[float]] = defaultdict(set)
    for i, (x, y0, y1, _, _) in enumerate(lines.vertical):
        for j, (y, x0, x1, _, _) in enumerate(lines.horizontal):
            if x0 - 0.01 <= x <= x1 + 0.01 and y0 - 0.01 <= y <= y1 + 0.01:
                meetings[i].add(y)
                crossing[j].add(x)
    for i, (x, y0, y1, kind, name) in enumerate(lines.vertical):
        stops = sorted({y0, y1, *meetings[i]})
        nodes = [graph.node((x, y), rim=abs(y) >= high or abs(x) >= half) for y in stops]
        graph.street(nodes, kind, name)
    for j, (y, x0, x1, kind, name) in enumerate(lines.horizontal):
        stops = sorted({x0, x1, *crossing[j]})
        nodes = [graph.node((x, y), rim=abs(y) >= high or abs(x) >= half) for x in stops]
        graph.street(nodes, kind, name)
