"""What stands in the blocks of `akiba`."""

from dataclasses import replace

from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.akiba.streets import Skeleton
from citysim.build.procedural.district.blocks import Block, Side
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.houses import Placement, Sort
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.openland import car_park
from citysim.build.procedural.district.parcels import Lot, Slicing, slice_block
from citysim.build.procedural.district.pocketpark import pocket_park

AVENUE = Sort("akiba_avenue", "retail", above=5)
TOWER = Sort("akiba_tower", "office", above=2)
PENCIL = Sort("akiba_pencil", "commercial", above=4)
BACK = Sort("akiba_backstreet", "commercial", let=0.7)
HOMES = Sort("akiba_backstreet", "apartments", "homes")

WIDE, USUAL, SMALL = Slicing((15.0, 30.0), 28.0, 18.0), Slicing((6.0, 14.0), 21.0), Slicing((9.0, 20.0), 22.0)
FAR_WIDE, FAR_USUAL, FAR_SMALL = Slicing((24.0, 44.0), 30.0), Slicing((19.0, 36.0), 26.0), Slicing((32.0, 58.0), 32.0)
PARKS = 0.08  # of back lots of the right size
LIVELY = (95.0, 125.0)  # metres from the scramble crossing, east or west and north or south
BESIDE = 38.0  # metres from the railway within which it is lively too, up to twice LIVELY from the main row


def lively(bones: Skeleton, xy: Xy) -> bool:
    """Whether a place belongs to the dense part of the district."""
    across, along = abs(xy[0] - bones.avenue), abs(xy[1] - bones.main)
    return (across < LIVELY[0] and along < LIVELY[1]) or (abs(xy[0] - bones.rail) < BESIDE and along < 2 * LIVELY[1])


def cut_blocks(district: District, bones: Skeleton, blocks: list[Block]) -> list[tuple[Block, Lot]]:
    """All lots with their blocks: wide ones along the avenue, pencils along collectors, larger ones further out."""
    chance = district.chance.child("lots")

    def how(side: Side) -> Slicing:
        rank = side.edge.street.rank if side.edge is not None else 0
        at = side.line.interpolate(0.5, normalized=True)
        if lively(bones, (at.x, at.y)):
            return WIDE if rank >= 3 else USUAL if rank == 2 else SMALL
        return FAR_WIDE if rank >= 3 else FAR_USUAL if rank == 2 else FAR_SMALL

    return [(block, lot) for block in blocks for lot in slice_block(block, how, chance).lots]


def build_lot(district: District, layout: Layout, bones: Skeleton, lot: Lot, number: str, chance: Chance) -> None:
    """A building, or a car park or a pocket park in a few of the back lots."""
    rank = lot.front.edge.street.rank
    front = lot.front
    middle = front.at(front.length / 2)
    if rank <= 1 and 120.0 < lot.polygon.area < 500.0 and not lot.corner and chance.unit("open") < 0.04:
        along = ((front.b[0] - front.a[0]) / front.length, (front.b[1] - front.a[1]) / front.length)
        car_park(district.sketch, lot.polygon, along, chance.child("cars"), 0.7)
        return
    if rank <= 1 and 260.0 < lot.polygon.area < 1100.0 and not lot.corner and chance.unit("park") < PARKS:
        pocket_park(district, layout, lot, chance.child("green"))
        return
    busy = lively(bones, middle)
    name = ""
    if rank >= 3:
        sort = TOWER if lot.polygon.area > 520.0 and chance.unit("tower") < 0.3 else AVENUE
        sort = sort if busy else replace(sort, above=0, let=0.32)
    elif rank == 2 or (busy and chance.unit("pencil") < 0.5):
        sort = TOWER if lot.polygon.area > 620.0 and chance.unit("tower") < 0.5 else PENCIL
        sort = sort if busy else replace(sort, above=0, let=0.17)
    else:
        sort = BACK if busy or chance.unit("work") < 0.14 else HOMES
    if sort.style in ("akiba_tower", "akiba_avenue") or (busy and chance.unit("named") < 0.15):
        name = district.names.house()
    low = {BACK: 0.82, HOMES: 0.7}.get(sort, 1.0)
    deep = chance.uniform(low, 1.0, "deep")
    where = Placement(0.0, max(deep * lot.depth, 7.0)) if deep < 0.97 else Placement()
    district.builder.raise_on(lot, sort, number, chance, where, name)
