"""Walls: visible panels of a run become strips of bays, blank piers and blank bands."""

from collections.abc import Sequence

from citysim.build.buildings.batch import Batch
from citysim.build.buildings.distant import distant
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.groundfloor import emit_front
from citysim.build.buildings.pieces import Interval, Look, Piece, blank, draw, fit
from citysim.build.buildings.storeys import Row
from citysim.build.buildings.strips import Strip
from citysim.build.chance import Chance
from citysim.build.mesh import FINEST, Detail

_LEFT_OUT_FAR = {Detail.ALL: Detail.MIDDLE, Detail.COARSE: Detail.BETWEEN}


def emit_walls(
    batch: Batch,
    panels: Sequence[Panel],
    rows: Sequence[Row],
    look: Look,
    doors: Sequence[Interval],
    chance: Chance,
    end: bool = False,
    deep: bool = True,
) -> None:
    """Draw the visible panels of one run; `doors` are intervals along it that need blank wall at ground level.

    `end` walls face no street: they show the style's strip for them where it has one. `deep` walls are passed by.

    Storeys are laid out over all panels that show them whole, so that windows stay in line above passages and
    lower neighbours; what shows a storey only in part is blank.
    """
    run = panels[0].run
    dead = chance.unit("dead") < 0.6
    drawn = [_row(batch, panels, row, look, doors, (dead, end, deep), chance) for row in rows]
    far = distant(panels, rows, drawn, look)
    near = sum(p.detail != Detail.FINE for pieces in drawn for p in pieces)
    levels: dict[Detail, Detail] = {}
    if len(far) < near:
        levels = _LEFT_OUT_FAR
        for piece in far:
            draw(
                batch, run, piece, (), (), look.front_tint if piece.material == look.front else look.wall, piece.detail
            )
    tops = [_joints(pieces, row.z1, 1) for pieces, row in zip(drawn, rows, strict=True)]
    feet = [_joints(pieces, row.z0, 0) for pieces, row in zip(drawn, rows, strict=True)]
    for k, (row, pieces) in enumerate(zip(rows, drawn, strict=True)):
        # Where the row below or above has a joint, this one gets a vertex: no cracks between rows.
        foot = tops[k - 1] if k else []
        head = feet[k + 1] if k + 1 < len(rows) else []
        for piece in pieces:
            low = foot if piece.z[0] < row.z0 + 1e-6 else piece.foot
            tint = look.front_tint if piece.material == look.front else look.wall
            high = head if piece.z[1] > row.z1 - 1e-6 else piece.head
            draw(batch, run, piece, low, high, tint, levels.get(piece.detail, piece.detail))


def _joints(pieces: Sequence[Piece], z: float, end: int) -> list[float]:
    """Where pieces have vertices along the upper (`end` 1) or lower edge of their storey, the finest level counts."""
    found = {x for p in pieces if p.detail in FINEST and abs(p.z[end] - z) < 1e-6 for x in p.s}
    return sorted(found)


def _row(
    batch: Batch,
    panels: Sequence[Panel],
    row: Row,
    look: Look,
    doors: Sequence[Interval],
    kinds: tuple[bool, bool, bool],
    chance: Chance,
) -> list[Piece]:
    """The pieces of one storey; `kinds`: fire walls are blank, the wall faces no street, people pass by it."""
    dead, end, deep = kinds
    pieces: list[Piece] = []
    whole: list[Interval] = []
    for panel in panels:
        z0, z1 = max(row.z0, panel.z0), min(row.z1, panel.z1)
        if z1 - z0 < 0.01:
            continue
        part = z1 - z0 < 0.99 * (row.z1 - row.z0)
        if (row.strip is None and not row.front) or part or (panel.above and dead):
            pieces.append(blank((panel.s0, panel.s1), (z0, z1), look))
        elif whole and abs(whole[-1][1] - panel.s0) < 1e-6:
            whole[-1] = (whole[-1][0], panel.s1)
        else:
            whole.append((panel.s0, panel.s1))
    strip = look.style.end if end and look.style.end is not None else row.strip
    for s in whole:
        if row.front:
            pieces += emit_front(batch, panels[0].run, s, row, look, doors, deep, chance.child("front"))
        elif strip is not None:
            lay = _ground if strip.blank_first else _storey
            pieces += lay(s, row, strip, look, doors, chance)
    return [p for p in pieces if p.s[1] - p.s[0] > 1e-3]


def _storey(s: Interval, row: Row, strip: Strip, look: Look, doors: Sequence[Interval], chance: Chance) -> list[Piece]:
    """An upper storey: piers are blank, the bays start anywhere in the strip."""
    del doors
    bays, z = fit(*s, strip.bay, look.style.stretch), (row.z0, row.z1)
    if not bays.count:
        return [blank(s, z, look)]
    # Lit windows are drawn by lot from the bay's number: each storey gets numbers of its own.
    first = chance.integer(0, strip.bays, f"offset/{row.storey}") + strip.bays * max(0, row.storey)
    u = (first / strip.bays, (first + bays.count) / strip.bays)
    middle = Piece((bays.start, bays.stop), z, u, (strip.v1, strip.v0), look.page)
    return [blank((s[0], bays.start), z, look), middle, blank((bays.stop, s[1]), z, look)]


def _ground(s: Interval, row: Row, strip: Strip, look: Look, doors: Sequence[Interval], chance: Chance) -> list[Piece]:
    """The ground floor: piers and the bays behind doors show the blank bay, the others windows."""
    pieces: list[Piece] = []
    z, v = (row.z0, row.z1), (strip.v1, strip.v0)
    bays = fit(*s, strip.bay)

    def wall(a: float, b: float) -> None:
        at = a
        while b - at > 1e-3:
            to = b if b - at < 1.2 * strip.bay else at + strip.bay
            pieces.append(Piece((at, to), z, (0.0, min(1.0, (to - at) / strip.bay) / strip.bays), v, look.page))
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
        pieces.append(Piece((a, a + length * bays.width), z, u, v, look.page))
        index, bay = index + length, bay + length
    wall(bays.stop, s[1])
    return pieces
