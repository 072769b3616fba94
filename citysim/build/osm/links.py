"""Joining the ways that end at a square through it: OpenStreetMap draws the square's outline only."""

import heapq
import math
from itertools import combinations, pairwise

from shapely import STRtree, prepare, to_wkb
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.areas import OsmArea
from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.outlines import is_underground
from citysim.build.osm.tagvalues import first_value, integer, is_yes, levels_of
from citysim.build.osm.ways import WayNetwork
from citysim.build.plans import WayPlan

_DETOUR = 1.7  # a straight link is added where the walk over links made so far is longer than this times it
_MOST = 150  # entries of one area that are joined in straight lines; the outline reaches the rest
_WIDTH = 2.5


def link_areas(source: LocalMap, areas: list[OsmArea], network: WayNetwork, obstacles: list[BaseGeometry]) -> None:
    """Add WayPlans through each walked area between the nodes where other ways meet it.

    Straight links that stay inside and clear of `obstacles` (buildings, walls, carriageways), as a sparse spanner;
    entries that none reaches are joined along the outline. Ids are "osm:way/1/link/7-9"; the tag `citysim:link` names
    the area.
    """
    walked = {n for way in network.ways if way.kind != "tram" and way.foot for n in way.nodes}
    tree = STRtree(obstacles)
    seen: set[bytes] = set()
    for area in areas:
        key = to_wkb(area.polygon.normalize())
        entries = sorted({n for n in area.nodes if n in walked and source.inside(source.xy[n])})
        if len(entries) < 2 or key in seen:
            continue
        seen.add(key)
        under = is_underground(area.tags)
        near = [] if under else [obstacles[int(i)] for i in sorted(tree.query(area.polygon))]
        pairs = _spanner(source, area, entries[:_MOST], near)
        pairs += _along_outline(source, area, entries, pairs)
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
    source: LocalMap, area: OsmArea, entries: list[int], obstacles: list[BaseGeometry]
) -> list[tuple[int, int]]:
    room = area.polygon.buffer(0.3)
    prepare(room)
    ranked = sorted((math.dist(source.xy[a], source.xy[b]), a, b) for a, b in combinations(entries, 2))
    graph: dict[int, list[tuple[int, float]]] = {n: [] for n in entries}
    chosen = []
    for length, a, b in ranked:
        if length < 0.1 or _walk(graph, a, b, _DETOUR * length) <= _DETOUR * length:
            continue
        line = LineString([source.xy[a], source.xy[b]])
        if room.covers(line) and not any(_blocks(line, solid) for solid in obstacles):
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


def _blocks(line: LineString, obstacle: BaseGeometry) -> bool:
    """Whether a link runs through a solid, or across a line other than at the link's own ends."""
    if obstacle.geom_type in ("Polygon", "MultiPolygon"):
        return bool(line.intersects(obstacle))
    if not line.intersects(obstacle):
        return False
    ends = line.boundary.buffer(0.05)
    return not ends.covers(line.intersection(obstacle))


def _along_outline(
    source: LocalMap, area: OsmArea, entries: list[int], pairs: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Segments of the outline that join the groups of entries which the links leave apart."""
    edges = _ring_edges(source, area)
    joined: dict[int, set[int]] = {}
    for a, b in pairs:
        joined.setdefault(a, set()).add(b)
        joined.setdefault(b, set()).add(a)
    added: list[tuple[int, int]] = []
    reached = _reach(joined, entries[0])
    while any(n not in reached for n in entries):
        path = _way_out(source, edges, reached, set(entries))
        if not path:
            break
        for a, b in pairwise(path):
            joined.setdefault(a, set()).add(b)
            joined.setdefault(b, set()).add(a)
            added.append((min(a, b), max(a, b)))
        reached = _reach(joined, entries[0])
    return sorted(set(added) - {(min(p), max(p)) for p in pairs})


def _ring_edges(source: LocalMap, area: OsmArea) -> dict[int, list[int]]:
    """Neighbours along the rings, of nodes inside the bounds."""
    shell = area.polygon.boundary.buffer(0.1)
    edges: dict[int, list[int]] = {}
    for a, b in pairwise(area.nodes):
        inside = a in source.xy and b in source.xy and source.inside(source.xy[a]) and source.inside(source.xy[b])
        if inside and source.xy[a] != source.xy[b] and shell.covers(LineString([source.xy[a], source.xy[b]])):
            edges.setdefault(a, []).append(b)
            edges.setdefault(b, []).append(a)
    return edges


def _reach(joined: dict[int, set[int]], start: int) -> set[int]:
    found, queue = {start}, [start]
    while queue:
        for other in sorted(joined.get(queue.pop(), ())):
            if other not in found:
                found.add(other)
                queue.append(other)
    return found


def _way_out(source: LocalMap, edges: dict[int, list[int]], reached: set[int], entries: set[int]) -> list[int]:
    """The shortest walk along the outline from the reached nodes to another entry, [] where there is none."""
    best = dict.fromkeys(reached, 0.0)
    before: dict[int, int] = {}
    queue = [(0.0, n) for n in sorted(reached)]
    while queue:
        done, node = heapq.heappop(queue)
        if done > best[node]:
            continue
        if node in entries and node not in reached:
            path = [node]
            while path[-1] in before:
                path.append(before[path[-1]])
            return path
        for other in edges.get(node, ()):
            total = done + math.dist(source.xy[node], source.xy[other])
            if total < best.get(other, math.inf):
                best[other], before[other] = total, node
                heapq.heappush(queue, (total, other))
    return []
