"""Doors: a leaf in a frame for every entrance, with its house number."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.plates import emit_plate
from citysim.build.buildings.segments import Segment
from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail
from citysim.build.plans import EntrancePlan, Xy

SHEET = "door/sheet"
SHEET_SIZE = 512.0
# kind: (width, height) metres, and the pictures in the sheet as (left, top, right, bottom) pixels
KINDS: dict[str, tuple[tuple[float, float], tuple[tuple[int, int, int, int], ...]]] = {
    "main": ((1.6, 2.4), ((0, 0, 154, 230), (154, 0, 308, 230))),
    "yes": ((1.0, 2.1), ((308, 0, 404, 202), (404, 0, 500, 202))),
    "shop": ((1.0, 2.2), ((0, 232, 96, 443),)),
    "garage": ((2.5, 2.125), ((96, 232, 336, 436),)),
    "service": ((1.0, 2.1), ((336, 232, 432, 434),)),
}
ALIASES = {"staircase": "yes", "home": "yes", "emergency": "service", "exit": "service", "entrance": "yes"}
FRAME = 0.14  # metres: width of the frame
OUT = 0.14  # metres: how far the frame stands out
FOOT = 0.25  # metres: how far the frame goes below the ground, which may slope
LEAF = 0.03  # metres: how far the leaf stands out


@dataclass(frozen=True, slots=True)
class Door:
    """A door on a segment: `u` metres from its start, at the height `z` of the ground before it."""

    plan: EntrancePlan | None
    segment: Segment
    u: float
    size: tuple[float, float]
    kind: str

    @property
    def span(self) -> tuple[float, float]:
        """The interval along the segment that it takes, frame included."""
        half = 0.5 * self.size[0] + FRAME
        return (max(0.0, self.u - half), min(self.segment.length, self.u + half))

    @property
    def run_span(self) -> tuple[float, float]:
        """The same interval along the segment's run."""
        low, high = self.span
        return (self.segment.s0 + low, self.segment.s0 + high)


def place_doors(entrances: Sequence[EntrancePlan], segments: Sequence[Segment], longest: Segment | None) -> list[Door]:
    """Put every entrance on the nearest wall that is wide enough; without any, one in the middle of `longest`."""
    doors: list[Door] = []
    for plan in entrances:
        kind = ALIASES.get(plan.kind, plan.kind)
        kind = kind if kind in KINDS else "yes"
        size = KINDS[kind][0]
        room = size[0] + 2.0 * FRAME + 0.04
        fitting = [s for s in segments if s.length >= room]
        if not fitting:
            continue
        segment = min(fitting, key=lambda s: (round(s.nearest(plan.xy)[0], 3), s.a, s.b))
        _, u = segment.nearest(plan.xy)
        u = min(max(u, 0.5 * room), segment.length - 0.5 * room)
        door = Door(plan, segment, u, size, kind)
        taken = [d.span for d in doors if d.segment == segment]
        free = next((d for d in _shifted(door) if all(d.span[1] <= t0 or d.span[0] >= t1 for t0, t1 in taken)), None)
        if free is not None:
            doors.append(free)
    if not doors and longest is not None and longest.length >= KINDS["yes"][0][0] + 2.0 * FRAME + 0.04:
        kind = "main" if longest.length > 6.0 else "yes"
        doors.append(Door(None, longest, 0.5 * longest.length, KINDS[kind][0], kind))
    return doors


def _shifted(door: Door) -> list[Door]:
    """The door where it is, then ever further aside, at most 4 m."""
    half = 0.5 * door.size[0] + FRAME + 0.02
    found = []
    for step in range(17):
        for sign in (1.0, -1.0) if step else (1.0,):
            u = door.u + sign * step * 0.25
            if half <= u <= door.segment.length - half:
                found.append(Door(door.plan, door.segment, u, door.size, door.kind))
    return found


def emit_door(draft: CityDraft, door: Door, ground_z: float, building: int, frame: Rgba, chance: Chance) -> int:
    """Draw a door and give it an identity; returns its object id."""
    nx, ny = door.segment.normal
    x, y = door.segment.at(door.u)
    width, height = door.size
    plan = door.plan
    left, right = door.segment.at(door.u - width / 2, LEAF), door.segment.at(door.u + width / 2, LEAF)
    bounds = (
        min(left[0], right[0]), min(left[1], right[1]), ground_z,
        max(left[0], right[0]), max(left[1], right[1]), ground_z + height,
    )  # fmt: skip
    label = draft.add_object(
        "entrance" if plan is not None else "door",
        (x, y, ground_z),
        name=plan.name if plan is not None else "",
        heading_deg=round(math.degrees(math.atan2(nx, ny)) % 360.0, 3),
        bounds=bounds,
        parent=building,
        plan_id=plan.id if plan is not None else "",
        kind=plan.kind if plan is not None else door.kind,
        number=plan.number if plan is not None else "",
    )
    batch = Batch(draft.mesh, label)
    pictures = KINDS[door.kind][1]
    cell = chance.choice(pictures, "picture")
    u0, v0, u1, v1 = ((c + d) / SHEET_SIZE for c, d in zip(cell, (0.5, 0.5, -0.5, -0.5), strict=True))
    low, high = ground_z, ground_z + height
    batch.quad(
        [(*left, low), (*right, low), (*right, high), (*left, high)],
        [(u0, v1), (u1, v1), (u1, v0), (u0, v0)],
        SHEET,
        (255, 255, 255, 255),
        Detail.MIDDLE,
    )
    _frame(batch, door, ground_z, frame)
    if plan is not None and plan.number:
        emit_plate(batch, door.segment, door.u, high + FRAME + 0.1, plan.number)
    batch.flush()
    return label


def _frame(batch: Batch, door: Door, z: float, color: Rgba) -> None:
    """Two jambs and a lintel that stand out, so that the leaf lies deep between them."""
    half, (_, height) = 0.5 * door.size[0], door.size

    def piece(corners: Sequence[tuple[float, float, float]]) -> None:
        """Corners as (u, out, z) from the door's middle."""
        points = [(*door.segment.at(door.u + u, out), z + h) for u, out, h in corners]
        uvs = [((u + out) / 4.0, -(z + h) / 4.0) for u, out, h in corners]
        batch.quad(points, uvs, "plain/stone", color, Detail.FINE)

    top = height + FRAME
    for sign in (-1.0, 1.0):
        inner, outer = sign * half, sign * (half + FRAME)
        a, b = (outer, inner) if sign < 0 else (inner, outer)
        piece([(a, OUT, -FOOT), (b, OUT, -FOOT), (b, OUT, top), (a, OUT, top)])
        for u, rightwards in ((a, False), (b, True)):
            p, q = (OUT, 0.0) if rightwards else (0.0, OUT)
            piece([(u, p, -FOOT), (u, q, -FOOT), (u, q, top), (u, p, top)])
    piece([(-half, OUT, height), (half, OUT, height), (half, OUT, top), (-half, OUT, top)])
    piece([(-half, 0.0, height), (half, 0.0, height), (half, OUT, height), (-half, OUT, height)])
    w = half + FRAME
    piece([(-w, OUT, top), (w, OUT, top), (w, 0.0, top), (-w, 0.0, top)])


def outward(segment: Segment, u: float) -> Xy:
    """A point on the ground in front of a door."""
    return segment.at(u, 0.4)
