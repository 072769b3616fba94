"""Walls along the edge of what is walked on: the outline of all network lines at their widths, level by level."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.city import City
from citysim.crowd.built import built_walls
from citysim.crowd.clearance import NARROWEST_M, Clearance, shares_of
from citysim.crowd.follow import FLAT_M, STEEP
from citysim.crowd.ways import Ways

PIECE_M, LEVEL_PIECE_M, TIGHT_PIECE_M = 6.0, 24.0, 2.0
EVEN_M = 0.02  # of rise make a piece level
BEND_M = 0.05
SLIVER_M = 0.02  # shorter pieces of outline come from rounding
RISE_M = 0.4
LEVEL_M = 0.4  # pieces whose heights are within this open into each other
# On stairs, who walks on one piece at the height of another would walk in the ground, or in the air
STEEP_RISE_M, STEEP_LEVEL_M = 0.15, 0.15
CAP_M = 0.25  # around the ends of what is steep: its slope times this is what feet may be off the ground
LAP_M = 0.05  # by which neighbours overlap, a little narrower than they are: of sides that coincide both would go
LAP_IN_M = 0.01
PARAPET_M = 0.25  # beside stairs
STOREY_M = 1.8
FREE_M = 0.3  # lines are free for one body
SAME_M = 0.05  # of height between the bands of two pieces


class _Pieces(NamedTuple):
    """Straight pieces of all lines: (K, 2, 3) ends, (K,) half widths, (K,) radius of their ends, (K,) steep or not."""

    lines: NDArray[np.float64]
    half: NDArray[np.float64]
    cap: NDArray[np.float64]
    steep: NDArray[np.bool_]


def corridor_walls(ways: Ways, room: Clearance, city: City | None = None) -> NDArray[np.float64]:
    """(S, 7) wall segments, as `build_walls` takes them; with what a city has built in the corridors, see `built`.

    Lines are cut into pieces of a few metres; the outline of each piece is a wall where no piece of about its height
    lies. So a footbridge has parapets over a street that knows nothing of them. The walls hold from within only: who
    got out where widths or heights change comes back in.
    """
    pieces = _pieces(ways, room)
    if not len(pieces.lines):
        return np.empty((0, 7))
    areas, steep = _beside_stairs(pieces, _areas(pieces)), pieces.steep
    margin = np.where(steep, STEEP_LEVEL_M, LEVEL_M)
    low, high = pieces.lines[:, :, 2].min(axis=1) - margin, pieces.lines[:, :, 2].max(axis=1) + margin
    one, other = shapely.STRtree(areas).query(areas, predicate="intersects")
    level = (low[one] <= high[other] - LEVEL_M) & (high[one] - LEVEL_M >= low[other])
    level |= (steep[one] | steep[other]) & (low[one] <= high[other]) & (high[one] >= low[other])
    level &= one != other
    order = np.lexsort((other[level], one[level]))
    one, other = one[level][order], other[level][order]
    bounds = np.searchsorted(one, np.arange(len(areas) + 1))
    outlines = shapely.boundary(areas)
    rows = [] if city is None else [built_walls(city, pieces.lines, areas)]
    for k in range(len(areas)):
        near = other[bounds[k] : bounds[k + 1]].tolist()
        always = [j for j in near if not (steep[k] or steep[j])]
        some = [j for j in near if steep[k] or steep[j]]
        outline = _without(outlines[k], [areas[j] for j in always])
        heights = pieces.lines[k, :, 2]
        nominal = (float(low[k]), float(high[k])) if steep[k] else (float(heights.min()), float(heights.max()))
        for a, b, open_to in _bands(*nominal, [(float(low[j]), float(high[j])) for j in some]):
            left = _without(outline, [areas[some[j]] for j in open_to])
            rows.extend(_segments(left, low[k] if a == nominal[0] else a, high[k] if b == nominal[1] else b))
    return np.concatenate(rows) if rows else np.empty((0, 7))


def _without(line: Any, areas: list[Any]) -> Any:
    """What of a line lies in none of some areas."""
    for area in areas:
        if shapely.is_empty(line):
            break
        line = shapely.difference(line, area)
    return line


def _bands(low: float, high: float, others: list[tuple[float, float]]) -> list[tuple[float, float, list[int]]]:
    """Cut heights where the bands of others begin and end: lowest, highest, and which of them reach all over it."""
    cuts = [low]
    for cut in sorted(c for band in others for c in band):
        if cuts[-1] + SAME_M < cut < high - SAME_M:
            cuts.append(cut)
    found: list[tuple[float, float, list[int]]] = []
    for a, b in itertools.pairwise([*cuts, high]):
        over = [j for j, (c, d) in enumerate(others) if c <= a + SAME_M and d >= b - SAME_M]
        if found and found[-1][2] == over:
            found[-1] = (found[-1][0], b, over)
        else:
            found.append((a, b, over))
    return found


def _segments(lines: Any, low: float, high: float) -> Iterator[NDArray[np.float64]]:
    """The rows of walls along some lines."""
    for part in shapely.get_parts(shapely.simplify(shapely.line_merge(lines, directed=True), SLIVER_M)):
        xy = np.round(shapely.get_coordinates(part), 3)  # arcs may differ by machine in their last bits
        if len(xy) > 1 and shapely.length(part) > SLIVER_M:
            piece = np.empty((len(xy) - 1, 7))
            piece[:, 0:2], piece[:, 2:4], piece[:, 4:7] = xy[:-1], xy[1:], (low, high, 1.0)
            yield piece


def _areas(pieces: _Pieces) -> Any:
    """(K,) what is walked on around each piece: as wide as it is, rounded at its ends as far as there is room."""
    strings = shapely.linestrings(pieces.lines[:, :, :2])
    areas = shapely.buffer(strings, pieces.half, quad_segs=3)
    step = pieces.lines[:, 1, :2] - pieces.lines[:, 0, :2]
    length = np.hypot(step[:, 0], step[:, 1])
    blunt = (pieces.cap < pieces.half) & (length > 0.05)
    lap = step[blunt] * (LAP_M / length[blunt])[:, None]
    longer = pieces.lines[blunt, :, :2] + np.stack([-lap, lap], axis=1)
    half, cap = pieces.half[blunt], pieces.cap[blunt]
    ends = shapely.union(
        shapely.buffer(shapely.linestrings(longer), half - LAP_IN_M, cap_style="flat"),
        shapely.buffer(strings[blunt], np.minimum(cap, half - LAP_IN_M), quad_segs=3),
    )
    areas[blunt] = shapely.union(shapely.buffer(strings[blunt], half, cap_style="flat"), ends)
    return areas


def _beside_stairs(pieces: _Pieces, areas: Any) -> Any:
    """The same without what stairs of another height take of level pieces: people would stand in their steps."""
    low, high = pieces.lines[:, :, 2].min(axis=1), pieces.lines[:, :, 2].max(axis=1)
    level, stairs = np.flatnonzero(~pieces.steep), np.flatnonzero(pieces.steep)
    wide = shapely.buffer(areas[stairs], PARAPET_M, quad_segs=2)
    one, other = shapely.STRtree(areas[level]).query(wide, predicate="intersects")
    k, j = level[other], stairs[one]
    apart = np.maximum(low[j] - high[k], low[k] - high[j])
    near = (apart > STEEP_LEVEL_M) & (apart < STOREY_M)
    cut = areas.copy()
    for piece in np.unique(k[near]).tolist():
        taken = shapely.union_all(wide[np.unique(one[near & (k == piece)])])
        string = shapely.linestrings(pieces.lines[piece, :, :2])
        kept = shapely.buffer(string, min(float(pieces.half[piece]), FREE_M), quad_segs=3)
        cut[piece] = shapely.union(shapely.difference(areas[piece], taken), kept)
    return cut


def _pieces(ways: Ways, room: Clearance) -> _Pieces:
    """Cut all lines. Vertical ones (lifts) become discs.

    Round ends reach beyond a piece: there must be room for them, and no stairs.
    """
    lines: list[NDArray[np.float64]] = []
    half: list[float] = []
    cap: list[float] = []
    steep: list[bool] = []
    feet = _feet(ways)
    for edge in range(len(ways.first) - 1):
        points = ways.points[ways.first[edge] : ways.first[edge + 1]]
        shares, first = shares_of(points), len(lines)
        length = float(np.hypot(*np.diff(points[:, :2], axis=0).T).sum())
        for p, q in itertools.pairwise(_thinned(points)):
            a, b, from_a, to_b = points[p], points[q], float(shares[p]), float(shares[q])
            flat, rise, longest = float(np.hypot(*(b - a)[:2])), abs(float(b[2] - a[2])), PIECE_M
            climbs = flat > FLAT_M and rise > STEEP * flat
            if room.least(edge, from_a, to_b) < ways.half[edge]:
                longest = TIGHT_PIECE_M
            elif rise <= EVEN_M:
                longest = LEVEL_PIECE_M
            count = max(1, int(np.ceil(max(flat / longest, rise / (STEEP_RISE_M if climbs else RISE_M)))))
            cuts = a + (b - a) * (np.arange(count + 1) / count)[:, None]
            cuts[-1] = b
            lines.extend(np.stack([cuts[:-1], cuts[1:]], axis=1))
            ends = [from_a + (to_b - from_a) * k / count for k in range(count)] + [to_b]
            beyond = ways.half[edge] / max(length, 1e-6)
            half.extend(room.least(edge, c - beyond, d + beyond) for c, d in itertools.pairwise(ends))
            steep.extend([climbs] * count)
        before, behind = (feet[ways.ends[k, edge]] for k in (0, 1))
        slopes = [before, *steep[first:], behind]
        cap.extend(CAP_M if any(slopes[k : k + 3]) else np.inf for k in range(len(lines) - first))
        for at, shut in ((first, room.shut[0, edge]), (len(lines) - 1, room.shut[1, edge])):
            if shut and float(np.hypot(*(lines[at][1] - lines[at][0])[:2])) > FLAT_M:
                cap[at] = NARROWEST_M
    widths = np.array(half)
    return _Pieces(
        np.array(lines).reshape(-1, 2, 3), widths, np.minimum(np.array(cap), widths), np.array(steep, dtype=np.bool_)
    )


def _feet(ways: Ways) -> NDArray[np.bool_]:
    """(V,) the nodes where something steep begins or ends."""
    found = np.zeros(len(ways.places), dtype=np.bool_)
    for edge in range(len(ways.first) - 1):
        points = ways.points[ways.first[edge] : ways.first[edge + 1]]
        for k, line in ((0, points), (1, points[::-1])):
            near = np.hypot(*(line[:, :2] - line[0, :2]).T) <= 1.0
            reach = line[: max(2, int(np.argmin(near)) + 1 if not near.all() else len(line))]
            step = np.diff(reach, axis=0)
            flat = np.hypot(step[:, 0], step[:, 1])
            found[ways.ends[k, edge]] |= bool(((np.abs(step[:, 2]) > STEEP * flat) & (flat > FLAT_M)).any())
    return found


def _thinned(points: NDArray[np.float64]) -> list[int]:
    """The points of a line without those that lie within BEND_M of straight pieces that are not too long."""
    kept, at, last = [0], 0, len(points) - 1
    while at < last:
        best = at + 1
        for end in range(at + 2, last + 1):
            step, inner = points[end] - points[at], points[at + 1 : end] - points[at]
            length = float(np.linalg.norm(step))
            if length > (LEVEL_PIECE_M if abs(float(step[2])) <= EVEN_M else PIECE_M) or length == 0.0:
                break
            off = inner - (inner @ step / (length * length))[:, None] * step
            if float(np.linalg.norm(off, axis=1).max()) > BEND_M:
                break
            best = end
        kept.append(best)
        at = best
    return kept
