"""The neighbourhood centre of `garden`: a square, and behind it a lane between rows of two-storey shops."""

from shapely.geometry import Polygon

from citysim.build.plans import Xy
from citysim.build.procedural.district.houses import Sort
from citysim.build.procedural.district.openland import add_area
from citysim.build.procedural.garden.decks import let_wall
from citysim.build.procedural.garden.land import Land, rectangle
from citysim.build.procedural.sketch import snapped
from citysim.build.procedural.tenancy import open_place

SHOPS = Sort("garden_centre", "retail")
HALL = Sort("garden_centre", "retail", "public")
PLAZA = (40.0, 30.0)
WING = 16.0  # metres, depth of the houses beside the square
LANE, ROW, WALK = 9.0, 12.0, 4.4  # metres: between the rows, their depth, paved land before their outer sides
BLOCK, GAP = 22.0, 4.0  # metres of a row to a passage, width of a passage
LEAST = (40.0, 46.0)  # width and depth of land for a centre
CIVIC = {0: "marketplace", 1: "food_court", 6: "community_centre", 7: "library"}  # houses of the rows that are no shops


class Court:
    """Local coordinates of a piece of land: x from its middle, y from its street inwards, metres."""

    def __init__(self, land: Land, south: bool) -> None:
        x0, y0, x1, y1 = land.box
        self.land, self.south = land, south
        self.wide, self.deep = x1 - x0, y1 - y0
        self._x, self._y = round((x0 + x1) / 2 * 4) / 4, (y0 + 1.0 if south else y1 - 1.0)

    def at(self, x: float, y: float) -> Xy:
        """A point."""
        return snapped((self._x + x, self._y + (y if self.south else -y)))

    def block(self, xa: float, ya: float, xb: float, yb: float) -> Polygon:
        """A rectangle."""
        (a, b), (c, d) = self.at(xa, ya), self.at(xb, yb)
        return rectangle(min(a, c), min(b, d), max(a, c), max(b, d))

    def wall(self, xa: float, ya: float, xb: float, yb: float) -> tuple[Xy, Xy]:
        """The ends of a wall; turned where the land is mirrored, so that the open side stays on its right."""
        a, b = self.at(xa, ya), self.at(xb, yb)
        return (a, b) if self.south else (b, a)


def centre(land: Land) -> None:
    """Shops round a square that opens to the street and along a lane that leads on from it."""
    court = Court(land, land.block.center[1] > 0.0)
    if court.deep < LEAST[1] or court.wide < LEAST[0]:  # no room: a lawn
        return
    name = land.district.names.street("Square")
    wings = court.wide > 74.0
    half = min(PLAZA[0], court.wide - (50.0 if wings else 14.0)) / 2
    deep = min(PLAZA[1], court.deep - 24.0)
    plaza = add_area(land.district.sketch, "square", court.block(-half, -1.0, half, deep), name, place="square",
                     surface="paving_stones")  # fmt: skip
    land.used.append(plaza.polygon)
    if wings:
        out = half + WING
        _house(court, (-out, 2.0, -half, deep), [(-half, 2.0, -half, deep)], 2)
        _house(court, (half, 2.0, out, deep), [(half, deep, half, 2.0)], 2)
    ring = [court.at(-half + 4.0, 1.0), court.at(-half + 4.0, deep - 4.0), court.at(half - 4.0, deep - 4.0),
            court.at(half - 4.0, 1.0)]  # fmt: skip
    land.layout.path(ring, 3.0, "pedestrian", name, "paving_stones", 12.0)
    _furnish(court, half, deep, name)
    if not _rows(court, deep):
        out = half + (WING if wings else 0.0)
        _house(court, (-out, deep, out, deep + 18.0), [(-half, deep, half, deep)], 3)


def market(land: Land) -> None:
    """A lane between rows of shops from one street to the next, without a square."""
    court = Court(land, land.block.center[1] > 0.0)
    _rows(court, 0.0)


