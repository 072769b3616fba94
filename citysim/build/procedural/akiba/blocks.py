"""What stands in the blocks of `akiba`."""

from dataclasses import replace

from citysim.build.chance import Chance
from citysim.build.procedural.akiba.streets import Skeleton
from citysim.build.procedural.district.blocks import Block, Side
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.houses import Placement, Sort
from citysim.build.procedural.district.openland import car_park
from citysim.build.procedural.district.parcels import Lot, Slicing, slice_block

AVENUE = Sort("akiba_avenue", "retail", above=3)
TOWER = Sort("akiba_tower", "office", above=2)
PENCIL = Sort("akiba_pencil", "commercial", above=2)
BACK = Sort("akiba_backstreet", "commercial", let=0.7)
HOMES = Sort("akiba_backstreet", "apartments", "homes")

WIDE = Slicing((15.0, 32.0), 28.0, 20.0)
USUAL = Slicing((7.5, 19.0), 22.0)
SMALL = Slicing((14.0, 34.0), 30.0)


def how_to_cut(side: Side) -> Slicing:
    """Wide lots along the avenue, pencils along collectors, small ones along back streets."""
    rank = side.edge.street.rank if side.edge is not None else 0
    return WIDE if rank >= 3 else USUAL if rank == 2 else SMALL


def cut_blocks(district: District, blocks: list[Block]) -> list[tuple[Block, Lot]]:
    """All lots with their blocks."""
    chance = district.chance.child("lots")
    return [(block, lot) for block in blocks for lot in slice_block(block, how_to_cut, chance).lots]


def build_lot(district: District, bones: Skeleton, lot: Lot, number: str, chance: Chance) -> None:
    """A building, or a car park in one of twenty-five back lots."""
    rank = lot.front.edge.street.rank
    front = lot.front
    middle = front.at(front.length / 2)
    if rank <= 1 and 120.0 < lot.polygon.area < 500.0 and not lot.corner and chance.unit("open") < 0.04:
        along = ((front.b[0] - front.a[0]) / front.length, (front.b[1] - front.a[1]) / front.length)
        car_park(district.sketch, lot.polygon, along, chance.child("cars"), 0.7)
        return
    away = max(abs(middle[1] - bones.main) / 150.0, abs(middle[0] - bones.avenue) / 130.0)
    lively = away < 1.0 or abs(middle[0] - bones.rail) < 45.0
    name = ""
    if rank >= 3:
        sort = TOWER if lot.polygon.area > 520.0 and chance.unit("tower") < 0.3 else AVENUE
        sort = sort if lively else replace(sort, above=1, let=0.8)
    elif rank == 2 or (lively and chance.unit("pencil") < 0.5):
        sort = TOWER if lot.polygon.area > 620.0 else PENCIL
        sort = sort if lively else replace(sort, above=0, let=0.45)
    else:
        sort = BACK if lively or chance.unit("work") < 0.3 else HOMES
    if sort.style in ("akiba_tower", "akiba_avenue") or (lively and chance.unit("named") < 0.15):
        name = district.names.house()
    low = {BACK: 0.82, HOMES: 0.7}.get(sort, 1.0)
    deep = chance.uniform(low, 1.0, "deep")
    where = Placement(0.0, max(deep * lot.depth, 7.0)) if deep < 0.97 else Placement()
    district.builder.raise_on(lot, sort, number, chance, where, name)
