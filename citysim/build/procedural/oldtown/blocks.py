"""Blocks of the old town: rows of narrow houses with courts behind, the square, the churchyard."""

import math

import shapely
from shapely.geometry import LineString, Polygon, box

from citysim.build.plans import BuildingPlan, EntrancePlan, Xy
from citysim.build.procedural.district.blocks import Block
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.houses import Placement, Sort
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.openland import add_area, plant
from citysim.build.procedural.district.parcels import Lot, Slicing, slice_block
from citysim.build.procedural.district.pocketpark import pocket_park
from citysim.build.procedural.oldtown.streets import SQUARE, Town
from citysim.build.procedural.sketch import snapped
from citysim.build.procedural.tenancy import open_place

ROW = Sort("oldtown_row", "house", let=0.55)
MERCHANT = Sort("oldtown_merchant", "apartments", let=0.9)
TENEMENT = Sort("oldtown_tenement", "apartments", let=0.7)
HALL = Sort("oldtown_hall", "civic", "public")
BUSY = ((MERCHANT, 5.0), (TENEMENT, 2.0), (ROW, 2.0))
QUIET = ((ROW, 5.0), (MERCHANT, 2.0), (TENEMENT, 1.5))
HOW = Slicing((11.0, 19.0), 13.0, corner=15.0)
GRAND = 26.0  # metres along the square that the town hall takes
ARCADE = 3.0  # depth of the arcade's roof, metres


def cut_blocks(district: District, town: Town, blocks: list[Block]) -> list[tuple[Block, Lot, Sort]]:
    """Lots with sorts; courts in the middle of blocks become gardens or paved yards."""
    found = []
    hall = False
    for block in blocks:
        chance = district.chance.child(f"block/{block.id}")
        cut = slice_block(block, HOW, chance)
        for k, lot in enumerate(cut.lots):
            here = chance.child(k)
            square = lot.front.edge.street is SQUARE
            sort = here.weighted(BUSY if square or math.dist(block.center, town.center) < 110.0 else QUIET, "sort")
            if square and not hall and lot.front.length > 12.0:
                sort, hall = HALL, True
            found.append((block, lot, sort))
        for k, court in enumerate(cut.core):
            if court.area > 60.0:
                kind = "garden" if chance.unit(f"court/{k}") < 0.65 else "paved"
                add_area(district.sketch, kind, court)
                if kind == "garden":
                    plant(district.sketch, court, 8.0, chance.child(f"trees/{k}"))
    return found


def lay_playgrounds(
    district: District, layout: Layout, lots: list[tuple[Block, Lot, Sort]]
) -> list[tuple[Block, Lot, Sort]]:
    """One lot in a hundred among the quiet ones, and one at least, becomes a playground; the other lots."""
    chance = district.chance.child("playgrounds")
    fit = [
        (chance.unit(k), k)
        for k, (_, lot, sort) in enumerate(lots)
        if sort is ROW and not lot.corner and 130.0 < lot.polygon.area < 400.0 and lot.front.length > 10.0
    ]
    taken = {k for _, k in sorted(fit)[: math.ceil(len(lots) / 100)]}
    for k in sorted(taken):
        pocket_park(district, layout, lots[k][1], chance.child(k), "playground")
    return [found for k, found in enumerate(lots) if k not in taken]


def build_lots(district: District, lots: list[tuple[Block, Lot, Sort]], numbers: list[str]) -> None:
    """A house on every lot."""
    for k, ((block, lot, sort), number) in enumerate(zip(lots, numbers, strict=True)):
        chance = district.chance.child(f"house/{block.id}/{k}")
        depth = 13.0 if sort is not HALL else 20.0
        name = district.names.street("Hall") if sort is HALL else ""
        plan = district.builder.raise_on(lot, sort, number, chance, Placement(depth=depth), name)
        if plan is not None and sort is HALL:
            at = plan.polygon.representative_point()
            open_place(district.sketch, "townhall", district.names, snapped((at.x, at.y)), chance, plan.id,
                       plan.address, name=name, entrance=plan.entrances[0].id if plan.entrances else None)  # fmt: skip


