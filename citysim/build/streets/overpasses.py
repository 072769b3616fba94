"""Overpasses: bridges without stairs over roads, rails and paths, found a place for ramps before the ground is laid.

A bridge that crosses something on the ground gets a deck at the height that clears it, and ramps along the ways that
lead to it, as far as no other way joins them. Where the ramps find no room the bridge is left out: things that do not
meet are never drawn as a level crossing. The ways (or parts of them) on ramp and deck leave the plan of the ground.
"""

import itertools
from dataclasses import dataclass, replace

import networkx as nx
import numpy as np
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import CityPlan, WayPlan, Xy
from citysim.build.streets.planar import grown, polygons, stretch, strip
from citysim.build.streets.site import Site, is_drive, is_surface

OVER_ROAD, OVER_RAIL, OVER_FOOT, OVER_WATER = 5.3, 6.2, 3.0, 0.5  # clear heights, metres
DECK = 0.6  # thickness, metres
ROAD_GRADE, FOOT_GRADE, EASY_GRADE = 0.08, 0.10, 0.06  # limits, and what is chosen where there is room
PAVEMENT, EDGE = 1.8, 0.5  # what a deck has beside a carriageway, with and without room for walkers, metres
FURTHEST = 130.0  # how far from a bridge its ramps may begin, metres
CLEAR_OF_JUNCTION = 1.5  # metres between a ramp and a junction's carriageway
MEETING = 12.0  # metres around a node within which a way that meets the chain there is not passed over
NOT_BRIDGED = ("steps", "escalator", "elevator", "corridor", "tram", "crossing", "platform")


@dataclass(frozen=True)
class Overpass:
    """One deck with its ramps; distances are metres along the axis, which begins and ends on the ground."""

    ways: tuple[WayPlan, ...]  # the bridge's ways
    axis: LineString
    width: float
    road: float  # width of the carriageway, 0 for none
    needs: tuple[tuple[float, float, float], ...]  # (start, end, height above the ground there) of what is crossed

    @property
    def driven(self) -> bool:
        """Whether it carries a carriageway."""
        return self.road > 0.0


@dataclass(frozen=True)
class _Chain:
    """Ways end to end: every way with its nodes in the chain's direction, and the line of all."""

    parts: tuple[tuple[WayPlan, tuple[int, ...]], ...]
    points: tuple[Xy, ...]

    @property
    def line(self) -> LineString:
        return LineString(self.points)


class _Joints:
    """Which ways meet at a node."""

    def __init__(self, plan: CityPlan) -> None:
        self.plan = plan
        self.ways: dict[int, list[WayPlan]] = {}
        for way in plan.ways:
            for node in dict.fromkeys(way.nodes):
                self.ways.setdefault(node, []).append(way)
        self.crossings = {c.node for c in plan.crossings}

    def others(self, node: int, own: set[str]) -> list[WayPlan]:
        return [w for w in self.ways.get(node, []) if w.id not in own]


def plan_overpasses(site: Site) -> tuple[CityPlan, list[Overpass], list[WayPlan]]:
    """The plan of what stays on the ground, the overpasses, and the bridges for which there is no room."""
    plan = site.plan
    raised = [
        w
        for w in plan.ways
        if (w.bridge or w.layer > 0) and not (w.tunnel or w.indoor or w.passage) and w.kind not in NOT_BRIDGED
    ]
    surface = [w for w in plan.ways if is_surface(w)]
    if not raised or not surface:
        return plan, [], []
    tree = shapely.STRtree([plan.line(w) for w in surface])
    joints = _Joints(plan)
    graph = nx.Graph()
    for way in raised:
        nx.add_path(graph, way.nodes)
    made: list[Overpass] = []
    lost: list[WayPlan] = []
    gone: dict[str, list[WayPlan]] = {}
    nodes = dict(plan.nodes)
    for part in sorted(nx.connected_components(graph), key=min):
        mine = [w for w in raised if w.nodes[0] in part]
        if any(w.kind in ("steps", "escalator") for n in sorted(part) for w in joints.ways[n]):
            continue
        if not _crosses(plan, mine, surface, tree):
            continue
        found = _placed(site, joints, mine, raised, surface, tree, made)
        if found is None:
            lost += mine
            gone |= {w.id: [] for w in mine}
            continue
        overpass, chain, start, end = found
        made.append(overpass)
        gone |= _rest(chain, start, end, nodes, {w.id for w in mine})
    ways = [kept for w in plan.ways for kept in gone.get(w.id, [w])]
    return replace(plan, ways=tuple(ways), nodes=nodes), made, lost


