"""Stairs: treads, risers, side walls and railings of a flight, and its line in the network."""

import itertools

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail, snap
from citysim.build.streets.escalators import build_escalator
from citysim.build.streets.flights import Flight
from citysim.build.streets.stairsides import FOOTING, Height, build_side


def build_flight(draft: CityDraft, flight: Flight, height: Height) -> int:
    """Add one flight to the draft; `height` gives the ground beside it. Returns its object id."""
    if flight.moving:
        ident = build_escalator(draft, flight, height)
        if flight.raised:
            _back(draft, flight, height, ident)
        return ident
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
        build_side(draft, flight, side, height, ident)
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


def _back(draft: CityDraft, flight: Flight, height: Height, ident: int) -> None:
    half, end = flight.width / 2, flight.length - 0.012  # not in one plane with the ends of the side walls
    left, right = flight.corner(end, half), flight.corner(end, -half)
    base = float(np.min(height([left, right]))) - FOOTING
    style = look(draft, "concrete")
    face = [(*right, base), (*left, base), (*left, flight.high), (*right, flight.high)]
    draft.mesh.quad(face, style.material, ident, uv=(0.0, 0.0, flight.width / 2, (flight.high - base) / 2))


def flight_line(flight: Flight) -> NDArray[np.float64]:
    """(K, 3) the network line from foot to head: over nosings, level on landings, points hardly 2 m apart."""
    stops = flight.nosing()
    s = np.array([p[0] for p in stops])
    count = max(int(np.ceil(flight.length / 1.7)), 1)
    s = np.unique(np.concatenate([s, np.linspace(0.0, flight.length, count + 1)]))
    z = np.interp(s, *np.array(stops).T)
    if not flight.moving:  # on treads, just behind their nosings
        fronts, ends, heights = np.array(flight.treads()[1:]).T
        tread = np.abs(fronts[:, None] - s).argmin(axis=0)
        inner = (s > fronts[0] - 0.5) & (s > 0.0) & (s < flight.length)
        behind = np.minimum(0.02, (ends - fronts) / 2)
        s, z = np.where(inner, (fronts + behind)[tread], s), np.where(inner, heights[tread], z)
        s, first = np.unique(s, return_index=True)
        z = z[first]
    xy = np.array([flight.corner(x, 0.0) for x in s])
    xy[0], xy[-1] = flight.foot, flight.head
    z[0], z[-1] = flight.low, flight.high
    return snap(np.column_stack([xy, z]))
