"""Where landmarks stand: on open ground with room for them, and on flat roofs."""

import math

import numpy as np
import shapely

from citysim.build.chance import Chance
from citysim.build.plans import CityPlan, PropPlan, Xy
from citysim.build.procedural.dressing.grounds import spread
from citysim.build.procedural.dressing.manners import Manner
from citysim.build.procedural.naming import Names

# kind -> radius of its foot in metres, word of its name
FEET = {
    "ferris_wheel": (9.5, "Wheel"), "clock_tower": (4.0, "Clock Tower"), "gate": (6.2, "Gateway"),
    "torii": (4.0, "Torii"),
    "lighthouse": (3.4, "Lighthouse"), "harbour_crane": (4.6, "Crane"), "pagoda": (5.8, "Pagoda"),
    "sculpture": (2.4, "Sculpture"), "observation_tower": (4.3, "Lookout"), "column": (3.0, "Column"),
    "obelisk": (3.3, "Obelisk"), "arch": (6.8, "Arch"), "windmill": (4.4, "Windmill"), "bandstand": (4.4, "Bandstand"),
    "water_tower": (4.2, "Water Tower"), "chimney": (3.2, "Chimney"), "big_screen": (6.0, "Screen"),
    "radio_mast": (2.4, "Mast"),
}  # fmt: skip
OPEN = ("square", "park", "grass", "garden", "paved", "platform", "sand", "scrub")
ROOF_SIZE = {"radio_mast": (2.2, 18.0), "water_tower": (1.9, 8.0), "big_screen": (4.2, 8.5), "sculpture": (2.2, None)}
APART = 45.0  # metres between two landmarks
TALL = 15.0  # metres: lower roofs carry none


def place_landmarks(plan: CityPlan, manner: Manner, names: Names, chance: Chance) -> list[PropPlan]:
    """Named landmarks of the manner's kinds, spread over the city; kinds without any room are left out."""
    taken: list[Xy] = []
    known = {w.name for w in plan.ways} | {p.name for p in plan.places} | {a.name for a in plan.areas}
    found: list[PropPlan] = []

    def add(kind: str, xy: Xy, heading: float, **more: object) -> None:
        name = names.street(FEET[kind][1])
        while name in known:
            name = names.street(FEET[kind][1])
        taken.append(xy)
        ident = f"{plan.name}:landmark/{len(found) + 1}"
        found.append(PropPlan(ident, kind, xy, heading, name, **more))  # type: ignore[arg-type]

    sites = _Sites(plan, chance.child("sites"))
    for k, kind in enumerate(manner.ground):
        at = sites.best(FEET[kind][0], taken, chance.child(f"ground/{k}"))
        if at is not None:
            add(kind, at, round(chance.uniform(0.0, 4.0, f"heading/{k}")) * 90.0)
    roofs = _roofs(plan, chance.child("roofs"))
    for kind in manner.roofs:
        need, height = ROOF_SIZE[kind]
        fit = [r for r in roofs if r[1] >= need + 1.0 and all(math.dist(r[0], t) > APART for t in taken)]
        if fit:
            at, _, building = fit[0]
            add(kind, at, 0.0, height=height, tags={"on": building})
    return found


class _Sites:
    """Open ground and how far each point of it is from walls and ways."""

    def __init__(self, plan: CityPlan, chance: Chance) -> None:
        self.points: list[Xy] = []
        for area in plan.areas:
            if area.kind in OPEN and area.polygon.area > 60.0 and not area.polygon.is_empty:
                center = shapely.maximum_inscribed_circle(area.polygon, 0.5).coords[0]
                self.points.append((round(center[0] * 8) / 8, round(center[1] * 8) / 8))
                self.points += spread(area.polygon, 9.0, 2.5, chance.child(area.id))[:160]
        e0, n0, e1, n1 = plan.bounds
        self.points = [p for p in self.points if e0 + 8 < p[0] < e1 - 8 and n0 + 8 < p[1] < n1 - 8]
        things: list[shapely.Geometry] = [b.polygon for b in plan.buildings if b.parent is None]
        things += [plan.line(w).buffer(w.width / 2.0 + 0.7) for w in plan.ways if len(w.nodes) > 1 and not w.tunnel]
        things += [a.polygon for a in plan.areas if a.kind in ("water", "rail", "playground", "pitch")]
        things += [shapely.Point(p.xy).buffer(1.2) for p in plan.props if p.kind not in ("car", "tree", "tree_small")]
        self.room = self._measure(things)

    def _measure(self, things: list[shapely.Geometry]) -> list[float]:
        if not self.points:
            return []
        points = shapely.points(np.array(self.points))
        if not things:
            return [100.0] * len(self.points)
        tree = shapely.STRtree(things)
        _, far = tree.query_nearest(points, return_distance=True, all_matches=False)
        return [float(v) for v in far]

    def best(self, radius: float, taken: list[Xy], chance: Chance) -> Xy | None:
        """The point with room for a foot that is furthest from the landmarks so far, give or take."""
        fit = [p for p, room in zip(self.points, self.room, strict=True) if room >= radius + 0.4]
        fit = [p for p in fit if all(math.dist(p, t) > APART * 0.6 for t in taken)]
        if not fit:
            return None
        return max(fit, key=lambda p: (min([math.dist(p, t) for t in taken], default=200.0) * (0.6 + 0.4 * chance.unit(
            f"{p[0]}/{p[1]}")), p))  # fmt: skip


def _roofs(plan: CityPlan, chance: Chance) -> list[tuple[Xy, float, str]]:
    """(middle, radius, building) of flat roofs, high ones first, in an order of chance among equals."""
    parts = {b.parent for b in plan.buildings}
    found = []
    for b in plan.buildings:
        if b.parent is not None or b.id in parts or b.roof != "flat" or b.height < TALL:
            continue
        circle = shapely.maximum_inscribed_circle(b.polygon, 0.5)
        radius = float(circle.length)
        if radius > 3.0:
            x, y = circle.coords[0]
            rank = b.height * (0.7 + 0.6 * chance.unit(b.id))
            found.append((-rank, (round(x * 8) / 8, round(y * 8) / 8), radius, b.id))
    return [(at, radius, ident) for _, at, radius, ident in sorted(found)]
