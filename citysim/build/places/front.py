"""A shop front: door, display window, stall riser, pilasters, fascia with its text, and what hangs from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.adding import plain_sum
from citysim.build.chance import Chance
from citysim.build.places import displays
from citysim.build.places.categories import Scheme
from citysim.build.places.frontage import Slot
from citysim.build.places.wall import Wall
from citysim.build.text.atlas import Printed
from citysim.build.text.lettering import Lettered

PILASTER, STALL, HEAD = 0.13, 0.45, 2.6  # metres
GLASS, DOOR_OUT, STALL_OUT, PILLAR_OUT, BOARD_OUT = 0.05, 0.055, 0.08, 0.11, 0.15
DOOR_WIDTH, PLATE_WIDTH = 1.0, 0.5
BLADE_WIDTH, BLADE_LOW = 0.85, 2.66
AWNINGS = ("#8c1d2c", "#1f4d3a", "#23395b", "#b5791f", "#ded6c2", "#4a2a2a")


@dataclass(frozen=True, slots=True)
class FrontPlan:
    """Everything that decides how one front looks."""

    slot: Slot
    group: str
    scheme: Scheme
    left_z: float  # ground at the slot's left and right end and at the door, metres
    right_z: float
    door_z: float
    door_u: float
    board: float  # metres: height of the fascia
    high: float = HEAD  # metres: usual upper edge of door and windows

    @property
    def foot(self) -> float:
        """Height of the higher end of the pavement."""
        return max(self.left_z, self.right_z)

    def ground(self, u: float) -> float:
        """The pavement's height along the slot."""
        t = (u - self.slot.u0) / (self.slot.u1 - self.slot.u0)
        return self.left_z + (self.right_z - self.left_z) * t


def door_position(slot: Slot, chance: Chance) -> float:
    """Where the middle of the door is: at one end, in the middle of a wide front."""
    half = DOOR_WIDTH / 2 + PILASTER
    if slot.u1 - slot.u0 < 2.2:
        return slot.middle
    return chance.weighted([(slot.u0 + half, 0.4), (slot.u1 - half, 0.4), (slot.middle, 0.2)], "door")


def glass_beside(front: FrontPlan) -> tuple[float, float] | None:
    """Where a plate of PLATE_WIDTH may start on the glass beside the door, and to which side (+1, -1) it goes on."""
    slot = front.slot
    left, right = front.door_u - DOOR_WIDTH / 2, front.door_u + DOOR_WIDTH / 2
    side = 1.0 if slot.u1 - right >= left - slot.u0 else -1.0
    if max(slot.u1 - right, left - slot.u0) < PLATE_WIDTH + 0.3:
        return None
    return (right + 0.08, side) if side > 0 else (left - 0.08, side)


def draw_front(front: FrontPlan, chance: Chance) -> Wall:
    """Windows, frame and awning of a front."""
    slot = front.slot
    wall = Wall(slot.facade)
    head = _head(front)
    color = front.scheme.ground if chance.unit("frame") < 0.6 else "#2b2e31"
    for u in (slot.u0, slot.u1 - PILASTER):
        low = min(front.ground(u), front.ground(u + PILASTER)) - 0.05
        wall.box((u, u + PILASTER), (low, head), (0.0, PILLAR_OUT), color=color, faces="flr")
    left, right = front.door_u - DOOR_WIDTH / 2, front.door_u + DOOR_WIDTH / 2
    for u0, u1 in ((slot.u0 + PILASTER, left), (right, slot.u1 - PILASTER)):
        if u1 - u0 > 0.08:
            _window(wall, front, (u0, u1), head, chance, color)
    if has_awning(front, chance):
        _awning(wall, front, head, chance.choice(AWNINGS, "awning color"))
    return wall


def draw_door(front: FrontPlan, chance: Chance) -> Wall:
    """The door of a front."""
    wall = Wall(front.slot.facade)
    left, right = front.door_u - DOOR_WIDTH / 2, front.door_u + DOOR_WIDTH / 2
    cell = displays.door_cell(chance.choice(displays.DOORS, "door kind"))
    wall.panel((left, right), (front.door_z, _head(front)), DOOR_OUT, uv=cell, material=displays.MATERIAL)
    return wall


def board_top(front: FrontPlan) -> float:
    """Upper edge of the fascia: nothing hangs lower before it, or its letters would be hidden."""
    return _head(front) + front.board


def has_awning(front: FrontPlan, chance: Chance) -> bool:
    """Whether cloth hangs over a front."""
    fitting = front.group in ("cafe", "food", "shop", "grocery") and _head(front) - front.foot > 2.5
    return fitting and chance.unit("awning") < 0.3


def awning_box(front: FrontPlan) -> tuple[float, float, float, float, float, float]:
    """The room that an awning takes."""
    slot, head = front.slot, _head(front)
    points = [slot.facade.at(u, out) for u in (slot.u0, slot.u1) for out in (0.1, 1.0)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), front.foot + 2.3, max(xs), max(ys), head


def _window(wall: Wall, front: FrontPlan, u: tuple[float, float], head: float, chance: Chance, color: str) -> None:
    """A display over a stall riser; a narrow rest beside the door becomes a panel."""
    foot = front.foot
    low = min(front.ground(u[0]), front.ground(u[1])) - 0.05
    if u[1] - u[0] < 0.5:
        wall.panel(u, (low, head), GLASS, color=color)
        return
    kind = front.group if front.group in displays.KINDS else "shop"
    if kind == "shop":
        kind = chance.choice(("shop", "shop_2"), "display")
    wall.box(u, (low, foot + STALL), (0.0, STALL_OUT), color=color, faces="ft")
    width = u[1] - u[0]
    parts = 1 if width <= displays.WINDOW[0] else 2
    for i in range(parts):
        a, b = u[0] + width * i / parts, u[0] + width * (i + 1) / parts
        cell = displays.window_cell(kind, b - a, 0.0 if i == 0 else max(0.0, displays.WINDOW[0] - (b - a)))
        wall.panel((a, b), (foot + STALL, head), GLASS, uv=cell, material=displays.MATERIAL)


