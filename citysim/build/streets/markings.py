"""Markings: zebra bars, stop and lane lines six millimetres above the asphalt they are painted on, and tram rails."""

from collections import Counter

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail
from citysim.build.plans import WayPlan
from citysim.build.streets.linework import edge_lines, tram_rails
from citysim.build.streets.planar import area_of, grown, lines, strip, unit
from citysim.build.streets.roads import FLUSH_KINDS, Roads
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.walks import Walk

LIFT, RAILS_LIFT = 0.006, 0.011  # metres above the ground
FOLD, PIECES = 0.01, 10  # a bend of the ground from which markings are cut, metres, and into how many pieces
BAR, GAP = 0.5, 0.5  # zebra: width of bars and of gaps between them, metres
DASH, PAUSE, LINE_WIDTH = 3.0, 6.0, 0.12
STOP_WIDTH, STOP_BEFORE = 0.4, 1.5
LEAVING = 14.0  # metres behind a junction within which nobody stops for its crossings
JUNCTION_CLEAR = 9.0  # metres around junctions without lane lines

Quad = NDArray[np.float64]  # (4, 2) corners, counter-clockwise


def paint(draft: CityDraft, ground: GroundSurface, roads: Roads, pieces: list[Walk]) -> None:
    """Add all markings to the draft."""
    if roads.low.is_empty:
        return
    marked = [p for p in pieces if p.feature in (30, 31) and p.line.length > 2.0]
    crossed = [(p, part) for p in marked for part in lines(shapely.intersection(p.line, roads.low), 2.0)]
    bars = [bar for piece, part in crossed for bar in _zebra(piece, part)]
    bands = area_of(strip(part, max(piece.width, 2.5) + 2 * STOP_BEFORE) for piece, part in crossed)
    degree = _degrees(roads)
    stops = [s for piece, part in crossed if piece.feature == 30 for s in _stops(piece, part, roads, degree)]
    _add(draft, ground, roads.low, _apart(bars + stops))
    _add(draft, ground, roads.low, _lane_lines(roads, bands))
    _add(draft, ground, roads.flush, _apart(edge_lines(roads, bands)))
    _add(draft, ground, roads.low, tram_rails(roads), "metal_dark", RAILS_LIFT)


def _zebra(piece: Walk, part: LineString) -> list[Quad]:
    half = max(piece.width, 2.5) / 2 - 0.1
    count = int((part.length - 0.4 + GAP) / (BAR + GAP))
    start = (part.length - count * (BAR + GAP) + GAP) / 2
    made = []
    for k in range(count):
        s = start + k * (BAR + GAP)
        a, b = part.interpolate(s).coords[0], part.interpolate(s + BAR).coords[0]
        u = unit(a, b)
        side = np.array([-u[1], u[0]]) * half
        made.append(np.array([a - side, b - side, b + side, a + side]))
    return made


def _apart(quads: list[Quad]) -> list[Quad]:
    """The quads that touch none before them: where crossings cross, as in a scramble, the first one's are painted."""
    if not quads:
        return []
    shapes = shapely.polygons(np.array(quads))
    tree = shapely.STRtree(shapes)
    kept = np.ones(len(quads), dtype=bool)
    for k, shape in enumerate(shapes):
        if kept[k]:
            touched = tree.query(shape, predicate="intersects")
            kept[touched[touched > k]] = False
    return [quad for quad, stays in zip(quads, kept.tolist(), strict=True) if stays]


def _degrees(roads: Roads) -> Counter[int]:
    """How many ways go off from each node."""
    degree: Counter[int] = Counter()
    for way, _ in roads.ways:
        degree.update(way.nodes[1:-1] * 2 + (way.nodes[0], way.nodes[-1]))
    return degree


def _stops(piece: Walk, part: LineString, roads: Roads, degree: Counter[int]) -> list[Quad]:
    """Stop lines on every lane that leads to a signalised crossing, but for those that come out of its own junction."""
    made = []
    for way, axis in roads.ways:
        if way.kind in FLUSH_KINDS or not axis.intersects(part):
            continue
        hit = shapely.intersection(axis, part)
        if hit.geom_type != "Point":
            continue
        at = axis.project(hit)
        back = max(piece.width, 2.5) / 2 + STOP_BEFORE
        for sense in (1, -1):
            if way.oneway and way.oneway != sense:
                continue
            s = at - sense * back
            if not 1.0 < s < axis.length - 1.0:
                continue
            joints = [axis.project(Point(c)) for n, c in zip(way.nodes, axis.coords, strict=True) if degree[n] > 2]
            if any(0.0 <= sense * (s - joint) < LEAVING for joint in joints):
                continue
            p = np.array(axis.interpolate(s).coords[0])
            u = unit(axis.interpolate(s - 0.5).coords[0], axis.interpolate(s + 0.5).coords[0]) * sense
            right = np.array([u[1], -u[0]])
            left_edge = -way.width / 2 + 0.3 if way.oneway else 0.1
            a, b = p + right * left_edge, p + right * (way.width / 2 - 0.3)
            made.append(np.array([a - u * STOP_WIDTH, b - u * STOP_WIDTH, b, a])[[1, 2, 3, 0]])
    return made


