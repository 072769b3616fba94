"""build_places: a sign, a door and an identity for every named place."""

from collections.abc import Sequence

from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.places import boards as directory
from citysim.build.places import displays
from citysim.build.places.boards import Board
from citysim.build.places.categories import group_of
from citysim.build.places.doorways import foot_points, register
from citysim.build.places.frontage import Frontage, Slot, reserve
from citysim.build.places.outdoors import build_outdoors
from citysim.build.places.shops import add_sign, build_shop, plan_shops
from citysim.build.places.signs import STOREY, Flat, Hanging, SignMaker
from citysim.build.places.streetnames import build_street_names
from citysim.build.places.styles import style_of
from citysim.build.plans import BuildingPlan, PlacePlan, Xy
from citysim.build.text.atlas import TextAtlas
from citysim.build.text.lettering import Lettering

DEEP = 15.0  # metres behind the nearest wall: such places are reached through the building's main door
WIDTHS = {"hotel": (3.0, 5.2), "grocery": (3.0, 5.4), "culture": (3.0, 4.8), "bank": (3.0, 4.6)}
ANY_WIDTH = (3.0, 4.2)
NARROW = 1.9  # metres: the least front, when no wider gap is left
ROOF_FROM = 14.0  # metres: buildings lower than this carry no sign on their roof


