"""Site: what the buildings of one city share while they are built."""

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from shapely import STRtree
from shapely.errors import GEOSException
from shapely.geometry import LineString, Point, Polygon

from citysim.build.buildings.columns import spacing
from citysim.build.buildings.exposure import Exposure
from citysim.build.buildings.looks import choose_looks
from citysim.build.buildings.masses import disjoint, solids_of, usable
from citysim.build.buildings.outline import Run
from citysim.build.buildings.passages import cut_passages
from citysim.build.buildings.segments import Segment
from citysim.build.buildings.solid import Solid, polygons
from citysim.build.draft import CityDraft, Ground
from citysim.build.plans import BuildingPlan, PlacePlan, Xy

COLUMN_INSET, COLUMN_ROOM = 0.3, 0.7  # metres that columns keep from a roof's edge, and from ways and walls
SHOP_REACH = 14.0  # metres: a place this near to a wall gives it a shop front


class Site:
    """What the buildings of one city share while they are built."""

    def __init__(self, draft: CityDraft, ground: Ground) -> None:
        plans = draft.plan.buildings
        known = {p.id for p in plans if p.parent is None}
        self.outlines = [p for p in plans if p.parent is None or p.parent not in known]
        self.parts: dict[str, list[BuildingPlan]] = defaultdict(list)
        for plan in plans:
            if plan.parent in known and plan.parent is not None:
                self.parts[plan.parent].append(plan)
        for plan in self.outlines:
            if not usable(plan):
                draft.warnings.append(f"building {plan.id}: no usable outline or height, skipped")
        self.outlines = [p for p in self.outlines if usable(p)]
        self.draft, self.ground = draft, ground
        self.looks = choose_looks(draft, self.outlines)
        self.solids = self._solids()
        self.exposure = Exposure(self.solids)
        self.tree = STRtree([s.polygon for s in self.solids])
        self.of: dict[str, list[int]] = defaultdict(list)
        for k, solid in enumerate(self.solids):
            self.of[solid.outline.id].append(k)
        self.places: dict[str, list[PlacePlan]] = defaultdict(list)
        for place in draft.plan.places:
            if place.building is not None and place.level == 0:
                self.places[place.building].append(place)
        lines = [draft.plan.line(w) for w in draft.plan.ways if len(w.nodes) > 1 and not w.indoor and not w.tunnel]
        self.streets = STRtree(lines)
        self.has_streets = bool(lines)

    def _solids(self) -> list[Solid]:
        found: list[Solid] = []
        for outline in self.outlines:
            try:
                style, chance = self.looks[outline.id].style, self.draft.chance.child("building").child(outline.id)
                found += solids_of(outline, self.parts[outline.id], style, self.ground, chance)
            except (GEOSException, ValueError) as fault:
                self.draft.warnings.append(f"building {outline.id}: {fault}, skipped")
        return cut_passages(self.draft.plan, disjoint(found), self.ground)

    def over(self, index: int) -> list[Polygon]:
        """Footprints that stand on a solid's eaves or rise through them."""
        solid = self.solids[index]
        return [
            other.polygon
            for other in self._touching(index)
            if other.bottom <= solid.deck + 0.05 and other.eaves > solid.eaves + 0.05
        ]

    def under(self, index: int) -> list[Polygon]:
        """Footprints whose walls reach up to a solid's bottom."""
        solid = self.solids[index]
        return [
            other.polygon
            for other in self._touching(index)
            if other.bottom < solid.bottom <= max(other.eaves, other.top - 0.3) + 0.05
        ]

    def _touching(self, index: int) -> list[Solid]:
        shape = self.solids[index].polygon
        near = sorted(k for k in self.tree.query(shape, predicate="intersects").tolist() if k != index)
        return [self.solids[k] for k in near if self.solids[k].polygon.intersection(shape).area > 0.05]

    def is_shop(self, outline: str, run: Run) -> bool:
        """Whether a place at street level lies behind a wall."""
        wall = LineString(run.points)
        reach = SHOP_REACH if run.exterior else 4.0
        return any(wall.dwithin(Point(p.xy), reach) for p in self.places.get(outline, ()))

    def street_near(self, xy: Xy, reach: float = 15.0) -> bool:
        """Whether a way passes within `reach` metres."""
        return self.has_streets and bool(len(self.streets.query(Point(xy), predicate="dwithin", distance=reach)))

    def inside(self, xy: Xy) -> bool:
        """Whether a point lies within the city's bounds: doors and signs look at something."""
        e0, n0, e1, n1 = self.draft.plan.bounds
        return e0 < xy[0] < e1 and n0 < xy[1] < n1

    def heights(self, points: Sequence[Xy], default: float) -> list[float]:
        """Ground heights, `default` where the ground has none."""
        if not points:
            return []
        found = np.asarray(self.ground.height(np.asarray(points, dtype=np.float64)), dtype=np.float64)
        return [z if math.isfinite(z) else default for z in found.tolist()]

    def even(self, segment: Segment, most: float) -> bool:
        """Whether the ground along a wall differs by no more than `most` metres."""
        if self.draft.plan.terrain is None:
            return True
        ends = (min(0.3, segment.length), segment.length / 2, max(segment.length - 0.3, 0.0))
        spots = [segment.at(u, 1.0) for u in ends]
        found = self.heights(spots, 0.0)
        return max(found) - min(found) <= most

    def free_corners(self, solid: Solid) -> list[Xy]:
        """Points just inside the corners of a roof, 2.5 m apart, that leave every way room; a roof with columns has
        them along its sides too, but not along walls.
        """
        columns = spacing(solid)
        inset, room, apart = (COLUMN_INSET, COLUMN_ROOM, 0.6 * columns) if columns else (0.35, 1.3, 2.5)
        found: list[Xy] = []
        for inner in polygons(solid.polygon.buffer(-inset, join_style="mitre").simplify(0.3), 0.5):
            ring = inner.exterior.segmentize(columns) if columns else inner.exterior
            for x, y in ring.coords[:-1]:
                at = Point(x, y)
                near = self.has_streets and len(self.streets.query(at, predicate="dwithin", distance=room))
                walled = columns and self.near_wall(at, solid)
                if not near and not walled and all((x - p) ** 2 + (y - q) ** 2 > apart * apart for p, q in found):
                    found.append((x, y))
        return found

    def near_wall(self, at: Point, solid: Solid) -> bool:
        """Whether another building's wall is so near to a place that it holds a roof there."""
        return any(
            self.solids[k].outline.id != solid.outline.id and self.solids[k].bottom < solid.base + 1.0
            for k in self.tree.query(at, predicate="dwithin", distance=COLUMN_ROOM)
        )
