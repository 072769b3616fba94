"""Escalators: moving stairs in the ground, with balustrades and a roof; their objects say how they carry a walker."""

import itertools
import math

import numpy as np

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail
from citysim.build.streets.flights import Flight
from citysim.build.streets.solids import box, ribbon, sheet
from citysim.build.streets.stairsides import CHEEK, Height, build_side

SPEED = 0.5  # metres a second along the slope
BALUSTRADE = 0.95  # metres above the steps
ROOF, SLAB = 2.75, 0.12  # clear height below the roof, and its thickness, metres
EAVES = 0.28  # metres that the roof stands out beside the walls
STAGGER = 0.16  # metres by which roofs of descending ones lie lower: side by side, their eaves overlap
POST, POST_SPACING = 0.14, 5.0


def build_escalator(draft: CityDraft, flight: Flight, height: Height) -> int:
    """Add one escalator to the draft; `height` gives the ground beside it. Returns its object id."""
    way = flight.way
    upwards = (way.conveying > 0) == flight.upwards
    start, end = (flight.foot, flight.low), (flight.head, flight.high)
    if not upwards:
        start, end = end, start
    bounds = flight.outline.bounds
    middle = flight.corner(flight.length / 2, 0.0)
    ident = draft.add_object(
        "escalator",
        (float(middle[0]), float(middle[1]), flight.low),
        name=way.name,
        heading_deg=math.degrees(math.atan2(end[0][0] - start[0][0], end[0][1] - start[0][1])) % 360.0,
        bounds=(bounds[0], bounds[1], flight.low, bounds[2], bounds[3], flight.high + ROOF),
        plan_id=way.id,
        direction="up" if upwards else "down",
        carrier=[*start[0], start[1], *end[0], end[1], round(flight.width - 2 * CHEEK, 3), SPEED],
    )
    _steps(draft, flight, ident)
    for side in (-1.0, 1.0):
        build_side(draft, flight, side, height, ident)
        _balustrade(draft, flight, side, ident)
    _roof(draft, flight, ident, ROOF if upwards else ROOF - STAGGER)
    return ident


def _steps(draft: CityDraft, flight: Flight, ident: int) -> None:
    style = look(draft, "stairs")
    half = flight.width / 2
    along = 0.0
    across = flight.width / style.metres[0]
    for (s0, z0), (s1, z1) in itertools.pairwise(flight.nosing()):
        s0, s1 = s0 - (0.002 if s0 == 0.0 else 0.0), s1 + (0.002 if s1 == flight.length else 0.0)
        ring = [flight.corner(s0, half), flight.corner(s0, -half), flight.corner(s1, -half), flight.corner(s1, half)]
        face = np.column_stack([np.array(ring), [z0, z0, z1, z1]])
        length = math.hypot(s1 - s0, z1 - z0)
        v0, v1 = along / style.metres[1], (along + length) / style.metres[1]
        uvs = [(0.0, v0), (across, v0), (across, v1), (0.0, v1)]
        draft.mesh.add(face, [(0, 1, 2), (0, 2, 3)], uvs, style.material, ident, color=(150, 152, 158, 255))
        along += length


def _balustrade(draft: CityDraft, flight: Flight, side: float, ident: int) -> None:
    stops = [p for p in flight.nosing() if 0.0 < p[0] < flight.length]
    stops = [(0.35, flight.low), *stops, (flight.length - 0.35, flight.high)]
    line = np.array([flight.corner(s, side * (flight.width / 2 - CHEEK / 2)) for s, _ in stops])
    z = np.array([z for _, z in stops])
    inner = np.array([flight.corner(s, side * (flight.width / 2 - CHEEK + 0.02)) for s, _ in stops])
    outer = np.array([flight.corner(s, side * (flight.width / 2 - 0.02)) for s, _ in stops])
    sheet(draft, line, z, z + BALUSTRADE, "metal", ident, Detail.MIDDLE)
    ribbon(draft, outer, inner, z + BALUSTRADE - 0.07, z + BALUSTRADE, "metal", ident,
           flip=side > 0, detail=Detail.FINE, bottom=True)  # fmt: skip


def _roof(draft: CityDraft, flight: Flight, ident: int, clear: float) -> None:
    stops = flight.nosing()
    z = np.array([z for _, z in stops]) + clear
    left = np.array([flight.corner(s, flight.width / 2 + EAVES) for s, _ in stops])
    right = np.array([flight.corner(s, -flight.width / 2 - EAVES) for s, _ in stops])
    ribbon(draft, right, left, z, z + SLAB, "metal", ident, bottom=True)
    count = max(math.ceil(flight.length / POST_SPACING), 2)
    xs, zs = np.array(stops).T
    for k in range(count + 1):
        s = min(max(flight.length * k / count, 0.4), flight.length - 0.4)
        x, y = flight.corner(s, flight.width / 2 - CHEEK / 2)
        floor = float(np.interp(s, xs, zs))
        half = POST / 2
        box(draft, (x - half, y - half, floor), (x + half, y + half, floor + clear), "metal", ident, Detail.MIDDLE)
