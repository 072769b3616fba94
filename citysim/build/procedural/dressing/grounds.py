"""Playthings on playgrounds, tables and troughs on squares."""

import math

import shapely

from citysim.build.chance import Chance
from citysim.build.plans import AreaPlan, PropPlan, Xy
from citysim.build.procedural.dressing.manners import Manner

PLAY = ("swing", "slide", "climbing_frame", "seesaw", "spring_rider", "sandpit", "spring_rider", "table_tennis")
STEP = 5.0  # metres between playthings
SQUARE_STEP = 5.5


def on_grounds(areas: tuple[AreaPlan, ...], manner: Manner, chance: Chance) -> list[PropPlan]:
    """Props for every playground and square."""
    found: list[PropPlan] = []
    for area in areas:
        here = chance.child(area.id)
        if area.kind == "playground":
            for k, xy in enumerate(spread(area.polygon, STEP, 2.2, here)[: 2 * len(PLAY)]):
                heading = here.uniform(0.0, 360.0, f"turn{k}")
                found.append(PropPlan(f"{area.id}/play{k}", PLAY[k % len(PLAY)], xy, round(heading)))
        elif area.kind == "square" and manner.square:
            for k, xy in enumerate(spread(area.polygon, SQUARE_STEP, 2.0, here)[:26]):
                if here.unit(f"square{k}") < 0.45:
                    kind = here.choice(manner.square, f"kind{k}")
                    found.append(PropPlan(f"{area.id}/square{k}", kind, xy))
    return found


def spread(shape: shapely.Polygon, step: float, margin: float, chance: Chance) -> list[Xy]:
    """Points about `step` metres apart and `margin` metres inside a polygon, in an order of chance."""
    inner = shape.buffer(-margin)
    if inner.is_empty:
        return []
    x0, y0, x1, y1 = inner.bounds
    shapely.prepare(inner)
    points: list[Xy] = []
    for i in range(math.ceil((x1 - x0) / step) + 1):
        for j in range(math.ceil((y1 - y0) / step) + 1):
            x = x0 + step * (i + 0.35 * (chance.unit(f"x{i}/{j}") - 0.5))
            y = y0 + step * (j + 0.35 * (chance.unit(f"y{i}/{j}") - 0.5))
            if inner.contains(shapely.Point(x, y)):
                points.append((round(x * 16) / 16, round(y * 16) / 16))
    return sorted(points, key=lambda p: (chance.unit(f"order/{p[0]}/{p[1]}"), p))