def _crosses(plan: CityPlan, mine: list[WayPlan], surface: list[WayPlan], tree: shapely.STRtree) -> bool:
    """Whether some ways pass over something on the ground: a way they do not meet, or rails."""
    rails = [a.polygon for a in plan.areas if a.kind == "rail"]
    for way in mine:
        line = plan.line(way)
        if any(shapely.intersection(line, area).length > 1.0 for area in rails):
            return True
        for i in sorted(tree.query(line, predicate="intersects").tolist()):
            met = [Point(plan.nodes[n]) for n in set(way.nodes) & set(surface[i].nodes)]
            at = shapely.intersection(line, plan.line(surface[i]))
            if not met or shapely.difference(at, grown(shapely.union_all(met), 0.5)).is_empty is False:
                return True
    return False


def _placed(
    site: Site,
    joints: _Joints,
    mine: list[WayPlan],
    raised: list[WayPlan],
    surface: list[WayPlan],
    tree: shapely.STRtree,
    before: list[Overpass],
) -> tuple[Overpass, _Chain, float, float] | None:
    """An overpass for the ways, with its chain and where on the chain it begins and ends; None where none fits."""
    plan = site.plan
    bridge = _chain(plan, mine)
    if bridge is None:
        return None
    driven = [w for w in mine if is_drive(w)]
    road = max((w.width for w in driven), default=0.0)
    neighbours = [plan.line(w) for w in raised if w not in mine]
    room = road / 2 + 2 * PAVEMENT + 1.0
    alone = all(bridge.line.distance(line) > room for line in neighbours)
    width = road + 2 * (PAVEMENT if alone else EDGE) if driven else max([2.0, *(w.width for w in mine)])
    chain, spare = _approached(plan, joints, bridge, {w.id for w in mine})
    band = strip(chain.line, width)
    needs = _needs(plan, chain, band, surface, tree)
    if not needs:
        return None
    top = max(height for _, _, height in needs)
    first, last = min(n[0] for n in needs), max(n[1] for n in needs)
    limit = ROAD_GRADE if driven else FOOT_GRADE
    low, high = spare[0], chain.line.length - spare[1]
    if first - low < top / limit or high - last < top / limit:
        return None
    start = max(low, first - top / EASY_GRADE)
    end = min(high, last + top / EASY_GRADE)
    axis = stretch(chain.line, start, end)
    if axis is None:
        return None
    axis = LineString(np.round(np.asarray(axis.coords) * 1024) / 1024)
    body = strip(axis, width + 0.2)
    if site.solid.intersects(body) or not site.bounds.contains(body):
        return None
    if len(polygons(body)) != 1 or body.interiors or abs(body.area / (axis.length * (width + 0.2)) - 1.0) > 0.1:
        return None
    if any(strip(o.axis, o.width).intersects(body) for o in before):
        return None
    shifted = tuple((a - start, b - start, height) for a, b, height in needs)
    return Overpass(tuple(mine), axis, width, road, shifted), chain, start, end


def _chain(plan: CityPlan, ways: list[WayPlan]) -> _Chain | None:
    """The ways end to end; None where they branch or close a ring."""
    graph = nx.MultiGraph()
    for k, way in enumerate(ways):
        graph.add_edge(way.nodes[0], way.nodes[-1], key=k)
    ends = sorted(n for n in graph if graph.degree(n) == 1)
    inner = [n for w in ways for n in w.nodes[1:-1]]
    if (
        len(ends) != 2
        or any(graph.degree(n) > 2 for n in graph)
        or len(set(inner)) < len(inner)
        or set(inner) & set(graph)
    ):
        return None
    at, parts, left = ends[0], [], set(range(len(ways)))
    while left:
        k = next(k for _, _, k in graph.edges(at, keys=True) if k in left)
        left.remove(k)
        nodes = ways[k].nodes if ways[k].nodes[0] == at else ways[k].nodes[::-1]
        parts.append((ways[k], nodes))
        at = nodes[-1]
    return _joined(plan, parts)


def _joined(plan: CityPlan, parts: list[tuple[WayPlan, tuple[int, ...]]]) -> _Chain:
    numbers = [parts[0][1][0], *(n for _, nodes in parts for n in nodes[1:])]
    return _Chain(tuple(parts), tuple(plan.nodes[n] for n in numbers))


def _approached(plan: CityPlan, joints: _Joints, bridge: _Chain, own: set[str]) -> tuple[_Chain, tuple[float, float]]:
    """The chain lengthened by the ways that lead to the bridge, and how much of either end must stay on the ground."""
    after, spare_after = _onward(plan, joints, bridge.parts[-1], own)
    before, spare_before = _onward(plan, joints, (bridge.parts[0][0], bridge.parts[0][1][::-1]), own)
    parts = [*((w, nodes[::-1]) for w, nodes in before[::-1]), *bridge.parts, *after]
    return _joined(plan, parts), (spare_before, spare_after)


