"""Shops: places with a front of their own in a wall, from the plan of the front to its mesh."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.places.boards import heading_of
from citysim.build.places.categories import Scheme, group_of
from citysim.build.places.doorways import register
from citysim.build.places.fascia import bilingual, blade, fascia, hours_plate, scheme_of, shown_name
from citysim.build.places.front import (
    BLADE_WIDTH,
    PLATE_WIDTH,
    FrontPlan,
    awning_box,
    blade_box,
    board_top,
    door_position,
    draw_blade,
    draw_door,
    draw_fascia,
    draw_front,
    glass_beside,
    has_awning,
)
from citysim.build.places.frontage import Slot
from citysim.build.places.signs import Flat, Hanging, SignMaker, local_name
from citysim.build.places.wall import Wall
from citysim.build.plans import PlacePlan
from citysim.build.props.model import Xyz, give_bounds
from citysim.build.text.atlas import TextAtlas
from citysim.build.text.lettering import Lettering, measure
from citysim.build.text.sign import SignFace

SEEN = 0.4  # metres between the blades of two shops, so that neither hides the other
LEAST_HEAD = 2.25  # metres: doors and windows below a fascia under a canopy


@dataclass(slots=True)
class Shop:
    """A place with a front of its own, its rows of text and the tickets of its pictures."""

    plan: PlacePlan
    front: FrontPlan
    chance: Chance
    rows: list[tuple[SignFace, float]]
    blade: int | None = None
    hours: int | None = None
    hanging: list[Hanging] = field(default_factory=list)
    banner: Flat | None = None


def plan_shops(
    draft: CityDraft, ground: Ground, maker: SignMaker, atlas: TextAtlas, letters: Lettering,
    slots: Sequence[tuple[PlacePlan, Slot]],
) -> list[Shop]:  # fmt: skip
    """Fronts for places at their slots, in this order."""
    doors = [door_position(slot, draft.chance.child(f"place/{place.id}")) for place, slot in slots]
    points = [
        slot.facade.at(u, 0.25) for (_, slot), door in zip(slots, doors, strict=True) for u in (slot.u0, slot.u1, door)
    ]
    feet = np.asarray(ground.height(points), dtype=np.float64).reshape(-1, 3).tolist() if points else []
    return [
        _plan_shop(draft, maker, atlas, letters, place, slot, door, foot)
        for (place, slot), door, foot in zip(slots, doors, feet, strict=True)
    ]


def _plan_shop(
    draft: CityDraft, maker: SignMaker, atlas: TextAtlas, letters: Lettering, place: PlacePlan, slot: Slot,
    door_u: float, foot: Sequence[float],
) -> Shop:  # fmt: skip
    """Decide how a front looks, ask for its letters, and find room for what hangs over the pavement."""
    chance = draft.chance.child(f"place/{place.id}")
    style = maker.style
    width = slot.u1 - slot.u0 - 0.3
    scheme = scheme_of(place, draft.chance)
    if style.palette:
        row = chance.choice(style.palette, "palette")
        scheme = style.scheme(row, chance.choice(style.faces, "face"))
    name, local = shown_name(place), local_name(place)
    left_z, right_z, door_z = foot
    room = _soffit(maker, slot, max(left_z, right_z)) - max(left_z, right_z)
    tallest = min(style.tallest, room - LEAST_HEAD)
    if local and style.local_face and tallest > 0.7:
        text = name.upper() if chance.unit("capitals") < 0.3 else name
        rows, board = bilingual(text, local, scheme, style.local_face, width, tallest)
    else:
        sign, capital = fascia(name, scheme, width, chance.unit("capitals") < 0.45, max(tallest, 0.35))
        rows, board = [(sign, capital)], measure(sign)[1] * capital
    scheme = Scheme(rows[-1][0].ground, rows[-1][0].ink, rows[-1][0].face)
    for sign, _ in rows:
        letters.want(sign)
    group = group_of(place.category)
    front = FrontPlan(slot, group, scheme, left_z, right_z, door_z, door_u, board, min(style.head, room - board))
    shop = Shop(place, front, chance, rows)
    at = slot.facade.at(slot.middle)
    if has_awning(front, chance):
        maker.clearance.take(awning_box(front))
    _hang(maker, shop)
    if not shop.hanging and slot.u1 - slot.u0 > 2.8 and chance.unit("blade") < style.blade:
        hung = blade(place, scheme, draft.plan.locale)
        if hung is not None:
            wide, tall = measure(hung)
            box = blade_box(front, BLADE_WIDTH * tall / wide, at_left=front.door_u > slot.middle)
            if maker.clearance.free(box, 0.0) and maker.blades.free(box, SEEN):
                maker.clearance.take(box)
                maker.blades.take(box)
                shop.blade = atlas.want(hung, at)
    plate = hours_plate(place) if glass_beside(front) is not None else None
    shop.hours = None if plate is None else atlas.want(plate, at)
    return shop


def _soffit(maker: SignMaker, slot: Slot, foot: float) -> float:
    """The height of what covers the pavement before a front (a canopy, a balcony), infinite under the sky."""
    points = [slot.facade.at(u, out) for u in (slot.u0, slot.u1) for out in (0.12, 0.6)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return maker.clearance.soffit((min(xs), min(ys), foot + LEAST_HEAD + 0.3, max(xs), max(ys), foot + 9.0)) - 0.05


def _hang(maker: SignMaker, shop: Shop) -> None:
    """Boards over the pavement, columns and cloths, as the style and the room allow."""
    style, slot, chance = maker.style, shop.front.slot, shop.chance
    wide = slot.u1 - slot.u0
    us = (slot.middle, slot.u0 + 0.2 * wide, slot.u1 - 0.2 * wide)
    first = 0 if chance.unit("hang at") < 0.4 else 1 if chance.unit("hang side") < 0.5 else 2
    order = (us[first], *(u for i, u in enumerate(us) if i != first))
    for hung, kind in ((style.hanging, "hanging"), (style.column, "column")):
        if hung is not None and chance.unit(kind) < hung.share:
            item = maker.hang(shop.plan, slot.facade, order, hung, kind, board_top(shop.front) + 0.05)
            if item is not None:
                shop.hanging.append(item)
    if chance.unit("banner") < style.banner:
        shop.banner = maker.banner(shop.plan, slot.facade, slot.middle)


def build_shop(draft: CityDraft, maker: SignMaker, atlas: TextAtlas, letters: Lettering, shop: Shop, foot: Xyz) -> None:
    """Draw a shop with its door and signs, each an object, and register its place."""
    place, front = shop.plan, shop.front
    slot, facade = front.slot, front.slot.facade
    heading = heading_of(facade)
    door = (*facade.at(front.door_u), front.door_z)
    label = draft.add_object(
        "shop_front", door, name=place.name, heading_deg=heading, parent=facade.object, kind=place.category
    )
    body = draw_front(front, shop.chance)
    if shop.hours is not None:
        _hours(body, front, atlas, shop.hours)
    give_bounds(draft, label, body.stand(draft, label))
    leaf = draft.add_object("entrance", door, heading_deg=heading, parent=label, kind="shop")
    give_bounds(draft, leaf, draw_door(front, shop.chance).stand(draft, leaf))
    length = slot.u1 - slot.u0
    rows = [(letters.set(sign, length / capital), capital) for sign, capital in shop.rows]
    text = shown_name(place) if len(rows) == 1 else f"{shown_name(place)} {local_name(place)}"
    signs: list[tuple[str, str, Wall, str]] = [("fascia", text, draw_fascia(front, rows), front.scheme.ground)]
    if shop.blade is not None:
        at_left = front.door_u > slot.middle
        board = draw_blade(front, atlas.printed(shop.blade), at_left=at_left)
        signs.append(("blade", place.name, board, front.scheme.ground))
    signs += [(item.kind, item.text, maker.draw_hanging(item), item.color) for item in shop.hanging]
    if shop.banner is not None:
        signs.append(("banner", shop.banner.text, maker.draw_flat(shop.banner), shop.banner.color))
    numbers = [
        add_sign(draft, facade, slot.middle, kind, shown, place.name, label, wall, color)
        for kind, shown, wall, color in signs
    ]
    register(draft, place, foot, facade.object, numbers[0])


def add_sign(
    draft: CityDraft, facade: Facade, u: float, kind: str, text: str, name: str, parent: int, wall: Wall, color: str,
    category: str = "shop_sign",
) -> int:  # fmt: skip
    """Give a drawn sign its identity, `color` being that of its ground; returns its object id."""
    low = min(float(p.positions[:, 2].min()) for p in wall.model.pieces)
    number = draft.add_object(
        category,
        (*facade.at(u, 0.1), low),
        name=name,
        heading_deg=heading_of(facade),
        parent=parent,
        text=text,
        kind=kind,
        color=color,
    )
    give_bounds(draft, number, wall.stand(draft, number))
    return number


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
