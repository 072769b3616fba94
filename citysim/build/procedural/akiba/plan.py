"""plan_akiba: the plan of the embedded city `akiba`."""

import math

from shapely.geometry import Polygon

from citysim.build.plans import CityPlan, Xy
from citysim.build.procedural.akiba.blocks import build_lot, cut_blocks
from citysim.build.procedural.akiba.crossing import build_deck, scramble
from citysim.build.procedural.akiba.streets import AVENUE, lay_streets
from citysim.build.procedural.akiba.viaduct import build_viaduct, railway
from citysim.build.procedural.district.blocks import find_blocks
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.kerbside import Kerbside, Rule
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.numbers import house_numbers
from citysim.build.procedural.district.railings import railings
from citysim.build.procedural.tenancy import let

SIZE, SIZES = 750.0, (200.0, 2000.0)
ASPECT = 650.0 / 750.0
ORIGIN = (158.0, 33.5)  # degrees: open sea

NEAR = (0.0, 6.0, -6.0, 12.0, -12.0, 18.0, -18.0)  # metres along the street where a stop is tried
LAMP_NEAR = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.5, -4.5)  # and a lamp

RULES = (
    Rule("bus_shelter", 180.0, 2.0, (3,), clear=5.0, start=40.0, tries=NEAR),
    Rule("bus_stop", 200.0, 0.6, (2,), clear=2.4, start=30.0, tries=NEAR, share=0.25),
    Rule("street_lamp", 25.0, 0.6, (3,), 8.5, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("street_lamp", 27.0, 0.5, (2,), 6.0, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("tree", 9.0, 1.2, (3,), None, 2.8, 0.3, share=0.85),
    Rule("street_cabinet", 60.0, 0.8, (2, 3), start=14.0, sides=(-1,)),
    Rule("bicycle_parking", 30.0, 1.4, (3,), start=10.0, share=0.6),
    Rule("bicycle", 8.0, 0.45, (2,), clear=1.5, start=9.0, share=0.45, facing="along"),
    Rule("bench", 60.0, 1.3, (3,), clear=2.2, start=24.0, facing="walk"),
    Rule("waste_basket", 70.0, 0.8, (2, 3), start=11.0),
    Rule("bollard", 9.0, 0.45, (2,), start=5.0, share=0.35),
    Rule("recycling", 190.0, 1.0, (2, 3), clear=2.4, start=46.0, sides=(1,)),
    Rule("kiosk", 260.0, 1.6, (3,), clear=4.0, start=70.0, sides=(-1,), tries=NEAR),
    Rule("fire_hydrant", 150.0, 0.6, (2, 3), start=18.0),
    Rule("post_box", 170.0, 0.9, (2, 3), start=21.0, sides=(1,)),
    Rule("telephone", 190.0, 1.0, (3,), start=33.0),
)


def plan_akiba(seed: int = 0, size: float = SIZE) -> CityPlan:
    """An avenue with a scramble crossing and a deck, back streets, a viaduct with arcades and a station.

    `size` is the width from west to east; the height is 13/15 of it. `plan_preset` checks it.
    """
    district = District.begin("akiba", seed, size, ASPECT)
    bones = lay_streets(district)
    layout = Layout(district.graph)
    track = railway(bones, district.high)
    blocks = find_blocks(district.graph, district.bounds, track)
    lots = cut_blocks(district, bones, blocks)
    numbers = house_numbers(district.graph, [lot for _, lot in lots], step=1)
    chance = district.chance.child("buildings")
    for k, ((block, lot), number) in enumerate(zip(lots, numbers, strict=True)):
        build_lot(district, layout, bones, lot, number, chance.child(f"{block.id}/{k}"))
    build_viaduct(district, bones)
    taken: list[Polygon] = build_deck(district, layout, bones)
    scramble(district, layout, bones)
    layout.draw(district.sketch)
    let(district.sketch, district.builder.fronts, district.names, district.chance.child("tenants"), "akiba")
    kerbside = Kerbside(district.sketch, layout, taken)
    kerbside.furnish(RULES, district.chance)
    kerbside.lanes("street_lamp", 21.0, district.chance.child("lanes"), 4.5)
    kerbside.lanes("planter", 34.0, district.chance.child("planters"), None, 0.45)
    kerbside.cars(district.chance.child("cars"), 0.16, left_hand=True)
    _vending(district, kerbside)
    railings(district, layout, (AVENUE,), taken, chance.child("railings"), 0.75)
    return district.plan(district.names.street("Town"), ORIGIN, "ja", 9.0)


def _vending(district: District, kerbside: Kerbside) -> None:
    """Vending machines in twos to fives against walls, every 50 m of back street or so."""
    chance = district.chance.child("vending")
    for k, front in enumerate(district.builder.fronts):
        here = chance.child(k)
        if here.unit("any") > 0.1 or front.length < 6.0:
            continue
        start = 0.8 if here.unit("end") < 0.5 else front.length - 4.5
        for n in range(here.integer(2, 5, "count")):
            x, y = front.at(start + 1.05 * n, -0.55)
            heading = _outwards(front.a, front.b)
            kerbside.put("vending_machine", (x, y), heading, 0.9)


def _outwards(a: Xy, b: Xy) -> float:
    """The compass heading away from a building whose wall runs from a to b."""
    return math.degrees(math.atan2(b[1] - a[1], -(b[0] - a[0]))) % 360.0
