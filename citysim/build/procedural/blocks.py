"""What stands in each block of the town."""

from dataclasses import dataclass, field, replace

from shapely import unary_union
from shapely.geometry import Polygon

from citysim.build.chance import Chance
from citysim.build.plans import AreaPlan, BuildingPlan, EntrancePlan
from citysim.build.procedural.lots import QUIET, ROWS, Front, Numbers, Sort, add_building, add_row, rectangle
from citysim.build.procedural.names import Namer
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.streets import SIDEWALK
from citysim.build.procedural.town import Town

Box = tuple[float, float, float, float]
DEEP, SHALLOW = 15.0, 12.0  # metres of a row on the main street and on the others
COURT = Sort("apartments", (4, 6), "flat", "plaster", 4)
TOWER = Sort("office", (10, 14), "flat", "glass", 2)
HOTEL = Sort("hotel", (5, 8), "flat", "stone", 0)
PUBLIC = Sort("public", (2, 4), "flat", "stone", 0)
SCHOOL = Sort("school", (2, 4), "hipped", "brick", 0)


@dataclass
class Built:
    """Facades by use."""

    shops: list[Front] = field(default_factory=list)
    public: dict[str, Front] = field(default_factory=dict)  # hotel, museum, library, school, church


def two_rows(
    sketch: Sketch,
    box: Box,
    north: tuple[str, Numbers],
    south: tuple[str, Numbers],
    chance: Chance,
    depths: tuple[float, float],
) -> list[Front]:
    """Rows along the south and the north side of a block; `north` and `south` are lot sorts ("rows", "quiet") and
    house numbers, `depths` those of the southern and northern row. Returns the facades, southern first.
    """
    x0, y0, x1, y1 = box
    sorts = {"rows": ROWS, "quiet": QUIET}
    fronts = add_row(sketch, (x0, y0, x1, y0 + depths[0]), "S", sorts[south[0]], south[1], chance.child("south"))
    fronts += add_row(sketch, (x0, y1 - depths[1], x1, y1), "N", sorts[north[0]], north[1], chance.child("north"))
    return fronts


def fill_north(sketch: Sketch, town: Town, namer: Namer, chance: Chance) -> Built:
    """The three blocks between the main and the back street: rows, the courtyard block, tower and hotel."""
    built = Built()
    odd, even = Numbers(town.main.name, 1), Numbers(town.back.name, 2)
    west = town.block(0, 2)
    built.shops += two_rows(sketch, west, ("quiet", even), ("rows", odd), chance.child("west"), (DEEP, SHALLOW))
    x0, y0, x1, y1 = town.block(1, 2)
    cut = round((x0 + min(42.0, 0.66 * (x1 - x0))) * 4) / 4
    built.shops.append(_courtyard(sketch, town, (x0, y0, cut, y1), namer, odd, chance.child("court")))
    rest = (cut, y0, x1, y1)
    built.shops += two_rows(sketch, rest, ("quiet", even), ("rows", odd), chance.child("mid"), (DEEP, SHALLOW))
    x0, y0, x1, y1 = town.block(2, 2)
    middle = y0 + max(16.0, 0.5 * (y1 - y0))
    deep = min(x1 - x0, 24.0)
    built.shops.append(add_building(sketch, (x0, y0, x0 + deep, middle - 2.0), "S", TOWER, odd, chance.child("tower")))
    hotel = add_building(sketch, (x0, middle + 1.0, x0 + deep, y1), "N", HOTEL, even, chance.child("hotel"))
    built.public["hotel"] = hotel
    return built


