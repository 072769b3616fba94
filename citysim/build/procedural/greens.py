"""The square and the park."""

import math

from citysim.build.chance import Chance
from citysim.build.plans import AreaPlan, Xy
from citysim.build.procedural.lots import rectangle
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.streets import SIDEWALK
from citysim.build.procedural.town import Town

Box = tuple[float, float, float, float]


def add_square(sketch: Sketch, town: Town, box: Box, name: str, chance: Chance) -> Xy:
    """A paved square with a fountain, ways round it, trees and benches; returns the place for its kiosk."""
    x0, y0, x1, y1 = box
    cx, cy = round((x0 + x1) / 2 * 4) / 4, round((y0 + y1) / 2 * 4) / 4
    sketch.areas.append(
        AreaPlan(f"{sketch.name}:area/square", "square", rectangle(*box), name, {"place": "square", "surface": "sett"})
    )
    ring = [(cx - 6, cy - 6), (cx + 6, cy - 6), (cx + 6, cy + 6), (cx - 6, cy + 6), (cx - 6, cy - 6)]
    more = {"name": name, "surface": "sett", "tags": {"highway": "pedestrian"}}
    sketch.way("pedestrian", ring, 3.0, **more)
    main, south, cross = town.main, town.south, town.cross
    for x, y, street, sign in ((cx - 6, cy + 6, main, -1), (cx + 6, cy + 6, main, -1),
                               (cx - 6, cy - 6, south, 1), (cx + 6, cy - 6, south, 1)):  # fmt: skip
        town.beside(street, x)[sign].stops.add(x)
        sketch.way("pedestrian", [(x, y), (x, street.at + sign * (street.facade - SIDEWALK))], 3.0, **more)
    town.beside(cross, cy + 6)[1].stops.add(cy + 6)
    sketch.way("pedestrian", [(cx - 6, cy + 6), (cross.at + cross.facade - SIDEWALK, cy + 6)], 3.0, **more)
    sketch.prop("fountain", cx, cy, name=f"{name} Fountain")
    sketch.prop("statue", x1 - 7.0, y0 + 6.0, 315.0, name=f"Statue of {name.split()[0]}")
    for k, (dx, dy, heading) in enumerate(((-4, 0, 90.0), (4, 0, 270.0), (0, -4, 0.0), (0, 4, 180.0))):
        if chance.unit(f"bench{k}") < 0.9:
            sketch.prop("bench", cx + dx * 2.5, cy + dy * 2.5, heading)
    for k, x in enumerate((x0 + 5.0, x0 + 12.0, x1 - 12.0, x1 - 5.0)):
        for row, y in enumerate((y0 + 5.0, y1 - 6.0)):
            if not (row == 0 and k == 3):
                sketch.prop("tree", x, y + chance.uniform(-0.3, 0.3, f"t{k}{row}"))
    sketch.prop("waste_basket", cx + 9.0, cy + 9.0)
    sketch.prop("advertising_column", x0 + 3.0, cy - 2.0)
    sketch.prop("clock", x0 + 3.0, y1 - 3.0)
    for k in range(5):
        sketch.prop("bicycle_parking", x1 - 4.0, cy - 6.0 + 1.2 * k, 270.0)
    return (x1 - 8.0, y1 - 7.0)


def add_park(sketch: Sketch, town: Town, box: Box, name: str, chance: Chance) -> None:
    """A park south of the southern street: a loop path, a playground, trees and benches."""
    x0, y0, x1, y1 = box
    x0, y0 = -town.half, -town.half  # it goes on beyond the bounds
    sketch.areas.append(
        AreaPlan(f"{sketch.name}:area/park", "park", rectangle(x0, y0, x1, y1), name, {"leisure": "park"})
    )
    south, cross = town.south, town.cross
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    rx, ry = (x1 - x0) / 2 - 9.0, (y1 - y0) / 2 - 4.5
    loop: list[Xy] = []
    for k in range(12):
        angle = math.tau * k / 12
        wobble = chance.uniform(0.9, 1.0, f"loop{k}")
        loop.append(
            (round((cx + rx * wobble * math.cos(angle)) * 8) / 8, round((cy + ry * wobble * math.sin(angle)) * 8) / 8)
        )
    more = {"name": name, "surface": "gravel", "tags": {"highway": "footway", "surface": "gravel"}}
    sketch.way("footway", [*loop, loop[0]], 2.5, **more)
    for index in (2, 4):
        x, y = loop[index]
        town.beside(south, x)[-1].stops.add(x)
        sketch.way("footway", [(x, y), (x, south.at - south.facade + SIDEWALK)], 2.5, **more)
    x, y = loop[0]
    town.beside(cross, y)[-1].stops.add(y)
    sketch.way("footway", [(x, y), (cross.at - cross.facade + SIDEWALK, y)], 2.5, **more)
    px, py = cx + rx * 0.1, cy
    sketch.areas.append(
        AreaPlan(
            f"{sketch.name}:area/playground", "playground", rectangle(px - 6.0, py - ry * 0.5, px + 6.0, py + ry * 0.5)
        )
    )
    for k, (x, y) in enumerate(loop):
        out = (x - cx, y - cy)
        length = math.hypot(*out)
        ox, oy = out[0] / length, out[1] / length
        if k % 4 == 1:
            sketch.prop("bench", x + ox * 2.2, y + oy * 2.2, math.degrees(math.atan2(-ox, -oy)) % 360.0)
        elif k not in (0, 2, 4):
            sketch.prop("tree", x + ox * 3.0, y + oy * 3.0)
        if k == 7:
            sketch.prop("waste_basket", x - ox * 1.9, y - oy * 1.9)
        if k % 3 == 0:
            sketch.prop("tree", x - ox * 4.5, y - oy * 4.0)
    sketch.prop("street_lamp", loop[3][0] + 2.0, loop[3][1] + 1.8, height=4.5)
    sketch.prop("street_lamp", loop[9][0] + 2.0, loop[9][1] - 1.8, height=4.5)
    sketch.prop("picnic_table", cx - rx * 0.45, cy)
