"""Street lamps where an extract maps none: along ways tagged as lit, and along streets of built-up areas."""

import math
from collections import defaultdict
from collections.abc import Sequence

from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.localmap import LATTICE, Near
from citysim.build.osm.standing import KERB_GAP, Standing
from citysim.build.osm.tagvalues import first_value
from citysim.build.plans import BuildingPlan, PropPlan, WayPlan, Xy

STREETS = ("trunk", "primary", "secondary", "tertiary", "residential", "unclassified", "living_street")
MAIN = ("trunk", "primary", "secondary", "tertiary")
WALKED = ("pedestrian", "footway", "path", "cycleway", "service", "steps")  # lit where they say so
SQUARES = ("pedestrian",)  # lit in towns without saying so
DARK = ("no", "disused", "limited", "interval")
STEP, STEP_WALKED = 28.0, 24.0  # metres between the lamps of a street, of a path
APART = 17.0  # metres between any two lamps: parallel carriageways and pavements share theirs
MAPPED = 30.0  # metres around a mapped lamp in which its mapper is believed to have mapped them all
TOWN = 35.0  # metres to a building in built-up areas
DOOR, CROSSING = 2.2, 3.5  # metres kept from doors, and from the middle of crossings
WALL, FARTHEST = 0.3, 1.2  # metres to a wall, and by which a lamp may be moved off the carriageway of another street
TRIES = (0.0, 3.0, -3.0, 6.0, -6.0, 9.0, -9.0)  # metres along the way
HEIGHTS = {"main": 8.0, "street": 6.0, "walked": 4.5}


def light_streets(
    lines: Sequence[tuple[WayPlan, LineString]], props: Sequence[PropPlan], buildings: Sequence[BuildingPlan],
    crossings: Sequence[Xy], standing: Standing,
) -> list[PropPlan]:  # fmt: skip
    """Lamps on alternate sides of ways on the ground, by way in the order given; none near mapped ones."""
    return _Lighting(lines, props, buildings, crossings, standing).all()


class _Lighting:
    def __init__(
        self, lines: Sequence[tuple[WayPlan, LineString]], props: Sequence[PropPlan],
        buildings: Sequence[BuildingPlan], crossings: Sequence[Xy], standing: Standing,
    ) -> None:  # fmt: skip
        self._lines, self._standing = lines, standing
        solid: list[BaseGeometry] = [b.polygon for b in buildings if b.parent is None and b.min_height < 2.5]
        self._walls = Near(solid)
        self._doors = Near([Point(d.xy) for b in buildings for d in b.entrances])
        self._crossings = Near(
            [*(Point(xy) for xy in crossings), *(line for way, line in lines if way.kind == "crossing")]
        )
        self._mapped = Near([Point(p.xy) for p in props if p.kind == "street_lamp"])
        self._lit: dict[tuple[int, int], list[Xy]] = defaultdict(list)

    def all(self) -> list[PropPlan]:
        """Streets first, since paths beside them are lit by theirs."""
        found: list[PropPlan] = []
        for walked in (False, True):
            for way, line in self._lines:
                if (way.kind not in STREETS) == walked and self._wanted(way):
                    found += self._along(way, line)
        return found

    def _wanted(self, way: WayPlan) -> bool:
        if way.layer or way.bridge or way.tunnel or way.indoor or way.covered or way.passage:
            return False
        said = first_value(way.tags.get("lit", ""))
        if said in DARK:
            return False
        return way.kind in (*STREETS, *SQUARES) or (way.kind in WALKED and said != "")

    def _along(self, way: WayPlan, line: LineString) -> list[PropPlan]:
        walked = way.kind not in STREETS
        step = STEP_WALKED if walked else STEP
        said = first_value(way.tags.get("lit", "")) != ""
        height = HEIGHTS["walked" if walked else "main" if way.kind in MAIN else "street"]
        found: list[PropPlan] = []
        count = round(line.length / step) or int(line.length > step / 3)
        for k in range(count):
            middle = line.length * (k + 0.5) / count
            here = line.interpolate(middle)
            if self._mapped.within((here.x, here.y), MAPPED):
                continue
            if not said and not self._walls.within((here.x, here.y), TOWN):
                continue
            first = 1.0 if k % 2 else -1.0
            tries = ((middle + aside, side) for aside in TRIES for side in (first, -first))
            spots = (self._spot(line, s, side * (way.width / 2 + KERB_GAP)) for s, side in tries if 0 < s < line.length)
            at = next((spot for spot in spots if spot is not None), None)
            if at is not None:
                self._lit[_cell(at)].append(at)
                found.append(PropPlan(f"{way.id}/lamp{k}", "street_lamp", at, None, height=height))
        return found

    def _spot(self, line: LineString, s: float, off: float) -> Xy | None:
        """A free place beside a line, None where another lamp, a wall, a door, a crossing or a street is too near."""
        a, b = line.interpolate(max(0.0, s - 0.5)), line.interpolate(min(line.length, s + 0.5))
        far = math.hypot(b.x - a.x, b.y - a.y)
        if far < 1e-6:
            return None
        at = line.interpolate(s)
        xy = at.x + (b.y - a.y) / far * off, at.y - (b.x - a.x) / far * off
        if self._lit_near(xy) or self._walls.within(xy, WALL):
            return None
        if self._doors.within(xy, DOOR) or self._crossings.within(xy, CROSSING):
            return None
        spot = self._standing.settle(xy, "street_lamp")
        if spot is None or math.dist(spot, xy) > FARTHEST:
            return None
        return round(spot[0] * LATTICE) / LATTICE, round(spot[1] * LATTICE) / LATTICE

    def _lit_near(self, xy: Xy) -> bool:
        i, j = _cell(xy)
        cells = [(a, b) for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1)]
        return any(math.dist(xy, other) < APART for cell in cells for other in self._lit.get(cell, ()))


def _cell(xy: Xy) -> tuple[int, int]:
    return int(xy[0] // APART), int(xy[1] // APART)
