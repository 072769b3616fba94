"""Pocket parks: playgrounds and small gardens on lots between the houses of back streets."""

import math

import shapely
from shapely.geometry import LineString

from citysim.build.chance import Chance
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.openland import add_area, plant
from citysim.build.procedural.district.parcels import Lot
from citysim.build.procedural.sketch import snapped

PATH = 1.8  # width of the way in, metres
EDGE = 3.4  # width of the strip with trees along neighbours, metres


def pocket_park(district: District, layout: Layout, lot: Lot, chance: Chance, kind: str | None = None) -> None:
    """A lot with playthings or beds, trees along its neighbours' walls, benches at a path and a bin."""
    sketch, front = district.sketch, lot.front
    kind = kind or ("playground" if chance.unit("kind") < 0.6 else "garden")
    name = district.names.street("Park" if kind == "playground" else "Garden")
    area = add_area(sketch, kind, lot.polygon.buffer(-0.05, join_style="mitre"), name, leisure=kind)
    along = ((front.b[0] - front.a[0]) / front.length, (front.b[1] - front.a[1]) / front.length)
    middle = area.polygon.representative_point()
    start = layout.join(front.at(front.length / 2), 14.0)
    clear = shapely.Point()
    if start is not None:
        end = snapped((middle.x, middle.y))
        sketch.way("footway", [start, end], PATH, name=name, surface="fine_gravel", tags={"highway": "footway"})
        clear = LineString([start, end]).buffer(PATH / 2 + 1.0)
    street = LineString([front.a, front.b]).buffer(4.0)
    rim = area.polygon.difference(area.polygon.buffer(-EDGE)).difference(street).difference(clear)
    for k, part in enumerate(getattr(rim, "geoms", [rim])):
        plant(sketch, part, 5.2, chance.child(f"trees/{k}"), "tree_small", 1.2)
    heading = math.degrees(math.atan2(along[0], along[1])) % 360.0
    for side in (-1.0, 1.0):
        at = (middle.x + along[0] * 1.9 * side, middle.y + along[1] * 1.9 * side)
        if area.polygon.buffer(-1.0).contains(shapely.Point(at)):
            sketch.prop("bench", *at, (heading + (180.0 if side > 0 else 0.0)) % 360.0)
    x, y = front.at(front.length / 2 + 2.4, 1.0)
    sketch.prop("waste_basket", x, y)
    x, y = front.at(front.length / 2 - 2.4, 1.0)
    sketch.prop("street_lamp", x, y, height=4.5)