def _rows(court: Court, start: float) -> bool:
    """Two rows of shops along a lane from `start` to the rear of the land, open on both sides; False without room."""
    land, low, end = court.land, start + 5.0, court.deep - 12.0
    inner, outer = LANE / 2, LANE / 2 + ROW
    count = int((end - low + GAP) / (BLOCK + GAP))
    if count < 1 or court.wide < 2 * (outer + WALK) + 2.0:
        return False
    step = (end - low + GAP) / count
    name = land.district.names.street("Walk")
    paved = court.block(-outer - WALK, start if start else 1.0, outer + WALK, court.deep - 8.0)
    add_area(land.district.sketch, "paved", paved, "", surface="paving_stones")
    land.used.append(paved)
    for k in range(count):
        a, b = low + k * step, low + (k + 1) * step - GAP
        for side, sign in enumerate((-1, 1)):
            xs = sorted((sign * inner, sign * outer))
            walls = [(sign * inner, a, sign * inner, b), (sign * outer, b, sign * outer, a)]
            walls = walls if sign < 0 else [(x, d, z, c) for x, c, z, d in walls]
            _house(court, (xs[0], a, xs[1], b), walls, 2, CIVIC.get(2 * k + side, "") if start else "")
    reach = outer + WALK - 1.6
    for x, width, kind in ((0.0, 4.0, "pedestrian"), (-reach, 2.4, "footway"), (reach, 2.4, "footway")):
        foot = start - 3.5 if start and not x else start + 1.5
        land.layout.path([court.at(x, foot), court.at(x, court.deep - 2.0)], width, kind, name, "paving_stones", 16.0)
    for k in range(count + 1):
        y = low + k * step - GAP / 2
        land.layout.path([court.at(-reach, y), court.at(reach, y)], 2.4, "footway", name, "paving_stones", 1.0)
        if 0 < k < count:
            land.district.sketch.prop("bench", *court.at(2.7, y - 2.8), 270.0)
            land.district.sketch.prop("planter", *court.at(-2.7, y + 2.8))
            land.district.sketch.prop("bicycle_parking", *court.at(-outer - 3.9, y + 6.0), 270.0)
    return True


def _house(
    court: Court,
    box: tuple[float, float, float, float],
    walls: list[tuple[float, float, float, float]],
    levels: int,
    civic: str = "",
) -> None:
    """A house with shops along its walls (or one public use), its door in the middle of the first."""
    land = court.land
    ends = [court.wall(*wall) for wall in walls]
    a, b = ends[0]
    door = snapped(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
    if not civic:
        made = land.build(court.block(*box), SHOPS, [door], levels, named=False)
        for number, (p, q) in enumerate(ends):
            let_wall(land, made, p, q, [door] if number == 0 else [], levels - 1)
        return
    names = land.district.names
    length = ((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2) ** 0.5
    inside = snapped((door[0] - 2.5 * (b[1] - a[1]) / length, door[1] + 2.5 * (b[0] - a[0]) / length))
    made = land.build(court.block(*box), HALL, [door], levels, named=False)
    open_place(land.district.sketch, civic, names, inside, land.chance.child(civic), made.id, made.address,
               entrance=f"{made.id}/door")  # fmt: skip
    for p, q in ends[1:]:
        let_wall(land, made, p, q, [], 0)


def _furnish(court: Court, half: float, deep: float, name: str) -> None:
    """The fountain, trees, benches and stands of the square."""
    sketch, at = court.land.district.sketch, court.at
    sketch.prop("fountain", *at(0.0, deep / 2), name=f"{name.split()[0]} Fountain")
    for k, (dx, dy) in enumerate(((-9.0, 8.0), (9.0, 8.0), (-9.0, 19.0), (9.0, 19.0))):
        sketch.prop("tree", *at(dx, dy))
        sketch.prop("bench", *at(dx + (2.2 if dx < 0 else -2.2), dy), 90.0 if dx < 0 else 270.0)
        if k % 2:
            sketch.prop("waste_basket", *at(dx, dy + 3.0))
    for k in range(6):
        sketch.prop("bicycle_parking", *at(-half + 7.5 + 1.2 * k, 3.2), 0.0)
    sketch.prop("clock", *at(6.0, 4.0))
    sketch.prop("post_box", *at(-half + 1.2, deep - 8.0))
    sketch.prop("recycling", *at(half - 1.4, 6.0))
