"""What stands in a street that is closed: striped barriers, and a board with a notice."""

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.render.avatar.clear import Free, Ground, board_fits, free_spans
from citysim.render.avatar.looks import PARTS
from citysim.render.avatar.shapes import Sculpture
from citysim.render.bodies import Bodies, BodyMesh

Array = NDArray[np.float64]

WHITE, RED, FOOT, POST, SHEET, INK, LAMP = range(7)
BOARD_PARTS = (FOOT, POST, RED, SHEET, INK)
COLORS = ("#f2f2ee", "#c8201e", "#2c2d30", "#8d9298", "#f3d21f", "#1c1c1c", "#f0a020")
BARRIER_M, GAP_M = 2.0, 0.06  # how long a barrier is, and what stays open between two
BAR_UP, BAR_M = (0.36, 0.98), 0.20  # heights of the lower edges of its two boards, and how high one is
STRIPES = 8
FOOT_M = BARRIER_M / 2.0 - 0.16  # from a barrier's middle to its feet
SUNK_M = 0.3  # posts go on below the feet: the lower one of two beside a kerb still reaches the ground
SMALLEST = 0.6  # times the usual size, of a barrier in a narrow place
BOARD_BEFORE_M = 0.45  # a notice stands so far before the barriers
BOARD_AT = (0.5, 0.45, 0.55, 0.4, 0.6, 0.35, 0.65, 0.3, 0.7, 0.25, 0.75, 0.2, 0.8)  # of its line, the best place first


def barrier() -> BodyMesh:
    """A road barrier 2 m long and 1.2 m high, across the way it faces: striped boards on two feet, two lamps."""
    made = Sculpture()
    eye = np.eye(3)[None]
    half = BARRIER_M / 2.0
    for side in (-1.0, 1.0):
        y = side * FOOT_M
        made.box(FOOT, np.array([[0.0, y, 0.05]]), eye, (0.34, 0.10, 0.05), 0.85)
        made.box(POST, np.array([[0.0, y, 0.63 - SUNK_M / 2.0]]), eye, (0.022, 0.022, 0.55 + SUNK_M / 2.0))
        made.box(LAMP, np.array([[0.0, y, 1.24]]), eye, (0.035, 0.08, 0.07), 0.8)
    for low in BAR_UP:
        _stripes(made, low, half)
    return made.mesh(lamp=LAMP)


def _stripes(made: Sculpture, low: float, half: float) -> None:
    """A board of slanting stripes that is seen from both sides, with edges."""
    high, deep, slant = low + BAR_M, 0.028, 0.06
    edges = np.linspace(-half, half, STRIPES + 1)
    for k in range(STRIPES):
        a, b = float(edges[k]), float(edges[k + 1])
        lean = [slant if -half < y < half else 0.0 for y in (a, b)]
        rim = [(a - lean[0], low), (b - lean[1], low), (b + lean[1], high), (a + lean[0], high)]
        part = RED if k % 2 == 0 else WHITE
        made.plate(part, np.array([[(deep, y, z) for y, z in rim]]))
        made.plate(part, np.array([[(-deep, y, z) for y, z in reversed(rim)]]))
    for z, turn in ((high, 1), (low, -1)):
        rim3 = [(-deep, -half, z), (deep, -half, z), (deep, half, z), (-deep, half, z)][::turn]
        made.plate(WHITE, np.array([rim3]))
    for y, turn in ((half, 1), (-half, -1)):
        rim3 = [(deep, y, low), (-deep, y, low), (-deep, y, high), (deep, y, high)][:: int(turn)]
        made.plate(RED if turn < 0 else WHITE, np.array([rim3]))


