"""Linework: lines along whole streets, as their ways' tags say: edge lines of streets without pavements, tram rails."""

import itertools

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point

from citysim.build.plans import WayPlan
from citysim.build.streets.planar import unit
from citysim.build.streets.roads import Roads

EDGES, RAILS = "edge_lines", "tram_tracks"  # tags: metres from the edge; metres from the kerb to a track's middle
WIDTH, RAIL = 0.15, 0.09  # metres
GAUGE = 1.067  # metres between the rails of a track
PIECE = 8.0  # metres of line in one piece
JOINT = 5.5  # metres round junctions without edge lines

Quad = NDArray[np.float64]  # (4, 2) corners, counter-clockwise


def edge_lines(roads: Roads, bands: shapely.Geometry) -> list[Quad]:
    """White lines that keep a strip at both edges of a street for walkers; not on crossings nor at junctions."""
    chosen = [(way, line) for way, line in roads.ways if EDGES in way.tags]
    if not chosen:
        return []
    shared: dict[int, int] = {}
    for way, _ in roads.ways:
        for node in way.nodes:
            shared[node] = shared.get(node, 0) + 1
    joints = {c for way, line in roads.ways for n, c in zip(way.nodes, line.coords, strict=True) if shared[n] > 2}
    clear = shapely.union_all([bands, *[Point(c).buffer(JOINT, quad_segs=3) for c in sorted(joints)]])
    shapely.prepare(clear)
    made: list[Quad] = []
    for way, line in chosen:
        off = way.width / 2 - float(way.tags[EDGES])
        for side in (off, -off):
            made += [q for q in _along(line, side, WIDTH) if not clear.intersects(shapely.polygons(q))]
    return made


def tram_rails(roads: Roads) -> list[Quad]:
    """The rails of the tracks on both sides of a street, across junctions and crossings too."""
    made: list[Quad] = []
    for way, line in roads.ways:
        for middle in _tracks(way):
            for side in (middle - GAUGE / 2, middle + GAUGE / 2):
                made += _along(line, side, RAIL)
    return made


def _tracks(way: WayPlan) -> tuple[float, ...]:
    if RAILS not in way.tags:
        return ()
    off = way.width / 2 - float(way.tags[RAILS])
    return (off, -off) if not way.oneway else (0.0,)


def _along(line: LineString, offset: float, width: float) -> list[Quad]:
    """Pieces of a strip `offset` metres to the left of a line, which meet without gaps but at bends."""
    made: list[Quad] = []
    for a, b in itertools.pairwise(np.asarray(line.coords)[:, :2]):
        u = unit(a, b)
        left = np.array([-u[1], u[0]])
        length = float(np.hypot(*(b - a)))
        stops = np.linspace(0.0, length, max(round(length / PIECE), 1) + 1)
        for s, t in itertools.pairwise(stops):
            p, q, w = a + u * s + left * offset, a + u * t + left * offset, left * width / 2
            made.append(np.array([p - w, q - w, q + w, p + w]))
    return made