def _courtyard(sketch: Sketch, town: Town, box: Box, namer: Namer, numbers: Numbers, chance: Chance) -> Front:
    """A perimeter building round a court, with a passage through both wings."""
    x0, y0, x1, y1 = box
    wing = 11.0
    hole = (x0 + wing, y0 + wing, x1 - wing, y1 - wing)
    inner = rectangle(*hole)
    outline = Polygon(rectangle(*box).exterior.coords, [list(inner.exterior.coords)])
    front = add_building(sketch, box, "S", COURT, numbers, chance, polygon=outline)
    x = round((hole[2] - 4.0) * 4) / 4
    name = namer.street("Passage")
    start, end = town.main.at + town.main.facade - SIDEWALK, town.back.at - town.back.facade + SIDEWALK
    town.beside(town.main, x)[1].stops.add(x)
    town.beside(town.back, x)[-1].stops.add(x)
    for a, b, inside in ((start, y0, False), (y0, hole[1], True), (hole[1], hole[3], False), (hole[3], y1, True),
                         (y1, end, False)):  # fmt: skip
        tags = {"highway": "footway", "name": name, **({"tunnel": "building_passage"} if inside else {})}
        sketch.way("footway", [(x, a), (x, b)], 3.5, name=name, passage=inside, surface="paving_stones", tags=tags)
    sketch.areas.append(
        AreaPlan(f"{sketch.name}:area/court", "paved", inner, f"{name} Court", {"surface": "paving_stones"})
    )
    sketch.prop("tree", hole[0] + 4.0, (hole[1] + hole[3]) / 2)
    sketch.prop("bench", hole[0] + 7.5, (hole[1] + hole[3]) / 2, 90.0)
    sketch.prop("bicycle_parking", hole[0] + 2.0, hole[3] - 2.0)
    sketch.prop("street_lamp", x - 3.0, (hole[1] + hole[3]) / 2 + 2.0, height=4.5)
    return replace(front, b=(x - 2.6, front.b[1]))  # shops keep clear of the passage


def fill_far_north(sketch: Sketch, town: Town, garden: float, chance: Chance) -> Built:
    """Quiet rows north of the back street; the middle block leaves `garden` metres free at its western end."""
    built = Built()
    odd = Numbers(town.back.name, 1)
    for column in range(3):
        x0, y0, x1, y1 = town.block(column, 3)
        deep = min(SHALLOW, y1 - y0)
        here = chance.child(column)
        if column == 0:
            school = (x1 - 30.0, y0, x1, y0 + min(16.0, y1 - y0))
            built.shops += add_row(sketch, (x0, y0, x1 - 30.0, y0 + deep), "S", QUIET, odd, here)
            built.public["school"] = add_building(sketch, school, "S", SCHOOL, odd, here.child("school"))
        else:
            start = x0 + garden if column == 1 else x0
            built.shops += add_row(sketch, (start, y0, x1, y0 + deep), "S", QUIET, odd, here)
        lawn = y0 + 17.5
        if y1 - lawn > 3.0:
            west = -town.half if column == 0 else x0 + (garden if column == 1 else 0.0)
            east = town.half if column == 2 else x1
            sketch.areas.append(
                AreaPlan(f"{sketch.name}:area/yard{column}", "grass", rectangle(west, lawn, east, town.half))
            )
    return built


