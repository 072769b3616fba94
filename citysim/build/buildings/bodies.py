"""Bodies: how a style turns one footprint into blocks that stand beside and upon each other."""

import math
from dataclasses import dataclass

from shapely import oriented_envelope
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.buildings.solid import polygons
from citysim.build.buildings.style import Style
from citysim.build.plans import BuildingPlan, Xy

LEAST_SIDE = 7.0  # metres: a tower is not narrower
GAP = 9.0  # metres between two towers on one podium


@dataclass(frozen=True, slots=True)
class Body:
    """An upright block: heights in metres above the ground floor, `high` without roof and parapet."""

    polygon: Polygon
    low: float
    high: float
    levels: int
    roof: str = "flat"
    rise: float = 0.0
    heading_deg: float | None = None
    style: str = ""
    parapet: bool = True


@dataclass(frozen=True, slots=True)
class Axes:
    """A footprint's own axes: x along its front, y from the front inwards; `size` its extents in metres."""

    origin: Xy
    ux: Xy
    uy: Xy
    size: tuple[float, float]

    def rect(self, x0: float, y0: float, x1: float, y1: float) -> Polygon:
        """A rectangle in these axes."""
        corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        return Polygon([self.at(x, y) for x, y in corners])

    def at(self, x: float, y: float) -> Xy:
        """The point at (x, y)."""
        (ox, oy), (ax, ay), (bx, by) = self.origin, self.ux, self.uy
        return (ox + x * ax + y * bx, oy + x * ay + y * by)

    @property
    def heading_deg(self) -> float:
        """Compass direction of the front line."""
        return math.degrees(math.atan2(self.ux[0], self.ux[1])) % 360.0


def axes_of(plan: BuildingPlan, shape: Polygon) -> Axes:
    """Axes with the front on the side of the first entrance, else on a longer side."""
    box = oriented_envelope(shape)
    ring = list(box.exterior.coords)[:4] if isinstance(box, Polygon) else []
    if len(ring) < 4:
        ring = list(shape.envelope.exterior.coords)[:4]
    if Polygon(ring).exterior.is_ccw is False:
        ring.reverse()
    sides = [(ring[k], ring[(k + 1) % 4]) for k in range(4)]

    def rank(side: tuple[Xy, Xy]) -> float:
        (ax, ay), (bx, by) = side
        length = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        if not plan.entrances:
            return -round(length, 2)
        x, y = plan.entrances[0].xy
        return round(abs((x - ax) * (by - ay) - (y - ay) * (bx - ax)) / length, 2)

    a, b = min(sides, key=lambda s: (rank(s), s))
    length = math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
    ux = ((b[0] - a[0]) / length, (b[1] - a[1]) / length)
    uy = (-ux[1], ux[0])
    depth = max((p[0] - a[0]) * uy[0] + (p[1] - a[1]) * uy[1] for p in ring)
    return Axes((a[0], a[1]), ux, uy, (length, depth))


def bodies(plan: BuildingPlan, style: Style, shape: Polygon) -> list[Body]:
    """The blocks of one footprint; a plain block where the style's form finds no room."""
    rise = plan.roof_height if plan.roof != "flat" else 0.0
    height = plan.height - rise
    axes = axes_of(plan, shape)
    makers = {
        "podium": _podium, "setback": _setback, "stepped": _stepped, "church": _church, "hall": _hall, "shed": _shed,
    }  # fmt: skip
    made = makers[style.mass.kind](plan, style, shape, axes, height, rise) if style.mass.kind in makers else []
    return made or [_whole(plan, style, shape, axes, height, rise)]


def _whole(plan: BuildingPlan, style: Style, shape: Polygon, axes: Axes, height: float, rise: float) -> Body:
    heading = plan.roof_heading_deg
    if plan.roof != "flat" and heading is None:
        turn = 90.0 if style.forms[0][0] == "gable_front" else 0.0
        heading = (axes.heading_deg + turn) % 360.0
    return Body(shape, 0.0, height, plan.levels, plan.roof, rise, heading)


