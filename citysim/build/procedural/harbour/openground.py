"""Open ground on the hill: terraces with gardens and playgrounds, slopes, and the hilltop."""

import shapely
from shapely.geometry import LineString

from citysim.build.chance import Chance
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.openland import add_area, plant, scatter
from citysim.build.procedural.harbour.land import Land, Terrace
from citysim.build.procedural.hills.ladders import middle_of


def open_ground(district: District, land: Land, chance: Chance) -> None:
    """Uses, paths and planting of everything that is not built on."""
    for k, terrace in enumerate(land.terraces):
        _terrace(district, terrace, chance.child(f"terrace/{k}"))
    for k, slope in enumerate(land.slopes):
        add_area(district.sketch, "scrub", slope.buffer(-0.05, join_style="mitre"), natural="scrub")
        plant(district.sketch, slope, 12.0, chance.child(f"slope/{k}"), margin=3.0)
    for k, slope in enumerate(land.hilltop):
        add_area(district.sketch, "scrub", slope.buffer(-0.05, join_style="mitre"), natural="scrub")
        plant(district.sketch, slope, 12.0, chance.child(f"hilltop/{k}"), margin=2.5)


def _terrace(district: District, terrace: Terrace, chance: Chance) -> None:
    sketch = district.sketch
    ends = [middle_of(ladder)[0] for ladder in (terrace.west, terrace.east) if ladder is not None]
    kind = chance.weighted((("garden", 4.0), ("square", 2.0), ("playground", 1.5), ("pitch", 0.8)), "kind")
    name = district.names.street("Garden") if kind in ("garden", "square") and len(ends) == 2 else ""
    inner = terrace.area.buffer(-0.05, join_style="mitre")
    add_area(sketch, kind if len(ends) == 2 else "scrub", inner, name)
    if len(ends) < 2:
        plant(sketch, terrace.area, 9.0, chance, margin=1.8)
        return
    sketch.way("footway", ends, 2.5, name=name, surface="paving_stones", tags={"highway": "footway"})
    path = LineString(ends)
    clear = shapely.buffer(path, 2.4)
    step = {"garden": 8.5, "square": 10.0}.get(kind, 11.0)
    for x, y in scatter(terrace.area, step, 1.8, chance.child("trees")):
        if not clear.intersects(shapely.Point(x, y)) and chance.unit(f"{x}/{y}") < 0.8:
            sketch.prop("tree", x, y)
    s, k = 5.0, 0
    while s < path.length - 4.0:
        at = path.interpolate(s)
        side = 1.0 if k % 2 else -1.0
        if k % 3 == 2:
            sketch.prop("street_lamp", at.x, at.y + 1.9 * side, height=4.5)
        elif chance.unit(f"seat/{k}") < 0.8:
            sketch.prop("bench", at.x, at.y + 2.1 * side, 180.0 if side > 0 else 0.0)
        if k % 5 == 3:
            sketch.prop("waste_basket", at.x + 1.6, at.y + 2.0 * side)
        s += 9.0
        k += 1
