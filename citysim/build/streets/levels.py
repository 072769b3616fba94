"""Levels: which ways leave the ground, how high or deep they run, and the stairs that lead there.

A level is a set of joined walking ways above (bridge, layer > 0) or below (tunnel, layer < 0) the ground. It is built
when at least two stairs (or, above ground, one) with room for their rise lead from it to the ground. Bridges without
stairs that cross something are overpasses, those over water spans; the rest lies on the ground or is dropped.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import networkx as nx
import numpy as np
import shapely
from shapely.geometry import LineString, Polygon

from citysim.build.adding import plain_sum
from citysim.build.plans import CityPlan, WayPlan, Xy
from citysim.build.streets.flights import RISER_MOST, WIDTH_LEAST, Flight, straight_runs
from citysim.build.streets.lifts import KIND as LIFT
from citysim.build.streets.lifts import Lift, find_lifts
from citysim.build.streets.planar import grown, unit
from citysim.build.streets.roads import Roads
from citysim.build.streets.site import BODY, Site, is_drive
from citysim.build.streets.terrain import Terrain

OVER_ROAD, OVER_RAIL, OVER_FOOT = 5.3, 6.2, 3.0  # clear heights, metres
DECK = 0.5  # thickness of a bridge deck, metres
DEPTH, DEPTH_MIDDLE, DEPTH_LEAST = 4.2, 3.75, 3.3  # floor of a subway below ground, metres
SUBWAY_HEIGHT = 2.6
TREAD_TIGHT = 0.25
STRAIGHT_ON = 0.8  # cosine up to which a stair leads straight on into the level's way


@dataclass(frozen=True)
class Level:
    """Joined ways at one height, and the flights that lead to the ground, with all their heights."""

    z: float
    below: bool
    ways: tuple[WayPlan, ...]
    stretches: tuple[tuple[WayPlan, Xy, Xy], ...]  # straight pieces of floor; they join where end points are equal
    flights: tuple[Flight, ...]
    landings: tuple[tuple[Flight, Flight], ...]  # flights that follow each other round a bend
    lifts: tuple[Lift, ...] = ()

    @property
    def width(self) -> float:
        """Width of its widest way, metres."""
        return level_width(self.ways)


def lifted_ways(plan: CityPlan, below: bool) -> list[WayPlan]:
    """Walking ways that leave the ground upwards or downwards, without stairs and lifts."""
    found = []
    for way in plan.ways:
        if is_drive(way) or not way.foot or way.passage or way.kind in ("steps", "escalator", "elevator", "crossing"):
            continue
        under = way.tunnel or way.layer < 0
        if below and under and way.layer >= -1:
            found.append(way)
        if not below and not under and (way.bridge or way.layer > 0):
            found.append(way)
    return found


def find_levels(
    site: Site, roads: Roads, nodes: dict[int, Xy], terrain: Terrain, others: list[Flight]
) -> tuple[list[Level], set[str], list[WayPlan]]:
    """Levels that can be built, ids of raised ways that lie on the ground instead, and ways that are dropped."""
    levels: list[Level] = []
    grounded: set[str] = set()
    dropped: list[WayPlan] = []
    placed = list(others)
    for below in (False, True):
        depths = (DEPTH, DEPTH_MIDDLE, DEPTH_LEAST) if below else (0.0,)  # less deep where stairs are short
        ways = lifted_ways(site.plan, below)
        stairs = _stairs_of(site.plan, ways)
        graph = nx.Graph()
        for way in ways:
            nx.add_path(graph, way.nodes)
        for part in sorted(nx.connected_components(graph), key=min):
            mine = [w for w in ways if w.nodes[0] in part]
            leading = [s for s in stairs if (s.nodes[0] in part) != (s.nodes[-1] in part)]
            tries = (_level(site, roads, nodes, terrain, mine, leading, part, depth, placed) for depth in depths)
            level = next((found for found in tries if found is not None), None)
            if level is not None:
                levels.append(level)
                placed += level.flights
            elif not below and not leading:
                grounded |= {w.id for w in mine}
            else:
                dropped += mine
    return levels, grounded, dropped


def _stairs_of(plan: CityPlan, ways: list[WayPlan]) -> list[WayPlan]:
    joints = {n for w in ways for n in w.nodes}
    return [w for w in plan.ways if w.kind in ("steps", "escalator") and {w.nodes[0], w.nodes[-1]} & joints]


def _level(
    site: Site,
    roads: Roads,
    nodes: dict[int, Xy],
    terrain: Terrain,
    ways: list[WayPlan],
    stairs: list[WayPlan],
    part: set[int],
    depth: float,
    placed: list[Flight],
) -> Level | None:
    below = depth > 0.0
    lines = [LineString([nodes[n] for n in w.nodes]) for w in ways]
    if not below and any(site.solid.intersects(line) for line in lines):
        return None
    goal = _goal(site, roads, nodes, terrain, ways, lines, depth)
    flights: list[Flight] = []
    landings: list[tuple[Flight, Flight]] = []
    rising = [] if below else find_lifts([w for w in site.plan.ways if w.kind == LIFT], nodes, part, goal)
    rising = [x for x in rising if not _shaft_clashes(site, roads, x)]
    for way in stairs:
        runs = _runs(site, roads, way, nodes, part, ways, goal, terrain, below, [*placed, *flights])
        flights += runs
        landings += list(itertools.pairwise(runs))
    while True:
        reached = {n for f in flights for n in (f.way.nodes[0], f.way.nodes[-1]) if n in part}
        if len(reached) < (2 if below else 1):
            return None
        used = _used(ways, reached | {n for x in rising for n in (x.way.nodes[0], x.way.nodes[-1]) if n in part})
        if not used:
            return None
        stretches = [(way, nodes[a], nodes[b]) for way, a, b in used]
        stretches += [
            (f.way, joint, end)
            for f in flights
            for joint, end in [_joint(f, nodes, part)]
            if joint != end and math.dist(joint, end) < level_width(ways)
        ]
        paths = [LineString([a, b]) for _, a, b in stretches]
        if below and any(o.sunken and _stands_in(o, paths) for o in placed):
            return None
        wrong = {f.way.id for f in flights if _stands_in(f, paths)}
        if not wrong:
            break
        flights = [f for f in flights if f.way.id not in wrong]
        landings = [pair for pair in landings if pair[0].way.id not in wrong]
    return Level(goal, below, tuple(ways), tuple(stretches), tuple(flights), tuple(landings), tuple(rising))


def _shaft_clashes(site: Site, roads: Roads, lift: Lift) -> bool:
    """Whether a lift has no room where it stands."""
    outline = lift.outline
    return bool(
        site.solid.intersects(outline)
        or not site.bounds.contains(outline)
        or shapely.intersection(outline, roads.low).area > 0.02
    )


def _joint(flight: Flight, nodes: dict[int, Xy], part: set[int]) -> tuple[Xy, Xy]:
    """The node of the level at which a stair arrives, and the flight's end on the level's side."""
    node = flight.way.nodes[0] if flight.way.nodes[0] in part else flight.way.nodes[-1]
    return nodes[node], flight.foot if flight.sunken else flight.head


def level_width(ways: Sequence[WayPlan]) -> float:
    """Width of the widest of some ways of a level, metres."""
    return max(max(w.width, 2.0) for w in ways)


def _stands_in(flight: Flight, paths: list[LineString]) -> bool:
    """Whether a flight takes the room of a path it does not merely meet at its end."""
    half = flight.width / 2 + BODY
    start, end = (0.0, flight.length - 0.1) if flight.raised else (0.1, flight.length)
    room = Polygon(
        [flight.corner(start, -half), flight.corner(end, -half), flight.corner(end, half), flight.corner(start, half)]
    )
    return any(room.intersects(path) for path in paths)


def _used(ways: list[WayPlan], reached: set[int]) -> list[tuple[WayPlan, int, int]]:
    """The stretches that lie between places where stairs arrive; blind ends are left out."""
    owner: dict[tuple[int, int], WayPlan] = {}
    graph = nx.Graph()
    for way in ways:
        for a, b in itertools.pairwise(way.nodes):
            graph.add_edge(a, b)
            owner.setdefault((a, b), way)
    while True:
        loose = [n for n in sorted(graph) if graph.degree(n) < 2 and n not in reached]
        if not loose:
            break
        graph.remove_nodes_from(loose)
    return [(way, a, b) for (a, b), way in owner.items() if graph.has_edge(a, b)]


def _goal(
    site: Site,
    roads: Roads,
    nodes: dict[int, Xy],
    terrain: Terrain,
    ways: list[WayPlan],
    lines: list[LineString],
    depth: float,
) -> float:
    """The height of the level: what the plan says, else what clears everything that is crossed."""
    known = [site.plan.node_heights[n] for w in ways for n in w.nodes if site.plan.node_heights.get(n)]
    if known:
        return round(max(known) * 1024) / 1024
    ground = terrain.height(shapely.get_coordinates(lines))
    if depth > 0.0:
        return round((float(ground.min()) - depth) * 1024) / 1024
    least = float(ground.max()) + OVER_FOOT
    mine = {w.id for w in ways}
    for way in site.plan.ways:
        if way.id in mine or way.bridge or way.tunnel or way.layer != 0 or not is_drive(way):
            continue
        line = site.line(way)
        for own in lines:
            if own.intersects(line):
                at = shapely.get_coordinates(shapely.intersection(own, line))
                least = max(least, float(terrain.height(at).max()) + (OVER_RAIL if way.kind == "tram" else OVER_ROAD))
    rails = [a.polygon for a in site.plan.areas if a.kind == "rail"]
    if any(own.intersects(area) for own in lines for area in rails):
        least = max(least, float(ground.max()) + OVER_RAIL)
    return round((least + DECK) * 1024) / 1024


def _runs(
    site: Site,
    roads: Roads,
    way: WayPlan,
    nodes: dict[int, Xy],
    part: set[int],
    level: list[WayPlan],
    goal: float,
    terrain: Terrain,
    below: bool,
    others: list[Flight],
) -> list[Flight]:
    """The flights of one stair between ground and level, in the order of its nodes; none where it does not fit."""
    runs = _set_back(straight_runs(site, way, nodes), way, nodes, part, level)
    lengths = [math.hypot(b[0] - a[0], b[1] - a[1]) for a, b in runs]
    starts_away = way.nodes[0] in part
    ground = float(terrain.height([nodes[way.nodes[-1] if starts_away else way.nodes[0]]])[0])
    if not runs or min(lengths) < 1.0:
        return []
    rise = abs(goal - ground)
    risers = max(math.ceil(rise / RISER_MOST), 2)
    share = [max(round(risers * x / plain_sum(lengths)), 2) for x in lengths]
    risers = sum(share)
    if any((n - 1) * TREAD_TIGHT > x - 0.1 for n, x in zip(share, lengths, strict=True)):
        return []
    z = goal if starts_away else ground
    step = (ground - goal if starts_away else goal - ground) / risers
    made: list[Flight] = []
    last = 0 if not starts_away else len(runs) - 1
    for k, ((a, b), count) in enumerate(zip(runs, share, strict=True)):
        onward = round((z + step * count) * 1024) / 1024
        up = onward > z
        flight = Flight(
            way,
            a if up else b,
            b if up else a,
            max(way.width, WIDTH_LEAST),
            count,
            up,
            min(z, onward),
            max(z, onward),
            raised=not below,
            sunken=below,
            meets_ground=k == last,
        )
        fitted = _fitted(site, roads, flight, [o for o in others if o.way.id != way.id])
        if fitted is None:
            return []
        made.append(fitted)
        z = onward
    return made


def _set_back(
    runs: list[tuple[Xy, Xy]], way: WayPlan, nodes: dict[int, Xy], part: set[int], level: list[WayPlan]
) -> list[tuple[Xy, Xy]]:
    """The runs, shortened at the level's end where they would otherwise stand in the way of who passes there."""
    if not runs:
        return runs
    first = way.nodes[0] in part
    node = way.nodes[0] if first else way.nodes[-1]
    away, inner = (runs[0][1], runs[0][0]) if first else runs[-1]
    ahead = unit(away, inner)
    onward = [
        unit(nodes[node], nodes[w.nodes[k + d]])
        for w in level
        for k, n in enumerate(w.nodes)
        if n == node
        for d in (-1, 1)
        if 0 <= k + d < len(w.nodes)
    ]
    if all(float(v @ ahead) > STRAIGHT_ON for v in onward):
        return runs
    back = (level_width([w for w in level if node in w.nodes]) / 2) + 0.15
    moved = np.round((np.array(inner) - ahead * back) * 1024) / 1024
    if float((moved - np.array(away)) @ ahead) < 1.0:
        return []
    end = (float(moved[0]), float(moved[1]))
    return [(end, runs[0][1]), *runs[1:]] if first else [*runs[:-1], (runs[-1][0], end)]


def _fitted(site: Site, roads: Roads, flight: Flight, others: list[Flight]) -> Flight | None:
    while True:
        outline = grown(flight.outline, 0.05)
        clash = site.solid.intersects(outline) or not site.bounds.contains(outline)
        clash = clash or shapely.intersection(outline, roads.low).area > 0.3
        if not clash and not any(shapely.intersection(outline, o.outline).area > 0.3 for o in others):
            return flight
        if flight.width <= WIDTH_LEAST:
            return None
        flight = replace(flight, width=max(flight.width * 0.8, WIDTH_LEAST))
