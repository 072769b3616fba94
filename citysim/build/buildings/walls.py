"""Walls: visible panels of a run become strips of bays, blank piers and blank bands."""

from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.exposure import Panel
from citysim.build.buildings.outline import Run
from citysim.build.buildings.storeys import Row
from citysim.build.buildings.styles import Style
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


def fit(s0: float, s1: float, bay: float) -> Bays:
    """Whole bays between s0 and s1: stretched by at most 12 %, else with equal blank piers at both ends."""
    length = s1 - s0
    count = round(length / bay)
    if count >= 1 and abs(length / (count * bay) - 1.0) <= STRETCH:
        return Bays(s0, length / count, count)
    count = int(length / bay)
    return Bays(s0 + 0.5 * (length - count * bay), bay, count)


def band(
    batch: Batch,
    run: Run,
    s: Interval,
    z: Interval,
    u: Interval,
    v: Interval,
    material: str,
    color: Rgba,
) -> None:
    """A vertical ribbon along a run; u and v are texture units at s[0], s[1] and at the bottom and top."""
    marks = run.columns(*s)
    if s[1] - s[0] < 1e-3 or z[1] - z[0] < 1e-3:
        return
    points, uvs = [], []
    for m in marks:
        x, y = run.at(m)
        t = u[0] + (u[1] - u[0]) * (m - s[0]) / (s[1] - s[0])
        points += [(x, y, z[0]), (x, y, z[1])]
        uvs += [(t, v[0]), (t, v[1])]
    faces = []
    for k in range(0, 2 * len(marks) - 2, 2):
        faces += [(k, k + 2, k + 3), (k, k + 3, k + 1)]
    batch.add(points, faces, uvs, material, color)


def blank(batch: Batch, run: Run, s: Interval, z: Interval, look: Look) -> None:
    """Wall without windows."""
    m = PLAIN_METRES
    band(batch, run, s, z, (s[0] / m, s[1] / m), (-z[0] / m, -z[1] / m), look.plain, look.wall)


def emit_walls(
    batch: Batch, panels: Sequence[Panel], rows: Sequence[Row], look: Look, doors: Sequence[Interval], chance: Chance
) -> None:
    """Draw the visible panels of one run; `doors` are intervals along it that need blank wall at ground level.

    Storeys are laid out over all panels that show them whole, so that windows stay in line above passages and
    lower neighbours; what shows a storey only in part is blank.
    """
    run = panels[0].run
    dead = chance.unit("dead") < 0.6
    for row in rows:
        whole: list[Interval] = []
        for panel in panels:
            z0, z1 = max(row.z0, panel.z0), min(row.z1, panel.z1)
            if z1 - z0 < 0.01:
                continue
            if row.strip is None or z1 - z0 < 0.99 * (row.z1 - row.z0) or (panel.above and dead):
                blank(batch, run, (panel.s0, panel.s1), (z0, z1), look)
            elif whole and abs(whole[-1][1] - panel.s0) < 1e-6:
                whole[-1] = (whole[-1][0], panel.s1)
            else:
                whole.append((panel.s0, panel.s1))
        if row.strip is None:
            continue
        for s0, s1 in whole:
            bays = fit(s0, s1, row.strip.bay)
            if row.strip.blank_first:
                _ground(batch, run, (s0, s1), row, bays, look, doors, chance)
                continue
            blank(batch, run, (s0, bays.start), (row.z0, row.z1), look)
            blank(batch, run, (bays.stop, s1), (row.z0, row.z1), look)
            if bays.count:
                first = chance.integer(0, row.strip.bays, f"offset/{row.storey}")
                u = (first / row.strip.bays, (first + bays.count) / row.strip.bays)
                v = (row.strip.v1, row.strip.v0)
                band(batch, run, (bays.start, bays.stop), (row.z0, row.z1), u, v, look.page, look.wall)


def _ground(
    batch: Batch,
    run: Run,
    s: Interval,
    row: Row,
    bays: Bays,
    look: Look,
    doors: Sequence[Interval],
    chance: Chance,
) -> None:
    """The ground floor: piers and the bays behind doors show the blank bay, the others windows."""
    if row.strip is None:
        return
    strip, z = row.strip, (row.z0, row.z1)
    v = (strip.v1, strip.v0)

    def wall(a: float, b: float) -> None:
        at = a
        while b - at > 1e-3:
            to = min(b, at + strip.bay)
            band(batch, run, (at, to), z, (0.0, (to - at) / strip.bay / strip.bays), v, look.page, look.wall)
            at = to

    wall(s[0], bays.start)
    wall(bays.stop, s[1])
    index, bay = 0, 1 + chance.integer(0, strip.bays - 1, "ground")
    while index < bays.count:
        a = bays.start + index * bays.width
        if any(d0 < a + bays.width and a < d1 for d0, d1 in doors):
            wall(a, a + bays.width)
            index += 1
            continue
        if bay >= strip.bays:
            bay = 1
        length = 1
        while (
            index + length < bays.count
            and bay + length < strip.bays
            and not any(d0 < a + (length + 1) * bays.width and a + length * bays.width < d1 for d0, d1 in doors)
        ):
            length += 1
        u = (bay / strip.bays, (bay + length) / strip.bays)
        band(batch, run, (a, a + length * bays.width), z, u, v, look.page, look.wall)
        index, bay = index + length, bay + length
