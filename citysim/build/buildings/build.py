"""build_buildings: every building of a plan becomes meshes, objects and facades."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from shapely.geometry import Polygon

from citysim.build.buildings.attachments import Face, bays_of, emit_attachments
from citysim.build.buildings.balconies import emit_balconies
from citysim.build.buildings.batch import Batch
from citysim.build.buildings.clutter import emit_clutter
from citysim.build.buildings.doors import Door, emit_door, outward, place_doors
from citysim.build.buildings.dormers import emit_clock, emit_dormers, emit_party_chimneys
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.looks import part_look, upper_look
from citysim.build.buildings.openings import lining, posts, soffit
from citysim.build.buildings.pieces import Look
from citysim.build.buildings.plant import emit_plant
from citysim.build.buildings.relief import cornice, eaves_corners
from citysim.build.buildings.roofs import emit_roof
from citysim.build.buildings.roofshapes import RoofShape
from citysim.build.buildings.segments import Segment, segments_of
from citysim.build.buildings.site import Site
from citysim.build.buildings.solid import Solid
from citysim.build.buildings.storeys import Row, rows_of
from citysim.build.buildings.streetside import emit_streetside
from citysim.build.buildings.walls import emit_walls
from citysim.build.chance import Chance
from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.plans import BuildingPlan, Xy
from citysim.build.streets.site import OPEN_KINDS

FRONT = 1.5  # metres of free space before a wall that counts as a facade
LEAST_FACADE = 2.0  # metres
UNEVEN = 0.8  # metres by which the ground before a wall may differ for a roof over it
DWELLINGS = ("apartments", "residential", "yes", "house", "dormitory", "hotel", "block")


@dataclass(slots=True)
class _Wall:
    """The visible panels of one run with what is needed to draw them."""

    solid: Solid
    panels: list[Panel]
    rows: list[Row]
    look: Look
    path: str
    corners: set[Xy]  # where cornices of two walls meet
    end: bool = False  # faces no street
    street: bool = True  # people pass by
    segments: list[Segment] = field(default_factory=list)  # straight pieces at street level
    doors: list[Door] = field(default_factory=list)


def build_buildings(draft: CityDraft, ground: Ground) -> list[Facade]:
    """Add all buildings of `draft.plan` to the draft; returns their outer walls that face open space.

    Walls of at least 2 m with 1.5 m of free space in front become facades, doors already reserved in `taken`.
    Buildings whose outline cannot be used are skipped with a line in `draft.warnings`.
    """
    site = Site(draft, ground)
    facades: list[Facade] = []
    for outline in site.outlines:
        if site.of.get(outline.id):
            facades += _building(site, outline, site.of[outline.id])
    return facades


def _building(site: Site, outline: BuildingPlan, indexes: Sequence[int]) -> list[Facade]:
    draft, chance = site.draft, site.draft.chance.child("building").child(outline.id)
    look = site.looks[outline.id]
    solids = [site.solids[k] for k in indexes]
    label = _object(draft, outline, solids, look)
    batch = Batch(draft.mesh, label)
    walls: list[_Wall] = []
    for n, (k, solid) in enumerate(zip(indexes, solids, strict=True)):
        if solid.style:
            own = upper_look(draft, solid.style, outline, chance.child("upper"))
        elif solid.plan.id == outline.id:
            own = look
        else:
            own = part_look(draft, look, solid.plan, chance.child(solid.plan.id))
        mine = _walls(site, outline, k, own, str(n))
        walls += mine
        stacked = site.over(k)
        made = emit_roof(batch, solid, own, stacked, chance.child(f"roof/{n}"))
        if not own.style.embedded:
            emit_clutter(batch, solid, own, made, stacked, chance.child(f"clutter/{n}"))
        if own.style.embedded or made is not None:
            _furnish(batch, solid, own, made, mine, stacked, chance.child(f"clutter/{n}"))
        soffit(batch, solid, site.under(k), own)
        lining(batch, solid, own)
        if solid.plan.kind in OPEN_KINDS:
            posts(batch, solid, site.free_corners(solid))
    share = chance.unit("cornice")
    facades = _facades(site, outline, label, walls)
    doors = _doors(site, outline, walls, facades)
    for wall in walls:
        taken = [d.run_span for d in wall.doors]
        emit_walls(
            batch,
            wall.panels,
            wall.rows,
            wall.look,
            taken,
            chance.child("wall").child(wall.path),
            wall.end,
            wall.street,
        )
        for panel in wall.panels:
            if wall.street or not wall.look.style.embedded:
                cornice(batch, panel, wall.solid, wall.look, wall.corners, share)
            if wall.look.style.attachments:
                _attach(batch, wall, panel, chance.child("attach").child(wall.path))
            elif outline.kind in DWELLINGS:
                own_chance = chance.child("balconies")
                emit_balconies(batch, panel, wall.rows, wall.solid.base, wall.look, own_chance)
        _cover(site, batch, outline, wall, facades, chance.child("street").child(wall.path))
    batch.flush()
    feet = site.heights([outward(d.segment, d.u) for d in doors], solids[0].base)
    for n, (door, z) in enumerate(zip(doors, feet, strict=True)):
        emit_door(draft, door, z, label, look.trim, chance.child(f"door/{n}"))
    return list(facades.values())


def _furnish(
    batch: Batch,
    solid: Solid,
    look: Look,
    made: RoofShape | None,
    walls: Sequence[_Wall],
    stacked: Sequence[Polygon],
    chance: Chance,
) -> None:
    """What stands on one roof of an embedded city."""
    if made is None:
        emit_plant(batch, solid, look, stacked, chance)
        return
    shares = dict(look.style.plant)
    built: list[Xy] = []
    for n, (wall, panel) in enumerate((w, p) for w in walls for p in w.panels):
        if look.style.mass.kind == "hall" and solid.roof == "pyramidal":
            emit_clock(batch, panel, solid)
            continue
        if wall.street and chance.unit("dormer") < shares.get("dormer", 0.0):
            emit_dormers(batch, panel, solid, look, made, chance.child(f"dormer/{n}"))
        if wall.street and chance.unit("chimney") < shares.get("chimney", 0.0):
            emit_party_chimneys(batch, panel, solid, look, made, chance.child(f"chimney/{n}"), built)


def _attach(batch: Batch, wall: _Wall, panel: Panel, chance: Chance) -> None:
    """What the style hangs on the upper storeys of one panel."""
    if panel.above or wall.end or not panel.run.exterior:
        return
    far = not wall.street  # small things are hung where somebody sees them
    rows = [r for r in wall.rows if r.strip is not None and r.strip.storeys == 1 and r.storey >= 1]
    rows = [r for r in rows if r.z0 >= panel.z0 - 0.01 and r.z1 <= panel.z1 + 0.01]
    if not rows:
        return
    whole = bays_of(panel.s0, panel.s1, rows[0], wall.look.style.stretch)
    floor = next((r.z1 for r in wall.rows if r.storey == 0), rows[0].z0)
    for n, segment in enumerate(segments_of(panel)):
        entrance = any(d.segment.panel is panel for d in wall.doors)
        face = Face(segment, rows, whole, wall.solid.base, wall.look, entrance, floor, far)
        emit_attachments(batch, face, chance.child(n))


def _cover(
    site: Site, batch: Batch, outline: BuildingPlan, wall: _Wall, facades: dict[tuple[Xy, Xy], Facade], chance: Chance
) -> None:
    """Canopies and awnings over the pavement before one wall."""
    style = wall.look.style
    if not style.embedded or wall.end or not wall.solid.grounded:
        return
    top = next((r.z1 for r in wall.rows if r.storey == 0), 0.0)
    for n, segment in enumerate(wall.segments):
        facade = facades.get((segment.a, segment.b))
        if facade is None or not site.even(segment, UNEVEN):
            continue
        named = site.is_shop(outline.id, segment.panel.run)
        doors = [d for d in wall.doors if d.segment is segment]
        if not any(r.front == style.shops for r in wall.rows if r.front):
            named = True  # dwellings have no awnings
        facade.covers += emit_streetside(batch, segment, facade.base, top, wall.look, doors, named, chance.child(n))


def _walls(site: Site, outline: BuildingPlan, index: int, look: Look, path: str) -> list[_Wall]:
    """The walls of one solid, run by run."""
    solid = site.solids[index]
    storeys = site.draft.chance.child("building").child(outline.id).child("storeys")
    rows = {shop: rows_of(solid, look.style, shop, storeys) for shop in (False, True)}
    ends = rows_of(solid, look.style, False, storeys, stacked=False) if look.style.embedded else []
    found: list[_Wall] = []
    visible = site.exposure.panels(index)
    corners = eaves_corners(visible, solid.eaves)
    longest = max((p.run.length for p in visible), default=0.0)
    for n, (_, group) in enumerate(groupby(visible, key=lambda p: p.run)):
        panels = list(group)
        street = [p for p in panels if solid.grounded and p.z0 < solid.base + 0.5 and p.z1 > solid.base + 2.0]
        run = panels[0].run
        shop = bool(street) and site.is_shop(outline.id, run)
        end, faces = False, run.exterior and site.street_near(run.at(0.5 * run.length, 6.0), 9.0)
        if look.style.embedded:
            end = all(p.above for p in panels) or (not faces and run.length < 0.6 * longest)
            shop = shop or (bool(street) and faces and storeys.unit(f"retail/{n}") < look.style.retail)
        pieces = [s for p in street for s in segments_of(p)]
        bands = ends if end else rows[shop]
        found.append(_Wall(solid, panels, bands, look, f"{path}/{n}", corners, end, faces, pieces))
    return found


def _object(draft: CityDraft, outline: BuildingPlan, solids: Sequence[Solid], look: Look) -> int:
    boxes = [s.polygon.bounds for s in solids]
    base, top = min(s.base for s in solids), max(s.top for s in solids)
    x0, y0 = min(b[0] for b in boxes), min(b[1] for b in boxes)
    x1, y1 = max(b[2] for b in boxes), max(b[3] for b in boxes)
    middle = max((s.polygon for s in solids), key=lambda p: p.area).representative_point()
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


def _facades(site: Site, outline: BuildingPlan, label: int, walls: Sequence[_Wall]) -> dict[tuple[Xy, Xy], Facade]:
    """Facades by the ends of their segments."""
    found: dict[tuple[Xy, Xy], Facade] = {}
    for wall in walls:
        solid = wall.solid
        floor = next((r.z1 for r in wall.rows if r.storey == 0), solid.base + 3.2)
        free = [
            s
            for s in wall.segments
            if s.length >= LEAST_FACADE
            and s.panel.run.exterior
            and site.inside(s.at(0.5 * s.length, FRONT))
            and site.exposure.open_air(s.at(0.5 * s.length, FRONT), solid.base + 1.0)
        ]
        feet = site.heights([s.at(0.5 * s.length, 0.4) for s in free], solid.base)
        for s, foot in zip(free, feet, strict=True):
            top = s.panel.z1
            found[(s.a, s.b)] = Facade(outline.id, label, s.a, s.b, foot, top, min(floor, top) - foot, s.normal)
    return found


def _doors(
    site: Site, outline: BuildingPlan, walls: Sequence[_Wall], facades: dict[tuple[Xy, Xy], Facade]
) -> list[Door]:
    """Place the doors, tell their walls and reserve their room on facades."""
    if outline.kind in OPEN_KINDS:
        return []
    segments = [s for wall in walls for s in wall.segments if site.inside(s.at(0.5 * s.length, FRONT))]
    longest = max(
        (s for s in segments if (s.a, s.b) in facades),
        key=lambda s: (site.street_near(s.at(0.5 * s.length, 1.0)), round(s.length, 3), s.a, s.b),
        default=None,
    )
    doors = place_doors(outline.entrances, segments, longest)
    for door in doors:
        for wall in walls:
            if any(s is door.segment for s in wall.segments):
                wall.doors.append(door)
        facade = facades.get((door.segment.a, door.segment.b))
        if facade is not None:
            facade.taken.append(door.span)
    return doors