def _floors(style: Style, count: int) -> float:
    """Height of the lowest `count` storeys."""
    return style.ground_height + (count - 1) * (style.floor or 3.2)


def _podium(plan: BuildingPlan, style: Style, shape: Polygon, axes: Axes, height: float, rise: float) -> list[Body]:
    mass = style.mass
    base = _floors(style, mass.podium)
    wide, deep = axes.size
    if height < base + 6.0:
        return []
    inset = mass.inset if mass.podium > 1 else min(mass.inset, 0.12 * min(wide, deep))
    room = shape.buffer(-inset, join_style="mitre", mitre_limit=3.0)
    spans = [_towers(size - 2.0 * inset, mass.plan) for size in axes.size]
    if not all(spans):
        return []
    levels = max(1, plan.levels - mass.podium)
    found = [Body(shape, 0.0, base, mass.podium)]
    for x0, x1 in spans[0]:
        for y0, y1 in spans[1]:
            form = _form(mass.tower, axes, (x0 + inset, y0 + inset, x1 + inset, y1 + inset))
            for piece in polygons(form.intersection(room), 40.0):
                found.append(Body(piece, base, height, levels, style=mass.upper))
    del rise
    return found if len(found) > 1 else []


def _towers(length: float, plan: float) -> list[tuple[float, float]]:
    """Intervals of towers at most `plan` wide along `length`, evenly spaced."""
    if length < LEAST_SIDE:
        return []
    count = max(1, int((length + GAP) / (min(plan, length) + GAP)))
    size = min(plan, (length - (count - 1) * GAP) / count)
    gap = (length - count * size) / (count + 1) if count == 1 else (length - count * size) / (count - 1)
    start = gap if count == 1 else 0.0
    return [(start + k * (size + gap), start + k * (size + gap) + size) for k in range(count)]


def _form(form: str, axes: Axes, box: tuple[float, float, float, float]) -> BaseGeometry:
    """The plan of a tower: a box, a cross with notched corners, an H with deep slots in two faces."""
    x0, y0, x1, y1 = box
    shape: BaseGeometry = axes.rect(*box)
    w, d = x1 - x0, y1 - y0
    if form == "box" or min(w, d) < 13.0:
        return shape
    if form == "cross":
        nx, ny = 0.24 * w, 0.24 * d
        for cx, cy in ((x0, y0), (x1 - nx, y0), (x0, y1 - ny), (x1 - nx, y1 - ny)):
            shape = shape.difference(axes.rect(cx - 0.5, cy - 0.5, cx + nx + 0.5, cy + ny + 0.5))
    if form == "aitch":
        slot, deep, mid = 2.4, 0.24, 0.5 * (x0 + x1)
        for low, high in ((y0 - 1.0, y0 + deep * d), (y1 - deep * d, y1 + 1.0)):
            shape = shape.difference(axes.rect(mid - slot / 2, low, mid + slot / 2, high))
    return shape


def _setback(plan: BuildingPlan, style: Style, shape: Polygon, axes: Axes, height: float, rise: float) -> list[Body]:
    mass = style.mass
    low = _floors(style, mass.podium)
    floor = style.floor or 3.2
    if height < low + 4.0 * floor or min(axes.size) < 14.0:
        return []
    stops = [low]
    if height > low + 12.0 * floor:
        stops.append(low + round(0.72 * (height - low) / floor) * floor)
    stops.append(height)
    found: list[Body] = []
    at, piece = 0.0, shape
    for k, stop in enumerate(stops):
        found.append(Body(piece, at, stop, round((stop - at) / floor)))
        smaller = polygons(piece.buffer(-mass.inset * (0.8 if k else 1.0), join_style="mitre", mitre_limit=3.0), 60.0)
        if not smaller or k == len(stops) - 1:
            break
        at, piece = stop, max(smaller, key=lambda p: p.area)
    if found[-1].high < height:
        last = found[-1]
        found[-1] = Body(last.polygon, last.low, height, round((height - last.low) / floor))
    del plan, rise
    return found


