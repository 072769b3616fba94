"""plan_harbour: the plan of the embedded city `harbour`."""

from dataclasses import replace

from shapely.geometry import Polygon

from citysim.build.plans import CityPlan
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.kerbside import Kerbside, Rule
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.railings import railings
from citysim.build.procedural.harbour.arcades import build_arcades
from citysim.build.procedural.harbour.classes import DISTRIBUTOR, LOCAL
from citysim.build.procedural.harbour.crossings import cross_streets
from citysim.build.procedural.harbour.houses import build_houses
from citysim.build.procedural.harbour.land import divide
from citysim.build.procedural.harbour.openground import open_ground
from citysim.build.procedural.harbour.streets import Streets, lay_streets
from citysim.build.procedural.harbour.survey import survey
from citysim.build.procedural.harbour.waterfront import build_waterfront
from citysim.build.procedural.hills.ladders import draw_ladder, light_ladder
from citysim.build.procedural.tenancy import let

SIZE, SIZES = 600.0, (200.0, 2000.0)
ORIGIN = (-28.0, 21.0)  # degrees: open sea, so that nobody takes it for a real town

NEAR = (0.0, 6.0, -6.0, 12.0, -12.0, 18.0, -18.0)  # metres along the street where a stop is tried
LAMP_NEAR = (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.5, -4.5)  # and a lamp

RULES = (
    Rule("bus_shelter", 150.0, 1.3, (3,), clear=4.6, start=36.0, tries=NEAR),
    Rule("tram_stop", 160.0, 0.6, (3,), clear=2.4, start=62.0, tries=NEAR, share=0.7),
    Rule("bus_stop", 210.0, 0.6, (2,), clear=2.4, start=30.0, tries=NEAR, share=0.25),
    Rule("street_lamp", 28.0, 0.6, (3,), 10.0, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("street_lamp", 32.0, 0.55, (1, 2), 7.0, 2.0, whole=True, tries=LAMP_NEAR),
    Rule("tree", 13.0, 1.0, (3,), None, 2.8, 0.4, share=0.8),
    Rule("fire_hydrant", 140.0, 0.6, (2, 3), start=14.0),
    Rule("waste_basket", 75.0, 0.7, (2, 3), start=9.0),
    Rule("bollard", 17.0, 0.5, (1,), start=6.0, share=0.5),
    Rule("post_box", 180.0, 0.7, (2, 3), start=21.0, sides=(1,)),
    Rule("telephone", 130.0, 0.9, (2, 3), start=40.0, share=0.3),
    Rule("street_cabinet", 90.0, 0.7, (2, 3), start=26.0, sides=(-1,)),
    Rule("bicycle", 70.0, 0.4, (2, 3), clear=1.6, start=17.0, share=0.5, facing="along"),
)


def plan_harbour(seed: int = 0, size: float = SIZE) -> CityPlan:
    """A port city: promenade, markets, towers on podiums, contour roads joined by ladder streets, gardens on terraces.

    Names, lots, heights and places vary with `seed`; `plan_preset` checks the size.
    """
    district = District.begin("harbour", seed, size)
    chance = district.chance
    streets = lay_streets(survey(district.half, chance.child("survey")), district.names)
    district.graph = streets.graph
    land = divide(streets)
    layout = Layout(streets.graph)
    _climb(district, streets, layout)
    build_houses(district, streets, land, chance.child("houses"))
    pier = build_waterfront(district, streets, land, layout, chance.child("waterfront"))
    taken = [*pier, *cross_streets(district, streets, land, layout, pier)]
    taken += build_arcades(district, streets, layout, pier, chance.child("arcades"))
    open_ground(district, land, chance.child("open"))
    layout.draw(district.sketch)
    let(district.sketch, district.builder.fronts, district.names, chance.child("tenants"), "harbour")
    _furnish(district, streets, layout, taken)
    plan = district.plan(district.names.street("Harbour"), ORIGIN, "en", -2.0)
    return replace(plan, terrain=land.relief.terrain())


def _climb(district: District, streets: Streets, layout: Layout) -> None:
    """The ladders, joined to the pavements of the streets below and above."""
    for ladder in streets.ladders:
        axis = ladder.axis
        foot, head = layout.join(axis.at(8.0), 12.0), layout.join(axis.at(axis.length - 8.0), 12.0)
        if foot is not None and head is not None:
            draw_ladder(district.sketch, ladder, foot, head)
            light_ladder(district.sketch, ladder)


def _furnish(district: District, streets: Streets, layout: Layout, taken: list[Polygon]) -> None:
    mouths = [ladder.corridor.area.buffer(1.5) for ladder in streets.ladders]
    kerbside = Kerbside(district.sketch, layout, [*taken, *mouths])
    kerbside.furnish(RULES, district.chance)
    kerbside.cars(district.chance.child("cars"), 0.22, left_hand=True)
    railings(district, layout, (DISTRIBUTOR, LOCAL), taken, district.chance.child("railings"), 0.5)
