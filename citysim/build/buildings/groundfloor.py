"""Ground floors of streets: bays from a page of fronts, with shop windows, shutters and doors deep in the wall."""

from collections.abc import Sequence
from dataclasses import replace

from citysim.build.buildings.batch import Batch, Uv, Xyz
from citysim.build.buildings.fronts import CELL, FRONTS, HIGH, WIDE, Front, Opening
from citysim.build.buildings.outline import Run
from citysim.build.buildings.pieces import Interval, Look, Piece, blank, fit
from citysim.build.buildings.storeys import Row
from citysim.build.chance import Chance
from citysim.build.mesh import Detail

NARROWEST = 1.7  # metres: narrower rests are blank wall
FOLD = 0.88  # bays narrower than this share of a cell lose their middle, wider ones are stretched
LEAST_OPENING = 0.3  # metres: a narrower rest between two corners is painted
CORNER = 1.4  # depths of an opening between it and a corner, at least: enough down to 71 degrees
INSET = 0.004  # metres: half a texel


def emit_front(
    batch: Batch, run: Run, s: Interval, row: Row, look: Look, doors: Sequence[Interval], deep: bool, chance: Chance
) -> list[Piece]:
    """Lay out one ground floor between the doors; draws what lies deep, returns what lies in the wall's plane.

    Nothing lies deep where nobody passes (`deep` false).
    """
    front = FRONTS[look.style.fronts]
    pieces: list[Piece] = []
    at = s[0]
    shut = sorted((max(s[0], a), min(s[1], b)) for a, b in doors if b > s[0] and a < s[1])
    for n, (a, b) in enumerate([*shut, (s[1], s[1])]):
        if a > at + 1e-3:
            pieces += _between(batch if deep else None, run, (at, a), row, look, front, chance.child(n))
        if b > max(a, at) + 1e-3:
            pieces += _plain((max(a, at), b), row, look, front, chance.child(n))
        at = max(at, b)
    return pieces


def _between(
    batch: Batch | None, run: Run, s: Interval, row: Row, look: Look, front: Front, chance: Chance
) -> list[Piece]:
    """Bays of one stretch; rests at both ends, too narrow for a bay, are blank."""
    length = s[1] - s[0]
    if length < NARROWEST:
        return _plain(s, row, look, front, chance)
    bays = fit(*s, front.bay)
    count, start, width = bays.count, bays.start, bays.width
    if not count or start - s[0] > 0.15 * front.bay:
        count = max(1, round(length / front.bay))
        start, width = s[0], length / count
        if width > 1.12 * front.bay:
            count, width = count + 1, length / (count + 1)
    pieces = _plain((s[0], start), row, look, front, chance.child("left")) if start > s[0] + 0.01 else []
    main = chance.weighted(row.front, "main")
    for k in range(count):
        kind = main if chance.unit(f"main/{k}") < 0.45 else chance.weighted(row.front, f"kind/{k}")
        cell = chance.choice(front.variants(kind), f"cell/{k}")
        span = (start + k * width, start + (k + 1) * width if k < count - 1 else start + count * width)
        pieces += _bay(batch, run, span, row, look, front, cell)
    if s[1] - (start + count * width) > 0.01:
        pieces += _plain((start + count * width, s[1]), row, look, front, chance.child("right"))
    return pieces


def _plain(s: Interval, row: Row, look: Look, front: Front, chance: Chance) -> list[Piece]:
    """Wall without an opening, cut from the blank bay."""
    cell = chance.choice(front.variants("blank"), "blank")
    pieces: list[Piece] = []
    at = s[0]
    while s[1] - at > 1e-3:
        to = s[1] if s[1] - at < 1.1 * front.bay else at + front.bay
        cut = _Cut(front, cell, (at, to), row)
        pieces.append(cut.piece((at, to), (row.z0, cut.top), look))
        if row.z1 > cut.top + 0.01:
            pieces.append(blank((at, to), (cut.top, row.z1), look))
        at = to
    return pieces


