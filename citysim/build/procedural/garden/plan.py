"""plan_garden: the plan of the embedded city `garden`."""

import math
from collections.abc import Callable

import shapely
from shapely.geometry import Point, Polygon

from citysim.build.plans import CityPlan
from citysim.build.procedural.district.axis import Axis
from citysim.build.procedural.district.blocks import Block, find_blocks, street_space
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.kerbside import Kerbside, Rule
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.openland import add_area, scatter
from citysim.build.procedural.district.over import DEPTH, fits, over_street
from citysim.build.procedural.garden import common, homes
from citysim.build.procedural.garden.centre import centre, market
from citysim.build.procedural.garden.land import Land
from citysim.build.procedural.garden.streets import BANK, SPINE, lay_canals, lay_streets
from citysim.build.procedural.tenancy import let
from citysim.build.streets.planar import area_of, minus, polygons
from citysim.build.streets.planar import common as common_ground

SIZE, SIZES = 600.0, (200.0, 2000.0)
ORIGIN = (-24.0, 47.0)  # degrees: open sea
LAMPS = 26.0  # metres between lamps beside paths
SMALL = 1500.0  # square metres: smaller pieces of land stay lawns
PROGRAMMES: tuple[tuple[Callable[[Land], None], float], ...] = (
    (homes.slabs, 4.2), (homes.rows, 2.6), (homes.gallery, 1.8), (homes.points, 1.5), (common.park, 0.5),
)  # fmt: skip
# what every town has, with the least width and depth of its land
ONCE: tuple[tuple[Callable[[Land], None], tuple[float, float]], ...] = (
    (centre, (44.0, 56.0)), (homes.slabs, (0.0, 0.0)), (market, (46.0, 44.0)), (homes.gallery, (0.0, 0.0)),
    (common.park, (60.0, 50.0)), (homes.rows, (0.0, 0.0)), (market, (46.0, 44.0)), (common.school, (58.0, 60.0)),
    (homes.points, (0.0, 0.0)),
)  # fmt: skip
OTHERWISE = (homes.slabs, homes.points, homes.rows)  # where a programme finds no room

NEAR = (0.0, 6.0, -6.0, 12.0, -12.0, 18.0, -18.0)  # metres along the street where a stop is tried
LAMP_NEAR = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.5, -4.5)  # and a lamp

