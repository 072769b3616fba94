"""plan_grid: the plan of the embedded city `grid`."""

import math

from shapely.geometry import Point, Polygon

from citysim.build.plans import CityPlan, Xy
from citysim.build.procedural.district.blocks import Block, find_blocks
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.kerbside import Kerbside, Rule
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.numbers import house_numbers
from citysim.build.procedural.district.over import DEPTH, fits, over_street
from citysim.build.procedural.grid.blocks import build_lot, cut_blocks
from citysim.build.procedural.grid.park import lay_park
from citysim.build.procedural.grid.streets import AVENUE, Grid, lay_streets
from citysim.build.procedural.tenancy import let

SIZE, SIZES = 600.0, (200.0, 2000.0)
ORIGIN = (-42.0, 38.0)  # degrees: open sea

NEAR = (0.0, 6.0, -6.0, 12.0, -12.0, 18.0, -18.0)  # metres along the street where a stop is tried
LAMP_NEAR = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.5, -4.5)  # and a lamp

RULES = (
    Rule("bus_shelter", 190.0, 2.0, (3,), clear=5.0, start=26.0, tries=NEAR, share=0.22),
    Rule("street_lamp", 30.0, 0.6, (3,), 9.0, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("street_lamp", 26.0, 0.6, (2,), 6.5, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("tree", 8.4, 1.1, (2, 3), None, 2.8, 0.3, share=0.8),
    Rule("fire_hydrant", 95.0, 0.7, (2, 3), start=12.0),
    Rule("kiosk", 260.0, 1.75, (3,), clear=3.6, start=48.0, facing="walk", share=0.35, tries=NEAR),
    Rule("parking_meter", 13.0, 0.6, (2, 3), start=7.0),
    Rule("waste_basket", 55.0, 0.9, (2, 3), start=9.0),
    Rule("bench", 44.0, 2.1, (3,), clear=2.2, start=20.0, facing="walk"),
    Rule("bicycle_parking", 34.0, 1.3, (3,), start=16.0),
    Rule("bicycle", 13.0, 0.45, (2,), clear=1.5, start=16.0, share=0.4, facing="along"),
    Rule("post_box", 150.0, 0.9, (2, 3), start=11.0, sides=(1,)),
    Rule("street_cabinet", 80.0, 0.9, (2, 3), start=24.0, sides=(-1,)),
    Rule("telephone", 160.0, 1.0, (3,), start=30.0),
)


def plan_grid(seed: int = 0, size: float = SIZE) -> CityPlan:
    """Avenues, numbered streets and alleys; towers in the middle, brick and row houses around; a park, a garage.

    Names, widths of lots, styles and heights vary with `seed`; `plan_preset` checks the size.
    """
    district = District.begin("grid", seed, size)
    park = _park_block(size)
    grid = lay_streets(district, {park})
    layout = Layout(district.graph)
    blocks = find_blocks(district.graph, district.bounds)
    green = _block_at(blocks, _middle(grid, district.half, park))
    built = [b for b in blocks if b is not green]
    taken = _subway(district, layout)
    lots = cut_blocks(district, built)
    numbers = house_numbers(district.graph, [lot for _, _, lot in lots])
    chance = district.chance.child("buildings")
    for k, ((block, ring, lot), number) in enumerate(zip(lots, numbers, strict=True)):
        build_lot(district, ring, lot, number, chance.child(f"{block.id}/{k}"))
    if green is not None:
        lay_park(district, layout, green)
    layout.draw(district.sketch)
    let(district.sketch, district.builder.fronts, district.names, district.chance.child("tenants"), "grid")
    kerbside = Kerbside(district.sketch, layout, taken)
    kerbside.furnish(RULES, district.chance)
    kerbside.lanes("street_lamp", 27.0, district.chance.child("alleys"), 4.5)
    kerbside.cars(district.chance.child("cars"), 0.42)
    title = district.names.street("City")
    return district.plan(title, ORIGIN, "en", -3.0)


def _park_block(size: float) -> tuple[int, int]:
    """The column and row of the park: north-east of the middle."""
    return max(round(size / 150.0) // 2 + 1, 1) if size > 380 else 1, max(round(size / 100.0) // 2 + 1, 1)


def _middle(grid: Grid, half: float, cell: tuple[int, int]) -> Xy:
    columns, rows = [-half, *grid.avenues, half], [-half, *grid.streets, half]
    i, j = min(cell[0], len(columns) - 2), min(cell[1], len(rows) - 2)
    return (columns[i] + columns[i + 1]) / 2, (rows[j] + rows[j + 1]) / 2


def _block_at(blocks: list[Block], xy: Xy) -> Block | None:
    near = [b for b in blocks if b.polygon.buffer(1.0).contains(Point(xy))]
    return min(near, key=lambda b: math.dist(b.center, xy), default=None)


def _subway(district: District, layout: Layout) -> list[Polygon]:
    """A subway below an avenue in the middle of town, where its stairs fit."""
    order = sorted(
        (e for e in district.graph.edges if e.street is AVENUE),
        key=lambda e: (math.hypot(*e.axis.at(e.length / 2)), e.id),
    )
    for edge in order:
        for turn in ((1, -1), (-1, 1), (1, 1), (-1, -1)):
            for s in range(6, int(edge.length) - 6, 2):
                if fits(layout, edge, float(s), turn, DEPTH):
                    return over_street(district.sketch, layout, edge, float(s), district.names.street("Subway"),
                                       below=True, towards=turn, width=4.0)  # fmt: skip
    return []