def build_places(draft: CityDraft, ground: Ground, facades: list[Facade]) -> None:
    """Give every place of the plan a readable sign facing the street and a foot point at its door.

    Places inside buildings get a shop front on the nearest free wall; those on other storeys get boards over the
    pavement where the preset has such, else they share directory boards with offices, those deep inside and those
    without room; those in the open get kiosks or sign posts. Adds objects and draft.places, reserves the walls used in
    Facade.taken, and hangs street names at corners.
    """
    displays.register(draft)
    style = style_of(draft.plan)
    frontage = Frontage(draft, ground, facades)
    plans = {b.id: b for b in draft.plan.buildings}
    doors = {d.id: d.xy for b in draft.plan.buildings for d in b.entrances}
    atlas = TextAtlas(draft, "places/signs", style.glow // 2)
    letters = Lettering(draft, "places/letters", style.glow)
    maker = SignMaker(draft, ground, style, frontage.facades)
    slots: list[tuple[PlacePlan, Slot]] = []
    waiting: list[PlacePlan] = []
    outside: list[PlacePlan] = []
    for place in draft.plan.places:
        if place.building is None or place.building not in plans:
            outside.append(place)
        elif (slot := _slot(frontage, place, doors)) is not None:
            slots.append((place, slot))
        else:
            waiting.append(place)
    shops = plan_shops(draft, ground, maker, atlas, letters, slots)
    stacked, waiting = _stack(frontage, maker, waiting, plans)
    roofs = _rooftops(draft, frontage, maker)
    boards, left = directory.plan_boards(draft, frontage, waiting, plans)
    for item in boards:
        directory.want(atlas, item)
    for pages in (atlas, letters, maker.atlas):
        pages.pack()
    feet = foot_points(ground, [(shop.front.slot.facade, shop.front.door_u) for shop in shops])
    for shop, foot in zip(shops, feet, strict=True):
        build_shop(draft, maker, atlas, letters, shop, foot)
    feet = foot_points(ground, [at for _, _, at in stacked])
    for (place, hanging, _), foot in zip(stacked, feet, strict=True):
        facade = hanging.hook.facade
        wall = maker.draw_hanging(hanging)
        number = add_sign(
            draft, facade, hanging.hook.u, "stack", hanging.text, place.name, facade.object, wall, hanging.color
        )
        register(draft, place, foot, facade.object, number)
    for flat in roofs:
        wall, facade = maker.draw_flat(flat), flat.facade
        add_sign(
            draft,
            facade,
            facade.length / 2,
            flat.kind,
            flat.text,
            flat.name,
            facade.object,
            wall,
            flat.color,
            "building_sign",
        )
    for item in boards:
        if directory.hang(frontage, item, atlas.printed(item.ticket)):
            _build_board(draft, ground, atlas, item)
        else:
            left += item.places
    build_outdoors(draft, ground, [*outside, *left])
    build_street_names(draft, ground, frontage, maker.clearance)


def _slot(frontage: Frontage, place: PlacePlan, doors: dict[str, Xy]) -> Slot | None:
    """Where the place's own front goes, reserved; None for those that share a board."""
    group = group_of(place.category)
    numbers = frontage.by_building.get(place.building or "", ())
    given = place.tags.get("frontage")
    if place.level != 0 or (group == "office" and given is None) or not numbers:
        return None
    near = [n for n in numbers if n in set(frontage.near(place.xy, DEEP))]
    least, most = WIDTHS.get(group, ANY_WIDTH)
    if given is not None:
        most = float(given) - 0.16
        least = max(NARROW, most - 0.5)
    target = doors.get(place.entrance or "", place.xy)
    slot = frontage.best(near, target, (least, most)) or frontage.best(near, target, (NARROW, least))
    if slot is None or slot.cost > DEEP + 20.0:
        return None
    reserve(slot)
    return slot


def _stack(
    frontage: Frontage, maker: SignMaker, waiting: Sequence[PlacePlan], plans: dict[str, BuildingPlan]
) -> tuple[list[tuple[PlacePlan, Hanging, tuple[Facade, float]]], list[PlacePlan]]:
    """Boards of tenants above the ground floor, one over the other at one end of the wall; and who got none."""
    style, found, left = maker.style, [], []
    for place in waiting:
        door = directory.door_for(frontage, plans[place.building or ""], place) if style.stack else None
        numbers = frontage.by_building.get(place.building or "", ())
        if style.stack is None or place.level < 1 or door is None or not numbers:
            left.append(place)
            continue
        facade = min((frontage.facades[n] for n in numbers), key=lambda f: _away(f, place.xy))
        least = facade.base + facade.ground_floor + (place.level - 1) * STOREY + 0.15
        side = maker.draft.chance.unit(f"stack/{place.building}") < 0.5
        ends = (0.5, facade.length - 0.5) if side else (facade.length - 0.5, 0.5)
        us = (*ends, *(u for u in (2.2, facade.length - 2.2, facade.length / 2) if 0.5 < u < facade.length - 0.5))
        hanging = maker.hang(place, facade, us, style.stack, "stack", least)
        if hanging is None:
            left.append(place)
        else:
            found.append((place, hanging, door))
    return found, left


def _rooftops(draft: CityDraft, frontage: Frontage, maker: SignMaker) -> list[Flat]:
    """Signs on the flat roofs of some tall buildings, with the building's name or that of a tenant."""
    tenants: dict[str, PlacePlan] = {}
    for place in draft.plan.places:
        tenants.setdefault(place.building or "", place)
    found: list[Flat] = []
    for plan in draft.plan.buildings:
        chance = draft.chance.child(f"rooftop/{plan.id}")
        if plan.parent is not None or plan.roof != "flat" or chance.unit() >= maker.style.rooftop:
            continue
        walls = [frontage.facades[n] for n in frontage.by_building.get(plan.id, ())]
        walls = [f for f in walls if f.top - f.base > ROOF_FROM]
        tenant = tenants.get(plan.id)
        name = plan.name or (tenant.name if tenant else "")
        if not walls or not name:
            continue
        local = plan.tags.get("name:zh") or plan.tags.get("name:ja") or ""
        if not plan.name and tenant is not None:
            local = tenant.tags.get("name:zh") or tenant.tags.get("name:ja") or ""
        item = maker.rooftop(name, local, max(walls, key=lambda f: (round(f.length, 3), f.a)), chance)
        if item is not None:
            found.append(item)
    return found


def _away(facade: Facade, xy: Xy) -> tuple[float, Xy]:
    """Distance of a point from a wall."""
    (ax, ay), (bx, by) = facade.a, facade.b
    t = ((xy[0] - ax) * (bx - ax) + (xy[1] - ay) * (by - ay)) / facade.length**2
    x, y = facade.at(min(max(t, 0.0), 1.0) * facade.length)
    return round(((x - xy[0]) ** 2 + (y - xy[1]) ** 2) ** 0.5, 3), facade.a


def _build_board(draft: CityDraft, ground: Ground, atlas: TextAtlas, item: Board) -> None:
    number = directory.draw_board(draft, ground, item, atlas.printed(item.ticket))
    at = directory.entrance_of(ground, item)
    for place in item.places:
        register(draft, place, at, item.building, number)
