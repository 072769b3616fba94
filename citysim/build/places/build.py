"""build_places: a sign, a door and an identity for every named place."""

from dataclasses import dataclass

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.places import boards as directory
from citysim.build.places import displays
from citysim.build.places.boards import Board, give_bounds, heading_of
from citysim.build.places.categories import Scheme, group_of
from citysim.build.places.doorways import foot_point, register
from citysim.build.places.fascia import blade, fascia, hours_plate, scheme_of, shown_name
from citysim.build.places.front import (
    PLATE_WIDTH,
    FrontPlan,
    door_position,
    draw_blade,
    draw_fascia,
    draw_front,
    glass_beside,
)
from citysim.build.places.frontage import Frontage, Slot, reserve
from citysim.build.places.outdoors import build_outdoors
from citysim.build.places.streetnames import build_street_names
from citysim.build.places.wall import Wall
from citysim.build.plans import PlacePlan, Xy
from citysim.build.text.atlas import TextAtlas
from citysim.build.text.lettering import Lettered, Lettering
from citysim.build.text.sign import SignFace

DEEP = 15.0  # metres behind the nearest wall: such places are reached through the building's main door
WIDTHS = {"hotel": (3.0, 5.2), "grocery": (3.0, 5.4), "culture": (3.0, 4.8), "bank": (3.0, 4.6)}
ANY_WIDTH = (3.0, 4.2)
NARROW = 1.9  # metres: the least front, when no wider gap is left


@dataclass(slots=True)
class _Shop:
    """A place with a front of its own, and the tickets of its pictures."""

    plan: PlacePlan
    front: FrontPlan
    chance: Chance
    fascia: SignFace
    blade: int | None
    hours: int | None


def build_places(draft: CityDraft, ground: Ground, facades: list[Facade]) -> None:
    """Give every place of the plan a readable sign facing the street and a foot point at its door.

    Places inside buildings get a shop front on the nearest free wall; those on other storeys, offices, those deep
    inside and those without room share directory boards; those in the open get kiosks or sign posts. Adds objects
    and draft.places, reserves the walls used in Facade.taken, and hangs street names at corners.
    """
    displays.register(draft)
    frontage = Frontage(draft, ground, facades)
    plans = {b.id: b for b in draft.plan.buildings}
    doors = {d.id: d.xy for b in draft.plan.buildings for d in b.entrances}
    atlas = TextAtlas(draft, "places/signs")
    letters = Lettering(draft, "places/letters")
    shops: list[_Shop] = []
    waiting: list[PlacePlan] = []
    outside: list[PlacePlan] = []
    for place in draft.plan.places:
        if place.building is None or place.building not in plans:
            outside.append(place)
        elif (slot := _slot(frontage, place, doors)) is not None:
            shops.append(_shop(draft, ground, atlas, letters, place, slot))
        else:
            waiting.append(place)
    boards, left = directory.plan_boards(draft, frontage, waiting, plans)
    for item in boards:
        directory.want(atlas, item)
    atlas.pack()
    letters.pack()
    for shop in shops:
        length = (shop.front.slot.u1 - shop.front.slot.u0) / shop.front.capital
        _build_shop(draft, ground, atlas, letters.set(shop.fascia, length), shop)
    for item in boards:
        if directory.hang(frontage, item, atlas.printed(item.ticket)):
            _build_board(draft, ground, atlas, item)
        else:
            left += item.places
    build_outdoors(draft, ground, [*outside, *left])
    build_street_names(draft, ground, frontage)


def _slot(frontage: Frontage, place: PlacePlan, doors: dict[str, Xy]) -> Slot | None:
    """Where the place's own front goes, reserved; None for those that share a board."""
    group = group_of(place.category)
    numbers = frontage.by_building.get(place.building or "", ())
    if place.level != 0 or group == "office" or not numbers:
        return None
    near = [n for n in numbers if n in set(frontage.near(place.xy, DEEP))]
    least, most = WIDTHS.get(group, ANY_WIDTH)
    target = doors.get(place.entrance or "", place.xy)
    slot = frontage.best(near, target, (least, most)) or frontage.best(near, target, (NARROW, least))
    if slot is None or slot.cost > DEEP + 20.0:
        return None
    reserve(slot)
    return slot


