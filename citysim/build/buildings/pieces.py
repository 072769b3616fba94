"""Pieces: rectangles of wall with one stretch of texture each, and the bays they are laid out in."""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.buildings.batch import Batch, Rgba, Uv, Xyz
from citysim.build.buildings.outline import Run
from citysim.build.buildings.style import Style
from citysim.build.mesh import Detail

PLAIN_METRES = 4.0  # side of the square that a blank-wall texture covers
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """A style with the colours of one building. Materials are names registered in the draft."""

    style: Style
    wall: Rgba
    trim: Rgba
    roof: Rgba
    roof_material: str
    page: str
    plain: str
    front: str = ""
    front_tint: Rgba = (255, 255, 255, 255)


@dataclass(frozen=True, slots=True)
class Bays:
    """Equal bays along a wall: `count` of `width` metres each, the first starting at `start`."""

    start: float
    width: float
    count: int

    @property
    def stop(self) -> float:
        """Where the last bay ends."""
        return self.start + self.width * self.count


@dataclass(frozen=True, slots=True)
class Piece:
    """A rectangle of wall with one stretch of texture; u at s, v at the bottom and top."""

    s: Interval
    z: Interval
    u: Interval
    v: Interval
    material: str
    detail: Detail = Detail.ALL
    out: float = 0.0
    foot: tuple[float, ...] = ()  # where pieces below and above it, within the storey, have joints
    head: tuple[float, ...] = ()


def fit(s0: float, s1: float, bay: float, stretch: float = 0.12) -> Bays:
    """Whole bays between s0 and s1: stretched by at most `stretch`, else with equal blank piers at both ends."""
    length = s1 - s0
    count = round(length / bay)
    if count >= 1 and abs(length / (count * bay) - 1.0) <= stretch:
        return Bays(s0, length / count, count)
    count = int(length / bay)
    return Bays(s0 + 0.5 * (length - count * bay), bay, count)


def blank(s: Interval, z: Interval, look: Look, detail: Detail = Detail.ALL) -> Piece:
    """Wall without windows."""
    m = PLAIN_METRES
    return Piece(s, z, (s[0] / m, s[1] / m), (-z[0] / m, -z[1] / m), look.plain, detail)


def _inside(marks: Sequence[float], s: Interval) -> Sequence[float]:
    """The sorted marks strictly between the ends of an interval."""
    return marks[bisect_right(marks, s[0] + 1e-3) : bisect_left(marks, s[1] - 1e-3)]


def draw(
    batch: Batch,
    run: Run,
    piece: Piece,
    foot: Sequence[float],
    head: Sequence[float],
    color: Rgba,
    detail: Detail,
) -> None:
    """A vertical ribbon between two rows of vertices: the run's bends, and joints of the rows below and above."""
    (s0, s1), (u0, u1) = piece.s, piece.u
    points: list[Xyz] = []
    uvs: list[Uv] = []
    faces: list[tuple[int, int, int]] = []

    def row(marks: Sequence[float], top: int) -> range:
        first, z, v = len(points), piece.z[top], piece.v[top]
        for s in marks:
            x, y = run.at(s, piece.out)
            points.append((x, y, z))
            uvs.append((u0 + (u1 - u0) * ((s - s0) / (s1 - s0)), v))
        return range(first, len(points))

    for a, b in itertools.pairwise(run.columns(s0, s1)):
        low = row((a, *_inside(foot, (a, b)), b), 0)
        high = row((a, *_inside(head, (a, b)), b), 1)
        faces += [(p, p + 1, high[-1]) for p in low[:-1]]
        faces += [(low[0], p + 1, p) for p in high[:-1]]
    batch.add(points, faces, uvs, piece.material, color, detail)