class _Cut:
    """How a cell of the page is laid over a bay of another width."""

    def __init__(self, front: Front, cell: str, s: Interval, row: Row) -> None:
        self.front, self.s, self.base = front, s, row.z0
        self.left, self.upper = front.corner(cell)
        self.width = s[1] - s[0]
        self.folded = self.width < FOLD * front.bay
        self.top = min(row.z1, row.z0 + CELL - INSET)

    def along(self, x: float) -> float:
        """Where the opening's edge at `x` metres of the cell lies in the bay, metres."""
        if not self.folded:
            return x * self.width / self.front.bay
        return x if x < 0.5 * self.front.bay else self.width - (self.front.bay - x)

    def u(self, x: float, right: bool = False) -> float:
        """Texture coordinate at `x` metres of the bay; `right` chooses the side of the fold."""
        if not self.folded:
            at = x * self.front.bay / self.width
        else:
            at = self.front.bay - (self.width - x) if right else x
        return (self.left + min(max(at, INSET), self.front.bay - INSET)) / WIDE

    def v(self, z: float) -> float:
        """Texture coordinate at the height z."""
        return (self.upper + CELL - min(max(z - self.base, INSET), CELL - INSET)) / HIGH

    def piece(
        self, x: Interval, z: Interval, look: Look, detail: Detail = Detail.ALL, out: float = 0.0, right: bool = False
    ) -> Piece:
        """A rectangle of the bay, `x` in metres along the run."""
        u = (self.u(x[0] - self.s[0], right), self.u(x[1] - self.s[0], right))
        return Piece(x, z, u, (self.v(z[0]), self.v(z[1])), look.front, detail, out)


def _bay(batch: Batch | None, run: Run, s: Interval, row: Row, look: Look, front: Front, cell: str) -> list[Piece]:
    """One bay: flat in the coarse levels, with its opening set back in the finest one."""
    cut, opening = _Cut(front, cell, s, row), front.deep(cell)
    half = 0.5 * (s[0] + s[1])
    spans = [((s[0], half), False), ((half, s[1]), True)] if cut.folded else [(s, False)]
    above = [blank(s, (cut.top, row.z1), look)] if row.z1 > cut.top + 0.01 else []
    straight = len(run.columns(*s)) == 2
    flat = [cut.piece(x, (row.z0, cut.top), look, Detail.ALL, 0.0, right) for x, right in spans] + above
    if batch is None or opening is None or not straight or cut.top - row.z0 < opening.z0 + 1.0:
        return flat
    first, last = (max(CORNER, run.sharpness(end) + 0.05) * opening.depth for end in (True, False))
    x0 = max(s[0] + cut.along(opening.x0), first)  # behind a corner the openings of two walls do not meet
    x1 = min(s[0] + cut.along(opening.x1), run.length - last)
    if x1 - x0 < LEAST_OPENING:
        return flat
    coarse = [cut.piece(x, (row.z0, cut.top), look, Detail.COARSE, 0.0, right) for x, right in spans]
    z0, z1 = row.z0 + opening.z0, min(row.z0 + opening.z1, cut.top - 0.06)
    fine = Detail.FINE
    pieces: list[Piece] = []
    for (a, b), right in spans:
        # Bands below and above the opening reach from pier to pier, so that the storey above sees bays only.
        marks = tuple(x for x in (x0, x1) if a < x < b)
        pieces.append(replace(cut.piece((a, b), (z1, cut.top), look, fine, 0.0, right), foot=marks))
        if opening.z0 > 0.0:
            pieces.append(replace(cut.piece((a, b), (row.z0, z0), look, fine, 0.0, right), head=marks))
        pieces.append(cut.piece((max(a, x0), min(b, x1)), (z0, z1), look, fine, -opening.depth, right))
    pieces.append(cut.piece((s[0], x0), (z0, z1), look, fine))
    pieces.append(cut.piece((x1, s[1]), (z0, z1), look, fine, 0.0, cut.folded))
    _reveal(batch, run, (x0, x1), (z0, z1), opening, look)
    return coarse + pieces + above


def _reveal(batch: Batch, run: Run, x: Interval, z: Interval, opening: Opening, look: Look) -> None:
    """Jambs, head and sill of an opening."""
    d = opening.depth
    a, b, c, e = run.at(x[0]), run.at(x[1]), run.at(x[0], -d), run.at(x[1], -d)
    w, h = d / 4.0, (z[1] - z[0]) / 4.0
    side: list[Uv] = [(0.0, h), (w, h), (w, 0.0), (0.0, 0.0)]
    long = (x[1] - x[0]) / 4.0
    flat: list[Uv] = [(0.0, w), (long, w), (long, 0.0), (0.0, 0.0)]
    low, high = z
    faces: list[tuple[list[Xyz], list[Uv]]] = [
        ([(*a, low), (*c, low), (*c, high), (*a, high)], side),
        ([(*e, low), (*b, low), (*b, high), (*e, high)], side),
        ([(*c, high), (*e, high), (*b, high), (*a, high)], flat),
        ([(*a, low), (*b, low), (*e, low), (*c, low)], flat),
    ]
    for corners, uvs in faces:
        batch.quad(corners, uvs, "trim/sheet", look.front_tint, Detail.FINE)
