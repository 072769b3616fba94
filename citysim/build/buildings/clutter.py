"""What stands on roofs: stair heads, vents and ducts on flat ones, chimneys on pitched ones."""

from collections.abc import Sequence

from shapely import prepare
from shapely.geometry import Point, Polygon

from citysim.build.buildings.batch import Batch
from citysim.build.buildings.masses import narrow_side
from citysim.build.buildings.pieces import Look
from citysim.build.buildings.roofshapes import RoofShape, axes
from citysim.build.buildings.solid import Solid, polygons
from citysim.build.buildings.surface import box
from citysim.build.chance import Chance
from citysim.build.plans import Xy

TRIM = "trim/sheet"


def emit_clutter(
    batch: Batch, solid: Solid, look: Look, made: RoofShape | None, stacked: Sequence[Polygon], chance: Chance
) -> None:
    """Furnish one roof."""
    if solid.polygon.area < 60.0 or solid.top - solid.base < 6.0:
        return
    if made is None:
        if not stacked:
            _flat(batch, solid, look, chance)
    elif look.style.name != "church" and solid.roof in ("gabled", "hipped", "mansard"):
        _chimneys(batch, solid, look, made, chance)


def _spots(shape: Polygon, margin: float, count: int, chance: Chance) -> list[Xy]:
    """Up to `count` points at least `margin` inside, at least 3 m apart."""
    found: list[Xy] = []
    for core in polygons(shape.buffer(-margin), 1.0):
        prepare(core)
        x0, y0, x1, y1 = core.bounds
        for k in range(6 * count):
            if len(found) >= count:
                break
            spot = chance.child(f"spot/{k}")
            p = (spot.uniform(x0, x1, "x"), spot.uniform(y0, y1, "y"))
            if core.contains(Point(p)) and all((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 > 9.0 for q in found):
                found.append(p)
    return found


def _flat(batch: Batch, solid: Solid, look: Look, chance: Chance) -> None:
    deck = solid.deck if solid.parapet else solid.eaves - 0.8
    along, _ = axes(solid.polygon, None)
    area = solid.polygon.area
    count = min(9, 2 + int(area / 110.0))
    tall = solid.plan.levels >= 4 or solid.eaves - solid.base > 12.0
    for k, spot in enumerate(_spots(solid.polygon, 2.4, count, chance)):
        pick = chance.child(f"thing/{k}")
        if k == 0 and tall and area > 150.0:
            height = pick.uniform(2.4, 3.4, "h")
            box(batch, spot, along, (3.2, 3.0), (deck, deck + 0.8 + height), look.plain, look.wall)
            continue
        kind = pick.unit("kind")
        if kind < 0.4:  # ventilation hood
            box(batch, spot, along, (0.9, 0.7), (deck, deck + pick.uniform(1.2, 1.9, "h")), TRIM, (165, 168, 170, 255))
        elif kind < 0.7:  # air handling unit
            box(batch, spot, along, (2.4, 1.4), (deck, deck + 1.9), TRIM, (190, 192, 190, 255))
        else:  # skylight curb
            box(batch, spot, along, (1.6, 1.6), (deck, deck + 1.1), TRIM, (120, 130, 138, 255))


def _chimneys(batch: Batch, solid: Solid, look: Look, made: RoofShape, chance: Chance) -> None:
    along, _ = axes(solid.polygon, solid.plan.roof_heading_deg)
    margin = min(2.5, 0.25 * narrow_side(solid.polygon))
    count = min(6, 1 + int(solid.polygon.area / 130.0))
    for k, spot in enumerate(_spots(solid.polygon, margin, count, chance)):
        z = _height_at(made, spot)
        if z is None:
            continue
        pick = chance.child(f"chimney/{k}")
        size = (pick.uniform(0.9, 1.6, "w"), 0.65)
        top = z + pick.uniform(1.2, 1.7, "h")
        box(batch, spot, along, size, (z - 0.8, top), look.plain, look.trim)
        box(batch, spot, along, (size[0] + 0.14, size[1] + 0.14), (top, top + 0.12), TRIM, (95, 95, 95, 255),
            bottom=True)  # fmt: skip


def _height_at(made: RoofShape, spot: Xy) -> float | None:
    """Height of the roof over a point."""
    x, y = spot
    for a, b, c in (*made.slopes, *made.decks):
        d = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        if abs(d) < 1e-9:
            continue
        v = ((x - a[0]) * (c[1] - a[1]) - (y - a[1]) * (c[0] - a[0])) / d
        w = ((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / d
        if v >= 0.0 and w >= 0.0 and v + w <= 1.0:
            return a[2] + v * (b[2] - a[2]) + w * (c[2] - a[2])
    return None
