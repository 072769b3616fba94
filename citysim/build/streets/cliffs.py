"""Cliffs: copings and railings along retaining walls, whose faces come with the ground."""

import numpy as np
import shapely
from shapely.geometry import LineString

from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail
from citysim.build.streets.barriers import beside, free_runs
from citysim.build.streets.site import GUARDED, Site
from citysim.build.streets.solids import ribbon, sheet
from citysim.build.streets.surface import GroundSurface
from citysim.build.terrain import Cliff

WALL = 0.3  # thickness of the coping, metres
COPING = 0.15  # metres above the upper ground
RAIL = 1.0  # metres above the coping
SLIT = 0.1  # metres: walls nearer to one another along their whole length are one
MEET = 0.25  # metres between the ends of two walls that are mitred: nearer than they are thick


def build_cliffs(draft: CityDraft, site: Site, ground: GroundSurface) -> None:
    """Add coping, railing and an object for every retaining wall that nothing is built against."""
    around = shapely.buffer(site.solid, 0.2)
    shapely.prepare(around)
    rows = [_sides(cliff) for cliff in site.cliffs]
    if not rows:
        return
    places = np.concatenate(rows)
    open_air = ~shapely.contains_xy(around, places[:, 0], places[:, 1])
    open_air &= shapely.contains_xy(site.bounds, places[:, 0], places[:, 1])
    open_air &= np.array(ground.region(places)) != "building"
    at = 0
    found: list[tuple[Cliff, np.ndarray, str]] = []
    for number, (cliff, row) in enumerate(zip(site.cliffs, rows, strict=True)):
        both = open_air[at : at + len(row)].reshape(2, -1).all(axis=0)
        at += len(row)
        drop = cliff.high - cliff.low
        free = ((drop[1:] + drop[:-1]) / 2 > GUARDED) & both
        for run in free_runs(cliff.points, free):
            found.append((cliff, np.asarray(run)[[0, -1]], f"wall/{number}"))
    kept = _once(found)
    lines = np.array([line for _, line, _ in kept]).reshape(-1, 2, 2)
    for cliff, line, ident in kept:
        _guard(draft, cliff, line, lines, ident)


def _once(found: list[tuple[Cliff, np.ndarray, str]]) -> list[tuple[Cliff, np.ndarray, str]]:
    """Without the walls that lie along others: a slit between facets has the same cliff on both sides."""
    kept: list[tuple[Cliff, np.ndarray, str]] = []
    strips: list[shapely.Geometry] = []
    for row in sorted(found, key=lambda row: -float(np.hypot(*(row[1][1] - row[1][0])))):
        line = LineString(row[1])
        if not np.any(shapely.covers(strips, line)):
            kept.append(row)
            strips.append(shapely.buffer(line, SLIT))
    return [row for row in found if any(row is other for other in kept)]


def _sides(cliff: Cliff) -> np.ndarray:
    """(2 N, 2) places beside the pieces of a cliff: those above it, then those below."""
    steps = np.diff(cliff.points, axis=0)
    u = steps / np.maximum(np.hypot(*steps.T), 1e-9)[:, None]
    out = np.column_stack([-u[:, 1], u[:, 0]]) * 0.2
    middle = (cliff.points[1:] + cliff.points[:-1]) / 2
    return np.concatenate([middle + out, middle - out])


def _whole(line: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, int]:
    """A wall (2, 2) with the far ends of those of `others` (N, 2, 2) that go on from its ends; its place among them."""
    apart = (others != line).any(axis=(1, 2))
    before = others[apart & (np.hypot(*(others[:, 1] - line[0]).T) < MEET), 0]
    after = others[apart & (np.hypot(*(others[:, 0] - line[1]).T) < MEET), 1]
    return np.vstack([before[:1], line, after[:1]]), len(before[:1])


def _guard(draft: CityDraft, cliff: Cliff, line: np.ndarray, others: np.ndarray, ident: str) -> None:
    first, last = (int(np.argmin(np.hypot(*(cliff.points - p).T))) for p in line)
    top, foot = cliff.high[[first, last]], cliff.low[[first, last]]
    low, high = line.min(axis=0), line.max(axis=0)
    x, y = line.mean(axis=0).tolist()
    number = draft.add_object(
        "retaining_wall",
        (x, y, float(foot.mean())),
        bounds=(float(low[0]), float(low[1]), float(foot.min()), float(high[0]), float(high[1]), float(top.max()) + 1),
        plan_id=ident,
        height=round(float((top - foot).max()), 2),
    )
    whole, first_of = _whole(line, others)

    def mitred(distance: float) -> tuple[np.ndarray, np.ndarray]:
        left, right = beside(whole, distance)
        return left[first_of : first_of + 2], right[first_of : first_of + 2]

    inner, outer = mitred(WALL)[0], mitred(0.04)[1]
    ribbon(draft, outer, inner, top - 0.25, top + COPING, "stone", number, detail=Detail.MIDDLE, bottom=True)
    middle = mitred(WALL / 2)[0]
    sheet(draft, middle, top + COPING, top + COPING + RAIL, "rail_panel", number, Detail.MIDDLE)
    left, right = mitred(WALL / 2 + 0.03)[0], mitred(WALL / 2 - 0.03)[0]
    rail = top + COPING + RAIL
    ribbon(draft, right, left, rail - 0.04, rail, "metal", number, detail=Detail.FINE, bottom=True)
