"""build_buildings: every building of a plan becomes meshes, objects and facades."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from shapely import STRtree
from shapely.errors import GEOSException
from shapely.geometry import LineString, Point, Polygon

from citysim.build.buildings.balconies import emit_balconies
from citysim.build.buildings.batch import Batch
from citysim.build.buildings.clutter import emit_clutter
from citysim.build.buildings.doors import Door, emit_door, outward, place_doors
from citysim.build.buildings.exposure import Exposure, Panel
from citysim.build.buildings.looks import choose_looks, part_look
from citysim.build.buildings.masses import disjoint, solids_of
from citysim.build.buildings.openings import lining, soffit
from citysim.build.buildings.passages import cut_passages
from citysim.build.buildings.relief import cornice, plinth
from citysim.build.buildings.roofs import emit_roof
from citysim.build.buildings.segments import Segment, segments_of
from citysim.build.buildings.solid import Solid
from citysim.build.buildings.storeys import Row, rows_of
from citysim.build.buildings.walls import Look, emit_panel
from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.plans import BuildingPlan, PlacePlan, Xy

SHOP_REACH = 14.0  # metres: a place this near to a wall gives it a shop front
FRONT = 1.5  # metres of free space before a wall that counts as a facade
LEAST_FACADE = 2.0  # metres


@dataclass(slots=True)
class _Wall:
    """One visible panel with what is needed to draw it."""

    solid: Solid
    panel: Panel
    rows: list[Row]
    look: Look
    path: str
    segments: list[Segment] = field(default_factory=list)


class _Site:
    """What the buildings of one city share while they are built."""

    def __init__(self, draft: CityDraft, ground: Ground) -> None:
        plans = draft.plan.buildings
        known = {p.id for p in plans if p.parent is None}
        self.outlines = [p for p in plans if p.parent is None or p.parent not in known]
        self.parts: dict[str, list[BuildingPlan]] = defaultdict(list)
        for plan in plans:
            if plan.parent in known and plan.parent is not None:
                self.parts[plan.parent].append(plan)
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
                found += solids_of(outline, self.parts[outline.id], self.ground, self.draft.warnings)
            except (GEOSException, ValueError) as fault:
                self.draft.warnings.append(f"building {outline.id}: {fault}, skipped")
        return cut_passages(self.draft.plan, disjoint(found), self.ground)

    def over(self, index: int) -> list[Polygon]:
        """Footprints that stand on a solid's eaves or rise through them."""
        solid = self.solids[index]
        return [
            other.polygon
            for other in self._touching(index)
            if other.bottom <= solid.eaves + 0.05 and other.eaves > solid.eaves + 0.05
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

    def is_shop(self, outline: str, panel: Panel) -> bool:
        """Whether a place at street level lies behind a panel."""
        wall = LineString([panel.run.at(s) for s in panel.run.columns(panel.s0, panel.s1)])
        reach = SHOP_REACH if panel.run.exterior else 4.0
        return any(wall.dwithin(Point(p.xy), reach) for p in self.places.get(outline, ()))

    def street_near(self, xy: Xy) -> bool:
        """Whether a way passes within 15 m."""
        return self.has_streets and bool(len(self.streets.query(Point(xy), predicate="dwithin", distance=15.0)))

    def height_at(self, xy: Xy, default: float) -> float:
        """Ground height, `default` where the ground has none."""
        z = float(np.asarray(self.ground.height(np.asarray([xy], dtype=np.float64)))[0])
        return z if np.isfinite(z) else default


def build_buildings(draft: CityDraft, ground: Ground) -> list[Facade]:
    """Add all buildings of `draft.plan` to the draft; returns their outer walls that face open space.

    Walls of at least 2 m with 1.5 m of free space in front become facades, doors already reserved in `taken`.
    Buildings whose outline cannot be used are skipped with a line in `draft.warnings`.
    """
    site = _Site(draft, ground)
    facades: list[Facade] = []
    for outline in site.outlines:
        if site.of.get(outline.id):
            facades += _building(site, outline, site.of[outline.id])
    return facades


def _building(site: _Site, outline: BuildingPlan, indexes: Sequence[int]) -> list[Facade]:
    draft = site.draft
    solids = [site.solids[k] for k in indexes]
    chance = draft.chance.child("building").child(outline.id)
    look = site.looks[outline.id]
    label = _object(draft, outline, solids, look)
    batch = Batch(draft.mesh, label)
    walls: list[_Wall] = []
    for k, solid in zip(indexes, solids, strict=True):
        own = look if solid.plan is outline else part_look(draft, look, solid.plan, chance.child(solid.plan.id))
        storeys = chance.child("storeys")
        rows = {shop: rows_of(solid, own.style, shop, storeys) for shop in (False, True)}
        for n, panel in enumerate(site.exposure.panels(k)):
            at_street = solid.grounded and panel.z0 < solid.base + 0.5
            shop = at_street and site.is_shop(outline.id, panel)
            wall = _Wall(solid, panel, rows[shop], own, f"{k - indexes[0]}/{n}")
            if at_street and panel.z1 > solid.base + 2.0:
                wall.segments = segments_of(panel)
            walls.append(wall)
        stacked = site.over(k)
        made = emit_roof(batch, solid, own, stacked, chance.child(f"roof/{k - indexes[0]}"))
        emit_clutter(batch, solid, own, made, stacked, chance.child(f"clutter/{k - indexes[0]}"))
        soffit(batch, solid, site.under(k), own)
        lining(batch, solid, own)
    facades, by_segment = _facades(site, outline, label, walls)
    doors = _doors(site, outline, walls, by_segment)
    blanked: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for door in doors:
        blanked[id(door.segment.panel)].append(door.run_span)
        facade = by_segment.get((door.segment.a, door.segment.b))
        if facade is not None:
            facade.taken.append(door.span)
    for wall in walls:
        taken = blanked[id(wall.panel)]
        path = chance.child("wall").child(wall.path)
        emit_panel(batch, wall.panel, wall.rows, wall.look, taken, path)
        plinth(batch, wall.panel, wall.solid, wall.look, taken)
        cornice(batch, wall.panel, wall.solid, wall.look)
        straight = wall.segments or segments_of(wall.panel)
        emit_balconies(batch, wall.panel, straight, wall.rows, wall.solid.base, wall.look, chance.child("balconies"))
    batch.flush()
    for n, door in enumerate(doors):
        z = site.height_at(outward(door.segment, door.u), solids[0].base)
        emit_door(draft, door, z, label, look.trim, chance.child(f"door/{n}"))
    return facades


def _object(draft: CityDraft, outline: BuildingPlan, solids: Sequence[Solid], look: Look) -> int:
    boxes = [s.polygon.bounds for s in solids]
    base, top = min(s.base for s in solids), max(s.top for s in solids)
    x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x1, y1 = max(b[2] for b in boxes), max(b[3] for b in boxes)
    middle = outline.polygon.representative_point()
    return draft.add_object(
        "building",
        (round(middle.x, 3), round(middle.y, 3), round(base, 3)),
        name=outline.name,
        bounds=(x0, y0, base, x1, y1, top),
        plan_id=outline.id,
        address=outline.address,
        levels=outline.levels or None,
        height=round(top - base, 2),
        kind=outline.kind,
        style=look.style.name,
        roof=outline.roof,
    )


def _facades(
    site: _Site, outline: BuildingPlan, label: int, walls: Sequence[_Wall]
) -> tuple[list[Facade], dict[tuple[Xy, Xy], Facade]]:
    found: list[Facade] = []
    by_segment: dict[tuple[Xy, Xy], Facade] = {}
    for wall in walls:
        floor = next((r.z1 for r in wall.rows if r.storey == 0), wall.solid.base + 3.2)
        for segment in wall.segments:
            if segment.length < LEAST_FACADE or not wall.panel.run.exterior:
                continue
            if not site.exposure.open_air(segment.at(0.5 * segment.length, FRONT), wall.solid.base + 1.0):
                continue
            foot = site.height_at(segment.at(0.5 * segment.length, 0.4), wall.solid.base)
            top = min(wall.panel.z1, wall.solid.eaves)
            facade = Facade(outline.id, label, segment.a, segment.b, foot, top, min(floor, top) - foot, segment.normal)
            found.append(facade)
            by_segment[(segment.a, segment.b)] = facade
    return found, by_segment


def _doors(
    site: _Site, outline: BuildingPlan, walls: Sequence[_Wall], facades: dict[tuple[Xy, Xy], Facade]
) -> list[Door]:
    segments = [s for wall in walls for s in wall.segments]
    outer = [s for s in segments if (s.a, s.b) in facades]
    longest = max(
        outer,
        key=lambda s: (site.street_near(s.at(0.5 * s.length, 1.0)), round(s.length, 3), s.a, s.b),
        default=None,
    )
    return place_doors(outline.entrances, segments, longest)
