"""Houses: a building for a lot: its footprint, style, storeys, doors and facades."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry import LineString, Polygon
from shapely.geometry.polygon import orient

from citysim.build.buildings.styles import STYLES
from citysim.build.chance import Chance
from citysim.build.plans import BuildingPlan, EntrancePlan, Xy
from citysim.build.procedural.district.parcels import Frontage, Lot
from citysim.build.procedural.sketch import Sketch, snapped
from citysim.build.procedural.tenancy import Shopfront
from citysim.build.streets.planar import GRID, longer, polygons

LEAST_FRONT = 3.0  # metres of facade that count
ON_LINE = 0.08
CENTRAL = 400.0  # metres from the middle of a city where every unit is sought after
DOOR_WIDE = 12.0  # fronts longer than this have their main door near the middle, metres


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of building: a style by name, OpenStreetMap's kind, its storeys, and its use.

    `use` says what the ground floor is for: "shops" (units to let), "public" (one user, whose door is in the middle),
    "homes" (no units); `let` scales how sought after the units are, `above` the share of storeys with tenants.
    """

    style: str
    kind: str
    use: str = "shops"
    levels: tuple[int, int] | None = None  # fewest and most; None: as the style says
    roof: str = ""  # "" to choose among the style's forms
    let: float = 1.0
    above: int = 0  # upper storeys that may have tenants of their own


@dataclass(frozen=True, slots=True)
class Placement:
    """Where on its lot a building stands, metres."""

    setback: float = 0.0
    depth: float = 1000.0  # from the front building line
    gap: float = 0.0  # to the neighbours' land on either side, rear included


def footprint(lot: Lot, where: Placement) -> Polygon | None:
    """The ground of a building on a lot; None where nothing sensible is left."""
    shape: shapely.Geometry = lot.polygon
    street = lot.front.edge.street
    lines = [LineString([f.a, f.b]) for f in lot.fronts if street.flush or not f.edge.street.flush]
    if where.gap > 0.0:
        shape = shapely.buffer(shape, -where.gap, join_style="mitre")
    if where.setback > 0.0:
        bands = [shapely.buffer(longer(line, 3.0), where.setback, cap_style="flat") for line in lines]
        shape = shapely.difference(shape, shapely.union_all(bands))
    reach = where.setback + where.depth
    bands = [shapely.buffer(longer(line, 60.0), reach, cap_style="flat") for line in lines]
    shape = shapely.intersection(shape, shapely.union_all(bands), grid_size=GRID)
    shape = shapely.buffer(shapely.buffer(shape, -1.0, join_style="mitre"), 1.0, join_style="mitre")
    shape = shapely.set_precision(shapely.intersection(shape, lot.polygon), GRID)
    found = [p for p in polygons(shape, 14.0) if not p.buffer(-1.4).is_empty]
    if not found:
        return None
    best = max(found, key=lambda p: p.area)
    return orient(Polygon(best.exterior.coords), 1.0)


