"""Sidewalks: walking lines that no one mapped: pavements along kerbs, crossings at nodes, ways over squares, doors."""

import itertools
import math

import networkx as nx
import numpy as np
import shapely
from shapely.geometry import LineString, Point

from citysim.build.plans import EntrancePlan
from citysim.build.streets.planar import area_of, grown, key_of, lines, on_lattice, unit, xy_of
from citysim.build.streets.roads import FLUSH_KINDS, Roads
from citysim.build.streets.site import BODY, Site
from citysim.build.streets.walks import CROSSING_CODES, Walk
from citysim.build.streets.weave import LINK

KERB_DISTANCE = 1.2  # of a generated pavement line from the kerb, metres
MAPPED_NEAR = 5.0  # a mapped walking line this close makes a generated one needless, metres
DOOR_STEP = 0.25  # beyond BODY: where a door's line begins, metres off the wall
DOOR_REACH = 25.0
SQUARE_DETOUR = 1.35  # a way across a square is worth drawing when the way round is this much longer


def pavement_lines(site: Site, roads: Roads, walks: list[Walk]) -> list[Walk]:
    """Lines along the kerbs where no walking line is mapped nearby."""
    if roads.low.is_empty:
        return []
    ring = shapely.boundary(shapely.intersection(grown(roads.low, KERB_DISTANCE), grown(site.bounds, 50.0)))
    mapped = [w.line for w in walks if w.feature in (1, 24) and w.rank == 3]
    water = area_of(a.polygon for a in site.plan.areas if a.kind in ("water", "construction"))
    near = shapely.union_all([grown(line, MAPPED_NEAR) for line in mapped]) if mapped else shapely.Point()
    free = shapely.difference(shapely.difference(ring, near), shapely.union_all([site.tight, grown(water, 0.5)]))
    axes = [(way, line) for way, line in roads.ways if way.name]
    tree = shapely.STRtree([line for _, line in axes]) if axes else None
    found = []
    for piece in lines(shapely.line_merge(shapely.intersection(free, site.bounds)), 4.0):
        name = ""
        if tree is not None:
            name = axes[int(tree.nearest(piece.interpolate(0.5, normalized=True)))][0].name
        found.append(Walk(on_lattice(shapely.simplify(piece, 0.05)), 1, 4, name, None, 2.0, "pavement"))
    return [w for w in found if not w.line.is_empty]


def node_crossings(site: Site, roads: Roads, walks: list[Walk]) -> list[Walk]:
    """Lines from kerb to kerb at the plan's crossing nodes that no mapped crossing line serves."""
    mapped = [w.line for w in walks if w.feature in (30, 31, 32, 33)]
    tree = shapely.STRtree(mapped) if mapped else None
    wide = grown(roads.low, KERB_DISTANCE + 0.1)
    found = []
    for crossing in site.plan.crossings:
        at = Point(site.plan.nodes[crossing.node])
        if tree is not None and len(tree.query(at, predicate="dwithin", distance=4.0)):
            continue
        for way, line in roads.ways:
            if crossing.node not in way.nodes or way.kind in FLUSH_KINDS:
                continue
            i = way.nodes.index(crossing.node)
            coords = line.coords
            along = unit(coords[max(i - 1, 0)], coords[min(i + 1, len(coords) - 1)])
            across = np.array([-along[1], along[0]])
            beam = LineString([np.array(at.coords[0]) - across * 25.0, np.array(at.coords[0]) + across * 25.0])
            for part in lines(shapely.difference(shapely.intersection(beam, wide), site.tight), 2.0):
                if part.distance(at) < 0.5 and part.length < 34.0:
                    found.append(
                        Walk(
                            on_lattice(part), CROSSING_CODES.get(crossing.kind, 32), 2, way.name, None, 4.0, crossing.id
                        )
                    )
            break
    return found


def square_links(site: Site, pieces: list[Walk]) -> list[Walk]:
    """Ways across squares between the places where lines end at them: straight, clear, and only where what is there
    already makes a detour.
    """
    graph = nx.Graph()
    for piece in pieces:
        a, b = key_of(piece.line.coords[0]), key_of(piece.line.coords[-1])
        if a != b and piece.line.length < graph.get_edge_data(a, b, {"length": math.inf})["length"]:
            graph.add_edge(a, b, length=piece.line.length)
    keys = sorted(key for key in graph if graph.degree(key) != 2)
    if not keys:
        return []
    points = [Point(xy_of(key)) for key in keys]
    tree = shapely.STRtree(points)
    found = []
    for area in site.plan.areas:
        if area.kind not in ("square", "platform"):
            continue
        rim, inner = area.polygon.boundary, grown(area.polygon, 1.6)
        doors = [i for i in sorted(tree.query(grown(area.polygon, 1.5), predicate="intersects").tolist())
                 if rim.distance(points[i]) < 1.5][:60]  # fmt: skip
        pairs = sorted((points[i].distance(points[j]), i, j) for i, j in itertools.combinations(doors, 2))
        for apart, i, j in pairs:
            if not 6.0 < apart < 120.0:
                continue
            line = on_lattice(LineString([points[i], points[j]]))
            if not (inner.contains(line) and site.clear(line)):
                continue
            reached = nx.single_source_dijkstra_path_length(
                graph, keys[i], cutoff=SQUARE_DETOUR * apart, weight="length"
            )
            if keys[j] not in reached:
                graph.add_edge(keys[i], keys[j], length=apart)
                found.append(Walk(line, 1, LINK, area.name, None, 3.0, area.id))
    return found


def door_links(site: Site, roads: Roads, pieces: list[Walk]) -> tuple[list[Walk], int]:
    """Lines from in front of every door to the nearest walking line, and how many doors got none."""
    tree = shapely.STRtree([p.line for p in pieces])
    outline = shapely.boundary(site.solid)
    found, missed = [], 0
    shapely.prepare(roads.low)
    for building in site.plan.buildings:
        for door in building.entrances:
            line = _door_line(site, roads, pieces, tree, outline, door)
            if line is None:
                missed += 1
            elif line.length > 0.3:
                found.append(Walk(line, 1, LINK, "", None, 1.5, door.id))
    return found, missed


def _door_line(site: Site, roads: Roads, pieces: list[Walk], tree: shapely.STRtree, outline: shapely.Geometry,
               door: EntrancePlan) -> LineString | None:  # fmt: skip
    at = Point(door.xy)
    if at.distance(outline) > 1.5 or not site.bounds.contains(at):
        return None
    wall = shapely.shortest_line(at, outline).coords[-1]
    start = None
    for angle in range(16):
        reach = BODY + DOOR_STEP
        probe = Point(wall[0] + reach * math.cos(angle * math.pi / 8), wall[1] + reach * math.sin(angle * math.pi / 8))
        away = site.solid.distance(probe)
        if away > BODY and (start is None or away > start[0] + 1e-6):
            start = (away, probe)
    if start is None:
        return None
    near = tree.query(start[1], predicate="dwithin", distance=DOOR_REACH)
    ranked = sorted((pieces[i].line.distance(start[1]), int(i)) for i in near)
    for _, i in ranked[:8]:
        other = pieces[i].line
        target = other.interpolate(other.project(start[1]))
        line = on_lattice(LineString([start[1], target]))
        if line.is_empty or line.length < 0.3:
            return LineString([start[1], target])
        if site.clear(line) and shapely.intersection(line, roads.low).length < 0.5:
            return line
    return None
