"""Directory boards: the names of those who have no front of their own, beside the door that leads to them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.places.doorways import door_on, doors_of, foot_point
from citysim.build.places.fascia import shown_name
from citysim.build.places.front import board
from citysim.build.places.frontage import Frontage, Slot, reserve
from citysim.build.places.wall import Wall
from citysim.build.plans import BuildingPlan, PlacePlan, Xy
from citysim.build.props.model import give_bounds
from citysim.build.text.atlas import Printed, TextAtlas
from citysim.build.text.sign import SignFace
from citysim.fonts.layout import wrap

ROWS = 10  # names on one board
CAPITAL = 0.085  # metres
TEXELS = 12
LOW = 0.95  # metres above the pavement
OUT = 0.05
COLORS = (("#23282d", "#f1efe6"), ("#f0ede3", "#1d2226"), ("#1f3550", "#f4f2ea"))


@dataclass(slots=True)
class Board:
    """Up to ROWS places beside one door."""

    places: list[PlacePlan]
    facade: Facade
    door_u: float
    building: int
    face: SignFace
    ticket: int = -1
    slot: Slot | None = None


def plan_boards(
    draft: CityDraft, frontage: Frontage, waiting: Sequence[PlacePlan], plans: dict[str, BuildingPlan]
) -> tuple[list[Board], list[PlacePlan]]:
    """Boards for places in buildings, grouped by the door nearest to them; and the places no wall was found for."""
    groups: dict[tuple[str, Xy], list[PlacePlan]] = defaultdict(list)
    doors: dict[tuple[str, Xy], tuple[Facade, float]] = {}
    left: list[PlacePlan] = []
    for place in waiting:
        plan = plans[place.building or ""]
        found = door_for(frontage, plan, place)
        if found is None:
            left.append(place)
            continue
        key = (plan.id, tuple(round(v, 2) for v in found[0].at(found[1])))
        doors[key] = found  # type: ignore[index]
        groups[key].append(place)  # type: ignore[index]
    boards: list[Board] = []
    for key in sorted(groups):
        members = sorted(groups[key], key=lambda p: (p.name.casefold(), p.id))
        facade, u = doors[key]
        count = -(-len(members) // ROWS)
        for i in range(count):
            part = members[i * len(members) // count : (i + 1) * len(members) // count]
            boards.append(Board(part, facade, u, facade.object, _face(draft, plans[key[0]], part)))
    return boards, left


def door_for(frontage: Frontage, plan: BuildingPlan, place: PlacePlan) -> tuple[Facade, float] | None:
    """The place's own door, the nearest door for visitors, else the best free wall."""
    doors = doors_of(plan)
    own = [d for d in plan.entrances if d.id == place.entrance]
    near = sorted(doors, key=lambda d: ((d.xy[0] - place.xy[0]) ** 2 + (d.xy[1] - place.xy[1]) ** 2, d.id))
    for door in (*own, *near):
        found = door_on(frontage, plan.id, door.xy)
        if found is not None:
            return found
    slot = frontage.best(frontage.by_building.get(plan.id, ()), place.xy, (1.0, 1.6), 2.4)
    return None if slot is None else (slot.facade, slot.middle)


def _face(draft: CityDraft, plan: BuildingPlan, places: Sequence[PlacePlan]) -> SignFace:
    ground, ink = draft.chance.child(f"board/{plan.id}").choice(COLORS)
    rows = []
    for place in places:
        first, *more = wrap(shown_name(place), 26)
        floor = f"{place.level}  " if any(p.level for p in places) else ""
        rows += [floor + first, *(" " * (2 + len(floor)) + line for line in more)]
    return SignFace(tuple(rows), "narrow", ink, ground, TEXELS, 0.8, left=True, frame=ink)


def hang(frontage: Frontage, item: Board, printed: Printed) -> bool:
    """Find room for a board: beside its door, else above eye level over the door; False where there is none."""
    width, height = printed.width * CAPITAL, printed.height * CAPITAL
    number = frontage.facades.index(item.facade)
    numbers = [number, *(n for n in frontage.by_building[item.facade.building] if n != number)]
    slot = frontage.best(numbers, item.facade.at(item.door_u), (width + 0.04, width + 0.04), LOW + height + 0.1)
    item.slot = slot
    if slot is not None:
        reserve(slot)
    return slot is not None


def draw_board(draft: CityDraft, ground: Ground, item: Board, printed: Printed) -> int:
    """Draw a board; returns its object id."""
    assert item.slot is not None
    slot = item.slot
    wall = Wall(slot.facade)
    width, height = printed.width * CAPITAL, printed.height * CAPITAL
    u0, u1 = slot.middle - width / 2, slot.middle + width / 2
    z = ground.height([slot.facade.at(slot.middle, 0.6)])[0] + max(LOW, min(1.35, 2.1 - height / 2 - 0.5))
    z = min(float(z), slot.facade.top - height - 0.05)
    wall.box((u0, u1), (z, z + height), (0.0, OUT), color="#2b2e31", faces="lrtd")
    board(wall, printed, (u0, u0, u1, u1), (z, z + height), OUT)
    label = draft.add_object(
        "directory_board",
        (*slot.facade.at(slot.middle, OUT), z),
        name=draft.objects[item.building - 1].name,
        heading_deg=heading_of(slot.facade),
        parent=item.building,
        text="\n".join(shown_name(p) for p in item.places),
    )
    give_bounds(draft, label, wall.stand(draft, label))
    return label


def heading_of(facade: Facade) -> float:
    """The way a wall faces, degrees clockwise from north."""
    import math

    return round(math.degrees(math.atan2(facade.normal[0], facade.normal[1])) % 360.0, 3)


def entrance_of(ground: Ground, item: Board) -> tuple[float, float, float]:
    """The foot point before the board's door."""
    return foot_point(ground, item.facade, item.door_u)


def want(atlas: TextAtlas, item: Board) -> None:
    """Ask for the board's picture."""
    item.ticket = atlas.want(item.face, item.facade.at(item.door_u))
