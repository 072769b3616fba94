"""What reaches over the pavement: canopies, awnings, roofs over doors."""

from collections.abc import Sequence

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.blocks import Paint, boxes, sheets
from citysim.build.buildings.doors import Door
from citysim.build.buildings.paint.kit import cell
from citysim.build.buildings.pieces import Interval, Look
from citysim.build.buildings.segments import Segment
from citysim.build.chance import Chance
from citysim.build.mesh import Detail

CLOTH: tuple[Rgba, ...] = (
    (140, 40, 50, 255), (46, 92, 70, 255), (50, 74, 118, 255), (196, 140, 52, 255), (226, 214, 184, 255),
    (96, 60, 56, 255),
)  # fmt: skip
CANOPY_OUT, AWNING_OUT = 1.8, 1.2  # metres
CANOPY_LOW, AWNING_LOW = 3.55, 2.35  # metres above the pavement


def emit_streetside(
    batch: Batch,
    segment: Segment,
    ground: float,
    top: float,
    look: Look,
    doors: Sequence[Door],
    named: bool,
    chance: Chance,
) -> list[tuple[float, float, float, float]]:
    """Cover one piece of street wall; `named` tells that a place will put its own front there.

    `ground` is the pavement's height, `top` that of the ground floor's ceiling. Returns what `Facade.covers` holds.
    """
    shares = dict(look.style.attachments)
    covers: list[tuple[float, float, float, float]] = []
    if "door_canopy" in shares:
        for door in doors:
            u0, u1 = max(0.05, door.u - 1.1), min(segment.length - 0.05, door.u + 1.1)
            z = ground + door.size[1] + 0.3
            boxes(
                batch,
                segment,
                [(u0, u1, z, z + 0.14, 0.0, 1.1)],
                Paint("trim/sheet", (150, 156, 160, 255), Detail.MIDDLE),
            )
    if segment.length < 3.0:
        return covers
    if chance.unit("canopy") < shares.get("canopy", 0.0) and top - ground > CANOPY_LOW + 0.3:
        covers.append(_canopy(batch, segment, ground, chance))
    elif not named and "awning" in shares:
        blocked = [d.span for d in doors]
        _awnings(batch, segment, ground, blocked, shares["awning"], chance.child("awning"))
    return covers


def _canopy(batch: Batch, segment: Segment, ground: float, chance: Chance) -> tuple[float, float, float, float]:
    """A slab over the pavement with a fascia."""
    u0, u1 = 0.06, segment.length - 0.06
    z = ground + CANOPY_LOW + 0.1 * chance.integer(0, 4, "z")
    grey = chance.integer(165, 215, "grey")
    paint = Paint("plain/concrete", (grey, grey, max(0, grey - 6), 255), Detail.MIDDLE)
    boxes(batch, segment, [(u0, u1, z, z + 0.22, 0.0, CANOPY_OUT)], paint)
    lamps = [(u - 0.5, u + 0.5, z - 0.01, z, 0.8, 0.95) for u in _marks(u0 + 1.2, u1 - 1.2, 5.0)]
    boxes(batch, segment, lamps, Paint("kit/lamp", (255, 255, 255, 255), Detail.FINE), "d")
    return (u0, u1, z, CANOPY_OUT)


def _marks(low: float, high: float, step: float) -> list[float]:
    count = int((high - low) / step) if high > low else -1
    return [low + step * k for k in range(count + 1)]


def _awnings(
    batch: Batch, segment: Segment, ground: float, blocked: Sequence[Interval], share: float, chance: Chance
) -> None:
    """Sloping cloths of 2.4-3.6 m between the doors."""
    at, n = 0.3, 0
    quads, valances, sides = [], [], []
    while at + 2.2 < segment.length:
        one = chance.child(n)
        wide = min(one.uniform(2.4, 3.6, "wide"), segment.length - 0.3 - at)
        span = (at, at + wide)
        n += 1
        at += wide + 0.4
        if one.unit("there") > share or any(a < span[1] and span[0] < b for a, b in blocked):
            continue
        low, high, out = ground + AWNING_LOW + 0.2, ground + AWNING_LOW + 0.75, AWNING_OUT
        u0, u1 = span
        quads.append([(u0, low, out), (u1, low, out), (u1, high, 0.02), (u0, high, 0.02)])
        valances.append([(u0, low - 0.2, out), (u1, low - 0.2, out), (u1, low, out), (u0, low, out)])
        sides.append([(u0, low, 0.02), (u0, low, out), (u0, high, 0.02), (u0, high, 0.02)])
        sides.append([(u1, low, out), (u1, low, 0.02), (u1, high, 0.02), (u1, high, 0.02)])
    paint = Paint("kit/sheet", chance.choice(CLOTH, "cloth"), Detail.FINE, cell("awning"))
    sheets(batch, segment, [*quads, *valances], paint, both=True)
    sheets(batch, segment, sides, Paint("kit/sheet", paint.color, Detail.FINE, cell("slab")), both=True)
