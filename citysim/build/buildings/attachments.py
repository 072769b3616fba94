"""What hangs on the upper storeys: units, cages, shutters, pipes, bays, balconies, galleries, fire escapes."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.blocks import Paint, boxes, sheets
from citysim.build.buildings.paint.kit import cell
from citysim.build.buildings.pieces import Bays, Interval, Look, fit
from citysim.build.buildings.segments import Segment
from citysim.build.buildings.storeys import Row
from citysim.build.chance import Chance
from citysim.build.mesh import Detail

REACH = 10.5  # metres above the pavement: what is small is painted only above
KIT, RAIL, FENCE = "kit/sheet", "look/rail_panel", "look/fence"
WHITE: Rgba = (255, 255, 255, 255)
LEAVES: tuple[Rgba, ...] = (
    (96, 128, 104, 255), (112, 128, 152, 255), (150, 118, 92, 255), (160, 158, 150, 255), (124, 78, 70, 255),
)  # fmt: skip
FRONTS: tuple[Rgba, ...] = ((225, 228, 228, 255), (120, 132, 140, 255), (235, 230, 215, 255), (150, 120, 95, 255))


@dataclass(frozen=True, slots=True)
class Face:
    """One straight piece of a visible wall: the storeys it shows whole, and the bays of their windows."""

    segment: Segment
    rows: Sequence[Row]  # upper storeys, the lowest first
    bays: Bays  # along the run
    base: float  # the ground floor's height
    look: Look
    entrance: bool  # has the main door
    floor: float  # where upper storeys begin
    far: bool  # no street passes

    def spans(self) -> list[Interval]:
        """Bays that lie whole on the segment, metres from its start."""
        s0, s1 = self.segment.s0, self.segment.s1
        width = self.bays.width
        starts = [self.bays.start + k * width for k in range(self.bays.count)]
        return [(a - s0, a + width - s0) for a in starts if a >= s0 - 0.01 and a + width <= s1 + 0.01]

    @property
    def low(self) -> list[Row]:
        """The storeys a passer-by sees from near."""
        return [row for row in self.rows if row.z0 - self.base < REACH and not self.far]


Maker = Callable[[Batch, Face, float, Chance], None]


def emit_attachments(batch: Batch, face: Face, chance: Chance) -> None:
    """Everything the style hangs on one piece of wall."""
    if not face.rows:
        return
    for kind, share in face.look.style.attachments:
        if kind in MAKERS:
            MAKERS[kind](batch, face, share, chance.child(kind))


def bays_of(s0: float, s1: float, row: Row, stretch: float) -> Bays:
    """The bays of a storey between two run distances, as the wall draws them."""
    return fit(s0, s1, row.strip.bay, stretch) if row.strip is not None else Bays(s0, 1.0, 0)


def _aircon(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    spans = []
    for row in face.low:
        for k, (a, b) in enumerate(face.spans()):
            one = chance.child(f"{row.storey}/{k}")
            if one.unit("there") < share:
                u = a + one.uniform(0.2, max(0.21, b - a - 1.0), "u")
                z = row.z0 + one.uniform(0.18, 0.32, "z")  # lower than decks of fire escapes
                spans.append((u, u + 0.8, z, z + 0.55, 0.03, 0.38))
    boxes(batch, face.segment, spans, Paint(KIT, WHITE, Detail.FINE, cell("unit")), "flrd")


def _cage(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    solid, mesh = [], []
    for row in face.low:
        for k, (a, b) in enumerate(face.spans()):
            if chance.unit(f"{row.storey}/{k}") < share:
                mid, z = 0.5 * (a + b), row.z0 + 0.8
                mesh.append((mid - 0.75, mid + 0.75, z, z + 1.5, 0.0, 0.4))
                solid.append((mid - 0.75, mid + 0.75, z, z + 0.06, 0.0, 0.42))
    boxes(batch, face.segment, mesh, Paint(FENCE, WHITE), "flr")
    boxes(batch, face.segment, solid, Paint("trim/sheet", (150, 152, 148, 255)), "fd")


def _shutters(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    if chance.unit("house") > share:
        return
    color = chance.choice(LEAVES, "color")
    spans = []
    for row in face.low:
        for a, b in face.spans():
            mid, scale, high = 0.5 * (a + b), (b - a) / 2.667, row.z1 - row.z0
            for side in (-1.0, 1.0):
                u = mid + side * 0.8 * scale
                spans.append((u - 0.25, u + 0.25, row.z0 + 0.25 * high, row.z0 + 0.72 * high, 0.0, 0.035))
    boxes(batch, face.segment, spans, Paint(KIT, color, Detail.FINE, cell("leaf")), "f")


def _pipe(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    if chance.unit("there") > share or face.segment.length < 3.0 or face.far:
        return
    u = 0.25 if chance.unit("side") < 0.5 else face.segment.length - 0.25
    color = chance.choice(((150, 150, 142, 255), (196, 190, 176, 255), (122, 108, 96, 255)), "color")
    z1 = face.rows[-1].z1 if face.segment.panel.z1 > face.rows[-1].z1 - 0.5 else face.segment.panel.z1
    span = (u - 0.055, u + 0.055, face.floor - 0.4, z1, 0.0, 0.13)
    boxes(batch, face.segment, [span], Paint("trim/sheet", color, Detail.FINE), "flr")


def _bay_window(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    """Columns of projecting windows over all storeys but the lowest, the same bays in all of them."""
    every = max(2, round(1.0 / share))
    phase = chance.integer(0, every, "phase")
    if chance.unit("house") > 0.45:
        return
    picks = [span for k, span in enumerate(face.spans()) if k % every == phase]
    _projecting(batch, face, picks, face.rows, 0.55)


def _oriel(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    spans = face.spans()
    if chance.unit("there") < share * 4.0 and len(spans) >= 2 and len(face.rows) >= 2:
        _projecting(batch, face, [spans[chance.integer(0, len(spans), "bay")]], face.rows[:1], 0.7)


def _projecting(batch: Batch, face: Face, spans: Sequence[Interval], rows: Sequence[Row], out: float) -> None:
    look, seg = face.look, face.segment
    fronts = []
    for a, b in spans:
        u0, u1 = a + 0.08 * (b - a), b - 0.08 * (b - a)
        low, high = rows[0].z0, rows[-1].z1
        for row in rows:
            if row.strip is None:
                continue
            s, k = row.strip, round((a + seg.s0 - face.bays.start) / face.bays.width)
            left = ((k % s.bays) + 0.08) / s.bays
            uv = (left, s.v0, left + 0.84 / s.bays, s.v1)
            quad = [(u0, row.z0, out), (u1, row.z0, out), (u1, row.z1, out), (u0, row.z1, out)]
            sheets(batch, seg, [quad], Paint(look.page, look.wall, Detail.MIDDLE, uv))
        fronts.append((u0, u1, low - 0.12, low, 0.0, out))
        fronts.append((u0, u1, high, high + 0.1, 0.0, out))
        sides = Paint(look.plain, look.wall, Detail.MIDDLE)
        boxes(batch, seg, [(u0, u1, low, high, 0.0, out)], sides, "lr")
    boxes(batch, seg, fronts, Paint(look.plain, look.trim, Detail.MIDDLE))


def _balcony_iron(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    picks = [
        (a + 0.1, b - 0.1, row.z0)
        for row in face.rows[1:]
        for k, (a, b) in enumerate(face.spans())
        if chance.unit(f"{row.storey % 2}/{k}") < share
    ]
    slabs = [(a, b, z - 0.12, z, 0.0, 0.85) for a, b, z in picks]
    boxes(batch, face.segment, slabs, Paint("plain/stone", face.look.trim, Detail.MIDDLE))
    rails = [(a, b, z, z + 1.0, 0.0, 0.82) for a, b, z in picks]
    boxes(batch, face.segment, rails, Paint(RAIL, WHITE), "flr")


def _balcony(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    """Deep balconies before the middle of the bays, the same in all storeys."""
    if face.entrance and any(kind == "gallery" for kind, _ in face.look.style.attachments):
        return
    front = chance.choice(FRONTS, "front")
    picks = [s for k, s in enumerate(face.spans()) if share >= 1.0 or (k + chance.integer(0, 2, "phase")) % 2 == 0]
    slabs, walls, inner = [], [], []
    for row in face.rows:
        for a, b in picks:
            u0, u1 = (a + 0.06, b - 0.06) if share >= 1.0 else (a + 0.12 * (b - a), b - 0.08 * (b - a))
            slabs.append((u0, u1, row.z0 - 0.16, row.z0, 0.0, 1.5))
            walls.append((u0, u1, row.z0, row.z0 + 1.05, 0.0, 1.5))
            inner.append((u0 + 0.05, u1 - 0.05, row.z0, row.z0 + 1.05, 0.0, 1.45))
    detail = Detail.MIDDLE
    boxes(batch, face.segment, slabs, Paint("trim/sheet", (205, 204, 198, 255), detail))
    boxes(batch, face.segment, walls, Paint("trim/sheet", front, detail), "flr")
    inside = [_inner(span) for span in inner]
    sheets(batch, face.segment, inside, Paint("trim/sheet", front, Detail.FINE))


def _inner(span: tuple[float, ...]) -> list[tuple[float, float, float]]:
    """The back of a balcony's front, as a quad that faces the wall."""
    u0, u1, z0, z1, _, out = span
    return [(u1, z0, out), (u0, z0, out), (u0, z1, out), (u1, z1, out)]


