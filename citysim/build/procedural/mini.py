"""The small embedded city: everything a demo needs within two hundred metres."""

from citysim.build.chance import Chance
from citysim.build.plans import CityPlan
from citysim.build.procedural.blocks import Built, fill_far_north, fill_north, fill_south
from citysim.build.procedural.fittings import furnish
from citysim.build.procedural.greens import add_park, add_square
from citysim.build.procedural.names import Namer
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.structures import add_footbridge, add_terrace
from citysim.build.procedural.tenants import let
from citysim.build.procedural.town import draw_streets, lay_out

SIZE = 200.0  # metres, default side length
SIZES = (180.0, 320.0)
SQUARE = 44.0  # metres, east to west
GARDEN = 24.0
ORIGIN = (-30.0, 45.0)  # degrees: open sea, so that nobody takes it for a real town


def plan_mini(seed: int = 0, size: float = SIZE) -> CityPlan:
    """A town of five streets: shops, a square, a park, a courtyard with a passage, a church, a footbridge, stairs.

    Names, colours, heights and the places of streets and lots vary with `seed`. `size` is the side length in metres;
    `citysim.build.procedural.plan_preset` checks it.
    """
    chance = Chance(seed, "mini")
    namer = Namer(chance.child("names"))
    half = round(size / 2 * 4) / 4
    sketch = Sketch("mini")
    town = lay_out(half, chance.child("town"), namer)
    south, north = town.block(1, 1), town.block(1, 3)
    square, park, garden = namer.street("Square"), namer.street("Park"), namer.street("Garden")
    title = f"{namer.street('Town').split()[0]}ton"
    built = Built()
    for part in (
        fill_north(sketch, town, namer, chance.child("north")),
        fill_far_north(sketch, town, GARDEN, chance.child("far")),
        fill_south(sketch, town, SQUARE, chance.child("south")),
    ):
        built.shops += part.shops
        built.public.update(part.public)
    box = (south[0], south[1], south[0] + SQUARE, south[3])
    kiosk = add_square(sketch, town, box, square, chance.child("square"))
    add_park(sketch, town, town.block(0, 0), park, chance.child("park"))
    add_terrace(sketch, town, (north[0], north[1], north[0] + GARDEN, north[3]), garden, chance.child("terrace"))
    at = round((town.cross.at + town.tee.at) / 2 * 4) / 4
    stairs = add_footbridge(sketch, town, at, f"{town.main.name.split()[0]} Footbridge")
    draw_streets(sketch, town)
    let(sketch, built, namer, chance.child("tenants"), kiosk)
    furnish(sketch, town, stairs, chance.child("fittings"))
    return sketch.plan(
        title, ORIGIN, seed, size, bounds=(-half, -half, half, half), street_trees=True, locale="en", utc_offset_h=-2.0
    )
