"""The surfaces around a native walker: gathered now and then, asked for contacts and heights many times."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.geometry.capsules import capsule_gap
from citysim.geometry.contacts import contact
from citysim.geometry.gather import load_triangle, triangles_in_box
from citysim.geometry.jit import helper

Array = NDArray[np.float64]

MARGIN_M = 0.35  # gathered further than needed: a walk of 1.5 m/s gathers four times a second
REACH_M = 0.25  # as in walker.py: how far contacts are asked for
NEAR_M = 0.10
SHOVE_M = 0.06

# Columns of `Near.store`.
CORNERS, NORMAL, BOUNDS, RANK, ID, STORE = 0, 9, 12, 18, 19, 20
# Columns of `Near.planes`.
LINE, PLANE = 5, 8
# Places in `Near.desk`: gathered rows, gathered box, rows that did not fit (else 0); where contacts were last found
# (foot point, reach, nearest), how many, whether they still hold; rays of the sole and of the rim; the walker's body.
COUNT, BOX, NEEDED, KNOWN, PLANES, VALID, SOLE, RIM = 0, 1, 7, 8, 13, 14, 15, 16
RADIUS, HEIGHT, STEP, WALKABLE, GRAVITY, JUMP, FALL, SKIN = range(17, 25)
# How many rows of `people` there are, how many of them stand for good (the others move), substeps the others have done
# before the first wish, and whether one of them was near when contacts were last found.
PEOPLE, STANDING, FIRST, CLOSE = range(25, 29)
DESK = 29


class Near(NamedTuple):
    """Arrays of one walker's surroundings. They are few, and plain arrays: handing one on costs a kernel two atomics.

    store   (G, 20) a gathered triangle a row: corners, unit normal, bounds, rank and id
    feet    (G,) int32 scratch
    planes  (P, 8) contacts, nearest first: gap, normal, 1 for a moving body; and a line of the slide
    people  (C, 11) capsules: foot point now, radius, height, foot point at first, metres a substep
    rays    (R, 3) east, north and drop of the ground rays: sole, rim; then metres at which the slope ahead is felt
    desk    (29,) see above
    """

    store: Array
    feet: NDArray[np.int32]
    planes: Array
    people: Array
    rays: Array
    desk: Array


@helper
def gather(near: Any, tables: Any, x: float, y: float, z: float, move: float, fall: float) -> None:
    """Have the triangles that a move of so many metres may ask for, and a fall of so many."""
    store, feet, _, _, rays, desk = near
    # The contacts of a rise or drop reach furthest, or the rays that feel the slope ahead.
    reach = max(REACH_M, move + SHOVE_M + max(fall, desk[STEP]) + desk[SKIN])
    across = move + max(desk[RADIUS] + reach, rays[len(rays) - 1, 0])
    down, upward = max(fall, desk[STEP], reach - desk[STEP]) + fall, desk[HEIGHT] + reach + fall
    if (
        x - across >= desk[BOX]
        and y - across >= desk[BOX + 1]
        and z - down >= desk[BOX + 2]
        and x + across <= desk[BOX + 3]
        and y + across <= desk[BOX + 4]
        and z + upward <= desk[BOX + 5]
    ):
        return
    across, down, upward = across + MARGIN_M, down + MARGIN_M, upward + MARGIN_M
    desk[BOX], desk[BOX + 1], desk[BOX + 2] = x - across, y - across, z - down
    desk[BOX + 3], desk[BOX + 4], desk[BOX + 5] = x + across, y + across, z + upward
    count = triangles_in_box(tables, desk[BOX : BOX + 6], feet)
    if count > len(feet):
        desk[NEEDED] = count
        count = len(feet)
    desk[COUNT] = count
    _, owners, ids, _, _, _, ranks, _ = tables
    for k in range(count):
        load_triangle(tables, feet[k], store[k, CORNERS:NORMAL], store[k, NORMAL:BOUNDS])
        for axis in range(3):
            a, b, c = store[k, axis], store[k, axis + 3], store[k, axis + 6]
            store[k, BOUNDS + axis], store[k, BOUNDS + 3 + axis] = min(a, b, c), max(a, b, c)
        store[k, RANK], store[k, ID] = ranks[owners[feet[k]]], ids[feet[k]]


@helper
def move_people(near: Any, substep: int) -> None:
    """Where the moving capsules are after so many substeps; contacts found before hold unless one is or was near."""
    _, _, _, people, _, desk = near
    limit, close = desk[RADIUS] + max(desk[KNOWN + 3], REACH_M), False
    for k in range(int(desk[STANDING]), int(desk[PEOPLE])):
        for c in range(3):
            people[k, c] = people[k, 5 + c] + people[k, 8 + c] * (desk[FIRST] + substep)
        dx, dy, reach = people[k, 0] - desk[KNOWN], people[k, 1] - desk[KNOWN + 1], limit + people[k, 3]
        close = close or dx * dx + dy * dy <= reach * reach
    if close or desk[CLOSE] == 1.0:
        desk[VALID] = 0.0
    desk[CLOSE] = 1.0 if close else 0.0


@helper
def find_planes(near: Any, x: float, y: float, z: float, reach: float) -> int:
    """Contacts of the lifted capsule over a foot point: the first so many rows of `planes` are within reach."""
    _, _, planes, _, _, desk = near
    dx, dy, dz = x - desk[KNOWN], y - desk[KNOWN + 1], z - desk[KNOWN + 2]
    moved = np.sqrt(dx * dx + dy * dy + dz * dz)
    nearest, valid = desk[KNOWN + 4], desk[VALID] == 1.0
    if valid and moved + reach < nearest - 1e-6:
        return 0
    if not (valid and moved == 0.0 and reach <= desk[KNOWN + 3]):
        asked = reach
        if not (desk[PLANES] > 0.0 and nearest < NEAR_M):
            asked = max(reach, REACH_M)
        count = _contacts(near, x, y, z, asked)
        desk[KNOWN], desk[KNOWN + 1], desk[KNOWN + 2], desk[KNOWN + 3] = x, y, z, asked
        desk[KNOWN + 4] = planes[0, 0] if count > 0 else asked
        desk[PLANES], desk[VALID] = count, 1.0
    within = 0
    while within < desk[PLANES] and planes[within, 0] <= reach:
        within += 1
    return within


@helper
def _contacts(near: Any, x: float, y: float, z: float, reach: float) -> int:
    """Fill `planes`, nearest first."""
    store, _, planes, people, _, desk = near
    radius = desk[RADIUS]
    grown = radius + reach
    low, high = z + desk[STEP] + radius, z + desk[HEIGHT] - radius
    x0, y0, z0, x1, y1, z1 = x - grown, y - grown, low - grown, x + grown, y + grown, high + grown
    row, count = np.empty(7), 0
    for k in range(int(desk[COUNT])):
        if store[k, BOUNDS] > x1 or store[k, BOUNDS + 3] < x0:
            continue
        if store[k, BOUNDS + 1] > y1 or store[k, BOUNDS + 4] < y0:
            continue
        if store[k, BOUNDS + 2] > z1 or store[k, BOUNDS + 5] < z0:
            continue
        # The plane alone rules most out; here, so that they cost no call.
        base = store[k, 9] * (x - store[k, 0]) + store[k, 10] * (y - store[k, 1]) + store[k, 11] * (low - store[k, 2])
        other = base + store[k, 11] * (high - low)
        if min(base, other) > grown + 1e-9 or max(base, other) < -grown - 1e-9:
            continue
        if contact(x, y, low, high, radius, reach, store[k, CORNERS:NORMAL], store[k, NORMAL:BOUNDS], row):
            _insert(planes, count, row[0], row[1], row[2], row[3], 0.0)
            count += 1
    for k in range(int(desk[PEOPLE])):
        span = grown + people[k, 3]
        if abs(people[k, 0] - x) <= span and abs(people[k, 1] - y) <= span:
            gap, nx, ny, nz, _, _, _ = capsule_gap(x, y, low, high, people[k])
            if gap - radius <= reach:
                _insert(planes, count, gap - radius, nx, ny, nz, 1.0)
                count += 1
    return count


@helper
def _insert(planes: Any, count: int, gap: float, nx: float, ny: float, nz: float, moving: float) -> None:
    """Put a row in its place among `count` sorted ones."""
    at = count
    while at > 0 and _before(gap, nx, ny, nz, planes[at - 1]):
        for c in range(5):
            planes[at, c] = planes[at - 1, c]
        at -= 1
    planes[at, 0], planes[at, 1], planes[at, 2], planes[at, 3], planes[at, 4] = gap, nx, ny, nz, moving


@helper
def _before(gap: float, nx: float, ny: float, nz: float, plane: Any) -> bool:
    if gap != plane[0]:
        return gap < plane[0]
    if nx != plane[1]:
        return nx < plane[1]
    if ny != plane[2]:
        return ny < plane[2]
    return nz < plane[3]