class Builder:
    """Adds buildings to a sketch, numbered in the order they come; `fronts` collects what can be let."""

    def __init__(self, sketch: Sketch) -> None:
        self.sketch = sketch
        self.fronts: list[Shopfront] = []
        self.shapes: list[Polygon] = []

    def raise_on(
        self, lot: Lot, sort: Sort, number: str, chance: Chance, where: Placement | None = None, name: str = "",
        levels: int | None = None,
    ) -> BuildingPlan | None:  # fmt: skip
        """A building of a sort on a lot; None where the lot has no room for it."""
        shape = footprint(lot, where or Placement())
        if shape is None:
            return None
        return self.raise_at(shape, lot.fronts, sort, number, chance, name, levels)

    def raise_at(
        self, shape: Polygon, lines: Sequence[Frontage], sort: Sort, number: str, chance: Chance, name: str = "",
        levels: int | None = None,
    ) -> BuildingPlan:  # fmt: skip
        """A building with a given footprint; `lines` are the street lines its facades look towards."""
        storeys = levels or storeys_of(sort, chance)
        street = lines[0].edge.name
        address = f"{street} {number}" if number else street
        walls = facades(shape, lines)
        ident = self.next_id
        doors: tuple[EntrancePlan, ...] = ()
        for k, (a, b, line) in enumerate(walls):
            door = None
            if k == 0:
                door = _at(a, b, _door(math.dist(a, b), sort, chance))
                doors = (EntrancePlan(f"{ident}/door", door, "main", None, number),)
            if sort.use == "shops":
                above = min(storeys - 1, sort.above) if k == 0 else 0
                quiet = 0.5 if line.edge.street.flush and k else 1.0
                weight = sort.let * quiet * _sought(a)
                self.fronts.append(Shopfront(ident, a, b, address, above if weight > 0.4 else 0, door, weight=weight))
        return self.stand(shape, sort, storeys, doors, address, chance, name)

    @property
    def next_id(self) -> str:
        """The id that the next building gets."""
        return f"{self.sketch.name}:building/{len(self.shapes) + 1}"

    def stand(
        self, shape: Polygon, sort: Sort, levels: int, doors: Sequence[EntrancePlan], address: str, chance: Chance,
        name: str = "",
    ) -> BuildingPlan:  # fmt: skip
        """A building anywhere, with given doors."""
        style = STYLES[sort.style]
        roof = sort.roof or chance.weighted(style.forms, "roof")
        rise = 0.0
        if roof != "flat":
            rise = round(min(0.5 * narrow(shape) * math.tan(math.radians(style.pitch)), 9.0), 2)
        body = style.ground_height + (levels - 1) * (style.floor or 3.2) + (0.0 if roof != "flat" else 0.9)
        plan = BuildingPlan(
            id=self.next_id, polygon=shape, height=round(body + rise, 2), levels=levels, kind=sort.kind, roof=roof,
            roof_height=rise, name=name, address=address, entrances=tuple(doors), style=sort.style,
            tags={"building": sort.kind, "use": sort.use},
        )  # fmt: skip
        self.sketch.buildings.append(plan)
        self.shapes.append(shape)
        return plan


def storeys_of(sort: Sort, chance: Chance) -> int:
    """How many storeys a building of a sort gets."""
    low, high = sort.levels or STYLES[sort.style].levels
    return chance.integer(low, high + 1, "levels")


def _sought(xy: Xy) -> float:
    """Shops thin out away from the middle of large cities, which would have thousands of them."""
    return 1.0 if math.hypot(*xy) < CENTRAL else 0.3


def _door(length: float, sort: Sort, chance: Chance) -> float:
    """Where in a facade the main door is: at one end of narrow shop fronts, near the middle of others."""
    if length > DOOR_WIDE or sort.use != "shops":
        return length * (0.5 if sort.use == "public" else chance.uniform(0.42, 0.58, "door"))
    edge = min(1.15, length / 2)
    return edge if chance.unit("door side") < 0.5 else length - edge


def _at(a: Xy, b: Xy, u: float) -> Xy:
    t = u / math.dist(a, b)
    return snapped((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t))


def facades(shape: Polygon, lines: Sequence[Frontage]) -> list[tuple[Xy, Xy, Frontage]]:
    """The walls of a footprint that face one of the street lines, the best one for a main door first.

    A wall faces a line when it runs along it and nothing of the footprint lies between them.
    """
    ring = [(float(x), float(y)) for x, y in orient(shape, 1.0).exterior.coords]
    found = []
    for a, b in itertools.pairwise(ring):
        length = math.dist(a, b)
        if length < LEAST_FRONT:
            continue
        middle = shapely.Point((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        for rank, line in enumerate(lines):
            ux, uy = (line.b[0] - line.a[0]) / line.length, (line.b[1] - line.a[1]) / line.length
            level = ((b[0] - a[0]) * ux + (b[1] - a[1]) * uy) / length
            street = LineString([line.a, line.b])
            if level < 0.9 or street.distance(middle) > 16.0:
                continue
            sight = shapely.shortest_line(middle, street)
            if shapely.intersection(sight, shape).length > 0.2:
                continue
            found.append((rank, -length, a, b, line))
            break
    found.sort(key=lambda f: (f[0] != 0, f[4].edge.street.flush, f[1], f[2]))
    return [(snapped(a), snapped(b), line) for _, _, a, b, line in found]


def narrow(shape: Polygon) -> float:
    """The shorter side of the smallest rectangle around a shape, metres."""
    ring = list(shapely.oriented_envelope(shape).exterior.coords)
    return min(math.dist(ring[0], ring[1]), math.dist(ring[1], ring[2]))
