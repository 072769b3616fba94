"""Avenues, streets and alleys of `grid`."""

import itertools
from dataclasses import dataclass

from citysim.build.chance import Chance
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.graph import Edge

AVENUE = StreetClass("primary", 19.0, 5.75, 6, 3, "signals", parking=True, kerb_radius=5.0)
STREET = StreetClass("secondary", 10.4, 3.95, 2, 2, "signals", parking=True, kerb_radius=5.0)
ALLEY = StreetClass("service", 5.5, rank=0)
AVENUE_STEP, STREET_STEP = 150.0, 100.0


@dataclass(frozen=True)
class Grid:
    """Where avenues (x) and streets (y) run, and the avenue edges by column and row."""

    avenues: tuple[float, ...]
    streets: tuple[float, ...]
    edges: dict[tuple[int, int], Edge]  # (avenue, street south of it)


def lines_between(half: float, step: float, chance: Chance) -> tuple[float, ...]:
    """Evenly spread lines with half a step at the rims, each moved by up to a twentieth of a step."""
    count = max(round(2 * half / step), 1)
    gap = 2 * half / count
    return tuple(round((-half + gap * (k + 0.5) + chance.uniform(-0.05, 0.05, k) * gap) * 4) / 4 for k in range(count))


def lay_streets(district: District, parks: set[tuple[int, int]] | None = None) -> Grid:
    """Draw the grid into the district's graph; blocks (column, row) in `parks` get no alley.

    Columns count from the west, 0 west of the first avenue; rows from the south.
    """
    graph, half, names = district.graph, district.half, district.names
    avenues = lines_between(half, AVENUE_STEP, district.chance.child("avenues"))
    streets = lines_between(half, STREET_STEP, district.chance.child("streets"))
    parks = parks or set()
    rows = [-half, *streets, half]
    columns = [-half, *avenues, half]
    alleys = {
        (i, j): round((rows[j] + rows[j + 1]) * 2) / 4
        for i in range(len(columns) - 1)
        for j in range(1, len(rows) - 2)
        if (i, j) not in parks
    }
    edges: dict[tuple[int, int], Edge] = {}
    for i, x in enumerate(avenues):
        name = names.lettered(i) if i < 26 else names.street("Avenue")
        for j in range(len(rows) - 1):
            mid = sorted({alleys[k, j] for k in (i, i + 1) if (k, j) in alleys})
            stops = [rows[j], *mid, rows[j + 1]]
            for a, b in itertools.pairwise(stops):
                edge = graph.edge(
                    graph.node((x, a), rim=abs(a) >= half), graph.node((x, b), rim=abs(b) >= half), AVENUE, name
                )
                edges.setdefault((i, j), edge)
    for j, y in enumerate(streets):
        name = names.numbered(j + 1)
        for i in range(len(columns) - 1):
            a, b = columns[i], columns[i + 1]
            graph.edge(graph.node((a, y), rim=abs(a) >= half), graph.node((b, y), rim=abs(b) >= half), STREET, name)
    for (i, j), y in sorted(alleys.items()):
        a, b = columns[i], columns[i + 1]
        graph.edge(graph.node((a, y), rim=abs(a) >= half), graph.node((b, y), rim=abs(b) >= half), ALLEY,
                   f"{names.numbered(j)} Alley")  # fmt: skip
    return Grid(avenues, streets, edges)
