"""What stands in the blocks of `grid`: towers in the middle of town, brick round them, row houses at the edge."""

import math

from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.district.blocks import Block
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.houses import Placement, Sort
from citysim.build.procedural.district.openland import add_area, car_park, plant
from citysim.build.procedural.district.parcels import Lot, Slicing, slice_block

BRICK = Sort("grid_brick", "apartments", above=1, let=0.62)
LOFT = Sort("grid_brick", "commercial", levels=(6, 10), above=1, let=0.8)
LIMESTONE = Sort("grid_limestone", "office", above=2)
SETBACK = Sort("grid_setback_tower", "office", above=2)
GLASS = Sort("grid_glass", "office", above=2)
ROW = Sort("grid_row", "house", "homes")
LOW = Sort("grid_brick", "retail", levels=(1, 3))
GARAGE = Sort("grid_garage", "parking", "public")

# by ring (core, middle, edge): sorts with weights, and how lots are cut
SORTS = (
    ((GLASS, 4.0), (SETBACK, 4.0), (LIMESTONE, 3.0), (LOFT, 1.5)),
    ((SETBACK, 1.0), (GLASS, 0.6), (LIMESTONE, 2.0), (LOFT, 3.0), (BRICK, 5.0), (LOW, 1.2)),
    ((BRICK, 3.0), (ROW, 4.5), (LOW, 1.5), (LIMESTONE, 0.5)),
)
CUTS = (
    Slicing((22.8, 38.0), 60.0, 30.4, 7.6, through=True),
    Slicing((13.3, 30.4), 60.0, 22.8, 3.8, through=True),
    Slicing((7.6, 22.8), 60.0, 15.2, 3.8, through=True),
)


def ring_of(xy: Xy, half: float) -> int:
    """0 in the middle of town, 1 around it, 2 at the edge."""
    away = math.hypot(*xy) / half
    return 0 if away < 0.42 else 1 if away < 0.8 else 2


def cut_blocks(district: District, blocks: list[Block]) -> list[tuple[Block, int, Lot]]:
    """All lots with their blocks and rings."""
    found = []
    for block in blocks:
        ring = ring_of(block.center, district.half)
        for lot in slice_cut(block, ring, district.chance.child("lots")):
            found.append((block, ring, lot))
    return found


def slice_cut(block: Block, ring: int, chance: Chance) -> tuple[Lot, ...]:
    """The lots of one block."""
    return slice_block(block, CUTS[ring], chance).lots


def build_lot(district: District, ring: int, lot: Lot, number: str, chance: Chance) -> None:
    """A building or, now and then, a car park or a small plaza."""
    here = chance.child("lot")
    open_share = (0.03, 0.05, 0.05)[ring]
    if not lot.corner and 150.0 < lot.polygon.area < 1100.0 and here.unit("open") < open_share:
        front = lot.front
        along = ((front.b[0] - front.a[0]) / front.length, (front.b[1] - front.a[1]) / front.length)
        if here.unit("plaza") < 0.4:
            add_area(district.sketch, "square", lot.polygon, surface="concrete")
            plant(district.sketch, lot.polygon, 7.0, here.child("trees"), margin=2.0)
        else:
            car_park(district.sketch, lot.polygon, along, here.child("cars"))
        return
    sort = here.weighted(SORTS[ring], "sort")
    if sort is ROW and (lot.front.length > 12.0 or lot.front.edge.street.rank > 2):
        sort = BRICK
    if sort in (GLASS, SETBACK) and lot.polygon.area < 700.0:
        sort = LIMESTONE if lot.polygon.area > 300.0 else LOFT
    where = {ROW: Placement(2.5, 15.0), BRICK: Placement(0.0, here.uniform(20.0, 30.0, "deep")),
             LOFT: Placement(0.0, 34.0), LOW: Placement(0.0, here.uniform(14.0, 24.0, "deep"))}  # fmt: skip
    levels = None
    if sort in (GLASS, SETBACK):
        tall = 1.0 - math.hypot(*lot.front.at(0.0)) / district.half
        low, high = (14, 40) if sort is GLASS else (14, 34)
        levels = round(low + (high - low) * min(max(tall * here.uniform(0.5, 1.25, "tall"), 0.0), 1.0))
    name = ""
    if sort in (GLASS, SETBACK, LIMESTONE) and here.unit("named") < 0.7:
        name = district.names.house()
    district.builder.raise_on(lot, sort, number, here, where.get(sort), name, levels)
