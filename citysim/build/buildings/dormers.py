"""Dormers over the bays of a street wall, and chimneys at the party walls, on pitched roofs."""

import math
from collections.abc import Sequence

from citysim.build.buildings.batch import Batch
from citysim.build.buildings.blocks import Paint, boxes, sheets
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.paint.kit import cell
from citysim.build.buildings.pieces import Look, fit
from citysim.build.buildings.roofshapes import RoofShape
from citysim.build.buildings.segments import Segment, segments_of
from citysim.build.buildings.solid import Solid
from citysim.build.chance import Chance
from citysim.build.mesh import Detail
from citysim.build.plans import Xy

WIDE, HIGH = 1.3, 1.55  # metres: a dormer's front
APART = 1.8  # metres between chimneys
WHITE = (255, 255, 255, 255)


def emit_dormers(batch: Batch, panel: Panel, solid: Solid, look: Look, made: RoofShape, chance: Chance) -> None:
    """Dormers before every other bay of a wall whose roof rises from its eaves; steep low roofs get flat ones."""
    steep, run = made.steep, panel.run
    if steep < 0.5 or abs(panel.z1 - solid.eaves) > 0.05 or not run.exterior:
        return
    for n, segment in enumerate(segments_of(panel)):
        if segment.length < 2.6 or not _rises(made, solid, segment):
            continue
        bays = fit(segment.s0, segment.s1, look.style.uppers[0].bay)
        every = 2 if bays.count > 3 else 1
        phase = chance.integer(0, every, f"phase/{n}")
        picks = [k for k in range(bays.count) if k % every == phase and chance.unit(f"{n}/{k}") < 0.9]
        middles = [bays.start - segment.s0 + (k + 0.5) * bays.width for k in picks]
        middles = [u for u in middles if 1.1 < u < segment.length - 1.1]
        _dormers(batch, segment, solid, look, steep, middles, made.depth)


def _rises(made: RoofShape, solid: Solid, segment: Segment) -> bool:
    """Whether the roof goes up behind a wall (and not beside it, as at a gable)."""
    if made.across is None:
        return True
    (nx, ny), (ax, ay) = segment.normal, made.across
    return abs(nx * ax + ny * ay) > 0.9


def _dormers(
    batch: Batch, segment: Segment, solid: Solid, look: Look, steep: float, middles: Sequence[float], depth: float
) -> None:
    back = 0.35 if steep > 1.4 else 0.7  # metres behind the eaves
    low = solid.eaves + back * steep - 0.05
    high = low + HIGH
    reach = back + (high + 0.25 - low) / steep
    if reach > depth or high + 0.3 > solid.top + 0.2:
        return
    rows = [(u - WIDE / 2, u + WIDE / 2) for u in middles]
    fronts = [[(a, low, -back), (b, low, -back), (b, high, -back), (a, high, -back)] for a, b in rows]
    sheets(batch, segment, fronts, Paint("kit/sheet", WHITE, Detail.MIDDLE, cell("dormer")))
    cheeks, lids = [], []
    for a, b in rows:
        end = -(back + (high - low) / steep)
        cheeks.append([(a, low, -back), (a, high, -back), (a, high, end), (a, high, end)])
        cheeks.append([(b, high, end), (b, high, -back), (b, low, -back), (b, low, -back)])
        mid, ridge, tail = 0.5 * (a + b), high + 0.32, -(back + (high + 0.32 - low) / steep)
        lids.append(
            [(a - 0.12, high, -back + 0.12), (mid, ridge, -back + 0.12), (mid, ridge, tail), (a - 0.12, high, end)]
        )
        lids.append(
            [(mid, ridge, -back + 0.12), (b + 0.12, high, -back + 0.12), (b + 0.12, high, end), (mid, ridge, tail)]
        )
        gable = [(a, high, -back), (b, high, -back), (mid, ridge, -back), (mid, ridge, -back)]
        cheeks.append(gable)
    sheets(batch, segment, cheeks, Paint(look.plain, look.wall, Detail.MIDDLE))
    sheets(batch, segment, lids, Paint(look.roof_material, look.roof, Detail.MIDDLE))


def emit_party_chimneys(batch: Batch, panel: Panel, solid: Solid, look: Look, made: RoofShape, chance: Chance,
                        built: list[Xy]) -> None:  # fmt: skip
    """A stack at one end of a street wall, near the ridge; `built` are those of the house so far."""
    if made.across is None or made.steep <= 0.0:
        return
    for n, segment in enumerate(segments_of(panel)):
        if segment.length < 4.0 or not _rises(made, solid, segment):
            continue
        back = 0.75 * made.depth
        z = solid.eaves + back * made.steep
        for side in (0, 1):
            one = chance.child(f"{n}/{side}")
            if one.unit("there") > (0.75 if side == 0 else 0.25):
                continue
            u = 0.75 if side == 0 else segment.length - 0.75
            half = one.uniform(0.45, 0.7, "wide")
            at = segment.at(u, -back)
            if any(math.dist(at, other) < APART for other in built):
                continue  # both walls of a corner lead to the same ridge
            built.append(at)
            top = max(solid.top + 0.6, z + 1.2)
            shaft = [(u - 0.32, u + 0.32, z - 0.7, top, -back - half, -back + half)]
            boxes(batch, segment, shaft, Paint(look.plain, look.trim, Detail.MIDDLE), "flrtb")
            cap = [(u - 0.4, u + 0.4, top, top + 0.137, -back - half - 0.08, -back + half + 0.08)]
            boxes(batch, segment, cap, Paint("trim/sheet", (110, 104, 98, 255), Detail.FINE), "flrtb")


def emit_clock(batch: Batch, panel: Panel, solid: Solid) -> None:
    """A clock on every free face of a tower."""
    for segment in segments_of(panel):
        mid, half = 0.5 * segment.length, min(1.5, 0.36 * segment.length)
        z = solid.eaves - half - 1.2
        if panel.z1 < z + half or panel.z0 > z - half or not math.isfinite(z):
            continue
        span = [(mid - half, mid + half, z - half, z + half, 0.0, 0.09)]
        boxes(batch, segment, span, Paint("kit/sheet", WHITE, Detail.MIDDLE, cell("clock")), "flrtd")
