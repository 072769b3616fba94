"""Site: what a plan leaves free for streets and walkers, worked out once."""

from dataclasses import dataclass, replace

import shapely
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import DRIVE_KINDS, CityPlan, WayPlan
from citysim.build.streets.planar import area_of, common, grown, minus, on_lattice, strip
from citysim.build.terrain import Cliff

BODY = 0.38  # a walker's radius and a hand's width: how far network lines stay off walls, metres
HEADROOM = 2.3  # a solid that begins higher up is walked under, metres
OPEN_KINDS = ("roof", "canopy", "carport")  # buildings one walks below
SHORT_TUNNEL = 40.0  # metres
STEP_LEAST = 0.14  # a step of the terrain that no line crosses, metres
GUARDED = 0.6  # drop from which a retaining wall has a coping and a railing on its upper side, metres
RAILING = 0.2  # from the wall's face to the walkers' side of the railing, metres
PASSAGE_EXTRA = 0.5  # a building passage is this much wider than its way, metres


def is_surface(way: WayPlan) -> bool:
    """Whether a way lies on the ground, by its tags alone."""
    if way.passage:
        return True
    return not (
        way.tunnel or way.bridge or way.layer or way.indoor or way.kind in ("corridor", "elevator", "escalator")
    )


def is_drive(way: WayPlan) -> bool:
    """Whether a way is driven."""
    return way.kind in DRIVE_KINDS


@dataclass(frozen=True)
class Site:
    """The plan's bounds, what is solid in them, and where the middle of a body cannot be."""

    plan: CityPlan
    bounds: Polygon
    solid: BaseGeometry  # footprints at head height, passages cut out
    passages: BaseGeometry  # the ground of building passages
    blocked: BaseGeometry  # solid and the world's rim, grown by BODY
    grounded: frozenset[str]  # ids of bridges without stairs: they lie on the ground
    tight: BaseGeometry  # blocked, two centimetres less: what lines on its boundary do not touch
    cliffs: tuple[Cliff, ...] = ()  # where the plan's terrain steps

    @classmethod
    def of(cls, plan: CityPlan) -> "Site":
        """Work out the site of a plan."""
        plan = _levelled(plan)
        bounds = on_lattice(box(*plan.bounds))
        footprints = area_of(b.polygon for b in plan.buildings if b.min_height < HEADROOM and b.kind not in OPEN_KINDS)
        tunnels = []
        for way in plan.ways:
            if way.passage and way.kind != "tram":
                tunnels.append(strip(plan.line(way), way.width + PASSAGE_EXTRA, ahead=0.1))
        passages = common(common(area_of(tunnels), grown(footprints, 0.2)), bounds)
        solid = common(minus(footprints, passages), bounds)
        rim = shapely.difference(grown(bounds, 5.0, square=True), grown(bounds, -1.0, square=True))
        cliffs = tuple(plan.terrain.cliffs(STEP_LEAST)) if plan.terrain is not None else ()
        edges = [g for cliff in cliffs for g in _beside_cliff(cliff)]
        blocked = area_of([grown(solid, BODY), rim, *edges])
        tight = grown(blocked, -0.02)
        shapely.prepare([bounds, solid, blocked, tight, passages])
        return cls(plan, bounds, solid, passages, blocked, frozenset(), tight, cliffs)

    def on_ground(self, way: WayPlan) -> bool:
        """Whether a way lies on the ground."""
        return is_surface(way) or way.id in self.grounded

    def without(self, taken: BaseGeometry) -> "Site":
        """The same site with ground taken by structures, up to whose edge one may walk."""
        if taken.is_empty:
            return self
        blocked, tight = area_of([self.blocked, taken]), area_of([self.tight, grown(taken, -0.02)])
        shapely.prepare([blocked, tight])
        return replace(self, blocked=blocked, tight=tight)

    def clear(self, line: LineString) -> bool:
        """Whether a body can walk along a line without touching anything solid."""
        return not self.tight.intersects(line)

    def line(self, way: WayPlan) -> LineString:
        """The way's centre line on the lattice."""
        return self.plan.line(way)


def _beside_cliff(cliff: Cliff) -> list[BaseGeometry]:
    """Where the middle of a body cannot be: by the wall's face, and above by the railing, which stands further in."""
    line = LineString(cliff.points)
    room: list[BaseGeometry] = [shapely.buffer(line, BODY, quad_segs=2, cap_style="square")]
    if float((cliff.high - cliff.low).max()) > GUARDED:
        room.append(shapely.buffer(line, BODY + RAILING, quad_segs=2, single_sided=True))  # its left side is high
    return room


def _levelled(plan: CityPlan) -> CityPlan:
    """The plan with short driven tunnels that merely pass below roofs on the ground.

    Both ends meet surface ways, nothing crosses between them and no wall stands in the way.
    """
    inner = [w for w in plan.ways if is_drive(w) and w.tunnel and not w.passage and plan.line(w).length < SHORT_TUNNEL]
    surface = [w for w in plan.ways if is_surface(w)]
    if not inner or not surface:
        return plan
    joints = {n for w in surface for n in w.nodes}
    tree = shapely.STRtree([plan.line(w) for w in surface])
    walls = [b.polygon for b in plan.buildings if b.min_height < HEADROOM and b.kind not in OPEN_KINDS]
    standing = shapely.STRtree(walls)
    lifted = set()
    for way in inner:
        line = plan.line(way)
        crossed = [surface[i] for i in tree.query(line, predicate="intersects")]
        free = all(set(w.nodes) & {way.nodes[0], way.nodes[-1]} for w in crossed)
        if free and {way.nodes[0], way.nodes[-1]} <= joints and not len(standing.query(line, predicate="intersects")):
            lifted.add(way.id)
    return replace(plan, ways=tuple(replace(w, tunnel=False, layer=0) if w.id in lifted else w for w in plan.ways))