def _gallery(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    """Decks along the entrance side of every storey, with a rail and posts at the cross walls."""
    if not face.entrance or face.segment.length < 15.0:
        return
    length = face.segment.length
    decks = [(0.1, length - 0.1, row.z0 - 0.2, row.z0, 0.0, 1.4) for row in face.rows]
    boxes(batch, face.segment, decks, Paint("trim/sheet", (208, 207, 200, 255), Detail.MIDDLE))
    front = chance.choice(FRONTS, "front")
    rails = [(0.1, length - 0.1, row.z0, row.z0 + 1.1, 1.34, 1.4) for row in face.rows]
    boxes(batch, face.segment, rails, Paint("trim/sheet", front, Detail.MIDDLE), "fbt")
    top = face.rows[-1].z1
    posts = [(a - 0.08, a + 0.08, face.floor, top, 1.18, 1.36) for a, _ in face.spans()[1:]]
    boxes(batch, face.segment, posts, Paint("trim/sheet", (190, 190, 184, 255), Detail.MIDDLE), "flrb")
    del share


def _fire_escape(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    spans = face.spans()
    rows = list(face.rows)
    if chance.unit("there") > share or not spans or len(rows) < 2 or len(rows) > 9:
        return
    a, b = spans[chance.integer(0, len(spans), "bay")]
    mid, half = 0.5 * (a + b), min(1.5, 0.5 * (b - a) - 0.1)
    iron: Rgba = (92, 96, 98, 255)
    decks = [(mid - half, mid + half, row.z0 + 0.35, row.z0 + 0.41, 0.0, 1.0) for row in rows]
    boxes(batch, face.segment, decks, Paint("trim/sheet", iron, Detail.MIDDLE), "flrtd")
    rails = [(mid - half, mid + half, row.z0 + 0.41, row.z0 + 1.35, 0.0, 0.98) for row in rows]
    boxes(batch, face.segment, rails, Paint(RAIL, WHITE, Detail.FINE), "flr")
    flights = []
    for k, (low, high) in enumerate(itertools.pairwise(rows)):
        u0, u1 = (mid - half + 0.2, mid + half - 0.3) if k % 2 else (mid + half - 0.2, mid - half + 0.3)
        z0, z1 = low.z0 + 0.42, high.z0 + 0.38
        flights.append([(u0, z0, 0.25), (u0, z0, 0.8), (u1, z1, 0.8), (u1, z1, 0.25)])
    sheets(batch, face.segment, flights, Paint("trim/sheet", iron, Detail.FINE), both=True)


def _ladder(batch: Batch, face: Face, share: float, chance: Chance) -> None:
    if chance.unit("there") > share or face.segment.length < 3.5:
        return
    u = face.segment.length - 0.55
    z0, z1 = face.floor, face.rows[-1].z1
    span = [(u - 0.22, z0, 0.16), (u + 0.22, z0, 0.16), (u + 0.22, z1, 0.16), (u - 0.22, z1, 0.16)]
    sheets(batch, face.segment, [span], Paint(RAIL, WHITE, Detail.FINE), 1.1)


MAKERS: dict[str, Maker] = {
    "aircon": _aircon, "cage": _cage, "shutters": _shutters, "pipe": _pipe, "bay_window": _bay_window,
    "oriel": _oriel, "balcony_iron": _balcony_iron, "balcony": _balcony, "gallery": _gallery,
    "fire_escape": _fire_escape, "ladder": _ladder,
}  # fmt: skip
