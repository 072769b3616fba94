"""What tenants put before their doors."""

import math

import shapely

from citysim.build.chance import Chance
from citysim.build.plans import BuildingPlan, PlacePlan, PropPlan, Xy
from citysim.build.procedural.dressing.manners import Manner

STANDS = ("greengrocer", "florist", "supermarket", "convenience", "gift", "hardware", "books")
HEAPS = ("seafood", "butcher", "herbalist", "hardware", "electronics", "alcohol")
PLAY = ("toys", "hobby", "video_games", "games", "comics", "electronics")
TABLES = ("cafe", "restaurant", "bar", "pub", "ice_cream", "tea", "bakery")


def before_shops(
    places: tuple[PlacePlan, ...],
    buildings: tuple[BuildingPlan, ...],
    bounds: tuple[float, float, float, float],
    manner: Manner,
    chance: Chance,
) -> list[PropPlan]:
    """Stands, boards, tables and machines at the fronts of places at street level, inside `bounds`."""
    e0, n0, e1, n1 = bounds
    shape = {b.id: b.polygon for b in buildings if b.parent is None}
    found: list[PropPlan] = []

    def add(kind: str, place: PlacePlan, at: Xy, heading: float) -> None:
        found.append(PropPlan(f"{place.id}/{kind}{len(found)}", kind, at, heading))

    for place in places:
        if place.level != 0 or place.building not in shape:
            continue
        here = chance.child(place.id)
        front = _front(shape[place.building], place.xy)
        if front is None:
            continue
        (x, y), (nx, ny) = front
        if not (e0 < x + 2.5 * nx < e1 and n0 < y + 2.5 * ny < n1):
            continue
        heading = math.degrees(math.atan2(nx, ny)) % 360.0
        half = float(place.tags.get("frontage", "4.0")) / 2.0

        def spot(along: float, out: float, at: tuple[Xy, Xy] = ((x, y), (nx, ny))) -> Xy:
            (px, py), (ox, oy) = at
            return px - oy * along + ox * out, py + ox * along + oy * out

        side = 1.0 if here.unit("side") < 0.5 else -1.0
        if place.category in STANDS and here.unit("goods") < manner.goods:
            add("goods_stand", place, spot(side * (half - 1.0), 0.65), heading)
        if place.category in HEAPS and here.unit("heap") < manner.goods:
            add("crates", place, spot(-side * (half - 0.7), 0.5), heading)
        if place.category in PLAY and here.unit("capsules") < manner.capsules:
            add("capsule_machines", place, spot(side * (half - 1.1), 0.45), heading)
        if place.category in TABLES and here.unit("tables") < manner.tables:
            kind = "parasol_table" if here.unit("parasol") < manner.parasols else "cafe_table"
            for k in range(here.integer(2, 4, "count")):
                add(kind, place, spot((k - 1) * (2.0 if kind == "cafe_table" else 3.0), 1.3), heading)
        if here.unit("board") < manner.boards:
            add("a_board", place, spot(-side * (half - 0.5), 0.9), heading)
    return found


def _front(shape: shapely.Polygon, xy: Xy) -> tuple[Xy, Xy] | None:
    """The point of the outline nearest to a place inside, and the way out."""
    ring = shape.exterior
    foot = ring.interpolate(ring.project(shapely.Point(xy)))
    dx, dy = foot.x - xy[0], foot.y - xy[1]
    far = math.hypot(dx, dy)
    if not 0.2 < far < 6.0 or not shape.contains(shapely.Point(xy)):
        return None
    return (float(foot.x), float(foot.y)), (dx / far, dy / far)