def _awning(wall: Wall, front: FrontPlan, head: float, color: str) -> None:
    """Cloth from under the fascia outwards, its edge 2.3 m above the pavement."""
    slot = front.slot
    u0, u1, deep, top, low = slot.u0 + 0.05, slot.u1 - 0.05, 0.95, head - 0.02, max(front.foot + 2.32, head - 0.32)
    p = wall.point
    cloth = [p(u0, low, deep), p(u1, low, deep), p(u1, top, PILLAR_OUT), p(u0, top, PILLAR_OUT)]
    wall.model.quad(cloth, color=color)
    wall.model.quad([cloth[3], cloth[2], cloth[1], cloth[0]], color="#b8b2a6")
    wall.model.quad([p(u0, low - 0.02, deep), p(u1, low - 0.02, deep), cloth[1], cloth[0]], color=color)
    for u, order in ((u0, 1), (u1, -1)):
        side = [p(u, low, deep), p(u, top, PILLAR_OUT), p(u, low, PILLAR_OUT)]
        wall.model.add(side[::order], [(0, 1, 2)], [(0.0, 0.0)] * 3, color=color)
        wall.model.add(side[::-order], [(0, 1, 2)], [(0.0, 0.0)] * 3, color="#b8b2a6")


def _head(front: FrontPlan) -> float:
    """Upper edge of door and windows: `high` above the pavement, less under low eaves."""
    room = front.slot.facade.top - 0.06 - front.board
    return max(front.foot + 2.12, min(front.foot + front.high, room))


def draw_fascia(front: FrontPlan, rows: Sequence[tuple[Lettered, float]]) -> Wall:
    """The board over the whole front with its rows of text (and their capitals), readable from the street."""
    slot = front.slot
    wall = Wall(slot.facade)
    low = _head(front)
    high = low + plain_sum(text.height * capital for text, capital in rows)
    wall.box((slot.u0, slot.u1), (low, high), (0.0, BOARD_OUT), color=front.scheme.ground, faces="lrtd")
    for text, capital in reversed(rows):
        material = f"@{text.material}"
        left = slot.middle - text.width * capital / 2
        patches = []
        for patch in text.patches:
            x0, z0, x1, z1 = (v * capital for v in patch.box)
            patches.append(((left + x0, low + z0, left + x1, low + z1), patch.uv))
        wall.panels(patches, BOARD_OUT, material)
        low += text.height * capital
    return wall


def board(
    wall: Wall, printed: Printed, u: tuple[float, float, float, float], z: tuple[float, float], out: float
) -> None:
    """Text between u[1] and u[2] and its own ground out to u[0] and u[3], in one plane without overlap."""
    left, top, right, bottom = printed.uv
    material = f"@{printed.material}"
    wall.panel((u[1], u[2]), z, out, uv=printed.uv, material=material)
    if u[1] - u[0] > 0.01:
        wall.panel((u[0], u[1]), z, out, uv=(left, top, left, top), material=material)
    if u[3] - u[2] > 0.01:
        wall.panel((u[2], u[3]), z, out, uv=(right, bottom, right, bottom), material=material)


def _blade_place(front: FrontPlan, height: float, at_left: bool) -> tuple[float, float]:
    """Where along the wall a blade hangs, and its underside, at least 2.6 m up."""
    u = front.slot.u0 + 0.07 if at_left else front.slot.u1 - 0.07
    low = max(front.foot + BLADE_LOW, board_top(front) + 0.03)
    if low + height > front.slot.facade.top - 0.1:
        low = max(front.foot + BLADE_LOW, _head(front))
    return u, low


def blade_box(front: FrontPlan, height: float, *, at_left: bool) -> tuple[float, float, float, float, float, float]:
    """The room that a blade of a height takes."""
    u, low = _blade_place(front, height, at_left)
    points = [
        front.slot.facade.at(a, out) for a in (u - 0.05, u + 0.05) for out in (0.1, BOARD_OUT + 0.03 + BLADE_WIDTH)
    ]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), low, max(xs), max(ys), low + height


def draw_blade(front: FrontPlan, printed: Printed, *, at_left: bool) -> Wall:
    """A sign across the pavement with the same picture on both sides."""
    wall = Wall(front.slot.facade)
    capital = BLADE_WIDTH / printed.width
    height = printed.height * capital
    u, low = _blade_place(front, height, at_left)
    o0, o1, thick = BOARD_OUT + 0.03, BOARD_OUT + 0.03 + BLADE_WIDTH, 0.035
    p = wall.point
    # a viewer walking along the wall has its outside on the right hand, one coming back on the left
    for (a, b), side in (((o0, o1), u - thick), ((o1, o0), u + thick)):
        corners = [p(side, low, a), p(side, low, b), p(side, low + height, b), p(side, low + height, a)]
        wall.model.quad(corners, printed.uv, material=f"@{printed.material}")
    edge = "#2b2e31"
    wall.box((u - thick, u + thick), (low, low + height), (o0, o1), color=edge, faces="ftd")
    wall.box((u - 0.02, u + 0.02), (low + height * 0.4, low + height * 0.6), (0.0, o0), color=edge, faces="lrtd")
    return wall
