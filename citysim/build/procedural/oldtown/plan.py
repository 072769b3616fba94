"""plan_oldtown: the plan of the embedded city `oldtown`."""

from dataclasses import replace

import shapely
from shapely.geometry import LineString, Point, Polygon, box

from citysim.build.plans import BarrierPlan, CityPlan
from citysim.build.procedural.district.blocks import Block, find_blocks
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.kerbside import Kerbside, Rule
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.numbers import house_numbers
from citysim.build.procedural.hills.drape import drape
from citysim.build.procedural.hills.ladders import Ladder, draw_ladder, plan_ladder
from citysim.build.procedural.hills.relief import Relief, Zone
from citysim.build.procedural.oldtown.blocks import (
    build_church,
    build_lots,
    cut_blocks,
    lay_playgrounds,
    lay_square,
    riverside,
)
from citysim.build.procedural.oldtown.streets import Town, found, lay_streets
from citysim.build.procedural.tenancy import let
from citysim.build.streets.planar import area_of, minus, polygons

SIZE, SIZES = 600.0, (200.0, 2000.0)
ORIGIN = (-20.0, 41.0)  # degrees: open sea
YARD = 4.5  # height of the churchyard above the streets round it, metres
YARD_LEAST = 700.0  # m2

NEAR = (0.0, 6.0, -6.0, 12.0, -12.0, 18.0, -18.0)  # metres along the street where a stop is tried
LAMP_NEAR = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.5, -4.5)  # and a lamp

