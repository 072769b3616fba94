"""Walls along the edge of what is walked on: the outline of all network lines at their widths, level by level."""

import itertools

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.crowd.clearance import NARROWEST_M, Clearance, shares_of
from citysim.crowd.ways import Ways

PIECE_M, LEVEL_PIECE_M, TIGHT_PIECE_M = 6.0, 24.0, 2.0
EVEN_M = 0.02  # of rise make a piece level
BEND_M = 0.05
SLIVER_M = 0.02  # shorter pieces of outline come from rounding
RISE_M = 0.4
LEVEL_M = 0.4  # pieces whose heights are within this open into each other


def corridor_walls(ways: Ways, room: Clearance) -> NDArray[np.float64]:
    """(S, 7) wall segments, as `build_walls` takes them.

    Lines are cut into pieces of a few metres; the outline of each piece is a wall where no piece of about its height
    lies. So a footbridge has parapets over a street that knows nothing of them. The walls hold from within only: who
    got out where widths or heights change comes back in.
    """
    lines, half, blunt = _pieces(ways, room)
    if not len(lines):
        return np.empty((0, 7))
    strings = shapely.linestrings(lines[:, :, :2])
    areas = shapely.buffer(strings, half, quad_segs=3)
    straight = shapely.buffer(strings[blunt], half[blunt], cap_style="flat")
    areas[blunt] = shapely.union(straight, shapely.buffer(strings[blunt], NARROWEST_M, quad_segs=3))
    low, high = lines[:, :, 2].min(axis=1) - LEVEL_M, lines[:, :, 2].max(axis=1) + LEVEL_M
    tree = shapely.STRtree(areas)
    one, other = tree.query(areas, predicate="intersects")
    level = (low[one] <= high[other] - LEVEL_M) & (high[one] - LEVEL_M >= low[other]) & (one != other)
    order = np.lexsort((other[level], one[level]))
    one, other = one[level][order], other[level][order]
    bounds = np.searchsorted(one, np.arange(len(areas) + 1))
    outlines = shapely.boundary(areas)
    rows: list[NDArray[np.float64]] = []
    for k in range(len(areas)):
        left = outlines[k]
        for j in other[bounds[k] : bounds[k + 1]]:
            left = shapely.difference(left, areas[j])
            if shapely.is_empty(left):
                break
        for part in shapely.get_parts(shapely.simplify(shapely.line_merge(left, directed=True), SLIVER_M)):
            xy = np.round(shapely.get_coordinates(part), 3)  # arcs may differ by machine in their last bits
            if len(xy) > 1 and shapely.length(part) > SLIVER_M:
                piece = np.empty((len(xy) - 1, 7))
                piece[:, 0:2], piece[:, 2:4], piece[:, 4:7] = xy[:-1], xy[1:], (low[k], high[k], 1.0)
                rows.append(piece)
    return np.concatenate(rows) if rows else np.empty((0, 7))


def _pieces(ways: Ways, room: Clearance) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.bool_]]:
    """(K, 2, 3) ends of pieces, (K,) half widths, and (K,) whether something stands beyond their end.

    Round ends reach beyond a piece: there must be room for them. Vertical lines (lifts) become discs.
    """
    lines: list[NDArray[np.float64]] = []
    half: list[float] = []
    blunt: list[bool] = []
    for edge in range(len(ways.first) - 1):
        points = ways.points[ways.first[edge] : ways.first[edge + 1]]
        shares, last = shares_of(points), len(points) - 1
        length = float(np.hypot(*np.diff(points[:, :2], axis=0).T).sum())
        before, behind = room.shut[:, edge]
        for p, q in itertools.pairwise(_thinned(points)):
            a, b, from_a, to_b = points[p], points[q], float(shares[p]), float(shares[q])
            rise, longest = abs(float(b[2] - a[2])), PIECE_M
            if room.least(edge, from_a, to_b) < ways.half[edge]:
                longest = TIGHT_PIECE_M
            elif rise <= EVEN_M:
                longest = LEVEL_PIECE_M
            count = max(1, int(np.ceil(max(float(np.hypot(*(b - a)[:2])) / longest, rise / RISE_M))))
            cuts = a + (b - a) * (np.arange(count + 1) / count)[:, None]
            cuts[-1] = b
            lines.extend(np.stack([cuts[:-1], cuts[1:]], axis=1))
            ends = [from_a + (to_b - from_a) * k / count for k in range(count)] + [to_b]
            cap = ways.half[edge] / max(length, 1e-6)
            half.extend(room.least(edge, c - cap, d + cap) for c, d in itertools.pairwise(ends))
            level = float(np.hypot(*(b - a)[:2])) > 0.3
            blunt.extend(
                level and bool((p == k == 0 and before) or (q == last and k == count - 1 and behind))
                for k in range(count)
            )
    return np.array(lines).reshape(-1, 2, 3), np.array(half), np.array(blunt, dtype=np.bool_)


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
