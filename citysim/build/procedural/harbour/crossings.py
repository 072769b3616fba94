"""Crossings of the distributor that do not wait for cars: roofed footbridges, most of them joined, and subways."""

from dataclasses import dataclass

from shapely.geometry import Polygon

from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.over import DECK, DEPTH, fits, over_street
from citysim.build.procedural.harbour.classes import DISTRIBUTOR
from citysim.build.procedural.harbour.land import Land
from citysim.build.procedural.harbour.streets import Streets
from citysim.build.procedural.harbour.walkway import walkway

SHARES = (0.5, 0.42, 0.58, 0.35, 0.65)  # of a piece of street: where a crossing is tried


@dataclass(frozen=True)
class Place:
    """Where a piece of street is crossed, and how the stairs of its left and right side run."""

    edge: Edge
    s: float
    towards: tuple[int, int]


def cross_streets(
    district: District, streets: Streets, land: Land, layout: Layout, pier: list[Polygon]
) -> list[Polygon]:
    """Two footbridges, then a subway, and so on along the distributor; footbridges off the rim are joined by a walkway
    along the shore where that has room. Returns ground to keep free.
    """
    taken: list[Polygon] = []
    bridges: list[Place] = []
    graph = district.graph
    edges = [e for e in graph.edges if e.street is DISTRIBUTOR and e.length >= 60.0]
    for k, edge in enumerate(edges):
        below = k % 3 == 2
        place = _place(layout, edge, DEPTH if below else DECK)
        if place is None:
            continue
        if below:
            name = district.names.street("Subway")
            taken += over_street(district.sketch, layout, edge, place.s, name, below=True, towards=place.towards)
        else:
            bridges.append(place)
    joined = [b for b in bridges if not {b.edge.a, b.edge.b} & graph.rim]
    names = {b.edge.id: district.names.street("Footbridge") for b in bridges}
    made = None
    if len(joined) > 1:
        stops = [(b.edge, b.s, b.towards[0], names[b.edge.id]) for b in joined]
        made = walkway(district, streets, land, layout, stops, pier)
    for bridge in bridges:
        if made is None or bridge not in joined:
            taken += over_street(district.sketch, layout, bridge.edge, bridge.s, names[bridge.edge.id],
                                 towards=bridge.towards, width=3.0, covered=True)  # fmt: skip
    return taken + (made or [])


def _place(layout: Layout, edge: Edge, rise: float) -> Place | None:
    for share in SHARES:
        for towards in ((1, -1), (-1, 1), (1, 1), (-1, -1)):
            if fits(layout, edge, edge.length * share, towards, rise):
                return Place(edge, edge.length * share, towards)
    return None
