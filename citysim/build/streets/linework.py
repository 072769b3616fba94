"""Linework: lines along whole streets, as their ways' tags say: edge lines of streets without pavements, tram rails."""

import itertools
from collections import Counter

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
PIECE, HAIR = 8.0, 0.01  # metres of line in one piece, and left free at either end of it
JOINT = 5.5  # metres round junctions without edge lines

Quad = NDArray[np.float64]  # (4, 2) corners, counter-clockwise


def edge_lines(roads: Roads, bands: shapely.Geometry) -> list[Quad]:
    """White lines that keep a strip at both edges of a street for walkers; not on crossings nor at junctions."""
    chosen = [(way, line) for way, line in roads.ways if EDGES in way.tags]
    if not chosen:
        return []
    arms: Counter[int] = Counter()
    for way, _ in roads.ways:
        arms.update(way.nodes[1:-1] * 2 + (way.nodes[0], way.nodes[-1]))
    joints = {c for way, line in roads.ways for n, c in zip(way.nodes, line.coords, strict=True) if arms[n] > 2}
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
    """Pieces of a strip `offset` metres to the left of a line, mitred at its bends, with a hair between them."""
    points = np.asarray(line.coords)[:, :2]
    right, left = (_beside(points, offset + d) for d in (-width / 2, width / 2))
    made: list[Quad] = []
    for k in range(len(points) - 1):
        length = float(np.hypot(*(points[k + 1] - points[k])))
        count = max(round(length / PIECE), 1)
        for n in range(count):
            s, t = n / count + HAIR / length, (n + 1) / count - HAIR / length
            a, b = right[k] + (right[k + 1] - right[k]) * s, right[k] + (right[k + 1] - right[k]) * t
            d, c = left[k] + (left[k + 1] - left[k]) * s, left[k] + (left[k + 1] - left[k]) * t
            made.append(np.array([a, b, c, d]))
    return made


def _beside(points: NDArray[np.float64], offset: float) -> NDArray[np.float64]:
    """(N, 2) the corners of a line, moved to its left."""
    ahead = np.array([unit(a, b) for a, b in itertools.pairwise(points)])
    left = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    before, after = np.concatenate([left[:1], left]), np.concatenate([left, left[-1:]])
    mean = before + after
    return np.asarray(points + mean * (2.0 * offset / np.maximum((mean * mean).sum(axis=1), 1.0))[:, None])