def _lane_lines(roads: Roads, bands: shapely.Geometry) -> list[Quad]:
    degree = _degrees(roads)
    joints = [c for way, line in roads.ways for n, c in zip(way.nodes, line.coords, strict=True) if degree[n] > 2]
    clear = shapely.union_all([bands, *[Point(c).buffer(JUNCTION_CLEAR, quad_segs=3) for c in sorted(set(joints))]])
    shapely.prepare(clear)
    made = []
    for way, line in roads.ways:
        for offset in _offsets(way):
            for s in np.arange(1.0, line.length - DASH, DASH + PAUSE):
                a, b = np.array(line.interpolate(s).coords[0]), np.array(line.interpolate(s + DASH).coords[0])
                u = unit(a, b)
                left = np.array([-u[1], u[0]])
                a, b = a + left * offset, b + left * offset
                if not clear.intersects(LineString([a, b])):
                    w = left * LINE_WIDTH / 2
                    made.append(np.array([a - w, b - w, b + w, a + w]))
    return made


def _offsets(way: WayPlan) -> list[float]:
    """Where lines between lanes run, metres to the left of the axis."""
    if way.kind in FLUSH_KINDS or way.lanes < 2 or way.width < 5.5:
        return []
    lane = way.width / way.lanes
    return [lane * k - way.width / 2 for k in range(1, way.lanes)]


def _add(
    draft: CityDraft, ground: GroundSurface, area: BaseGeometry, quads: list[Quad], finish: str = "marking_white",
    lift: float = LIFT,
) -> None:  # fmt: skip
    """Lay quads on a carriageway; those that do not lie on it wholly are left out."""
    if not quads:
        return
    inner = grown(area, -0.15)
    shapely.prepare(inner)
    corners = np.array(quads)
    corners = corners[shapely.contains(inner, shapely.polygons(corners))]
    if not len(corners):
        return
    folded = np.abs(_heights(ground, corners)[1]).max(axis=1) > FOLD
    if folded.any():  # where the ground bends below a marking, it is laid in short pieces
        corners = np.concatenate([corners[~folded], *(_shorter(quad) for quad in corners[folded])])
    at_corner, bulge = _heights(ground, corners)
    points = np.dstack([corners, at_corner + lift + np.maximum(bulge.max(axis=1), 0.0)[:, None]])
    owners = ground.owner(corners.mean(axis=1))
    style = look(draft, finish)
    for owner in np.unique(owners).tolist():  # paint belongs to what it is painted on
        chosen = points[owners == owner]
        base = np.arange(len(chosen))[:, None] * 4
        triangles = np.concatenate([base + np.array([0, 1, 2]), base + np.array([0, 2, 3])])
        flat = chosen.reshape(-1, 3)
        draft.mesh.add(flat, triangles, flat[:, :2] / style.metres, style.material, owner, Detail.MIDDLE)


def _heights(ground: GroundSurface, corners: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of quads (N, 4, 2): ground at their corners (N, 4), and its rise above the quad at nine places (N, 9)."""
    grid = [(u, v) for u in (0.0, 0.5, 1.0) for v in (0.0, 0.5, 1.0)]
    weights = np.array([((1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v) for u, v in grid])
    samples = np.einsum("gk,qkd->qgd", weights, corners)
    z = ground.height(samples.reshape(-1, 2)).reshape(-1, len(grid))
    at_corner = z[:, [0, 6, 8, 2]]
    return at_corner, z - at_corner @ weights.T


def _shorter(quad: Quad) -> NDArray[np.float64]:
    """A quad cut across its longer sides into PIECES, (PIECES, 4, 2)."""
    a, b, c, d = quad if np.hypot(*(quad[1] - quad[0])) > np.hypot(*(quad[3] - quad[0])) else np.roll(quad, -1, axis=0)
    t = np.linspace(0.0, 1.0, PIECES + 1)[:, None]
    low, high = a + (b - a) * t, d + (c - d) * t
    return np.stack([low[:-1], low[1:], high[1:], high[:-1]], axis=1)
