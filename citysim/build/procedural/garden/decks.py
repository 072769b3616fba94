"""Shops and services on the ground floors of `garden`: units between the doors of a wall."""

import math

from citysim.build.plans import BuildingPlan, Xy
from citysim.build.procedural.district.openland import add_area
from citysim.build.procedural.garden.land import Land, rectangle
from citysim.build.procedural.sketch import snapped
from citysim.build.procedural.tenancy import Shopfront

DOOR_ROOM = 1.15  # metres to each side of a door that no unit takes
LEAST = 2.9  # metres of wall for a unit


def let_wall(land: Land, made: BuildingPlan, a: Xy, b: Xy, doors: list[Xy], storeys: int = 0) -> None:
    """Offer the wall from `a` to `b`, open land on its right hand, to tenants; `storeys` above may have tenants too."""
    length = math.dist(a, b)
    ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    cuts = sorted((x - a[0]) * ux + (y - a[1]) * uy for x, y in doors)
    edges = [0.0, *(c for cut in cuts for c in (cut - DOOR_ROOM, cut + DOOR_ROOM)), length]
    for low, high in zip(edges[::2], edges[1::2], strict=True):
        if high - low < LEAST:
            continue
        p, q = (snapped((a[0] + ux * s, a[1] + uy * s)) for s in (low, high))
        land.district.builder.fronts.append(Shopfront(made.id, p, q, made.address, storeys))
        storeys = 0


def void_deck(land: Land, made: BuildingPlan, x: float, low: float, high: float, doors: list[Xy]) -> None:
    """Units along the western wall at `x` of a slab, with paving from the wall to the path before it."""
    let_wall(land, made, (x, high), (x, low), doors)
    pave(land, x - 4.6, low, x, high)


def pave(land: Land, x0: float, y0: float, x1: float, y1: float) -> None:
    """Paving before shops."""
    add_area(land.district.sketch, "paved", rectangle(x0, y0, x1, y1), "", surface="paving_stones")
