"""What a style puts on its flat roofs: huts, lift houses, tanks, water towers, aerials, plant, frames, cars."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shapely import prepare
from shapely.geometry import Polygon

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.paint.kit import Cell, cell
from citysim.build.buildings.pieces import Look
from citysim.build.buildings.roofshapes import axes
from citysim.build.buildings.solid import Solid, polygons
from citysim.build.buildings.surface import box, emit, level
from citysim.build.chance import Chance
from citysim.build.mesh import Detail
from citysim.build.plans import Xy

KIT, TRIM = "kit/sheet", "trim/sheet"
WHITE: Rgba = (255, 255, 255, 255)
CARS: tuple[Rgba, ...] = ((150, 60, 55, 255), (225, 226, 224, 255), (84, 100, 128, 255), (120, 124, 126, 255))


SHEET = ((0.0, 0.3), (0.3, 0.3), (0.15, 0.0))
TALL = ("watertower", "lifthouse", "aerial")  # not on ledges below a tower


@dataclass(slots=True)
class Roof:
    """A flat roof being furnished: what is free of it, its own axes and its height."""

    batch: Batch
    look: Look
    deck: float
    free: Polygon
    along: Xy
    count: int = 0

    def place(self, size: tuple[float, float], chance: Chance, margin: float = 0.9, edge: bool = False) -> Xy | None:
        """The middle of a free rectangle of `size` along and across the axes, and takes it; None without room."""
        x0, y0, x1, y1 = self.free.bounds
        for k in range(14):
            spot = chance.child(k)
            p = (spot.uniform(x0, x1, "x"), spot.uniform(y0, y1, "y"))
            shape = rectangle(p, self.along, (size[0] + 2.0 * margin, size[1] + 2.0 * margin))
            if not self.free.contains(shape):
                continue
            if edge and self.free.exterior.distance(shape) > 1.5 and k < 10:
                continue
            rest = polygons(self.free.difference(rectangle(p, self.along, size)), 2.0)
            self.free = max(rest, key=lambda r: r.area) if rest else self.free
            prepare(self.free)
            self.count += 1
            return p
        return None

    def box(
        self, at: Xy, size: tuple[float, float], z: tuple[float, float], material: str, color: Rgba, detail: Detail
    ) -> None:
        """A box on the roof, z above the deck."""
        box(self.batch, at, self.along, size, (self.deck + z[0], self.deck + z[1]), material, color, detail)

    def faced(self, at: Xy, size: tuple[float, float], z: tuple[float, float], picture: Cell, color: Rgba) -> None:
        """A box whose sides all show one picture."""
        left, top, right, bottom = picture
        ring = corners(at, self.along, size)
        low, high = self.deck + z[0], self.deck + z[1]
        uvs = [(left, bottom), (right, bottom), (right, top), (left, top)]
        for k in range(4):
            a, b = ring[k], ring[(k + 1) % 4]
            quad = [(*a, low), (*b, low), (*b, high), (*a, high)]
            self.batch.quad(quad, uvs, KIT, color, Detail.MIDDLE)
        emit(self.batch, level(Polygon(ring), high), TRIM, color, 4.0, Detail.MIDDLE)


def corners(center: Xy, axis: Xy, size: tuple[float, float]) -> list[Xy]:
    """The four corners of a rectangle, counter-clockwise."""
    (ux, uy), hx, hy = axis, 0.5 * size[0], 0.5 * size[1]
    signs = ((-hx, -hy), (hx, -hy), (hx, hy), (-hx, hy))
    return [(center[0] + ux * a - uy * b, center[1] + uy * a + ux * b) for a, b in signs]


def rectangle(center: Xy, axis: Xy, size: tuple[float, float]) -> Polygon:
    """The same as a polygon."""
    return Polygon(corners(center, axis, size))


def emit_plant(batch: Batch, solid: Solid, look: Look, stacked: Sequence[Polygon], chance: Chance) -> None:
    """Furnish the flat roof of one solid as its style says."""
    shape = solid.polygon
    for other in stacked:
        rest = polygons(shape.difference(other.buffer(0.4, join_style="mitre")), 4.0)
        if not rest:
            return
        shape = max(rest, key=lambda r: r.area)
    inner = polygons(shape.buffer(-0.45, join_style="mitre"), 4.0)
    if not inner:
        return
    along, _ = axes(solid.polygon, None)
    roof = Roof(batch, look, solid.deck, max(inner, key=lambda r: r.area), along)
    small = bool(stacked)
    for kind, share in look.style.plant:
        if (
            kind in MAKERS
            and chance.unit(kind) < share
            and not (small and kind in ("watertower", "lifthouse", "aerial"))
        ):
            MAKERS[kind](roof, chance.child(f"{kind}/at"))


def _hut(roof: Roof, chance: Chance) -> None:
    """A stair head with a door."""
    at = roof.place((3.4, 2.8), chance, 0.7)
    if at is not None:
        roof.box(at, (3.4, 2.8), (0.0, 2.5), roof.look.plain, roof.look.wall, Detail.ALL)
        roof.box(at, (3.7, 3.1), (2.5, 2.62), TRIM, (140, 140, 136, 255), Detail.MIDDLE)


def _lifthouse(roof: Roof, chance: Chance) -> None:
    big = roof.free.area > 220.0
    size = (6.5, 5.0) if big else (4.0, 3.6)
    at = roof.place(size, chance, 1.2)
    if at is not None:
        high = chance.uniform(3.2, 4.8, "high")
        roof.box(at, size, (0.0, high), roof.look.plain, roof.look.wall, Detail.ALL)
        roof.box(at, (0.5 * size[0], 0.5 * size[1]), (high, high + 1.4), roof.look.plain, roof.look.trim, Detail.MIDDLE)


def _tank(roof: Roof, chance: Chance) -> None:
    for k in range(1 if roof.free.area < 150.0 else 2):
        at = roof.place((2.1, 2.1), chance.child(k), 0.3)
        if at is None:
            return
        roof.box(at, (1.5, 1.5), (0.0, 0.7), TRIM, (110, 112, 112, 255), Detail.FINE)
        roof.faced(at, (2.1, 2.1), (0.7, 2.7), cell("tank"), WHITE)


def _watertower(roof: Roof, chance: Chance) -> None:
    """A wooden tank on steel legs under a cone."""
    at = roof.place((4.2, 4.2), chance, 0.6)
    if at is None:
        return
    legs, radius, sides = roof.deck + chance.uniform(2.2, 3.4, "legs"), 1.75, 10
    top = legs + 3.6
    for corner in corners(at, roof.along, (2.5, 2.5)):
        box(roof.batch, corner, roof.along, (0.2, 0.2), (roof.deck, legs), TRIM, (104, 106, 106, 255), Detail.MIDDLE)
    turn = [(math.cos(2 * math.pi * k / sides), math.sin(2 * math.pi * k / sides)) for k in range(sides + 1)]
    left, upper, right, lower = cell("staves")
    for k in range(sides):
        (ax, ay), (bx, by) = turn[k], turn[k + 1]
        a, b = (at[0] + radius * ax, at[1] + radius * ay), (at[0] + radius * bx, at[1] + radius * by)
        u0, u1 = (left + (right - left) * (j / sides) for j in (k, k + 1))
        quad = [(*a, legs), (*b, legs), (*b, top), (*a, top)]
        roof.batch.quad(quad, [(u0, lower), (u1, lower), (u1, upper), (u0, upper)], KIT, WHITE, Detail.MIDDLE)
        c, d = (
            (at[0] + 1.1 * radius * ax, at[1] + 1.1 * radius * ay),
            (at[0] + 1.1 * radius * bx, at[1] + 1.1 * radius * by),
        )
        cone = [(*c, top - 0.05), (*d, top - 0.05), (at[0], at[1], top + 1.3)]
        roof.batch.add(
            cone, [(0, 1, 2)], [(0.0, 0.3), (0.3, 0.3), (0.15, 0.0)], TRIM, (120, 116, 108, 255), Detail.MIDDLE
        )
        base = [(*b, legs), (*a, legs), (at[0], at[1], legs)]
        roof.batch.add(base, [(0, 1, 2)], SHEET, TRIM, (110, 100, 90, 255), Detail.FINE)


def _aerial(roof: Roof, chance: Chance) -> None:
    for k in range(1 + chance.integer(0, 2, "count")):
        one = chance.child(k)
        at = roof.place((0.3, 0.3), one, 0.2)
        if at is None:
            return
        high = one.uniform(2.5, 5.0, "high")
        grey: Rgba = (150, 152, 152, 255)
        roof.box(at, (0.07, 0.07), (0.0, high), TRIM, grey, Detail.MIDDLE)
        for j in range(2):
            roof.box(at, (1.2 - 0.25 * j, 0.04), (high - 0.3 - 0.3 * j, high - 0.26 - 0.3 * j), TRIM, grey, Detail.FINE)


def _lines(roof: Roof, chance: Chance) -> None:
    """Drying frames and a shed of corrugated sheet."""
    at = roof.place((3.2, 2.4), chance, 0.3)
    if at is not None:
        roof.box(at, (3.2, 2.4), (0.0, 2.2), "plain/metal" if roof.look.plain == "plain/metal" else TRIM,
                 (150, 158, 152, 255), Detail.MIDDLE)  # fmt: skip


def _plant(roof: Roof, chance: Chance) -> None:
    """A row of air handling units."""
    count = 1 + min(4, int(roof.free.area / 120.0))
    for k in range(count):
        at = roof.place((2.6, 1.5), chance.child(k), 0.35)
        if at is None:
            return
        roof.faced(at, (2.6, 1.5), (0.25, 1.9), cell("ahu"), WHITE)


def _vents(roof: Roof, chance: Chance) -> None:
    for k in range(2 + min(8, int(roof.free.area / 70.0))):
        at = roof.place((0.9, 0.7), chance.child(k), 0.4)
        if at is None:
            return
        roof.box(at, (0.9, 0.7), (0.0, chance.uniform(0.8, 1.6, k)), TRIM, (190, 190, 184, 255), Detail.MIDDLE)


def _chimney(roof: Roof, chance: Chance) -> None:
    for k in range(2):
        at = roof.place((1.3, 0.7), chance.child(k), 0.1, edge=True)
        if at is not None:
            roof.box(at, (1.3, 0.7), (0.0, 2.1), roof.look.plain, roof.look.wall, Detail.ALL)


def _billboard(roof: Roof, chance: Chance) -> None:
    """A frame of lattice that carries a board."""
    size = (min(7.0, 0.6 * (roof.free.bounds[2] - roof.free.bounds[0])), 0.5)
    if size[0] < 3.0:
        return
    at = roof.place((size[0], 1.2), chance, 0.1, edge=True)
    if at is not None:
        roof.faced(at, size, (0.6, 4.6), cell("lattice"), WHITE)


def _cars(roof: Roof, chance: Chance) -> None:
    for k in range(min(14, int(roof.free.area / 40.0))):
        one = chance.child(k)
        at = roof.place((4.4, 1.8), one, 0.3)
        if at is None:
            continue
        color = one.choice(CARS, "color")
        roof.box(at, (4.4, 1.8), (0.25, 0.95), TRIM, color, Detail.MIDDLE)
        roof.box(at, (2.3, 1.6), (0.95, 1.45), TRIM, (92, 104, 112, 255), Detail.FINE)


MAKERS: dict[str, Callable[[Roof, Chance], None]] = {
    "hut": _hut, "lifthouse": _lifthouse, "tank": _tank, "watertower": _watertower, "aerial": _aerial,
    "lines": _lines, "plant": _plant, "vents": _vents, "chimney_flat": _chimney, "billboard": _billboard,
    "cars": _cars,
}  # fmt: skip
