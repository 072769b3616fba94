"""plan_harbour: the whole city as a plan."""

from citysim.build.chance import Chance
from citysim.build.plans import CityPlan
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.harbour.houses import build_houses
from citysim.build.procedural.harbour.ladders import draw_ladder, middle_of
from citysim.build.procedural.harbour.land import Land, divide
from citysim.build.procedural.harbour.streets import Streets, lay_streets
from citysim.build.procedural.harbour.survey import survey
from citysim.build.procedural.naming import Names
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.tenancy import let
from citysim.geo.frames import LocalFrame

SIZE = 600.0  # metres, default side length
SIZES = (200.0, 2000.0)
ORIGIN = (-28.0, 21.0)  # degrees: open sea, so that nobody takes it for a real town


def plan_harbour(seed: int = 0, size: float = SIZE) -> CityPlan:
    """A port city `size` metres wide: promenade, markets, towers, contour roads, ladder streets up the hill."""
    chance = Chance(seed, "harbour")
    names = Names("harbour", chance.child("names"))
    half = round(size / 2 * 4) / 4
    sketch = Sketch("harbour")
    plan = survey(half, chance.child("survey"))
    streets = lay_streets(plan, names)
    land = divide(streets)
    layout = Layout(streets.graph)
    _climb(sketch, streets, layout, land)
    layout.draw(sketch)
    builder, _ = build_houses(sketch, streets, land, chance.child("houses"))
    let(sketch, builder.fronts, names, chance.child("tenants"), "harbour")
    return CityPlan(
        name="harbour",
        title=names.street("Harbour"),
        source="citysim procedural city harbour",
        licence="CC0-1.0",
        attribution="",
        frame=LocalFrame(*ORIGIN),
        bounds=(-half, -half, half, half),
        seed=seed,
        generator={"kind": "procedural", "preset": "harbour", "seed": seed, "size": size},
        nodes=dict(sketch.nodes),
        ways=tuple(sketch.ways),
        crossings=tuple(sketch.crossings),
        areas=tuple(sketch.areas),
        buildings=tuple(sketch.buildings),
        places=tuple(sketch.places),
        props=tuple(sketch.props),
        terrain=land.relief.terrain(),
        locale="en",
        utc_offset_h=8.0,
    )


def _climb(sketch: Sketch, streets: Streets, layout: Layout, land: Land) -> None:
    """Ladders with their crossings, and paths over the terraces between them."""
    for ladder in streets.ladders:
        axis = ladder.axis
        foot = layout.join(axis.at(axis.length * 0.0 + 8.0), 12.0)
        head = layout.join(axis.at(axis.length - 8.0), 12.0)
        if foot is not None and head is not None:
            draw_ladder(sketch, ladder, foot, head)
    for terrace in land.terraces:
        ends = [middle_of(x)[0] for x in (terrace.west, terrace.east) if x is not None]
        if len(ends) == 2:
            sketch.way("footway", ends, 2.5, surface="paving_stones", tags={"highway": "footway"})
