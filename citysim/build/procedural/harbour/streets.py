"""Streets: the survey's rows and columns as a street graph, corridors of ground, ladders and link roads."""

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass, field

from citysim.build.plans import Xy
from citysim.build.procedural.district.axis import Axis
from citysim.build.procedural.district.graph import StreetGraph
from citysim.build.procedural.harbour.classes import CROSS, LINK, MARKET, ONE_WAY
from citysim.build.procedural.harbour.survey import HILL, Survey
from citysim.build.procedural.hills.corridor import Corridor
from citysim.build.procedural.hills.ladders import HALF, MOVING_HALF, Ladder, plan_ladder
from citysim.build.procedural.naming import Names

LINKED = 4  # columns from which the city has link roads up the hill
GRADE = 0.122  # of link roads at most


@dataclass
class Streets:
    """What is drawn: the graph of driven streets and markets, corridors by kind, ladders."""

    survey: Survey
    graph: StreetGraph
    rows: list[Corridor]
    columns: list[Corridor]
    ladders: list[Ladder] = field(default_factory=list)
    linked: set[int] = field(default_factory=set)  # belts whose westernmost blocks are slopes with a link road
    names: list[str] = field(default_factory=list)  # of the rows

    @property
    def corridors(self) -> list[Corridor]:
        """All corridors, the strongest claim first."""
        return [*self.rows, *self.columns, *(ladder.corridor for ladder in self.ladders)]

    def belt(self, xy: Xy) -> int:
        """How many rows lie south of a place."""
        return sum(row.axis.nearest(xy)[1] > 0.0 for row in self.rows)


def lay_streets(survey: Survey, names: Names) -> Streets:
    """All streets of the city."""
    rows = survey.rows
    driven = [rows[k].belt != HILL for k in range(len(rows) - 1)]
    corridors = [survey.corridor(row, _widths(survey, k, driven)) for k, row in enumerate(rows)]
    made = Streets(survey, StreetGraph(), corridors, [])
    made.names = [names.street(_kind(k, row.street is MARKET)) for k, row in enumerate(rows)]
    links = _links(survey, corridors, driven)
    _draw_rows(made, driven, links)
    for i in range(survey.columns):
        name = names.street("Street")
        steps = names.street("Steps")
        for k in range(len(rows) - 1):
            foot, head = rows[k].points[i + 1], rows[k + 1].points[i + 1]
            low, high = rows[k].heights[i + 1], rows[k + 1].heights[i + 1]
            before, after = rows[k].street.facade, rows[k + 1].street.facade
            if driven[k]:
                street = CROSS if i % 2 == 0 else ONE_WAY
                a, b = made.graph.node(foot), made.graph.node(head)
                way = 0 if street is CROSS else (1 if i % 4 == 1 else -1)
                made.graph.edge(a, b, street, name, oneway=way)
                axis = Axis.through([foot, head])
                stops = ((0.0, low), (before, low), (axis.length - after, high), (axis.length, high))
                made.columns.append(Corridor(axis, street.facade, stops))
            elif i > 0 or k not in links:
                moving = i == survey.moving
                ladder = plan_ladder(i, foot, head, low, high, before, after, moving, steps)
                if ladder is not None:
                    made.ladders.append(ladder)
    drive = names.street("Drive") if links else ""
    for k, (s, t) in sorted(links.items()):
        start, end = corridors[k].axis.at(s), corridors[k + 1].axis.at(t)
        made.graph.edge(made.graph.node(start), made.graph.node(end), LINK, drive, crossed=False)
        made.columns.append(_link_corridor(corridors[k], corridors[k + 1], start, end, s, t))
        made.linked.add(k)
    return made


def _kind(k: int, market: bool) -> str:
    return "Promenade" if k == 0 else "Market" if market else "Road" if k % 2 else "Terrace"


def _widths(survey: Survey, k: int, driven: list[bool]) -> list[float]:
    """Half widths of what meets a row at its points."""
    found = [0.0]
    for i in range(survey.columns):
        wide = [HALF]
        for belt in (k - 1, k):
            if 0 <= belt < len(driven):
                street = CROSS if i % 2 == 0 else ONE_WAY
                wide.append(street.facade if driven[belt] else MOVING_HALF if i == survey.moving else HALF)
        found.append(max(wide) + 0.5)
    return [*found, 0.0]


def _links(survey: Survey, rows: list[Corridor], driven: list[bool]) -> dict[int, tuple[float, float]]:
    """Belts with a link road: where it leaves the lower and meets the upper row, metres along them. They zigzag."""
    if survey.columns < LINKED:
        return {}
    found: dict[int, tuple[float, float]] = {}
    for k, row in enumerate(survey.rows[:-1]):
        if driven[k] or row.belt != HILL:
            continue
        west = rows[k].station(*row.points[1]) - 36.0
        east = rows[k].station(*row.points[2]) - 14.0
        up = rows[k + 1].station(*survey.rows[k + 1].points[1]) - 36.0
        down = rows[k + 1].station(*survey.rows[k + 1].points[2]) - 14.0
        a, b = (west, down) if len(found) % 2 == 0 else (east, up)
        if len(found) and (k - 1) in found:
            a = found[k - 1][1]
        start, end = rows[k].axis.at(a), rows[k + 1].axis.at(b)
        rise = rows[k + 1].level(b) - rows[k].level(a)
        sine = abs(end[1] - start[1]) / math.dist(start, end)
        run = math.dist(start, end) - _mouth(rows[k], sine) - _mouth(rows[k + 1], sine)
        if run > 20.0 and rise / run < GRADE:
            found[k] = (a, b)
    return found


def _mouth(row: Corridor, sine: float) -> float:
    """How far along a link road that leaves a row at an angle the row's level ground reaches, metres."""
    return (row.half + LINK.facade * math.sqrt(1.0 - sine * sine)) / sine


def _link_corridor(low: Corridor, high: Corridor, start: Xy, end: Xy, a: float, b: float) -> Corridor:
    axis = Axis.through([start, end])
    sine = abs(end[1] - start[1]) / axis.length
    before, after = _mouth(low, sine), _mouth(high, sine)
    zl, zh = low.level(a), high.level(b)
    return Corridor(axis, LINK.facade, ((0.0, zl), (before, zl), (axis.length - after, zh), (axis.length, zh)))


def _draw_rows(made: Streets, driven: list[bool], links: dict[int, tuple[float, float]]) -> None:
    """Edges of the rows between their junctions."""
    graph, last = made.graph, len(made.rows) - 1
    extra: dict[int, list[float]] = defaultdict(list)
    for k, (a, b) in links.items():
        extra[k].append(a)
        extra[k + 1].append(b)
    for k, (row, corridor) in enumerate(zip(made.survey.rows, made.rows, strict=True)):
        axis = corridor.axis
        meets = (k > 0 and driven[k - 1]) or (k < last and driven[k])
        at = {0.0, axis.length, *(round(s * 1024) / 1024 for s in extra[k])}
        bends = []
        for mark in axis.marks[1:-1]:
            if meets:
                at.add(mark)
            else:
                bends.append(mark)
        stations = sorted(at)
        nodes = [graph.node(axis.at(s), rim=s in (0.0, axis.length)) for s in stations]
        for (s, t), (a, b) in zip(itertools.pairwise(stations), itertools.pairwise(nodes), strict=True):
            inner = [axis.at(m) for m in bends if s + 0.5 < m < t - 0.5]
            graph.edge(a, b, row.street, made.names[k], inner)