RULES = (
    Rule("bus_shelter", 150.0, 2.0, (2, 3), clear=5.0, start=34.0, tries=NEAR, share=0.8),
    Rule("street_lamp", 24.0, 0.6, (1, 2), 5.5, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("street_lamp", 24.0, 0.6, (3,), 7.0, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("tree", 8.8, 1.5, (3,), None, 2.8, 0.3, share=0.9),
    Rule("tree", 10.0, 1.0, (2,), None, 2.8, 0.3, share=0.8),
    Rule("waste_basket", 60.0, 0.8, (2, 3), start=12.0),
    Rule("bicycle_parking", 70.0, 1.4, (2,), start=22.0),
    Rule("bicycle", 40.0, 0.45, (1,), clear=1.5, start=18.0, share=0.6, facing="along"),
    Rule("recycling", 130.0, 1.0, (2,), clear=2.4, start=30.0, sides=(1,)),
    Rule("fire_hydrant", 180.0, 0.6, (2, 3), start=14.0),
    Rule("telephone", 260.0, 1.0, (2, 3), start=44.0, tries=NEAR),
    Rule("street_cabinet", 110.0, 0.8, (1, 2), start=17.0, sides=(-1,)),
    Rule("post_box", 260.0, 0.8, (2, 3), start=19.0, sides=(1,)),
)


def plan_garden(seed: int = 0, size: float = SIZE) -> CityPlan:
    """Slabs, rows and towers on lawns between loop roads, canals with bridges, a centre, a school, a park.

    Programmes of the land, names, lines of roads and canals vary with `seed`; `plan_preset` checks the size.
    """
    district = District.begin("garden", seed, size)
    roads = lay_streets(district)
    water = roads.water(district.half)
    layout = Layout(district.graph, water)
    lay_canals(district, layout, roads)
    banks = common_ground(shapely.buffer(water, BANK, join_style="mitre"), shapely.box(*district.bounds))
    blocks = find_blocks(district.graph, district.bounds, banks)
    under = _underpass(district, layout)
    lands = _fill(district, layout, blocks)
    _lawns(
        district, [b.polygon for b in blocks] + polygons(minus(banks, area_of([water, street_space(district.graph)])))
    )
    layout.draw(district.sketch, water)
    let(district.sketch, district.builder.fronts, district.names, district.chance.child("tenants"), "garden")
    kerbside = Kerbside(district.sketch, layout, [*under, shapely.buffer(water, 1.5)])
    kerbside.furnish(RULES, district.chance)
    _path_lamps(layout, kerbside)
    for land in lands:
        _trees(land, kerbside)
    return district.plan(district.names.street("Garden"), ORIGIN, "en", -2.0)


def _fill(district: District, layout: Layout, blocks: list[Block]) -> list[Land]:
    """Give every piece of land a programme: those of ONCE nearest to the middle, then by chance."""
    chance = district.chance.child("land")
    large = [b for b in blocks if b.polygon.area > SMALL]
    near = sorted(large, key=lambda b: (round(math.hypot(*b.center), 3), b.id))
    order: dict[int, Callable[[Land], None]] = {}
    for programme, (wide, deep) in ONCE:
        for block in near:
            x0, y0, x1, y1 = block.polygon.bounds
            if block.id not in order and x1 - x0 >= wide and y1 - y0 >= deep:
                order[block.id] = programme
                break
    lands = []
    for k, block in enumerate(large):
        land = Land(district, layout, block, chr(ord("A") + k % 26), chance.child(block.id), [])
        programme = order.get(block.id) or chance.child(block.id).weighted(PROGRAMMES, "programme")
        programme(land)
        for other in () if programme is common.park else OTHERWISE:
            if not land.count:
                other(land)
        x0, y0, _, _ = land.box
        if programme in (homes.slabs, homes.points, homes.gallery):
            for dx, dy in ((20.0, 30.0), (44.0, 24.0), (60.0, 50.0)):
                if not any(a.kind == "playground" and land.block.polygon.contains(a.polygon.centroid)
                           for a in district.sketch.areas):  # fmt: skip
                    common.playground(land, (x0 + dx, y0 + dy))
        lands.append(land)
    return lands


def _lawns(district: District, lands: list[Polygon]) -> None:
    """Grass wherever the land has no other use."""
    used = area_of(a.polygon for a in district.sketch.areas)
    for land in lands:
        for part in polygons(minus(land, used), 2.0):
            add_area(district.sketch, "grass", part)


def _path_lamps(layout: Layout, kerbside: Kerbside) -> None:
    """Low lamps beside paths, on alternate sides."""
    for path in layout.paths:
        axis = Axis.through(path.strand.points)
        for k in range(int(axis.length / LAMPS)):
            s = LAMPS * (k + 0.5)
            kerbside.put("street_lamp", axis.at(s, (1.0 if k % 2 else -1.0) * (path.width / 2 + 0.7)), None, 1.6, 4.5)


def _trees(land: Land, kerbside: Kerbside) -> None:
    """Clumps of trees on what is left of a piece of land."""
    blocked = shapely.union_all(land.used) if land.used else Polygon()
    shapely.prepare(blocked)
    here = land.chance.child("trees")
    for k, (x, y) in enumerate(scatter(land.block.polygon, 8.5, 2.0, here, 0.42)):
        clump = here.unit(f"clump/{int(x // 24)}/{int(y // 24)}")
        if here.unit(f"tree{k}") < 0.15 + 0.6 * clump * clump and not blocked.intersects(Point(x, y)):
            kerbside.put("tree", (x, y), None, 3.0)


def _underpass(district: District, layout: Layout) -> list[Polygon]:
    """A path below the spine, where its stairs fit."""
    order = sorted((e for e in district.graph.edges if e.street is SPINE),
                   key=lambda e: (math.hypot(*e.axis.at(e.length / 2)), e.id))  # fmt: skip
    for edge in order:
        for turn in ((1, -1), (-1, 1), (1, 1), (-1, -1)):
            for s in range(6, int(edge.length) - 6, 2):
                if fits(layout, edge, float(s), turn, DEPTH):
                    return over_street(district.sketch, layout, edge, float(s), district.names.street("Underpass"),
                                       below=True, towards=turn, width=4.0)  # fmt: skip
    return []