def _shop(
    draft: CityDraft, ground: Ground, atlas: TextAtlas, letters: Lettering, place: PlacePlan, slot: Slot
) -> _Shop:
    chance = draft.chance.child(f"place/{place.id}")
    scheme = scheme_of(place, draft.chance)
    width = slot.u1 - slot.u0 - 0.3
    sign, capital = fascia(shown_name(place), scheme, width, chance.unit("capitals") < 0.45)
    scheme = Scheme(sign.ground, sign.ink, sign.face)
    letters.want(sign)
    door_u = door_position(slot, chance)
    points = [slot.facade.at(u, 0.25) for u in (slot.u0, slot.u1, door_u)]
    left_z, right_z, door_z = (float(z) for z in ground.height(points))
    front = FrontPlan(slot, group_of(place.category), scheme, left_z, right_z, door_z, door_u, capital)
    at = slot.facade.at(slot.middle)
    locale = draft.plan.locale
    hung = blade(place, scheme, locale) if slot.u1 - slot.u0 > 2.8 and chance.unit("blade") < 0.4 else None
    plate = hours_plate(place) if glass_beside(front) is not None else None
    return _Shop(
        place,
        front,
        chance,
        sign,
        None if hung is None else atlas.want(hung, at),
        None if plate is None else atlas.want(plate, at),
    )


def _build_shop(draft: CityDraft, ground: Ground, atlas: TextAtlas, printed: Lettered, shop: _Shop) -> None:
    place, front = shop.plan, shop.front
    slot, facade = front.slot, front.slot.facade
    heading = heading_of(facade)
    door = (*facade.at(front.door_u), front.door_z)
    label = draft.add_object(
        "shop_front", door, name=place.name, heading_deg=heading, parent=facade.object, kind=place.category
    )
    body = draw_front(front, printed, shop.chance)
    if shop.hours is not None:
        _hours(body, front, atlas, shop.hours)
    give_bounds(draft, label, body.stand(draft, label))
    signs: list[Wall] = [draw_fascia(front, printed)]
    if shop.blade is not None:
        at_left = front.door_u > slot.middle
        signs.append(draw_blade(front, printed, atlas.printed(shop.blade), at_left=at_left))
    text = shown_name(place)
    numbers = []
    for wall, kind in zip(signs, ("fascia", "blade"), strict=False):
        at = (*facade.at(slot.middle, 0.1), front.foot + 2.7)
        number = draft.add_object(
            "shop_sign", at, name=place.name, heading_deg=heading, parent=facade.object, text=text, kind=kind
        )
        give_bounds(draft, number, wall.stand(draft, number))
        numbers.append(number)
    register(draft, place, foot_point(ground, facade, front.door_u), facade.object, numbers[0])


def _hours(wall: Wall, front: FrontPlan, atlas: TextAtlas, ticket: int) -> None:
    """The plate of hours on the glass beside the door."""
    beside = glass_beside(front)
    if beside is None:
        return
    printed = atlas.printed(ticket)
    capital = min(0.035, PLATE_WIDTH / printed.width)
    w, h = printed.width * capital, printed.height * capital
    u = beside[0] if beside[1] > 0 else beside[0] - w
    z = front.foot + 1.5
    wall.panel((u, u + w), (z - h / 2, z + h / 2), 0.065, uv=printed.uv, material=f"@{printed.material}")


def _build_board(draft: CityDraft, ground: Ground, atlas: TextAtlas, item: Board) -> None:
    number = directory.draw_board(draft, ground, item, atlas.printed(item.ticket))
    at = directory.entrance_of(ground, item)
    for place in item.places:
        register(draft, place, at, item.building, number)
