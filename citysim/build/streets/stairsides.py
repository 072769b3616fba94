"""Stair sides: the walls and railings beside flights of stairs and escalators."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail
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


def profile(flight: Flight, side: float, height: Height) -> tuple[NDArray[np.float64], ...]:
    """Distances from the foot, and there: point outside, nosing height, ground height beside."""
    stops = np.array(flight.nosing())
    s = stops[:, 0]
    if not flight.moving:
        even = np.linspace(0.0, flight.length, max(int(flight.length / 1.5), 1) + 1)
        s = np.unique(np.concatenate([s, even, [RAIL_GAP, flight.length - RAIL_GAP]]))
    nose = np.interp(s, *stops.T)
    outer = np.array([flight.corner(x, side * flight.width / 2) for x in s])
    beside = height(np.array([flight.corner(x, side * (flight.width / 2 + 0.02)) for x in s]))
    straight = np.interp(s, [0.0, flight.length], beside[[0, -1]])
    if np.abs(beside - straight).max() < 0.05 and np.abs(beside - nose).max() < RAIL_FROM:  # no railing, even ground
        kept = np.isin(s, stops[:, 0])
        s, outer, nose, beside = s[kept], outer[kept], nose[kept], beside[kept]
    return s, outer, nose, beside


def build_side(draft: CityDraft, flight: Flight, side: float, height: Height, ident: int) -> None:
    """Add the wall on one side (-1 right, 1 left) of a flight, and its railing where the ground beside is lower."""
    s, outer, nose, beside = profile(flight, side, height)
    inner = np.array([flight.corner(x, side * (flight.width / 2 - CHEEK)) for x in s])
    lift = np.where((s > 0.05) & (s < flight.length - 0.05), COPING, 0.02)
    top = np.maximum(nose, beside if flight.sunken else np.minimum(beside, nose + 3.0)) + lift
    foot = np.minimum(nose, beside) - FOOTING
    ribbon(draft, outer, inner, foot, top, "concrete", ident, flip=side > 0, detail=Detail.MIDDLE)
    ends = [0, -1]  # far off a side is straight
    ribbon(draft, outer[ends], inner[ends], foot[ends], top[ends], "concrete", ident, side > 0, Detail.FAR, False)
    if np.abs(beside - nose).max() > RAIL_FROM and not flight.moving:
        middle = (outer + inner) / 2
        # where a stair ends on the ground the railing stops short: people pass there
        start = 0.0 if flight.sunken else RAIL_GAP
        end = flight.length - (0.0 if flight.raised else RAIL_GAP)
        on = (s >= start) & (s <= end)
        if on.sum() > 1:
            sheet(draft, middle[on], top[on], top[on] + RAIL, "rail_panel", ident, Detail.MIDDLE)
            left, right = beside_line(middle[on], 0.03)
            ribbon(draft, right, left, top[on] + RAIL - 0.04, top[on] + RAIL, "metal", ident,
                   detail=Detail.FINE, bottom=True)  # fmt: skip
