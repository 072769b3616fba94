"""Joining the ways that end at a square through it: OpenStreetMap draws the square's outline only."""

import heapq
import math
from itertools import combinations

from shapely import STRtree, prepare
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.areas import OsmArea
from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.outlines import is_underground
from citysim.build.osm.tagvalues import first_value, integer, is_yes, levels_of
from citysim.build.osm.ways import WayNetwork
from citysim.build.plans import WayPlan

_DETOUR = 1.5  # a straight link is added where the walk over links made so far is longer than this times it
_MOST = 60  # entries of one area that are joined (by id) before the rest is left to the outline
_WIDTH = 2.5


def link_areas(source: LocalMap, areas: list[OsmArea], network: WayNetwork, solids: list[BaseGeometry]) -> None:
    """Add WayPlans through each walked area between the nodes where other ways meet it.

    Straight links that stay inside and clear of `solids` (buildings), as a sparse spanner; entries that none reaches
    are joined along the outline. Ids are "osm:way/1/link/7-9"; tag `citysim:link` names the area.
    """
    walked = {n for way in network.ways if way.kind != "tram" and way.foot for n in way.nodes}
    tree = STRtree(solids)
    for area in areas:
        entries = sorted({n for n in area.nodes if n in walked and source.inside(source.xy[n])})
        if len(entries) < 2:
            continue
        pairs = _spanner(source, area, entries[:_MOST], tree, solids)
        pairs += _outline(source, area, entries, pairs)
        for a, b in pairs:
            network.nodes.update({a: source.xy[a], b: source.xy[b]})
            network.ways.append(_link(area, a, b))


def _link(area: OsmArea, a: int, b: int) -> WayPlan:
    tags = area.tags
    under = is_underground(tags)
    return WayPlan(
        id=f"{area.id}/link/{a}-{b}",
        kind="pedestrian",
        nodes=(a, b),
        width=_WIDTH,
        name=tags.get("name", ""),
        layer=integer(tags.get("layer"), levels_of(tags.get("level")) if under else 0),
        tunnel=under,
        bridge=is_yes(tags.get("bridge")),
        indoor=is_yes(tags.get("indoor")),
        covered=is_yes(tags.get("covered")),
        surface=first_value(tags.get("surface", "")),
        tags={**tags, "citysim:link": area.id},
    )


def _spanner(
    source: LocalMap, area: OsmArea, entries: list[int], tree: STRtree, solids: list[BaseGeometry]
) -> list[tuple[int, int]]:
    room = area.polygon.buffer(0.3)
    prepare(room)
    obstacles = [] if is_underground(area.tags) else [solids[int(i)].buffer(-0.2) for i in sorted(tree.query(area.polygon))]
    ranked = sorted((math.dist(source.xy[a], source.xy[b]), a, b) for a, b in combinations(entries, 2))
    graph: dict[int, list[tuple[int, float]]] = {n: [] for n in entries}
    chosen = []
    for length, a, b in ranked:
        if length < 0.1 or _walk(graph, a, b, _DETOUR * length) <= _DETOUR * length:
            continue
        line = LineString([source.xy[a], source.xy[b]])
        if room.covers(line) and not any(line.intersects(solid) for solid in obstacles):
            graph[a].append((b, length))
            graph[b].append((a, length))
            chosen.append((a, b))
    return chosen


def _walk(graph: dict[int, list[tuple[int, float]]], start: int, goal: int, limit: float) -> float:
    """Shortest length from start to goal over the links so far, infinity where it exceeds `limit`."""
    best = {start: 0.0}
    queue = [(0.0, start)]
    while queue:
        done, node = heapq.heappop(queue)
        if node == goal:
            return done
        for other, length in graph[node]:
            total = done + length
            if total <= limit and total < best.get(other, math.inf):
                best[other] = total
                heapq.heappush(queue, (total, other))
    return math.inf


def _outline(source: LocalMap, area: OsmArea, entries: list[int], pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The outline's segments where the links leave entries apart, else nothing."""
    group = {n: n for n in entries}

    def root(node: int) -> int:
        while group[node] != node:
            node = group[node]
        return node

    for a, b in pairs:
        group[root(a)] = root(b)
    if len({root(n) for n in entries}) == 1:
        return []
    rings = set(area.polygon.exterior.coords)
    nodes = [n for n in area.nodes if n in source.xy and source.xy[n] in rings]
    segments = list(zip(nodes, nodes[1:] + nodes[:1], strict=True))
    shell = area.polygon.buffer(0.3)
    return sorted(
        {
            (min(a, b), max(a, b))
            for a, b in segments
            if source.xy[a] != source.xy[b]
            and source.inside(source.xy[a])
            and source.inside(source.xy[b])
            and shell.covers(LineString([source.xy[a], source.xy[b]]))
        }
        - {(min(a, b), max(a, b)) for a, b in pairs}
    )