def barrier_bodies(
    polylines: Sequence[Array], label_base: int = 0, ground: Ground | None = None, free: Free | None = None
) -> Bodies:
    """Barriers side by side along each (K, 3) line of local metres, to its left and right alike; `label_base + k`
    labels those of line k. With `ground` each stands on the higher of the places under its two feet; with `free` none
    stands through anything: they end before a wall, a bench or a post, and go on behind it.

    Pieces shorter than a barrier get one barrier at their middle, as small as they are; those shorter than half a one
    get none where others of the line stand. Raises InputError for lines with fewer than two points.
    """
    from citysim.render.avatar.people import BARRIER

    places, labels, scales = [], [], []
    for number, line in enumerate(polylines):
        points = np.asarray(line, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 3 or len(points) < 2:
            raise InputError("lines of at least two (east, north, up)", f"{points.shape}", "two ends")
        for a, b in itertools.pairwise(points):
            way = b - a
            length = float(np.hypot(way[0], way[1]))
            if length < 1e-6:
                continue
            yaw = float(np.arctan2(-way[0], way[1]))  # a barrier faces across its line
            for start, end in free_spans(a, b, ground, free):
                count = max(1, round((end - start) * length / (BARRIER_M + GAP_M)))
                for k in range(count):
                    places.append((*(a + way * (start + (end - start) * (k + 0.5) / count)), yaw))
                    labels.append(label_base + number)
                    scales.append(min(max((end - start) * length / count / (BARRIER_M + GAP_M), SMALLEST), 1.1))
    if ground is not None and places:
        at = np.array(places)
        feet = FOOT_M * np.array(scales)[:, None] * np.column_stack([-np.sin(at[:, 3]), np.cos(at[:, 3])])
        sides = np.repeat(at[:, :3], 2, axis=0)
        sides[0::2, :2] += feet
        sides[1::2, :2] -= feet
        at[:, 2] = ground(sides).reshape(-1, 2).max(axis=1)
        places = [tuple(row) for row in at.tolist()]
    return _standing(BARRIER, places, labels, scales)


def notice_places(line: Array, ground: Ground, free: Free | None = None) -> Array:
    """(2, 4) places of boards before the middle of a line's longest piece, one to each side, for `board_bodies`.

    With `free` a board stands where nothing is in its way, as near to the middle as that is.
    """
    ways = np.diff(line, axis=0)
    k = int(np.hypot(ways[:, 0], ways[:, 1]).argmax())
    yaw = float(np.arctan2(-ways[k, 0], ways[k, 1]))
    rows = []
    for turn in (0.0, np.pi):
        ahead = BOARD_BEFORE_M * np.array([np.cos(yaw + turn), np.sin(yaw + turn), 0.0])
        spots = line[k] + np.array(BOARD_AT)[:, None] * ways[k] + ahead
        spots[:, 2] = ground(spots)
        clear = board_fits(spots, yaw + turn, free) if free is not None else np.ones(len(spots), dtype=np.bool_)
        rows.append([*spots[int(clear.argmax())], yaw + turn])
    return np.array(rows)


def board_bodies(places: Array, label_base: int = 0) -> Bodies:
    """Notice boards at (N, 4) east, north, up and the yaw they face; board i has the label `label_base + i`."""
    from citysim.render.avatar.people import BOARD

    count = len(places)
    return _standing(BOARD, places.tolist(), list(range(label_base, label_base + count)), [1.0] * count)


def _standing(mesh: int, places: Sequence[Sequence[float]], labels: list[int], scales: list[float]) -> Bodies:
    from citysim.render.avatar.people import figures

    count = len(places)
    tints = np.zeros((PARTS, 3), dtype=np.uint8)
    tints[: len(COLORS)] = [[int(name[k : k + 2], 16) for k in (1, 3, 5)] for name in COLORS]
    meshes, coarser = figures()
    return Bodies(
        meshes, np.full(count, mesh, np.int32), np.array(places, dtype=np.float64).reshape(-1, 4), np.zeros(count),
        np.array(labels, dtype=np.int32), np.broadcast_to(tints, (count, PARTS, 3)).copy(),
        np.array(scales, dtype=np.float64), coarser,
    )  # fmt: skip
