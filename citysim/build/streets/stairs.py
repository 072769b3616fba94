"""Stairs: treads, risers, side walls and railings of a flight, and its line in the network."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail, snap
from citysim.build.streets.barriers import beside as beside_line
from citysim.build.streets.flights import Flight
from citysim.build.streets.solids import ribbon, sheet

CHEEK = 0.2  # thickness of side walls, metres
COPING = 0.08  # how far a side wall stands above steps and ground, metres
FOOTING = 0.5
RAIL = 1.0  # height of railings, metres
RAIL_GAP = 0.45  # metres of a stair's end on the ground without railing
RAIL_FROM = 0.5  # drop beside a stair from which it gets railings, metres

Height = Callable[[Any], NDArray[np.float64]]


def build_flight(draft: CityDraft, flight: Flight, height: Height) -> int:
    """Add one flight to the draft; `height` gives the ground beside it. Returns its object id."""
    box = flight.outline.bounds
    middle = flight.corner(flight.length / 2, 0.0)
    ident = draft.add_object(
        "stairs",
        (float(middle[0]), float(middle[1]), flight.low),
        name=flight.way.name,
        heading_deg=float(np.degrees(np.arctan2(*flight.along)) % 360.0),
        bounds=(box[0], box[1], flight.low, box[2], box[3], flight.high),
        plan_id=flight.way.id,
        risers=flight.risers,
        width=round(flight.width, 2),
    )
    _steps(draft, flight, ident)
    for side in (-1.0, 1.0):
        _side(draft, flight, side, height, ident)
    if flight.raised:
        _back(draft, flight, height, ident)
    return ident


def _steps(draft: CityDraft, flight: Flight, ident: int) -> None:
    style = look(draft, "stairs")
    half = flight.width / 2
    treads = flight.treads()
    across = 2 * half / style.metres[0]
    for k, (start, end, z) in enumerate(treads):
        # two millimetres over the lattice's rounding, so that no ray slips between stair and ground
        start, end = start - (0.002 if k == 0 else 0.0), end + (0.002 if k == flight.risers else 0.0)
        if end - start > 0.002 and not (k == 0 and flight.raised):  # there the ground itself is the first tread
            ring = [
                flight.corner(start, half),
                flight.corner(start, -half),
                flight.corner(end, -half),
                flight.corner(end, half),
            ]
            points = np.column_stack([np.array(ring), np.full(4, z)])
            v0, v1 = start / style.metres[1], end / style.metres[1]
            draft.mesh.add(points, [(0, 1, 2), (0, 2, 3)], [(0, v0), (across, v0), (across, v1), (0, v1)],
                           style.material, ident, Detail.FINE)  # fmt: skip
        if k:
            below = treads[k - 1][2]
            left, right = flight.corner(start, half), flight.corner(start, -half)
            riser = [(*left, below), (*right, below), (*right, z), (*left, z)]
            uv = (0.0, 0.0, across, (z - below) / style.metres[1])
            draft.mesh.quad(riser, style.material, ident, Detail.FINE, uv,
                            (225, 225, 225, 255))  # fmt: skip
    line = flight.nosing()
    for (s0, z0), (s1, z1) in itertools.pairwise(line):
        corners = [flight.corner(s0, half), flight.corner(s0, -half), flight.corner(s1, -half), flight.corner(s1, half)]
        face = np.column_stack([np.array(corners), [z0, z0, z1, z1]])
        uv = (0.0, s0 / style.metres[1], across, s1 / style.metres[1])
        draft.mesh.quad(face, style.material, ident, Detail.COARSE, uv)


def _profile(flight: Flight, side: float, height: Height) -> tuple[NDArray[np.float64], ...]:
    """Distances from the foot, and there: point outside, nosing height, ground height beside."""
    s = np.array([p[0] for p in flight.nosing()])
    even = np.linspace(0.0, flight.length, max(int(flight.length / 1.5), 1) + 1)
    s = np.unique(np.concatenate([s, even, [RAIL_GAP, flight.length - RAIL_GAP]]))
    nose = np.interp(s, *np.array(flight.nosing()).T)
    outer = np.array([flight.corner(x, side * flight.width / 2) for x in s])
    beside = height(np.array([flight.corner(x, side * (flight.width / 2 + 0.02)) for x in s]))
    return s, outer, nose, beside


def _side(draft: CityDraft, flight: Flight, side: float, height: Height, ident: int) -> None:
    s, outer, nose, beside = _profile(flight, side, height)
    inner = np.array([flight.corner(x, side * (flight.width / 2 - CHEEK)) for x in s])
    lift = np.where((s > 0.05) & (s < flight.length - 0.05), COPING, 0.02)
    top = np.maximum(nose, beside if flight.sunken else np.minimum(beside, nose + 3.0)) + lift
    foot = np.minimum(nose, beside) - FOOTING
    ribbon(draft, outer, inner, foot, top, "concrete", ident, flip=side > 0)
    if np.abs(beside - nose).max() > RAIL_FROM:
        middle = (outer + inner) / 2
        # where a stair ends on the ground the railing stops short: people pass there
        start = 0.0 if flight.sunken else RAIL_GAP
        end = flight.length - (0.0 if flight.raised else RAIL_GAP)
        on = (s >= start) & (s <= end)
        if on.sum() > 1:
            sheet(draft, middle[on], top[on], top[on] + RAIL, "rail_panel", ident)
            left, right = beside_line(middle[on], 0.03)
            ribbon(draft, right, left, top[on] + RAIL - 0.04, top[on] + RAIL, "metal", ident,
                   detail=Detail.FINE, bottom=True)  # fmt: skip


def _back(draft: CityDraft, flight: Flight, height: Height, ident: int) -> None:
    half = flight.width / 2
    left, right = flight.corner(flight.length, half), flight.corner(flight.length, -half)
    base = float(np.min(height([left, right]))) - FOOTING
    style = look(draft, "concrete")
    face = [(*right, base), (*left, base), (*left, flight.high), (*right, flight.high)]
    draft.mesh.quad(face, style.material, ident, uv=(0.0, 0.0, flight.width / 2, (flight.high - base) / 2))


def flight_line(flight: Flight) -> NDArray[np.float64]:
    """(K, 3) the network line from foot to head: along the nosings, level on landings, points at most 2 m apart."""
    stops = flight.nosing()
    s = np.array([p[0] for p in stops])
    count = max(int(np.ceil(flight.length / 1.9)), 1)
    s = np.unique(np.concatenate([s, np.linspace(0.0, flight.length, count + 1)]))
    z = np.interp(s, *np.array(stops).T)
    xy = np.array([flight.corner(x, 0.0) for x in s])
    xy[0], xy[-1] = flight.foot, flight.head
    z[0], z[-1] = flight.low, flight.high
    return snap(np.column_stack([xy, z]))
