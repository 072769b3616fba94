"""After a step: who touches the agent is found, once a touch."""

from typing import Any, NamedTuple

import numpy as np

from citysim.crowd.rows import HOT_RADIUS, HOT_VX, HOT_VY, HOT_X, HOT_Y, HOT_Z, LEVEL_M, RADIUS, VX, VY, X, Y, Z
from citysim.geometry.jit import kernel

APART_M = 0.1  # a touch is over when the gap is wider


class Contact(NamedTuple):
    """A person and the agent touched: person's number, seconds, place between them, closing speed, and whose it was.

    `agent_share` is the part of the closing speed (m/s) that was the agent's own: 1 it walked into the person, 0 the
    person walked into it.
    """

    person: int
    time: float
    east: float
    north: float
    up: float
    speed: float
    agent_share: float


@kernel
def touches(state: Any, active: Any, body: Any, touched: Any, found: Any) -> int:
    """Who touches a body (8,) now and did not before, into `found` (N,); gives how many."""
    count = 0
    for i in range(state.shape[1]):
        if not active[i]:
            touched[i] = 0
            continue
        dx, dy = state[X, i] - body[HOT_X], state[Y, i] - body[HOT_Y]
        limit = state[RADIUS, i] + body[HOT_RADIUS]
        wide = limit + APART_M
        square = dx * dx + dy * dy
        if square >= wide * wide or abs(state[Z, i] - body[HOT_Z]) >= LEVEL_M:
            touched[i] = 0
        elif square < limit * limit and not touched[i]:
            touched[i] = 1
            found[count] = i
            count += 1
    return count


def contact(i: int, time: float, state: Any, body: Any) -> Contact:
    """The record of a touch of person i and a body."""
    dx, dy = float(state[X, i] - body[HOT_X]), float(state[Y, i] - body[HOT_Y])
    apart = max(float(np.sqrt(dx * dx + dy * dy)), 1e-9)
    mine = max(float(body[HOT_VX] * dx + body[HOT_VY] * dy) / apart, 0.0)
    theirs = max(-float(state[VX, i] * dx + state[VY, i] * dy) / apart, 0.0)
    share = mine / (mine + theirs) if mine + theirs > 0.0 else 0.5
    part = float(body[HOT_RADIUS]) / float(body[HOT_RADIUS] + state[RADIUS, i])
    east, north = float(body[HOT_X]) + dx * part, float(body[HOT_Y]) + dy * part
    return Contact(i, time, east, north, float(body[HOT_Z]), mine + theirs, share)
