"""Weave: walks noded into pieces that meet only at their ends, and the links a person would walk between them."""

from collections import Counter

import networkx as nx
import numpy as np
import shapely
from shapely.geometry import LineString, Point

from citysim.build.adding import plain_sum
from citysim.build.streets.planar import GRID, key_of, lines, on_lattice, xy_of
from citysim.build.streets.site import Site
from citysim.build.streets.walks import Walk

DEAD_END_REACH = 7.0  # metres across which a line's loose end is joined to the next line
GAP_REACH = 25.0  # metres across which a separate part of the network is joined to the rest
BOND = -1  # key of graph edges that are no pieces
LINK = 8  # rank of links: whatever is mapped comes before them

Bond = tuple[tuple[int, int], tuple[int, int]]


def noded(walks: list[Walk]) -> list[Walk]:
    """Split all walks where they meet or cross; coincident stretches keep the walk of the lowest rank."""
    walks = [w for w in walks if w.line.length > 2 * GRID]
    if not walks:
        return []
    merged = shapely.unary_union([on_lattice(w.line) for w in walks], grid_size=GRID)
    pieces = sorted(lines(merged, GRID), key=lambda p: (p.coords[0], p.coords[-1], p.length))
    tree = shapely.STRtree([w.line for w in walks])
    middles = [piece.interpolate(0.5, normalized=True) for piece in pieces]
    owners: dict[int, list[int]] = {}
    for piece, walk in zip(*tree.query(middles, predicate="dwithin", distance=0.02), strict=True):
        owners.setdefault(int(piece), []).append(int(walk))
    made = []
    for number, piece in enumerate(pieces):
        if number in owners:
            made.append(walks[min(owners[number], key=lambda i: (walks[i].rank, i))].along(piece))
    return made


def graph_of(pieces: list[Walk]) -> "nx.MultiGraph":
    """The graph of noded pieces: nodes are lattice addresses, every edge has its piece's number as key."""
    graph = nx.MultiGraph()
    for number, piece in enumerate(pieces):
        graph.add_edge(
            key_of(piece.line.coords[0]), key_of(piece.line.coords[-1]), key=number, length=piece.line.length
        )
    return graph


def loose_end_links(site: Site, pieces: list[Walk], fixed: set[tuple[int, int]], low: shapely.Geometry) -> list[Walk]:
    """Links from loose ends to the nearest other line within reach, where nothing stands and no kerb lies between.

    `low` are the carriageways; `fixed` are addresses where something else (a stair, a bridge) goes on, so that the end
    is not loose; where no line of the ground arrives there yet, one is led there from up to GAP_REACH.
    """
    degree: Counter[tuple[int, int]] = Counter()
    for piece in pieces:
        degree[key_of(piece.line.coords[0])] += 1
        degree[key_of(piece.line.coords[-1])] += 1
    tree = shapely.STRtree([p.line for p in pieces])
    found: dict[tuple[float, ...], Walk] = {}
    for number, piece in enumerate(pieces):
        for end in (0, -1):
            at = piece.line.coords[end]
            if degree[key_of(at)] > 1 or key_of(at) in fixed:
                continue
            link = _link(site, Point(at), pieces, tree, {number}, DEAD_END_REACH, low)
            if link is not None:
                found.setdefault(tuple(np.ravel(sorted(link.line.coords))), link)
    for key in sorted(fixed):
        if key not in degree:
            link = _link(site, Point(xy_of(key)), pieces, tree, set(), GAP_REACH, low)
            if link is not None:
                found.setdefault(tuple(np.ravel(sorted(link.line.coords))), link)
    return list(found.values())


def _link(
    site: Site,
    point: Point,
    pieces: list[Walk],
    tree: shapely.STRtree,
    skip: set[int],
    reach: float,
    low: shapely.Geometry,
) -> Walk | None:
    near = tree.query(point, predicate="dwithin", distance=reach)
    ranked = sorted((pieces[i].line.distance(point), int(i)) for i in near if int(i) not in skip)
    for distance, i in ranked[:6]:
        if distance < GRID:
            continue
        other = pieces[i].line
        target = other.interpolate(other.project(point))
        line = on_lattice(LineString([(point.x, point.y), (target.x, target.y)]))
        if not line.is_empty and line.length > GRID and site.clear(line) and not low.intersects(line):
            return Walk(line, 1, LINK, pieces[i].name, None, 2.0, "link")
    return None


def component_links(site: Site, pieces: list[Walk], low: shapely.Geometry, bonds: list[Bond]) -> list[Walk]:
    """Links from every separate part of the network to the nearest line of a larger part, where the way is clear.

    `bonds` are pairs of addresses that stairs, bridges and subways join.
    """
    graph = graph_of(pieces)
    graph.add_edges_from(bonds, length=0.0)
    parts = sorted(nx.connected_components(graph), key=lambda c: (-len(c), min(c)))
    if len(parts) < 2:
        return []
    part_of = {node: number for number, part in enumerate(parts) for node in part}
    home = [part_of[key_of(piece.line.coords[0])] for piece in pieces]
    tree = shapely.STRtree([p.line for p in pieces])
    found = []
    for number in range(len(parts) - 1, 0, -1):
        members = [i for i, h in enumerate(home) if h == number]
        if plain_sum(pieces[i].line.length for i in members) < 4.0:
            continue
        best: tuple[float, LineString, str] | None = None
        for i in members:
            line = pieces[i].line
            for j in tree.query(line, predicate="dwithin", distance=GAP_REACH):
                if home[j] >= number:
                    continue
                gap = line.distance(pieces[j].line)
                if best is not None and gap >= best[0]:
                    continue
                link = on_lattice(shapely.shortest_line(line, pieces[j].line))
                if not link.is_empty and link.length > GRID and site.clear(link):
                    best = (gap, link, pieces[j].name)
        if best is not None:
            found.append(Walk(best[1], 32 if low.intersects(best[1]) else 1, LINK, best[2], None, 2.0, "link"))
    return found


def pruned(pieces: list[Walk], least: float, bonds: list[Bond]) -> tuple[list[Walk], float]:
    """The pieces without parts of the network shorter than `least` metres, and the length dropped.

    `bonds` are pairs of addresses that stairs, bridges and subways join.
    """
    kept: list[Walk] = []
    dropped = 0.0
    graph = graph_of(pieces)
    graph.add_edges_from((a, b, BOND) for a, b in bonds)
    for part in sorted(nx.connected_components(graph), key=min):
        numbers = sorted({k for _, _, k in graph.edges(part, keys=True) if k != BOND})
        length = plain_sum(pieces[i].line.length for i in numbers)
        if length >= least:
            kept += [pieces[i] for i in numbers]
        else:
            dropped += length
    return kept, dropped


def served(pieces: list[Walk], bonds: list[Bond]) -> set[tuple[int, int]]:
    """Addresses of structures that can be reached from the pieces."""
    ends = {key_of(piece.line.coords[end]) for piece in pieces for end in (0, -1)}
    graph = nx.Graph(bonds)
    return {node for part in nx.connected_components(graph) if part & ends for node in part}
