"""Surroundings: what street furniture has to keep clear of, and which way it looks."""

import math
from collections.abc import Iterable

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from citysim.build.draft import CityDraft, Ground
from citysim.build.plans import DRIVE_KINDS, Xy

CLEAR = 0.65  # metres between a walking line and anything solid: a walker's radius and a little more
WALL_GAP = 0.05
HEADROOM = 2.3
NOT_SOLID = ("roof", "canopy", "carport")
FORBIDDEN = frozenset({"carriageway", "crossing", "water", "rail", "stairs", "steps", "ramp"})
MAJOR = ("trunk", "primary", "secondary", "tertiary")


class Surroundings:
    """Walking lines, doors, walls and roads of a draft, indexed."""

    def __init__(self, draft: CityDraft, ground: Ground) -> None:
        plan = draft.plan
        self._ground = ground
        self._bounds = plan.bounds
        on_ground = _at_ground_level(draft, ground)
        doors = [shapely.Point(p.entrance[:2]) for p in draft.places]
        self._lines = np.array([*on_ground, *doors], dtype=object)
        self._line_tree = shapely.STRtree(self._lines)
        self._walks = np.array(on_ground, dtype=object)
        self._walk_tree = shapely.STRtree(self._walks)
        solid = [b.polygon for b in plan.buildings if b.min_height < HEADROOM and b.kind not in NOT_SOLID]
        self._walls = np.array(solid, dtype=object)
        self._wall_tree = shapely.STRtree(self._walls)
        roads = [w for w in plan.ways if w.kind in DRIVE_KINDS and not w.tunnel and len(w.nodes) > 1]
        self._road_kinds = [w.kind for w in roads]
        self._roads = np.array([plan.line(w) for w in roads], dtype=object)
        self._road_tree = shapely.STRtree(self._roads)
        self._standing: dict[tuple[int, int], list[BaseGeometry]] = {}

    def occupy(self, footprint: BaseGeometry) -> None:
        """Remember that something stands there."""
        for key in _cells(footprint):
            self._standing.setdefault(key, []).append(footprint)

    def free(self, footprints: NDArray[np.object_], anywhere: bool) -> NDArray[np.bool_]:
        """(N,) whether each of N footprints near one another is clear; `anywhere` skips the ground's region."""
        x0, y0, x1, y1 = shapely.total_bounds(footprints)
        hull = shapely.box(x0 - 1.0, y0 - 1.0, x1 + 1.0, y1 + 1.0)
        good = np.ones(len(footprints), dtype=bool)
        for tree, shapes, gap in (
            (self._line_tree, self._lines, CLEAR),
            (self._wall_tree, self._walls, WALL_GAP),
        ):
            near = np.sort(tree.query(hull))
            if len(near):
                good &= shapely.distance(footprints[:, None], shapes[near][None, :]).min(axis=1) >= gap
        others = {id(s): s for key in _cells(hull) for s in self._standing.get(key, ())}
        if others:
            taken = np.array(list(others.values()), dtype=object)
            good &= shapely.distance(footprints[:, None], taken[None, :]).min(axis=1) > 0.1
        chosen = np.flatnonzero(good)
        if len(chosen) and not anywhere:
            box, (e0, n0, e1, n1) = shapely.bounds(footprints[chosen]), self._bounds
            inside = (box >= (e0, n0, e0, n0)).all(axis=1) & (box <= (e1, n1, e1, n1)).all(axis=1)
            good[chosen[~inside]] = False  # there is no ground beyond
            chosen = chosen[inside]
        if len(chosen) and not anywhere:
            rings = [shapely.get_coordinates(f)[:-1] for f in footprints[chosen]]
            points = np.concatenate([np.vstack([r, r.mean(axis=0)]) for r in rings])
            names = self._ground.region(points)
            step = len(rings[0]) + 1
            for k, i in enumerate(chosen):
                good[i] = not FORBIDDEN.intersection(names[k * step : (k + 1) * step])
        return good

    def nearest_walk(self, xy: Xy, reach: float) -> Xy | None:
        """The point on a walking line nearest to `xy`, at most `reach` metres away."""
        return _nearest(self._walk_tree, self._walks, xy, reach)

    def towards_walk(self, xy: Xy) -> float | None:
        """Heading in degrees from `xy` to the nearest walking line within 30 m."""
        return _towards(self._walk_tree, self._walks, xy)

    def towards_road(self, xy: Xy) -> float | None:
        """Heading in degrees from `xy` to the nearest road within 30 m."""
        return _towards(self._road_tree, self._roads, xy)

    def along_road(self, xy: Xy) -> float | None:
        """Heading in degrees of the nearest road's piece within 30 m."""
        heading = self.towards_road(xy)
        return None if heading is None else (heading + 90.0) % 360.0

    def near_major_road(self, xy: Xy, reach: float = 14.0) -> bool:
        """Whether a road of class tertiary or higher passes within `reach` metres."""
        near = self._road_tree.query(shapely.Point(xy), predicate="dwithin", distance=reach)
        return any(self._road_kinds[i] in MAJOR for i in near)


def _at_ground_level(draft: CityDraft, ground: Ground) -> list[BaseGeometry]:
    """2D lines of the walking edges that lie on the ground somewhere."""
    if not draft.edges:
        return []
    points = np.concatenate([e.line for e in draft.edges])
    near = np.abs(points[:, 2] - ground.height(points[:, :2])) < 2.0
    ends = np.cumsum([len(e.line) for e in draft.edges])
    return [
        shapely.LineString(e.line[:, :2])
        for e, end in zip(draft.edges, ends, strict=True)
        if near[end - len(e.line) : end].any()
    ]


def _nearest(tree: shapely.STRtree, lines: NDArray[np.object_], xy: Xy, reach: float) -> Xy | None:
    point = shapely.Point(xy)
    found = np.sort(tree.query(point, predicate="dwithin", distance=reach))
    if not len(found):
        return None
    line = lines[found][int(np.argmin(shapely.distance(lines[found], point)))]
    foot = line.interpolate(line.project(point))
    return float(foot.x), float(foot.y)


def _towards(tree: shapely.STRtree, lines: NDArray[np.object_], xy: Xy) -> float | None:
    foot = _nearest(tree, lines, xy, 30.0)
    if foot is None or math.dist(foot, xy) < 1e-6:
        return None
    return math.degrees(math.atan2(foot[0] - xy[0], foot[1] - xy[1])) % 360.0


def _cells(shape: BaseGeometry) -> Iterable[tuple[int, int]]:
    x0, y0, x1, y1 = shape.bounds
    return [(i, j) for i in range(int(x0 // 4), int(x1 // 4) + 1) for j in range(int(y0 // 4), int(y1 // 4) + 1)]
