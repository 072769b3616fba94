"""Distant walls: few large rectangles that show, from afar, what the pieces of a wall show near by."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.pieces import Look, Piece, blank
from citysim.build.buildings.storeys import Row
from citysim.build.mesh import Detail

STRETCH = 1.35  # how much wider bays may become so that they reach from end to end
TALLER = 2.05  # how much higher storeys may become: from afar their height is less than three pixels
BAY_M = 13.0  # metres of a ground floor that show one and the same bay
NARROW_M = 0.6  # metres: narrower pieces give way to their neighbours


def distant(panels: Sequence[Panel], rows: Sequence[Row], drawn: Sequence[Sequence[Piece]], look: Look) -> list[Piece]:
    """The wall of `panels` in FAR pieces; `drawn` are the pieces of each row as they are near by.

    The same pictures are stretched over what is blank beside them and over storeys above: the mean colour stays, and
    windows that are lit near by are lit.
    """
    found: list[Piece] = []
    for panel in panels:
        stack: list[list[Piece]] = []
        for row, pieces in zip(rows, drawn, strict=True):
            z = (max(row.z0, panel.z0), min(row.z1, panel.z1))
            if z[1] - z[0] >= 0.01:
                stack.append(_band((panel.s0, panel.s1), z, pieces, bool(row.front)))
        found += [p for band in _piled(stack, look) for p in band]
    return [blank(p.s, p.z, look, Detail.FAR) if p.material == look.plain else p for p in found]


def _band(s: tuple[float, float], z: tuple[float, float], pieces: Sequence[Piece], front: bool) -> list[Piece]:
    """One row of one panel in as few pieces as may be."""
    here = [
        p for p in pieces
        if p.detail != Detail.FINE and p.out == 0.0 and p.s[1] > s[0] + 1e-3 and p.s[0] < s[1] - 1e-3
        and p.z[1] > z[0] + 1e-3 and p.z[0] < z[1] - 1e-3
    ]  # fmt: skip
    parts = [_cut(p, max(p.s[0], s[0]), min(p.s[1], s[1])) for p in here]
    if front:
        return _frontage(s, z, parts)
    parts.sort(key=lambda p: p.s)
    widest = max(parts, key=lambda p: (p.s[1] - p.s[0], -p.s[0]), default=None)
    if widest is None:
        return []
    if s[1] - s[0] <= STRETCH * (widest.s[1] - widest.s[0]):
        return [_far(widest, s, z)]
    kept = [p for p in parts if p.s[1] - p.s[0] >= NARROW_M] or [widest]
    ends = [s[0], *(p.s[0] for p in kept[1:]), s[1]]
    return [_far(p, span, z) for p, span in zip(kept, pairwise(ends), strict=True)]


def _frontage(s: tuple[float, float], z: tuple[float, float], parts: Sequence[Piece]) -> list[Piece]:
    """A ground floor: the bay in the middle of every few metres stands for its neighbours."""
    count = max(1, round((s[1] - s[0]) / BAY_M))
    marks = [s[0] + (s[1] - s[0]) * k / count for k in range(count)] + [s[1]]
    made = []
    for a, b in pairwise(marks):
        at = 0.5 * (a + b)
        under = [p for p in parts if p.s[0] <= at <= p.s[1]] or list(parts)
        if under:
            made.append(_far(max(under, key=lambda p: (p.z[1] - p.z[0], -p.s[0])), (a, b), z))
    return made


def _cut(piece: Piece, a: float, b: float) -> Piece:
    """The part of a piece from a to b along the wall."""
    (s0, s1), (u0, u1) = piece.s, piece.u
    scale = (u1 - u0) / (s1 - s0)
    u = (u0 + (a - s0) * scale, u0 + (b - s0) * scale)  # far quicker than `dataclasses.replace`
    return Piece((a, b), piece.z, u, piece.v, piece.material, piece.detail, piece.out, piece.foot, piece.head)


def _far(piece: Piece, s: tuple[float, float], z: tuple[float, float]) -> Piece:
    return Piece(s, z, piece.u, piece.v, piece.material, Detail.FAR, piece.out)


def _piled(stack: Sequence[list[Piece]], look: Look) -> list[list[Piece]]:
    """Bands with the same materials become one, no storey more than `TALLER` times as high as it is."""
    made: list[list[Piece]] = []
    height = 0.0
    for band in stack:
        if made and band and _alike(made[-1], band):
            plain = all(p.material == look.plain for p in band)
            if plain or band[0].z[1] - made[-1][0].z[0] <= TALLER * height:
                made[-1] = [replace(p, z=(p.z[0], q.z[1])) for p, q in zip(made[-1], band, strict=True)]
                continue
        if band:
            made.append(band)
            height = band[0].z[1] - band[0].z[0]
    return made


def _alike(lower: Sequence[Piece], upper: Sequence[Piece]) -> bool:
    """Whether two bands have their pieces at the same places, of the same materials and about the same heights."""
    return len(lower) == len(upper) and all(
        p.material == q.material and abs(p.s[0] - q.s[0]) < 1e-6 and abs(p.s[1] - q.s[1]) < 1e-6
        and abs(p.z[1] - q.z[0]) < 1e-6
        for p, q in zip(lower, upper, strict=True)
    )  # fmt: skip
