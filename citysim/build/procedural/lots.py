"""Buildings on lots: rectangles along a street, each with a door, a number and sometimes shops."""

from dataclasses import dataclass
from itertools import pairwise

from shapely.geometry import Polygon

from citysim.build.adding import plain_sum
from citysim.build.chance import Chance
from citysim.build.plans import BuildingPlan, EntrancePlan, Xy
from citysim.build.procedural.sketch import Sketch, snapped

STOREY, GROUND = 3.2, 0.8

WALLS = (
    "#d8c7a5", "#c9a98a", "#b9b8a6", "#a8b4b8", "#d9b98c", "#c8b7b0", "#b5a08a", "#cdd0c4", "#a9836b", "#d6cfc0",
    "#bfa58f", "#9fae9b",
)  # fmt: skip
ROOFS = ("#5c6a63", "#7a3f38", "#6f5a4c", "#5a5856", "#7d4a36")


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of building a lot may get."""

    kind: str
    levels: tuple[int, int]  # fewest, most + 1
    roof: str
    material: str
    shops: int  # shop units at most


ROWS = (
    (Sort("apartments", (3, 6), "gabled", "plaster", 2), 5.0),
    (Sort("retail", (2, 4), "flat", "brick", 2), 3.0),
    (Sort("office", (4, 8), "flat", "glass", 1), 2.0),
    (Sort("apartments", (4, 7), "flat", "brick", 2), 3.0),
    (Sort("house", (2, 4), "gabled", "plaster", 1), 2.0),
    (Sort("commercial", (3, 5), "flat", "concrete", 2), 1.5),
    (Sort("apartments", (3, 5), "hipped", "stone", 2), 1.5),
)
QUIET = (
    (Sort("house", (2, 4), "gabled", "plaster", 0), 4.0),
    (Sort("apartments", (3, 5), "gabled", "brick", 1), 3.0),
    (Sort("apartments", (3, 6), "flat", "plaster", 1), 2.0),
    (Sort("residential", (2, 4), "hipped", "wood", 0), 1.0),
)


@dataclass(frozen=True, slots=True)
class Front:
    """A piece of facade line that shops and doors may use: from `a` to `b` with the street on the right."""

    building: str
    a: Xy
    b: Xy
    shops: int
    address: str

    def at(self, share: float, inwards: float = 0.0) -> Xy:
        """A point at `share` of the length, `inwards` metres inside the building."""
        (ax, ay), (bx, by) = self.a, self.b
        length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
        left = (-(by - ay) / length, (bx - ax) / length)
        return snapped((ax + (bx - ax) * share + left[0] * inwards, ay + (by - ay) * share + left[1] * inwards))


@dataclass
class Numbers:
    """House numbers along one side of a street."""

    street: str
    next: int

    def take(self) -> str:
        """The next number, two further on each time."""
        self.next += 2
        return str(self.next - 2)


def cut_row(start: float, end: float, chance: Chance, usual: float = 18.0) -> list[tuple[float, float]]:
    """Lots of about `usual` metres along a frontage, varied by a fifth, without left-over slivers."""
    count = max(1, round((end - start) / usual))
    weights = [chance.uniform(0.8, 1.2, k) for k in range(count)]
    cuts, total, done = [start], plain_sum(weights), 0.0
    for weight in weights:
        done += weight
        cuts.append(round((start + (end - start) * done / total) * 8) / 8)
    cuts[-1] = end
    return list(pairwise(cuts))


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """A counter-clockwise rectangle on the lattice."""
    (x0, y0), (x1, y1) = snapped((x0, y0)), snapped((x1, y1))
    return Polygon([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])


def facade(box: tuple[float, float, float, float], side: str) -> tuple[Xy, Xy]:
    """The side "S", "N", "E" or "W" of a rectangle, from left to right for one who looks out of it turned round.

    That is: the street lies on the right of the line from the first to the second point.
    """
    x0, y0, x1, y1 = box
    return {
        "S": ((x0, y0), (x1, y0)),
        "E": ((x1, y0), (x1, y1)),
        "N": ((x1, y1), (x0, y1)),
        "W": ((x0, y1), (x0, y0)),
    }[side]


def add_building(
    sketch: Sketch,
    box: tuple[float, float, float, float],
    side: str,
    sort: Sort,
    numbers: Numbers,
    chance: Chance,
    polygon: Polygon | None = None,
    name: str = "",
) -> Front:
    """Put a building on a lot with its main door in the middle of its street side; returns its facade."""
    number = len([b for b in sketch.buildings if b.parent is None]) + 1
    house = numbers.take()
    x0, y0 = snapped((box[0], box[1]))
    x1, y1 = snapped((box[2], box[3]))
    a, b = facade((x0, y0, x1, y1), side)
    front = Front(f"{sketch.name}:building/{number}", a, b, sort.shops, f"{numbers.street} {house}")
    levels = chance.integer(*sort.levels, "levels")
    body = levels * STOREY + GROUND
    width = min(x1 - x0, y1 - y0)
    pitched = sort.roof != "flat"
    roof = round(min(0.36 * width, 0.45 * body), 2) if pitched else 0.0
    door = EntrancePlan(f"{front.building}/door", front.at(0.5), "main", None, house)
    sketch.buildings.append(
        BuildingPlan(
            id=front.building,
            polygon=polygon or rectangle(x0, y0, x1, y1),
            height=round(body + roof, 2),
            levels=levels,
            kind=sort.kind,
            roof=sort.roof,
            roof_height=roof,
            name=name,
            address=front.address,
            color=chance.choice(WALLS, "wall") if sort.material not in ("glass", "brick") else "",
            roof_color=chance.choice(ROOFS, "roof") if pitched else "",
            material=sort.material,
            entrances=(door,),
            tags={"building": sort.kind},
        )
    )
    return front


def add_row(
    sketch: Sketch,
    box: tuple[float, float, float, float],
    side: str,
    sorts: tuple[tuple[Sort, float], ...],
    numbers: Numbers,
    chance: Chance,
    usual: float = 18.0,
) -> list[Front]:
    """Fill a strip along a street with party-wall buildings; fronts step back by up to 0.5 m on quiet streets."""
    x0, y0, x1, y1 = box
    fronts = []
    spans = cut_row(x0, x1, chance.child("cut"), usual) if side in "NS" else cut_row(y0, y1, chance.child("cut"), usual)
    for k, (start, end) in enumerate(spans):
        here = chance.child(k)
        deep = here.uniform(-1.5, 0.0, "deep")  # rear walls do not line up
        lot = {
            "S": (start, y0, end, y1 + deep),
            "N": (start, y0 - deep, end, y1),
            "W": (x0, start, x1 + deep, end),
            "E": (x0 - deep, start, x1, end),
        }[side]
        fronts.append(add_building(sketch, lot, side, here.weighted(sorts, "sort"), numbers, here))
    return fronts
