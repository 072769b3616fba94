"""Barriers: walls, fences, hedges and railings of the plan."""

import itertools

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString

from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail
from citysim.build.streets.roads import Roads
from citysim.build.streets.site import Site
from citysim.build.streets.solids import ribbon, sheet
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.walks import Walk

GATE = 0.9  # half the gap a barrier leaves for a walking line, metres
THICKNESS = {"wall": 0.3, "retaining_wall": 0.35, "city_wall": 0.6, "hedge": 0.7}
LOOKS = {"wall": "stone", "retaining_wall": "stone", "city_wall": "stone", "hedge": "hedge", "fence": "fence",
         "railing": "rail_panel", "guard_rail": "metal", "handrail": "rail_panel"}  # fmt: skip
CUT = 0.4  # a barrier is left out in pieces of this length, metres


def build_barriers(draft: CityDraft, site: Site, roads: Roads, ground: GroundSurface, pieces: list[Walk]) -> None:
    """Add the plan's barriers, with gaps where walking lines and lanes pass."""
    kept = [b for b in site.plan.barriers if b.kind in LOOKS]
    near = shapely.STRtree([p.line for p in pieces])
    taken = [g for g in (roads.low, roads.flush, site.solid) if not g.is_empty]
    e0, n0, e1, n1 = site.plan.bounds
    for barrier in kept:
        points = spaced(barrier.line, CUT)
        middle = (points[1:] + points[:-1]) / 2
        free = (
            (middle[:, 0] > e0 + 0.5)
            & (middle[:, 0] < e1 - 0.5)
            & (middle[:, 1] > n0 + 0.5)
            & (middle[:, 1] < n1 - 0.5)
        )
        for area in taken:
            free &= ~shapely.contains_xy(area, middle[:, 0], middle[:, 1])
        passed, _ = near.query(shapely.points(middle), predicate="dwithin", distance=GATE)
        free[passed] = False
        runs = free_runs(points, free)
        if not runs:
            continue
        low, high = np.concatenate(runs).min(axis=0), np.concatenate(runs).max(axis=0)
        x, y = runs[0][len(runs[0]) // 2].tolist()
        z = float(ground.height([(x, y)])[0])
        ident = draft.add_object(
            barrier.kind,
            (x, y, z),
            bounds=(float(low[0]), float(low[1]), z, float(high[0]), float(high[1]), z + barrier.height),
            plan_id=barrier.id,
        )
        for run in runs:
            line = LineString(run) if len(run) < 4 else shapely.simplify(LineString(run), 0.02)
            _stand(draft, ground, line, barrier.kind, barrier.height, ident)


def free_runs(points: NDArray[np.float64], free: NDArray[np.bool_]) -> list[NDArray[np.float64]]:
    """Stretches of a line whose pieces are free, longer than 0.8 m."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], free, [False]]).astype(np.int8)))
    found = [points[a : b + 1] for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return [run for run in found if np.hypot(*np.diff(run, axis=0).T).sum() > 0.8]


def _stand(draft: CityDraft, ground: GroundSurface, line: LineString, kind: str, height: float, ident: int) -> None:
    points = spaced(line, 4.0)
    base = ground.height(points)
    name = LOOKS[kind]
    if kind in THICKNESS:
        left, right = beside(points, THICKNESS[kind] / 2)
        ribbon(draft, right, left, base - 0.3, base + height, name, ident)
    else:
        sheet(draft, points, base, base + height, name, ident, Detail.MIDDLE)


def spaced(line: LineString, step: float) -> NDArray[np.float64]:
    """(K, 2) points of a line: its corners and, between them, one at least every `step` metres."""
    corners = np.asarray(line.coords)[:, :2]
    made = [corners[:1]]
    for a, b in itertools.pairwise(corners):
        count = max(int(np.ceil(np.hypot(*(b - a)) / step)), 1)
        made.append(a + (b - a) * (np.arange(1, count + 1)[:, None] / count))
    return np.concatenate(made)


def beside(points: NDArray[np.float64], distance: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lines (K, 2) to the left and to the right of a line at a distance, mitred at its corners."""
    steps = np.diff(points, axis=0)
    steps = steps / np.maximum(np.hypot(*steps.T), 1e-9)[:, None]
    closed = bool(np.allclose(points[0], points[-1])) and len(points) > 3
    before = np.vstack([steps[-1:] if closed else steps[:1], steps])
    after = np.vstack([steps, steps[:1] if closed else steps[-1:]])
    mean = before + after
    normal = np.column_stack([-mean[:, 1], mean[:, 0]])
    normal /= np.maximum(np.hypot(*normal.T), 1e-9)[:, None]
    cosine = (normal * np.column_stack([-after[:, 1], after[:, 0]])).sum(axis=1)
    normal = normal * (distance / np.maximum(cosine, 0.5))[:, None]
    return points + normal, points - normal
