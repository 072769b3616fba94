"""Who uses the ground floors: places with names, doors, addresses and hours."""

import math
from dataclasses import replace

from citysim.build.chance import Chance
from citysim.build.plans import EntrancePlan, PlacePlan, Xy
from citysim.build.procedural import shops
from citysim.build.procedural.blocks import Built
from citysim.build.procedural.lots import Front
from citysim.build.procedural.names import Namer, shuffled
from citysim.build.procedural.shops import TRADES, Trade
from citysim.build.procedural.sketch import Sketch

UNIT = 6.5  # metres of frontage a shop needs
INSIDE = 2.5  # metres from the facade to the place's point
CERTAIN = 24  # trades that every town has


def let(sketch: Sketch, built: Built, namer: Namer, chance: Chance, kiosk: Xy) -> None:
    """Give every shop unit a trade, the public buildings their names, and put the kiosk on the square."""
    fronts = [f for f in built.shops if f.shops]
    slots = [(f, share) for f in fronts for share in _shares(f)]
    ranked = shuffled([str(k) for k in range(len(slots))], chance.child("slots"))
    order = shuffled([str(k) for k in range(CERTAIN)], chance.child("trades"))
    order += shuffled([str(k) for k in range(CERTAIN, len(TRADES))], chance.child("more"))
    for slot, which in zip(ranked, order, strict=False):
        front, share = slots[int(slot)]
        _shop(sketch, TRADES[int(which)], namer, chance, front, share)
    office = next(f for f in fronts if _kind(sketch, f) == "office")
    _place(sketch, shops.COMPANY, namer.shop("Works"), chance, office.at(0.5, 4.0), office, 3, None)
    named = {"hotel": shops.HOTEL, "museum": shops.MUSEUM, "library": shops.LIBRARY, "school": shops.SCHOOL,
             "church": shops.CHURCH}  # fmt: skip
    for use in sorted(built.public):
        front, trade = built.public[use], named[use]
        name = namer.shop(trade.word)
        index = next(k for k, b in enumerate(sketch.buildings) if b.id == front.building)
        sketch.buildings[index] = replace(sketch.buildings[index], name=name)
        door = sketch.buildings[index].entrances[0].id
        _place(sketch, trade, name, chance, front.at(0.5, INSIDE), front, 0, door)
    name = namer.shop(shops.KIOSK.word)
    sketch.prop("kiosk", *kiosk, 180.0, name=name)
    _place(sketch, shops.KIOSK, name, chance, kiosk, None, 0, None)


def _shares(front: Front) -> list[float]:
    """Middles of the units along a facade, clear of the main door in its middle."""
    length = math.dist(front.a, front.b)
    units = min(front.shops, int(length // UNIT))
    if units <= 1:
        return [0.24] if units else []
    return [(k + 0.5) / units for k in range(units) if abs((k + 0.5) / units - 0.5) * length > 2.0]


def _kind(sketch: Sketch, front: Front) -> str:
    return next(b.kind for b in sketch.buildings if b.id == front.building)


def _shop(sketch: Sketch, trade: Trade, namer: Namer, chance: Chance, front: Front, share: float) -> None:
    index = next(k for k, b in enumerate(sketch.buildings) if b.id == front.building)
    building = sketch.buildings[index]
    number = sum(door.kind == "shop" for door in building.entrances) + 1
    door = EntrancePlan(f"{building.id}/shop{number}", front.at(share), "shop", None, front.address.rpartition(" ")[2])
    sketch.buildings[index] = replace(building, entrances=(*building.entrances, door))
    _place(sketch, trade, namer.shop(trade.word), chance, front.at(share, INSIDE), front, 0, door.id)


def _place(
    sketch: Sketch, trade: Trade, name: str, chance: Chance, xy: Xy, front: Front | None, level: int, door: str | None
) -> None:
    sketch.places.append(
        PlacePlan(
            id=f"{sketch.name}:place/{len(sketch.places) + 1}",
            name=name,
            category=trade.category,
            xy=xy,
            building=front.building if front else None,
            level=level,
            address=front.address if front else "",
            opening_hours=shops.hours_of(trade, chance),
            entrance=door,
            tags={trade.key: trade.category, "name": name},
        )
    )
