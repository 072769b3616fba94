"""Where furniture may stand: beside carriageways, outside buildings."""

import math

from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.localmap import LocalMap, Near
from citysim.build.plans import DRIVE_KINDS, WayPlan, Xy

KERB_GAP = 0.6  # metres from the kerb to the middle of a moved thing
_WALL_GAP = 0.35
_TRIES = 4
_DEEP_INSIDE = 1.5  # metres inside a building beyond which a thing is indoors


class Standing:
    """Settles points off carriageways and walls."""

    def __init__(self, source: LocalMap, ways: list[tuple[WayPlan, LineString]], solids: list[BaseGeometry]) -> None:
        surface = [(w, line) for w, line in ways if w.layer == 0 and not (w.tunnel or w.bridge or w.indoor)]
        roads = [(w, line) for w, line in surface if w.kind in DRIVE_KINDS]
        self._source = source
        self._halves = [w.width / 2 for w, _ in roads]
        self._lines = [line for _, line in roads]
        self._reach = max(self._halves, default=0.0)
        self._roads = Near(list(self._lines))
        self._walks = Near([line for w, line in surface if w.kind not in DRIVE_KINDS])
        self._solids = solids
        self._buildings = Near(solids)

    def settle(self, xy: Xy, kind: str, backward: bool = False) -> Xy | None:
        """The nearest spot outside carriageways (kerb + 0.6 m) and walls, or None where there is none.

        A point on an axis goes to the right of the way's direction (left for `backward`). Bollards stay on roads:
        they close them.
        """
        spot: Xy | None = xy
        for _ in range(_TRIES):
            if spot is None or not self._source.inside(spot):
                return None
            moved = self._off_walls(spot)
            if moved is not None and kind != "bollard":
                moved = self._off_roads(moved, backward)
            if moved == spot:
                return spot
            spot = moved
        return None

    def is_open(self, xy: Xy, clear: float) -> bool:
        """Whether nothing driven, walked or built lies within `clear` metres of a point."""
        if self._walks.within(xy, clear) or self._buildings.within(xy, clear):
            return False
        point = Point(xy)
        near = self._roads.within(xy, clear + self._reach)
        return all(self._lines[i].distance(point) >= clear + self._halves[i] for i in near)

    def _off_roads(self, xy: Xy, backward: bool) -> Xy:
        point = Point(xy)
        hits = [i for i in self._roads.within(xy, self._reach) if self._lines[i].distance(point) < self._halves[i]]
        if not hits:
            return xy
        worst = min(hits, key=lambda i: (self._lines[i].distance(point) - self._halves[i], i))
        line, away = self._lines[worst], self._halves[worst] + KERB_GAP
        along = line.project(point)
        foot = line.interpolate(along)
        ahead, back = line.interpolate(min(along + 0.5, line.length)), line.interpolate(max(along - 0.5, 0.0))
        east, north = ahead.x - back.x, ahead.y - back.y
        length = math.hypot(east, north) or 1.0
        side = (xy[0] - foot.x) * north - (xy[1] - foot.y) * east  # positive on the right of the line
        right = side >= 0 if abs(side) > 0.05 * length else not backward
        sign = 1.0 if right else -1.0
        return (foot.x + sign * north / length * away, foot.y - sign * east / length * away)

    def _off_walls(self, xy: Xy) -> Xy | None:
        point = Point(xy)
        for i in self._buildings.within(xy, 0.0):
            edge = self._solids[i].boundary
            if edge.distance(point) > _DEEP_INSIDE:
                return None
            foot = edge.interpolate(edge.project(point))
            dx, dy = foot.x - xy[0], foot.y - xy[1]
            gap = math.hypot(dx, dy)
            if gap < 1e-6:
                return self._beside(xy, i)
            scale = (gap + _WALL_GAP) / gap
            return (xy[0] + dx * scale, xy[1] + dy * scale)
        return xy

    def _beside(self, xy: Xy, index: int) -> Xy | None:
        """The first of sixteen directions in which a point on a wall gets clear of it."""
        for k in range(16):
            angle = math.tau * k / 16
            spot = (xy[0] + _WALL_GAP * math.cos(angle), xy[1] + _WALL_GAP * math.sin(angle))
            if self._solids[index].distance(Point(spot)) > 0.8 * _WALL_GAP:
                return spot
        return None
