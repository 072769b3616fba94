"""Waterfront: the sea, the promenade with its railing, lawns, a pier hall with a clock tower."""

import shapely
from shapely.geometry import LineString, Polygon, box

from citysim.build.chance import Chance
from citysim.build.plans import BarrierPlan, EntrancePlan, Xy
from citysim.build.plans import BuildingPlan as Building
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.openland import add_area
from citysim.build.procedural.harbour.land import Land
from citysim.build.procedural.harbour.streets import Streets
from citysim.build.procedural.tenancy import open_place

WALK = 5.0  # metres from the quay to the promenade's line
PAVED = 10.5  # depth of its paving, metres
PATH = 3.0
PIER = (30.0, 13.0)  # metres of the pier hall along and across the shore
TOWER = 7.0


def build_waterfront(district: District, streets: Streets, land: Land, layout: Layout, chance: Chance) -> list[Polygon]:
    """Everything south of the first street; returns ground that furniture of the street must leave free."""
    if land.shore is None or land.sea is None:
        return []
    half, y = streets.survey.half, streets.survey.shore
    sketch = district.sketch
    add_area(sketch, "water", land.sea, district.names.street("Promenade").split()[0] + " Harbour", natural="water")
    paved = box(-half, y, half, y + PAVED)
    name = streets.names[0]
    add_area(sketch, "square", paved, name, surface="paving_stones")
    rail = LineString([(-half + 1.0, y + 0.45), (half - 1.0, y + 0.45)])
    district.barriers.append(BarrierPlan("harbour:barrier/quay", "railing", rail, 1.1))
    line: list[Xy] = [(-half + 2.0, y + WALK), (half - 2.0, y + WALK)]
    row = streets.rows[0]
    gates = [row.axis.at(row.station(*p)) for p in streets.survey.rows[0].points[1:-1]]
    lawns = shapely.intersection(land.shore, box(-half, y + PAVED, half, y + 200.0))
    lawns = shapely.buffer(lawns, -0.6, join_style="mitre")
    for x, _ in gates:
        top = layout.join((x, row.axis.at(row.station(x, 0.0))[1] - row.half))
        if top is None:
            continue
        line.append((top[0], y + WALK))
        sketch.way("footway", [top, (top[0], y + WALK)], PATH, surface="paving_stones", tags={"highway": "footway"})
        lawns = shapely.difference(lawns, box(top[0] - 3.0, y - 1.0, top[0] + 3.0, y + 200.0))
    line.sort()
    pier = _pier(district, streets, land, gates, line, chance)
    lawns = shapely.difference(lawns, shapely.union_all([shapely.buffer(p, 5.0, join_style="mitre") for p in pier]))
    sketch.way("footway", line, 3.5, name=name, surface="paving_stones", tags={"highway": "footway", "name": name})
    for polygon in sorted(shapely.get_parts(lawns), key=lambda p: p.bounds):
        if polygon.geom_type != "Polygon" or polygon.area < 60.0:
            continue
        add_area(sketch, "park", polygon, leisure="park")
        x0, y0, x1, y1 = polygon.bounds
        step = 9.0
        for k in range(int((x1 - x0 - 4.0) / step)):
            for j, deep in enumerate((3.0, y1 - y0 - 3.0)):
                if chance.unit(f"tree/{x0:.0f}/{k}/{j}") < 0.8:
                    sketch.prop("tree", x0 + 4.0 + step * (k + 0.4 * j), y0 + deep)
    _furnish(district, line, y, chance)
    return pier


def _pier(
    district: District, streets: Streets, land: Land, gates: list[Xy], line: list[Xy], chance: Chance
) -> list[Polygon]:
    """A ferry hall with a clock tower between two gates; the promenade's line gets nodes at its doors."""
    if len(gates) < 2 or land.shore is None or streets.survey.half < 140.0:
        return []
    k = max(len(gates) // 2 - 1, 0)
    x = round((gates[k][0] + gates[k + 1][0]) / 2)
    south = streets.survey.shore + PAVED + 1.0
    room = land.shore.bounds[3] - south - 3.0
    if room < PIER[1]:
        return []
    hall = box(x - PIER[0] / 2, south, x + PIER[0] / 2, south + PIER[1])
    tower = box(x + PIER[0] / 2, south, x + PIER[0] / 2 + TOWER, south + TOWER)
    sketch, names = district.sketch, district.names
    street = streets.names[0]
    title = f"{names.street('Pier')}"
    number = len(district.builder.shapes) + 1
    ident = f"{sketch.name}:building/{number}"
    door: Xy = (x, south)
    sketch.buildings.append(
        Building(
            ident, hall, 9.0, levels=2, kind="retail", name=title, address=f"{street} 1", style="harbour_market",
            entrances=(EntrancePlan(f"{ident}/door", door, "main", None, "1"),), tags={"building": "retail"},
        )
    )  # fmt: skip
    district.builder.shapes.append(hall)
    clock = f"{names.street('Pier').split()[0]} Clock Tower"
    other = f"{sketch.name}:building/{number + 1}"
    sketch.buildings.append(
        Building(
            other, tower, 38.0, levels=9, kind="tower", roof="pyramidal", roof_height=8.0, name=clock,
            address=f"{street} 3", style="harbour_civic", roof_color="#5c6a63",
            entrances=(EntrancePlan(f"{other}/door", (x + PIER[0] / 2 + TOWER / 2, south), "main", None, "3"),),
            tags={"building": "tower"},
        )
    )  # fmt: skip
    district.builder.shapes.append(tower)
    open_place(sketch, "kiosk", names, (x - 8.0, south + 2.5), chance.child("kiosk"), ident, f"{street} 1")
    line.append((x, streets.survey.shore + WALK))
    line.append((x + PIER[0] / 2 + TOWER / 2, streets.survey.shore + WALK))
    line.sort()
    return [hall, tower]


def _furnish(district: District, line: list[Xy], y: float, chance: Chance) -> None:
    """Lamps, benches that face the water, bins and trees along the promenade."""
    sketch = district.sketch
    start, end = line[0][0] + 6.0, line[-1][0] - 6.0
    gates = [x for x, _ in line[1:-1]]
    for k in range(int((end - start) / 5.0)):
        x = start + 5.0 * k
        if any(abs(x - g) < 3.2 for g in gates):
            continue
        turn = k % 4
        if turn == 0:
            sketch.prop("street_lamp", x, y + 1.7, height=5.5)
        elif turn == 2:
            sketch.prop("bench", x, y + 8.0, 180.0)
            if chance.unit(f"bin/{k}") < 0.4:
                sketch.prop("waste_basket", x + 1.8, y + 8.0, 180.0)
        elif chance.unit(f"tree/{k}") < 0.75:
            sketch.prop("tree", x, y + 9.2)