def _stepped(plan: BuildingPlan, style: Style, shape: Polygon, axes: Axes, height: float, rise: float) -> list[Body]:
    mass, floor = style.mass, style.floor or 3.2
    low = height - mass.crown * floor
    wide, deep = axes.size
    if low < style.ground_height + floor or deep < mass.inset + 6.0:
        return []
    back = shape.intersection(axes.rect(-1.0, mass.inset, wide + 1.0, deep + 1.0))
    tops = polygons(back, 20.0)
    if not tops:
        return []
    found = [Body(shape, 0.0, low, max(1, plan.levels - mass.crown))]
    del rise
    return found + [Body(top, low, height, mass.crown) for top in tops]


def _church(plan: BuildingPlan, style: Style, shape: Polygon, axes: Axes, height: float, rise: float) -> list[Body]:
    """A tower over the entrance end, its spire twice as high as the nave's ridge; the nave behind it."""
    wide, deep = axes.size
    side = min(style.mass.plan, 0.5 * max(wide, deep), 0.9 * min(wide, deep))
    if side < 4.0 or max(wide, deep) < 2.2 * side:
        return []
    if deep >= wide:
        box = axes.rect(0.5 * (wide - side), -0.5, 0.5 * (wide + side), side)
        rest, heading = axes.rect(-1.0, side, wide + 1.0, deep + 1.0), axes.heading_deg + 90.0
    else:
        box = axes.rect(-0.5, 0.5 * (deep - side), side, 0.5 * (deep + side))
        rest, heading = axes.rect(side, -1.0, wide + 1.0, deep + 1.0), axes.heading_deg
    towers, naves = polygons(shape.intersection(box), 12.0), polygons(shape.intersection(rest), 20.0)
    if not towers or not naves:
        return []
    ridge = rise or 0.6 * min(wide, deep)
    body = height if rise else max(6.0, plan.height - ridge)
    total = body + ridge
    found = [Body(n, 0.0, body, plan.levels, "gabled", ridge, heading % 360.0) for n in naves]
    found.append(Body(towers[0], 0.0, 1.25 * total, 8, "pyramidal", 0.95 * total, None))
    aisles = shape.difference(rest).difference(towers[0].buffer(0.01, join_style="mitre"))
    return found + [Body(a, 0.0, 0.55 * body, 1, "skillion", 2.0, None) for a in polygons(aisles, 0.3)]


def _hall(plan: BuildingPlan, style: Style, shape: Polygon, axes: Axes, height: float, rise: float) -> list[Body]:
    """A block with a clock tower that grows out of the middle of its front."""
    wide, deep = axes.size
    side = min(style.mass.plan, 0.4 * wide, 0.5 * deep)
    if side < 3.5:
        return []
    mid = 0.5 * wide
    towers = polygons(shape.intersection(axes.rect(mid - side / 2, -0.5, mid + side / 2, side)), 10.0)
    if not towers:
        return []
    whole = _whole(plan, style, shape, axes, height, rise)
    rest = polygons(shape.difference(towers[0]), 20.0)
    total = max(34.0, 1.9 * plan.height)
    found = [Body(p, 0.0, height, whole.levels, whole.roof, whole.rise, whole.heading_deg) for p in rest]
    return [*found, Body(towers[0], 0.0, 0.72 * total, plan.levels, "pyramidal", 0.28 * total, None)]


def _shed(plan: BuildingPlan, style: Style, shape: Polygon, axes: Axes, height: float, rise: float) -> list[Body]:
    """A block with a lower head building at the front and a barrel roof behind."""
    wide, deep = axes.size
    front = min(9.0, 0.35 * deep)
    heads = polygons(shape.intersection(axes.rect(-1.0, -1.0, wide + 1.0, front)), 20.0)
    halls = polygons(shape.intersection(axes.rect(-1.0, front, wide + 1.0, deep + 1.0)), 40.0)
    if not heads or not halls or height < 7.0:
        return []
    arch = min(0.2 * min(wide, deep), 0.35 * height)
    found = [Body(h, 0.0, height, plan.levels) for h in heads]
    del rise, style
    return found + [
        Body(h, 0.0, height - arch, max(1, plan.levels - 1), "round", arch, axes.heading_deg) for h in halls
    ]