def fill_south(sketch: Sketch, town: Town, square: float, chance: Chance) -> Built:
    """Church and rows in the west; rows beyond the square (`square` metres wide) and its lane in the east."""
    built = Built()
    even, odd = Numbers(town.main.name, 2), Numbers(town.south.name, 1)
    x0, y0, x1, y1 = town.block(0, 1)
    yard = 30.0
    rows = (x0, y0, x1 - yard, y1)
    built.shops += two_rows(sketch, rows, ("rows", even), ("quiet", odd), chance.child("west"), (SHALLOW, DEEP))
    built.public["church"] = _church(sketch, town, (x1 - yard, y0, x1, y1), even, chance.child("church"))
    x0, y0, x1, y1 = town.block(1, 1)
    lane = x0 + square + 2.5
    for street, sign in ((town.main, -1), (town.south, 1)):
        town.beside(street, lane)[sign].stops.add(lane)
    ends = (town.main.at - town.main.facade + SIDEWALK, town.south.at + town.south.facade - SIDEWALK)
    sketch.way("pedestrian", [(lane, ends[0]), (lane, ends[1])], 4.5, surface="sett", tags={"highway": "pedestrian"})
    east = (x0 + square + 5.0, y0, x1, y1)
    built.shops += two_rows(sketch, east, ("rows", even), ("quiet", odd), chance.child("east"), (SHALLOW, DEEP))
    x0, y0, x1, y1 = town.block(1, 0)
    numbers = Numbers(town.south.name, 2)
    deep = min(16.0, y1 - y0)
    for k, (use, width) in enumerate((("library", 26.0), ("museum", 28.0))):
        start = x0 + (0.0, 30.0)[k]
        lot = (start, y1 - deep, start + width, y1)
        built.public[use] = add_building(sketch, lot, "N", PUBLIC, numbers, chance.child(use))
    built.shops += add_row(
        sketch, (x0 + 62.0, y1 - min(SHALLOW, deep), x1, y1), "N", QUIET, numbers, chance.child("far")
    )
    if y1 - deep - 1.5 - y0 > 3.0:
        lawn = rectangle(x0, -town.half, town.half, y1 - deep - 1.5)
        sketch.areas.append(AreaPlan(f"{sketch.name}:area/yard3", "grass", lawn))
    return built


def _church(sketch: Sketch, town: Town, plot: Box, numbers: Numbers, chance: Chance) -> Front:
    """A nave with a tower towards the main street, in a churchyard with a path to its door."""
    x0, _, x1, y1 = plot
    x, wide = round((x0 + x1) / 2 * 4) / 4, 13.0
    tower = rectangle(x - 3.5, y1 - 12.0, x + 3.5, y1 - 5.0)
    nave = rectangle(x - wide / 2, y1 - 34.0, x + wide / 2, y1 - 12.0)
    number = len([b for b in sketch.buildings if b.parent is None]) + 1
    name, house = f"{sketch.name}:building/{number}", numbers.take()
    address = f"{numbers.street} {house}"
    high = round(chance.uniform(30.0, 38.0, "tower"), 1)
    wall = chance.choice(("#d8c7a5", "#cfc6b4", "#b9a58c"), "wall")
    door = EntrancePlan(f"{name}/door", (x, y1 - 5.0), "main", None, house)
    whole = BuildingPlan(
        id=name, polygon=unary_union([tower, nave]).normalize(), height=high, kind="church", roof="gabled",
        roof_height=6.0, address=address, color=wall, roof_color="#5c6a63", material="stone", entrances=(door,),
        tags={"building": "church"},
    )  # fmt: skip
    body = replace(whole, id=f"{name}/nave", polygon=nave, height=15.5, roof_height=6.0, parent=name, entrances=())
    spire = replace(
        whole, id=f"{name}/tower", polygon=tower, roof="pyramidal", roof_height=9.0, parent=name, entrances=()
    )
    sketch.buildings += [whole, body, spire]
    yard = rectangle(x0 + 1.0, plot[1], x1, y1)
    sketch.areas.append(AreaPlan(f"{sketch.name}:area/churchyard", "garden", yard))
    pavement = town.main.at - town.main.facade + SIDEWALK
    town.beside(town.main, x)[-1].stops.add(x)
    sketch.way("footway", [(x, pavement), (x, y1 - 3.6)], 3.0, surface="paving_stones", tags={"highway": "footway"})
    for k, (dx, dy) in enumerate(
        ((-10.5, -8.0), (10.5, -8.0), (-10.5, -20.0), (10.5, -20.0), (-10.5, -30.0), (10.5, -30.0))
    ):
        sketch.prop("tree", x + dx + chance.uniform(-0.5, 0.5, f"t{k}"), y1 + dy)
    sketch.prop("bench", x - 4.5, y1 - 2.5, 0.0)
    sketch.prop("bench", x + 4.5, y1 - 2.5, 0.0)
    return Front(name, (x + 3.5, y1 - 5.0), (x - 3.5, y1 - 5.0), 0, address)
