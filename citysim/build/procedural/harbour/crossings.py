"""Crossings of the distributor that do not wait for cars: roofed footbridges and a subway."""

from shapely.geometry import Polygon

from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.over import DECK, DEPTH, fits, over_street
from citysim.build.procedural.harbour.classes import DISTRIBUTOR
from citysim.build.procedural.harbour.land import Land
from citysim.build.procedural.harbour.streets import Streets


def cross_streets(district: District, streets: Streets, land: Land, layout: Layout) -> list[Polygon]:
    """Footbridges over every other piece of the distributor and a subway; returns ground to keep free."""
    del land
    taken: list[Polygon] = []
    built = 0
    for edge in district.graph.edges:
        if edge.street is not DISTRIBUTOR or edge.length < 60.0:
            continue
        below = built % 3 == 2
        rise = DEPTH if below else DECK
        for share in (0.5, 0.42, 0.58, 0.35, 0.65):
            s = edge.length * share
            sense = next((t for t in ((1, -1), (-1, 1), (1, 1), (-1, -1)) if fits(layout, edge, s, t, rise)), None)
            if sense is not None:
                name = district.names.street("Subway" if below else "Footbridge")
                taken += over_street(district.sketch, layout, edge, s, name, below=below, towards=sense,
                                     width=3.0, covered=not below)  # fmt: skip
                break
        built += 1
    del streets
    return taken
