"""Railings along kerbs: between crossings, with gaps at corners, lanes, stops and stairs."""

from collections.abc import Sequence

import shapely
from shapely.geometry import LineString, Polygon

from citysim.build.chance import Chance
from citysim.build.plans import BarrierPlan
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout

OFF, HEIGHT = 0.3, 1.0  # metres behind the kerb, and above the pavement
CORNER, CROSSED, MOUTH, STOPPED = 3.5, 4.2, 1.8, 6.0  # metres kept from corners, crossings, lanes and stops
LEAST = 6.0  # metres of a railing worth having
STOPS = ("bus_stop", "bus_shelter", "tram_stop", "taxi_stand", "minibus_stop")


def railings(
    district: District, layout: Layout, streets: Sequence[StreetClass], taken: Sequence[Polygon], chance: Chance,
    share: float,
) -> None:  # fmt: skip
    """Add railings to a share of the sides of some streets; `taken` is ground that stairs and arcades stand on."""
    stops = [p.xy for p in district.sketch.props if p.kind in STOPS]
    tree = shapely.STRtree(list(taken))
    made = 0
    for edge in layout.graph.edges:
        if edge.street not in streets:
            continue
        for sign in (1, -1):
            if chance.unit(f"{edge.id}/{sign}") > share:
                continue
            start, end = layout.spans[(edge.id, sign)]
            gaps = [(c.s - CROSSED, c.s + CROSSED) for c in layout.crossings if c.edge is edge]
            gaps += [(m - half - MOUTH, m + half + MOUTH) for m, half in layout.mouths.get((edge.id, sign), ())]
            for xy in stops:
                s, aside = edge.axis.nearest(xy)
                if 0.0 < aside * sign < edge.street.facade:
                    gaps.append((s - STOPPED, s + STOPPED))
            whole = LineString([edge.axis.at(s, sign * (edge.street.half + OFF)) for s in (start, end)])
            for k in tree.query(whole, predicate="intersects").tolist():
                marks = [edge.axis.nearest((x, y))[0] for x, y in taken[k].exterior.coords]
                gaps.append((min(marks) - 1.0, max(marks) + 1.0))
            at = start + CORNER
            for low, high in [*sorted(gaps), (end - CORNER, end)]:
                low = min(low, end - CORNER)
                if low - at >= LEAST:
                    bends = [m for m in edge.axis.marks if at + 0.5 < m < low - 0.5]
                    line = [edge.axis.at(s, sign * (edge.street.half + OFF)) for s in (at, *bends, low)]
                    made += 1
                    ident = f"{district.sketch.name}:barrier/kerb{made}"
                    district.barriers.append(BarrierPlan(ident, "railing", LineString(line), HEIGHT))
                at = max(at, high)