def lay_square(district: District, layout: Layout, block: Block) -> None:
    """The square: setts, a fountain, trees along one side, benches, a covered walk along another."""
    sketch, chance = district.sketch, district.chance.child("square")
    name = next((s.edge.name for s in block.streets if s.edge is not None), "")
    add_area(sketch, "square", block.polygon, name, surface="sett")
    cx, cy = block.center
    sketch.prop("fountain", cx, cy, name=name)
    gates: list[Xy] = []
    for side in block.streets:
        at = side.line.interpolate(side.length / 2)
        gate = layout.join((float(at.x), float(at.y)))
        if gate is not None and all(math.dist(gate, g) > 8.0 for g in gates):
            gates.append(gate)
    ring = [snapped((cx + 7.0 * math.cos(t * math.pi / 4), cy + 7.0 * math.sin(t * math.pi / 4))) for t in range(8)]
    tags = {"highway": "footway"}
    sketch.way("footway", [*ring, ring[0]], 3.0, name=name, surface="sett", tags=tags)
    for gate in gates:
        near = min(ring, key=lambda p: math.dist(p, gate))
        sketch.way("footway", [gate, near], 3.0, name=name, surface="sett", tags=tags)
    inner = block.polygon.buffer(-6.0)
    edge = LineString(inner.exterior.coords) if isinstance(inner, Polygon) and not inner.is_empty else None
    if edge is None:
        return
    s, k = 2.0, 0
    while s < edge.length:
        at = edge.interpolate(s)
        kind = "tree" if k % 3 else "bench"
        heading = math.degrees(math.atan2(cx - at.x, cy - at.y)) % 360.0
        if all(math.dist((at.x, at.y), g) > 6.0 for g in gates):
            sketch.prop(kind, at.x, at.y, heading if kind == "bench" else None)
        s += 7.5
        k += 1
    for k in range(6):
        t = 2 * math.pi * (k + chance.unit(f"lamp/{k}") * 0.3) / 6
        sketch.prop("street_lamp", cx + 13.0 * math.cos(t), cy + 13.0 * math.sin(t), height=4.8)


def build_church(district: District, yard: Polygon, head: Xy) -> None:
    """A church where its yard is widest, its door towards the head of a stair."""
    sketch, chance = district.sketch, district.chance.child("church")
    reach = shapely.maximum_inscribed_circle(yard, tolerance=0.5)
    (cx, cy), (rx, ry) = reach.coords
    radius = math.dist((cx, cy), (rx, ry))
    if radius < 8.0:
        return
    ux, uy = cx - head[0], cy - head[1]
    length = max(math.hypot(ux, uy), 1e-6)
    ux, uy = ux / length, uy / length
    long = min(36.0, 1.62 * radius)
    half = 0.21 * long

    def at(along: float, aside: float) -> Xy:
        return snapped((cx + ux * along - uy * aside, cy + uy * along + ux * aside))

    start = -long / 2
    corners = [at(start, -half), at(-start, -half), at(-start, half), at(start, half)]
    shape = shapely.set_precision(Polygon(corners), 1 / 1024)
    name = district.names.street("Church")
    ident = f"{sketch.name}:building/{len(district.builder.shapes) + 1}"
    entrance = EntrancePlan(f"{ident}/door", at(start, 0.0), "main", None, "1")
    sketch.buildings.append(
        BuildingPlan(
            ident, shape, 22.0, levels=4, kind="church", roof="gabled", roof_height=9.0, name=name, address=name,
            style="oldtown_church", roof_color="#6f4a3d", material="stone", entrances=(entrance,),
            tags={"building": "church"},
        )
    )  # fmt: skip
    district.builder.shapes.append(shape)
    open_place(sketch, "place_of_worship", district.names, at(start + 4.0, 0.0), chance, ident, name, name=name,
               entrance=entrance.id)  # fmt: skip
    keep = shapely.union_all([shape.buffer(4.0), shapely.buffer(LineString([head, at(start, 0.0)]), 4.0)])
    green = shapely.difference(yard, keep)
    for k, part in enumerate(p for p in shapely.get_parts(green) if isinstance(p, Polygon) and p.area > 50.0):
        plant(sketch, part, 7.0, chance.child(f"trees/{k}"), margin=2.2)


def riverside(district: District, town: Town) -> None:
    """The river, its far bank, and a row of trees and benches on the quay."""
    sketch, half = district.sketch, town.half
    add_area(sketch, "water", box(-half, town.far, half, town.bank), district.names.street("River"), natural="water")
    far = box(-half, -half, half, town.far - 0.5)
    add_area(sketch, "park", far, leisure="park")
    plant(sketch, far, 8.0, district.chance.child("far bank"), margin=2.0)
    x, k = -half + 6.0, 0
    while x < half - 6.0:
        kind = ("tree", "bench", "tree", "street_lamp")[k % 4]
        sketch.prop(kind, x, town.bank + 1.8, 180.0 if kind == "bench" else None)
        x += 5.5
        k += 1