RULES = (
    Rule("bus_stop", 160.0, 0.5, (3,), clear=2.4, start=26.0, tries=NEAR, share=0.5),
    Rule("street_lamp", 20.0, 0.5, (2, 3), 4.8, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("bollard", 9.0, 0.4, (2,), start=5.0, share=0.6),
    Rule("waste_basket", 45.0, 0.7, (2, 3), start=9.0),
    Rule("tree", 12.0, 1.0, (3,), None, 2.8, 0.4, share=0.6),
    Rule("bench", 40.0, 1.3, (3,), clear=2.2, start=18.0, facing="street"),
    Rule("bicycle", 11.0, 0.4, (2, 3), clear=1.5, start=14.0, share=0.4, facing="along"),
    Rule("post_box", 140.0, 0.8, (2, 3), start=15.0, sides=(1,)),
    Rule("fire_hydrant", 170.0, 0.5, (2, 3), start=19.0),
    Rule("telephone", 230.0, 0.7, (3,), start=37.0, tries=NEAR, share=0.4),
    Rule("advertising_column", 170.0, 0.8, (3,), clear=2.0, start=33.0, tries=NEAR, share=0.4),
    Rule("drinking_water", 190.0, 0.9, (2, 3), start=25.0),
)


def plan_oldtown(seed: int = 0, size: float = SIZE) -> CityPlan:
    """A town of bending lanes round a square, a church on a walled mound with stairs, a quay along a river.

    Names, lanes, lots, colours and heights vary with `seed`; `plan_preset` checks the size.
    """
    district = District.begin("oldtown", seed, size)
    chance = district.chance
    town = found(district.half, chance.child("town"))
    lay_streets(town, district.graph, district.names, chance.child("streets"))
    layout = Layout(district.graph)
    corridors = drape(district.graph, town.level)
    relief = Relief(district.half, list(corridors))
    shore = box(-town.half, -town.half, town.half, town.bank)
    blocks = find_blocks(district.graph, district.bounds, shore)
    square = next((b for b in blocks if b.polygon.intersects(Point(town.center))), None)
    yard = _churchyard(town, [b for b in blocks if b is not square])
    ladders = _yard_stairs(district, layout, yard, town) if yard is not None else []
    _zones(relief, town, yard, ladders)
    built = [b for b in blocks if b is not square and (yard is None or b.id != yard.id)]
    lots = cut_blocks(district, town, built)
    lots = lay_playgrounds(district, layout, lots)
    build_lots(district, lots, house_numbers(district.graph, [lot for _, lot, _ in lots]))
    if yard is not None:
        _church(district, yard, ladders)
    if square is not None:
        lay_square(district, layout, square)
    riverside(district, town)
    rail = LineString([(-town.half + 1.0, town.bank + 0.5), (town.half - 1.0, town.bank + 0.5)])
    district.barriers.append(BarrierPlan("oldtown:barrier/quay", "railing", rail, 1.0))
    layout.draw(district.sketch)
    let(district.sketch, district.builder.fronts, district.names, chance.child("tenants"), "oldtown")
    kerbside = Kerbside(district.sketch, layout, [ladder.corridor.area.buffer(1.5) for ladder in ladders])
    kerbside.furnish(RULES, chance)
    kerbside.lanes("street_lamp", 27.0, chance.child("lanes"), 4.2)
    kerbside.cars(chance.child("cars"), 0.35)
    plan = district.plan(district.names.street("Town"), ORIGIN, "en", -1.0)
    return replace(plan, terrain=relief.terrain())


def _churchyard(town: Town, blocks: list[Block]) -> Block | None:
    """The block the church stands in: near the mound, large and compact."""
    fit = [b for b in blocks if YARD_LEAST < b.polygon.area < 4500.0 and len(b.streets) == len(b.sides)]
    return min(fit, key=lambda b: (b.polygon.distance(Point(town.mound)), b.id), default=None)


def _yard_level(town: Town, yard: Block) -> float:
    """Height of the churchyard: above the highest corner of the streets round it."""
    return round((max(town.level((float(x), float(y))) for x, y in yard.polygon.exterior.coords) + YARD) * 64) / 64


def _yard_stairs(district: District, layout: Layout, yard: Block, town: Town) -> list[Ladder]:
    """Stairs from the middles of up to three sides into the yard, drawn up to its path."""
    top = _yard_level(town, yard)
    made: list[Ladder] = []
    for side in yard.streets:
        edge = side.edge
        if edge is None or len(made) == 3 or side.length < 16.0:
            continue
        middle = side.line.interpolate(side.length / 2)
        s, _ = edge.axis.nearest((middle.x, middle.y))
        start = edge.axis.at(s)
        u, v = edge.axis.along(s)
        inward = (-v * side.sign, u * side.sign)
        low = _street_level(district, town, edge.id, s)
        reach = edge.street.facade + 3.2 + (top - low) / 0.15 * 0.31 + 6.0
        head = (start[0] + inward[0] * reach, start[1] + inward[1] * reach)
        if not yard.polygon.buffer(-2.0).contains(Point(head)):
            continue
        name = district.names.street("Stairs")
        ladder = plan_ladder(len(made), start, head, low, top, edge.street.facade, 0.5, False, name)
        foot = layout.join(edge.axis.at(s, side.sign * max(edge.street.walk, 0.0)), 4.0)
        if ladder is None or foot is None:
            continue
        band = ladder.corridor.area
        if any(band.distance(other.corridor.area) < 3.0 for other in made):
            continue
        made.append(ladder)
        draw_ladder(district.sketch, ladder, foot, ladder.axis.points[-1])
    return made


def _street_level(district: District, town: Town, number: int, s: float) -> float:
    edge = district.graph.edges[number]
    corridor = next(c for c in drape(district.graph, town.level) if c.axis is edge.axis)
    return corridor.level(s)


def _zones(relief: Relief, town: Town, yard: Block | None, ladders: list[Ladder]) -> None:
    relief.corridors += [ladder.corridor for ladder in ladders]
    bounds = box(-town.half, -town.half, town.half, town.half)
    waterside = town.level((0.0, town.quay))
    top = _yard_level(town, yard) if yard is not None else 0.0
    for area in polygons(minus(bounds, area_of(c.area for c in relief.corridors)), 0.5):
        at = area.representative_point()
        if yard is not None and yard.polygon.buffer(0.5).contains(at):
            relief.zones.append(Zone(area, lambda x, y: top, bound=False))
        elif at.y < town.quay:
            relief.zones.append(Zone(area, lambda x, y: waterside))
        else:
            relief.zones.append(Zone(area, lambda x, y: town.level((x, y))))


def _church(district: District, yard: Block, ladders: list[Ladder]) -> None:
    """The church, and paths from its door to the heads of the stairs."""
    if not ladders:
        return
    heads = [ladder.axis.points[-1] for ladder in ladders]
    polygon: Polygon = yard.polygon
    for ladder in ladders:
        stairs = ladder.corridor.area.buffer(2.5)
        polygon = max(polygons(shapely.difference(polygon, stairs)), key=lambda p: p.area)
    build_church(district, polygon, heads[0])
    church = district.sketch.buildings[-1].polygon if district.sketch.buildings[-1].kind == "church" else None
    around = church.buffer(2.4, join_style="mitre") if church is not None else None
    ring = [] if around is None else [(float(x), float(y)) for x, y in around.exterior.coords]
    tags = {"highway": "footway"}
    if ring:
        district.sketch.way("footway", ring, 2.4, surface="gravel", tags=tags)
    for head in heads:
        if ring:
            near = min(ring, key=lambda p: Point(p).distance(Point(head)))
            district.sketch.way("footway", [head, near], 2.4, surface="gravel", tags=tags)
