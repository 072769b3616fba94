"""Houses: lots cut and built on, block by block."""

from dataclasses import replace

import shapely

from citysim.build.chance import Chance
from citysim.build.procedural.district.blocks import Block, Side, find_blocks
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.houses import Placement, Sort
from citysim.build.procedural.district.numbers import house_numbers
from citysim.build.procedural.district.parcels import Lot, Slicing, slice_block, slice_side
from citysim.build.procedural.harbour import sorts
from citysim.build.procedural.harbour.classes import CONTOUR, DISTRIBUTOR, MARKET
from citysim.build.procedural.harbour.land import Land
from citysim.build.procedural.harbour.streets import Streets
from citysim.build.streets.planar import area_of

QUIET = 0.3  # share of ground floors that are let on the hill
GROWN = 60.0  # square metres: smaller lots get nothing tall
SLENDER = 340.0  # square metres a tower needs


def build_houses(district: District, streets: Streets, land: Land, chance: Chance) -> None:
    """Buildings on all land that is not taken."""
    half = streets.survey.half
    blocks = find_blocks(streets.graph, (-half, -half, half, half), area_of(land.taken))
    shelves = shapely.STRtree(land.shelves)
    found: list[tuple[Lot, Sort, Chance]] = []
    for block in blocks:
        at = shapely.Point(block.center)
        shelf = len(shelves.query(at, predicate="intersects")) > 0
        here = chance.child(f"block/{block.id}")
        found += _shelf(block, here) if shelf else _flat(block, here)
    numbers = house_numbers(streets.graph, [lot for lot, _, _ in found])
    for (lot, sort, here), number in zip(found, numbers, strict=True):
        depth = 1000.0 if lot.polygon.area > SLENDER else 18.0
        district.builder.raise_on(lot, sort, number, here, Placement(depth=depth))


def _row_side(block: Block) -> Side | None:
    """The longest side along a street with kerbs or a market."""
    return max(block.streets, key=lambda s: (s.edge is not None and not s.edge.street.flush, s.length), default=None)


def _shelf(block: Block, chance: Chance) -> list[tuple[Lot, Sort, Chance]]:
    """Lots along the one street of a shelf."""
    side = _row_side(block)
    if side is None or side.edge is None:
        return []
    tall = chance.unit("towers") < 0.25 and side.length > 50.0
    how = sorts.LARGE if tall else sorts.MEDIUM
    table = sorts.TOWERS if tall else sorts.UPHILL if side.edge.street is CONTOUR else sorts.LOCAL
    return _choose(slice_side(block, side, how, chance), table, chance, 0.75 if table is sorts.LOCAL else QUIET)


def _flat(block: Block, chance: Chance) -> list[tuple[Lot, Sort, Chance]]:
    """Lots all round a block on even ground."""
    kinds = {side.edge.street for side in block.streets if side.edge is not None}
    how: Slicing = sorts.NARROW
    table = sorts.LOCAL
    if DISTRIBUTOR in kinds:
        how, table = sorts.WIDE, sorts.SHORE
    elif MARKET in kinds:
        table = sorts.BUSY
    return _choose(list(slice_block(block, how, chance).lots), table, chance, 0.92)


def _choose(lots: list[Lot], table: sorts.Sorts, chance: Chance, let: float) -> list[tuple[Lot, Sort, Chance]]:
    """A sort for every lot; `let` is the share of its ground floor that is let, upper floors only in busy streets."""
    made = []
    for k, lot in enumerate(lots):
        here = chance.child(k)
        options = table
        if lot.polygon.area < SLENDER:
            low = [(s, w) for s, w in table if s in (sorts.TONGLAU, sorts.WALKUP, sorts.HALL, sorts.TALL)]
            options = tuple(low) or sorts.BUSY
        if lot.polygon.area < GROWN:
            options = ((sorts.TONGLAU, 1.0),)
        sort = here.weighted(options, "sort")
        made.append((lot, replace(sort, let=let, above=let > 0.9 and here.unit("above") < 0.35), here))
    return made
