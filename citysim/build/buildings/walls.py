"""Walls: visible panels of a run become strips of bays, blank piers and blank bands."""

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.buildings.batch import Batch, Rgba, Uv, Xyz
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.outline import Run
from citysim.build.buildings.storeys import Row
from citysim.build.buildings.strips import Strip
from citysim.build.buildings.style import Style
from citysim.build.chance import Chance

PLAIN_METRES = 4.0  # side of the square that a blank-wall texture covers
STRETCH = 0.12  # a bay may be this much wider or narrower than drawn
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
class _Piece:
    """A rectangle of wall with one stretch of texture; u at s, v at the bottom and top."""

    s: Interval
    z: Interval
    u: Interval
    v: Interval
    material: str


def fit(s0: float, s1: float, bay: float) -> Bays:
    """Whole bays between s0 and s1: stretched by at most 12 %, else with equal blank piers at both ends."""
    length = s1 - s0
    count = round(length / bay)
    if count >= 1 and abs(length / (count * bay) - 1.0) <= STRETCH:
        return Bays(s0, length / count, count)
    count = int(length / bay)
    return Bays(s0 + 0.5 * (length - count * bay), bay, count)


def emit_walls(
    batch: Batch, panels: Sequence[Panel], rows: Sequence[Row], look: Look, doors: Sequence[Interval], chance: Chance
) -> None:
    """Draw the visible panels of one run; `doors` are intervals along it that need blank wall at ground level.

    Storeys are laid out over all panels that show them whole, so that windows stay in line above passages and
    lower neighbours; what shows a storey only in part is blank.
    """
    run = panels[0].run
    dead = chance.unit("dead") < 0.6
    drawn = [_row(panels, row, look, doors, dead, chance) for row in rows]
    cuts = [sorted({x for piece in pieces for x in piece.s}) for pieces in drawn]
    for k, pieces in enumerate(drawn):
        # Where the row below or above has a joint, this one gets a vertex: no cracks between rows.
        foot = cuts[k - 1] if k else []
        head = cuts[k + 1] if k + 1 < len(cuts) else []
        for piece in pieces:
            _draw(batch, run, piece, foot, head, look.wall)


def _row(
    panels: Sequence[Panel], row: Row, look: Look, doors: Sequence[Interval], dead: bool, chance: Chance
) -> list[_Piece]:
    """The pieces of one storey."""
    pieces: list[_Piece] = []
    whole: list[Interval] = []
    for panel in panels:
        z0, z1 = max(row.z0, panel.z0), min(row.z1, panel.z1)
        if z1 - z0 < 0.01:
            continue
        if row.strip is None or z1 - z0 < 0.99 * (row.z1 - row.z0) or (panel.above and dead):
            pieces.append(_blank((panel.s0, panel.s1), (z0, z1), look))
        elif whole and abs(whole[-1][1] - panel.s0) < 1e-6:
            whole[-1] = (whole[-1][0], panel.s1)
        else:
            whole.append((panel.s0, panel.s1))
    if row.strip is not None:
        for s in whole:
            draw = _ground if row.strip.blank_first else _storey
            pieces += draw(s, row, row.strip, look, doors, chance)
    return [p for p in pieces if p.s[1] - p.s[0] > 1e-3]


def _blank(s: Interval, z: Interval, look: Look) -> _Piece:
    """Wall without windows."""
    m = PLAIN_METRES
    return _Piece(s, z, (s[0] / m, s[1] / m), (-z[0] / m, -z[1] / m), look.plain)


def _storey(s: Interval, row: Row, strip: Strip, look: Look, doors: Sequence[Interval], chance: Chance) -> list[_Piece]:
    """An upper storey: piers are blank, the bays start anywhere in the strip."""
    del doors
    bays, z = fit(*s, strip.bay), (row.z0, row.z1)
    if not bays.count:
        return [_blank(s, z, look)]
    first = chance.integer(0, strip.bays, f"offset/{row.storey}")
    u = (first / strip.bays, (first + bays.count) / strip.bays)
    middle = _Piece((bays.start, bays.stop), z, u, (strip.v1, strip.v0), look.page)
    return [_blank((s[0], bays.start), z, look), middle, _blank((bays.stop, s[1]), z, look)]


def _ground(s: Interval, row: Row, strip: Strip, look: Look, doors: Sequence[Interval], chance: Chance) -> list[_Piece]:
    """The ground floor: piers and the bays behind doors show the blank bay, the others windows."""
    pieces: list[_Piece] = []
    z, v = (row.z0, row.z1), (strip.v1, strip.v0)
    bays = fit(*s, strip.bay)

    def wall(a: float, b: float) -> None:
        at = a
        while b - at > 1e-3:
            to = b if b - at < 1.2 * strip.bay else at + strip.bay
            pieces.append(_Piece((at, to), z, (0.0, min(1.0, (to - at) / strip.bay) / strip.bays), v, look.page))
            at = to

    def behind_door(k: int) -> bool:
        a = bays.start + k * bays.width
        return any(d0 < a + bays.width and a < d1 for d0, d1 in doors)

    wall(s[0], bays.start)
    index, bay = 0, 1 + chance.integer(0, strip.bays - 1, "ground")
    while index < bays.count:
        a = bays.start + index * bays.width
        if behind_door(index):
            wall(a, a + bays.width)
            index += 1
            continue
        bay = bay if bay < strip.bays else 1
        length = 1
        while index + length < bays.count and bay + length < strip.bays and not behind_door(index + length):
            length += 1
        u = (bay / strip.bays, (bay + length) / strip.bays)
        pieces.append(_Piece((a, a + length * bays.width), z, u, v, look.page))
        index, bay = index + length, bay + length
    wall(bays.stop, s[1])
    return pieces


def _inside(marks: Sequence[float], s: Interval) -> Sequence[float]:
    """The sorted marks strictly between the ends of an interval."""
    return marks[bisect_right(marks, s[0] + 1e-3) : bisect_left(marks, s[1] - 1e-3)]


def _draw(batch: Batch, run: Run, piece: _Piece, foot: Sequence[float], head: Sequence[float], color: Rgba) -> None:
    """A vertical ribbon between two rows of vertices: the run's bends, and joints of the rows below and above."""
    bends = run.columns(*piece.s)
    points: list[Xyz] = []
    uvs: list[Uv] = []
    faces: list[tuple[int, int, int]] = []

    def vertex(s: float, top: int) -> int:
        t = (s - piece.s[0]) / (piece.s[1] - piece.s[0])
        points.append((*run.at(s), piece.z[top]))
        uvs.append((piece.u[0] + (piece.u[1] - piece.u[0]) * t, piece.v[top]))
        return len(points) - 1

    for a, b in itertools.pairwise(bends):
        low = [vertex(s, 0) for s in (a, *_inside(foot, (a, b)), b)]
        high = [vertex(s, 1) for s in (a, *_inside(head, (a, b)), b)]
        faces += [(p, q, high[-1]) for p, q in itertools.pairwise(low)]
        faces += [(low[0], q, p) for p, q in itertools.pairwise(high)]
    batch.add(points, faces, uvs, piece.material, color)
