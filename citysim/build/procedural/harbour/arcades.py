"""The arcades of the harbour city, along some blocks of its local streets, and roofed walks to the pier."""

import shapely
from shapely.geometry import Polygon

from citysim.build.chance import Chance
from citysim.build.procedural.district.arcades import arcade, covered_walk, sides_of
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.harbour.classes import LOCAL
from citysim.build.procedural.harbour.streets import Streets
from citysim.build.procedural.harbour.waterfront import PATH, WALK

SHARE = 0.42  # of block sides that have one
EAVES = 1.2  # metres that the roof of a walk is wider than its path


def build_arcades(
    district: District, streets: Streets, layout: Layout, pier: list[Polygon], chance: Chance
) -> list[Polygon]:
    """Add all; returns the ground that furniture must leave free."""
    edges = [e for e in district.graph.edges if e.street is LOCAL and e.length > 30.0]
    houses = shapely.union_all(district.builder.shapes)
    shapely.prepare(houses)
    taken: list[Polygon] = []
    for edge, sign in sides_of(layout, edges):
        if chance.unit(f"{edge.id}/{sign}") < SHARE:
            taken += arcade(district.sketch, layout, edge, sign, houses)
    return taken + _to_the_pier(district, streets, pier)


def _to_the_pier(district: District, streets: Streets, pier: list[Polygon]) -> list[Polygon]:
    """Roofs over the paths from the street to the promenade on both sides of the pier's hall."""
    if not pier:
        return []
    row, shore = streets.rows[0], streets.survey.shore
    middle = pier[0].centroid.x
    gates = [x for x, _ in streets.survey.rows[0].points[1:-1]]
    made = []
    for near in ([x for x in gates if x < middle][-1:], [x for x in gates if x > middle][:1]):
        for x in near:
            top = row.axis.at(row.station(x, 0.0))[1] - row.half - 1.2
            made.append(covered_walk(district.sketch, [(x, top), (x, shore + WALK + 6.5)], PATH + EAVES))
    return made
