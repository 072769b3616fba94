"""A notice on two posts, whose letters are strokes large enough to be read across a street."""

import itertools

import numpy as np
from numpy.typing import NDArray

from citysim.render.avatar.shapes import Sculpture
from citysim.render.bodies import BodyMesh

Array = NDArray[np.float64]
Strokes = tuple[tuple[tuple[float, float], ...], ...]

# Strokes of letters in a field 4 wide and 6 high, from its lower left corner.
LETTERS: dict[str, Strokes] = {
    "C": (((4, 6), (0, 6), (0, 0), (4, 0)),),
    "D": (((0, 0), (3, 0), (4, 1), (4, 5), (3, 6), (0, 6), (0, 0)),),
    "E": (((4, 6), (0, 6), (0, 0), (4, 0)), ((0, 3), (3.2, 3))),
    "L": (((0, 6), (0, 0), (4, 0)),),
    "N": (((0, 0), (0, 6)), ((0, 6), (4, 0)), ((4, 0), (4, 6))),
    "O": (((0, 0), (4, 0), (4, 6), (0, 6), (0, 0)),),
    "R": (((0, 0), (0, 6), (4, 6), (4, 3), (0, 3)), ((1.6, 3), (4, 0))),
    "S": (((0, 0), (4, 0), (4, 3), (0, 3), (0, 6), (4, 6)),),
    "T": (((2, 0), (2, 6)), ((0, 6), (4, 6))),
    "Y": (((2, 0), (2, 2.8)), ((0, 6), (2, 2.8)), ((4, 6), (2, 2.8))),
}
LINES = (("CLOSED", 1.62, 0.040), ("NO ENTRY", 1.28, 0.0285))
"""What is written, the height of the foot of its letters, and metres of a unit of their field."""
PITCH = 5.6  # from letter to letter, in units
PEN = 0.55  # half a stroke's width, in units
WIDE_M, LOW_M, HIGH_M = 1.40, 1.16, 1.96  # the sheet
POST_AT_M = 0.55  # from the middle to a post


def board(foot: int, post: int, rim: int, sheet: int, ink: int) -> BodyMesh:
    """A notice 2 m high that faces ahead, in these parts: "CLOSED, NO ENTRY", readable from 8 m at 640 x 480."""
    made = Sculpture()
    eye = np.eye(3)[None]
    middle, half = (LOW_M + HIGH_M) / 2.0, (HIGH_M - LOW_M) / 2.0
    for side in (-POST_AT_M, POST_AT_M):
        made.box(foot, np.array([[0.0, side, 0.04]]), eye, (0.28, 0.06, 0.04))
        made.box(post, np.array([[0.0, side, HIGH_M / 2.0]]), eye, (0.022, 0.022, HIGH_M / 2.0))
    made.box(rim, np.array([[0.03, 0.0, middle]]), eye, (0.012, WIDE_M / 2.0, half))
    made.plate(sheet, _upright(0.046, [(-WIDE_M / 2.0 + 0.04, LOW_M + 0.04), (WIDE_M / 2.0 - 0.04, HIGH_M - 0.04)]))
    for text, low, unit in LINES:
        start = -0.5 * unit * (PITCH * (len(text) - 1) + 4.0)  # who reads it has y to the right
        for number, letter in enumerate(text):
            for line in LETTERS.get(letter, ()):
                for a, b in itertools.pairwise(line):
                    corners = _stroke(np.array(a, dtype=np.float64), np.array(b, dtype=np.float64)) * unit
                    y, z = start + unit * PITCH * number + corners[:, 0], low + corners[:, 1]
                    made.plate(ink, np.stack([np.full(4, 0.054), y, z], axis=1)[None])
    return made.mesh()


def _upright(x: float, corners: list[tuple[float, float]]) -> Array:
    """(1, 4, 3) a rectangle that faces ahead, between two corners (left, up)."""
    (y0, z0), (y1, z1) = corners
    return np.array([[(x, y0, z0), (x, y1, z0), (x, y1, z1), (x, y0, z1)]])


def _stroke(a: Array, b: Array) -> Array:
    """(4, 2) corners of a line with square ends, counter-clockwise."""
    way = (b - a) / np.linalg.norm(b - a) * PEN
    side = np.array([way[1], -way[0]])
    return np.array([a - way + side, b + way + side, b + way - side, a - way - side])