def _onward(
    plan: CityPlan, joints: _Joints, last: tuple[WayPlan, tuple[int, ...]], own: set[str]
) -> tuple[list[tuple[WayPlan, tuple[int, ...]]], float]:
    """Ways that go on from the end of a part until something joins them, and the length the last of them keeps."""
    found: list[tuple[WayPlan, tuple[int, ...]]] = []
    known = set(own)
    length = 0.0
    node = last[1][-1]
    drive = is_drive(last[0])
    while True:
        others = joints.others(node, known)
        usable = [w for w in others if is_surface(w) and is_drive(w) == drive and w.kind not in NOT_BRIDGED]
        if len(others) != 1 or not usable or node not in (others[0].nodes[0], others[0].nodes[-1]):
            break
        way = others[0]
        nodes = way.nodes if way.nodes[0] == node else way.nodes[::-1]
        stop = next(
            (k for k, n in enumerate(nodes[1:-1], 1) if len(joints.ways[n]) > 1 or n in joints.crossings),
            len(nodes) - 1,
        )
        found.append((way, nodes[: stop + 1]))
        known.add(way.id)
        length += LineString([plan.nodes[n] for n in nodes[: stop + 1]]).length
        node = nodes[stop]
        if stop < len(nodes) - 1 or node in joints.crossings or length > FURTHEST:
            break
    met = joints.others(node, known)
    if not found and not met:
        return [], 0.0
    across = max([w.width / 2 for w in met if is_drive(w)], default=0.0)
    across = max(across, 2.5) if node in joints.crossings else across
    return found, across + (CLEAR_OF_JUNCTION if met or node in joints.crossings else 0.0)


def _needs(
    plan: CityPlan, chain: _Chain, band: BaseGeometry, surface: list[WayPlan], tree: shapely.STRtree
) -> list[tuple[float, float, float]]:
    """(start, end, height of the deck's surface above the ground) of everything the chain passes over."""
    line = chain.line
    own = {w.id for w, _ in chain.parts}
    touched = {n for _, nodes in chain.parts for n in nodes}
    over: list[tuple[BaseGeometry, float]] = []
    for i in sorted(tree.query(band, predicate="intersects").tolist()):
        way = surface[i]
        if way.id in own:
            continue
        drive = is_drive(way)
        clear = OVER_RAIL if way.kind == "tram" else OVER_ROAD if drive else OVER_FOOT
        area = grown(plan.line(way), way.width / 2 + (0.5 if drive else 0.3))
        for node in sorted(touched & set(way.nodes)):  # there it meets the chain, on the ground
            area = shapely.difference(area, Point(plan.nodes[node]).buffer(MEETING + way.width))
        over.append((area, clear))
    heights = {"rail": OVER_RAIL, "water": OVER_WATER}
    over += [(a.polygon, heights[a.kind]) for a in plan.areas if a.kind in heights]
    found = []
    for area, clear in over:
        for part in polygons(shapely.intersection(band, area), 0.05):
            s = [line.project(Point(c)) for c in part.exterior.coords]
            found.append((min(s), max(s), clear + DECK))
    return sorted(found)


def _rest(chain: _Chain, start: float, end: float, nodes: dict[int, Xy], bridge: set[str]) -> dict[str, list[WayPlan]]:
    """What of the chain's ways stays on the ground, by way id; adds the nodes at both ends to `nodes`."""
    fresh = min(min(nodes), 0) - 2
    line = chain.line
    places = {start: fresh, end: fresh + 1}
    for s, number in places.items():
        at = line.interpolate(s)
        nodes[number] = (round(at.x * 1024) / 1024, round(at.y * 1024) / 1024)
    kept: dict[str, list[WayPlan]] = {}
    at = 0.0
    for way, part in chain.parts:
        forth = way.nodes.index(part[0]) <= way.nodes.index(part[-1])
        whole = way.nodes if forth else way.nodes[::-1]
        first = whole.index(part[0])
        head, tail = whole[:first], whole[first + len(part) :]
        gaps = [Point(nodes[a]).distance(Point(nodes[b])) for a, b in itertools.pairwise(part)]
        stations = at + np.concatenate([[0.0], np.cumsum(gaps)])
        before = [n for n, s in zip(part, stations, strict=True) if s < start - 0.01]
        after = [n for n, s in zip(part, stations, strict=True) if s > end + 0.01]
        pieces = [
            (*head, *before, *([fresh] if before and stations[-1] >= start else [])),
            (*([fresh + 1] if after and stations[0] <= end else []), *after, *tail),
        ]
        made: list[WayPlan] = []
        for piece in pieces:
            if len(piece) > 1:
                ident = f"{way.id}/{len(made)}" if made else way.id
                changed = replace(way, id=ident, nodes=piece if forth else piece[::-1])
                made.append(replace(changed, bridge=False, layer=0) if way.id in bridge else changed)
        kept[way.id] = made
        at = float(stations[-1])
    return kept
