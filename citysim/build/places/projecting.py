"""Signs across the pavement: where they hang, and how they are drawn."""

import math
from dataclasses import dataclass

import shapely

from citysim.build.chance import Chance
from citysim.build.facade import Facade
from citysim.build.places.clearance import Box, Clearance
from citysim.build.places.styles import Hung
from citysim.build.places.undersides import Undersides
from citysim.build.places.wall import Wall
from citysim.build.text.atlas import Printed

GAP = 0.3  # metres between the wall and the board, bridged by brackets
THICK = 0.11  # metres: half the thickness of a board
APART = 0.45  # metres between two of them
STEEL = "#3a3f44"


@dataclass(frozen=True, slots=True)
class Hook:
    """A free place for a board: `u` along the facade, from `out0` to `out1` in front of it, from `low` to `high`."""

    facade: Facade
    u: float
    out0: float
    out1: float
    low: float
    high: float


def find_hook(
    facade: Facade,
    us: tuple[float, ...],
    size: tuple[float, float],
    hung: Hung,
    undersides: Undersides,
    clearance: Clearance,
    least: float = -math.inf,
) -> Hook | None:
    """A place for a board of `size` (out, tall) at one of `us`, as low as allowed (and `least`), reserved; or None.

    Boards that find no room are tried smaller, and up to 4 m higher.
    """
    for scale in (1.0, 0.8, 0.62):
        out, tall = size[0] * scale, size[1] * scale
        if GAP + out > hung.reach:
            out = hung.reach - GAP
        for u in us:
            if not 0.15 <= u <= facade.length - 0.15:
                continue
            start = max(undersides.least(facade, u, GAP + out, hung), least)
            for lift in (0.0, 0.5, 1.1, 1.8, 2.6, 3.6):
                low = start + lift
                if low + tall > facade.top - 0.15:
                    break
                hook = Hook(facade, u, GAP, GAP + out, low, low + tall)
                if clearance.free(box_of(hook), APART, _footprint(hook)) and clearance.free(_brackets(hook), 0.0):
                    clearance.take(box_of(hook))
                    clearance.take(_brackets(hook))
                    return hook
    return None


def size_of(hung: Hung, chance: Chance) -> tuple[float, float]:
    """A board's width and height by chance, in steps of 5 cm so that pictures have few sizes."""
    return tuple(round(chance.uniform(*r, n) * 20) / 20 for r, n in ((hung.out, "out"), (hung.tall, "tall")))  # type: ignore[return-value]


def draw_hook(hook: Hook, printed: Printed, edge: str) -> Wall:
    """A board with the same picture on both sides on two brackets (and a stay where it is wide)."""
    wall = Wall(hook.facade)
    u, o0, o1, low, high = hook.u, hook.out0, hook.out1, hook.low, hook.high
    p = wall.point
    # a viewer walking along the wall has its outside on the right hand, one coming back on the left
    for (a, b), side in (((o0, o1), u - THICK), ((o1, o0), u + THICK)):
        corners = [p(side, low, a), p(side, low, b), p(side, high, b), p(side, high, a)]
        wall.model.quad(corners, printed.uv, material=f"@{printed.material}")
    wall.box((u - THICK, u + THICK), (low, high), (o0, o1), color=edge, faces="ftd")
    wall.model.quad(
        [p(u + THICK, low, o0), p(u - THICK, low, o0), p(u - THICK, high, o0), p(u + THICK, high, o0)], color=edge
    )
    for share in (0.12, 0.88) if high - low > 0.7 else (0.5,):
        z = low + share * (high - low) + 0.017  # not level with a fascia that it crosses
        wall.box((u - 0.03, u + 0.03), (z - 0.03, z + 0.03), (0.0, o0), color=STEEL, faces="lrtd")
    if o1 > 1.9 and high + 0.7 < hook.facade.top:
        stay = p(u, high + 0.6, 0.02), p(u, high, o0 + 0.7 * (o1 - o0))
        wall.model.tube(*stay, (0.018, 0.018), STEEL, sides=3, caps="")
    return wall


def box_of(hook: Hook) -> Box:
    """The room a board takes."""
    points = [hook.facade.at(u, out) for u in (hook.u - THICK, hook.u + THICK) for out in (hook.out0, hook.out1)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), hook.low, max(xs), max(ys), hook.high


def _brackets(hook: Hook) -> Box:
    """The room between a board and its wall."""
    points = [hook.facade.at(u, out) for u in (hook.u - 0.03, hook.u + 0.03) for out in (0.05, hook.out0)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), hook.low, max(xs), max(ys), hook.high


def _footprint(hook: Hook) -> shapely.Polygon:
    a, b = hook.u - THICK, hook.u + THICK
    f = hook.facade
    return shapely.Polygon([f.at(a, 0.15), f.at(b, 0.15), f.at(b, hook.out1 + 0.3), f.at(a, hook.out1 + 0.3)])
