"""From building plans to solids: outlines against parts, nested parts, overlapping neighbours."""

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
from shapely import STRtree, make_valid, oriented_envelope
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.geometry.polygon import orient
from shapely.ops import unary_union

from citysim.build.buildings.bodies import bodies
from citysim.build.buildings.solid import BELOW, Solid, polygons
from citysim.build.buildings.style import Style
from citysim.build.chance import Chance
from citysim.build.draft import Ground
from citysim.build.plans import BuildingPlan
from citysim.build.streets.site import HEADROOM, OPEN_KINDS

LEAST = 1.0  # square metres: smaller footprints are dropped
STRAIGHT = 0.015  # metres that an outline may move when nodes on straight walls are dropped
SLOPE = 0.3  # metres between the lowest and the highest ground at a building from which it stands on a slope
LOWEST = 0.3  # metres: lower solids are dropped
LEFTOVER = 4.0  # square metres: smaller rests of an outline are slivers between unshared nodes
PITCHED = ("gabled", "hipped", "pyramidal", "skillion", "mansard", "dome", "onion", "round")


def usable(plan: BuildingPlan) -> bool:
    """Whether a plan has finite heights and a footprint."""
    finite = math.isfinite(plan.height) and math.isfinite(plan.min_height) and math.isfinite(plan.roof_height)
    return finite and plan.height - max(0.0, plan.min_height) >= LOWEST and bool(footprint(plan))


def footprint(plan: BuildingPlan) -> list[Polygon]:
    """The plan's polygon as valid polygons, those below one square metre dropped."""
    shape: BaseGeometry = plan.polygon
    if shape.is_empty or not np.isfinite(shape.bounds).all():
        return []
    if not shape.is_valid:
        shape = make_valid(shape)
    found = []
    for polygon in polygons(shape, LEAST):
        # Nodes that entrances put on straight walls would only multiply triangles.
        plain = polygon.simplify(STRAIGHT)
        whole = plain if isinstance(plain, Polygon) and plain.is_valid and plain.area >= LEAST else polygon
        if not whole.buffer(-0.1).is_empty:
            found.append(whole)
    return found


def ground_below(outline: Polygon, ground: Ground) -> tuple[float, float]:
    """Lowest and highest ground along an outline, metres; holes of the ground's definition (NaN) are ignored.

    Looked at a hand's width outside, since the outline may run along a retaining wall.
    """
    line = outline.buffer(0.15, join_style="mitre").exterior
    steps = max(8, math.ceil(line.length / 4.0))
    points = [*line.coords, *(line.interpolate(k / steps, normalized=True).coords[0] for k in range(steps))]
    heights = np.asarray(ground.height(np.asarray(points)[:, :2]), dtype=np.float64)
    heights = heights[np.isfinite(heights)]
    return (float(heights.min()), float(heights.max())) if len(heights) else (0.0, 0.0)


def floor_level(outline: BuildingPlan, shapes: list[Polygon], ground: Ground) -> tuple[float, float]:
    """The height of the ground floor and the lowest ground at a building, metres.

    On a slope the floor lies level with the pavement before the main door; what the ground leaves free below it is
    plinth, with windows where it is high.
    """
    spans = [ground_below(p, ground) for p in shapes]
    low, high = min(s[0] for s in spans), max(s[1] for s in spans)
    doors = sorted(outline.entrances, key=lambda e: (e.kind != "main", e.id))
    if high - low < SLOPE or not doors:
        return low, low
    at = Point(doors[0].xy)
    shape = min(shapes, key=lambda p: p.distance(at))
    ring = orient(shape, 1.0).exterior
    s = ring.project(at)
    a, b = ring.interpolate(max(s - 0.05, 0.0)), ring.interpolate(min(s + 0.05, ring.length))
    scale = 0.5 / max(math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2), 1e-9)
    wall = ring.interpolate(s)
    before = (wall.x + (b.y - a.y) * scale, wall.y - (b.x - a.x) * scale)
    z = float(np.asarray(ground.height(np.array([before])), dtype=np.float64)[0])
    return (min(max(z, low), high), low) if math.isfinite(z) else (low, low)


def solids_of(
    outline: BuildingPlan, parts: list[BuildingPlan], style: Style, ground: Ground, chance: Chance
) -> list[Solid]:
    """The solids of one building; parts stand for it where they exist, what they leave keeps the outline's looks.

    Without parts, a style of the embedded cities says how its body is made.
    """
    shapes = footprint(outline)
    base, lowest = floor_level(outline, shapes, ground)
    if not parts and style.embedded and outline.min_height <= 0.0 and outline.kind not in OPEN_KINDS:
        return [s for p in shapes for s in _styled(outline, style, p, base, lowest)]
    if not parts:
        plans = [roofed(outline, style, p, chance) for p in shapes]
        return [s for plan, p in zip(plans, shapes, strict=True) for s in _solid(outline, plan, p, base, lowest)]
    found: list[Solid] = []
    pieces = [(part, p) for part in parts for p in footprint(part)]
    standing = [p for part, p in pieces if part.min_height < HEADROOM]
    left: BaseGeometry = unary_union(shapes)
    if standing:
        left = left.difference(unary_union(standing).buffer(0.01, join_style="mitre"))
    hanging = sorted(
        ((q.min_height, q.id, p) for q, p in pieces if q.min_height >= HEADROOM), key=lambda h: (h[0], h[1])
    )
    body = max((q.height for q, _ in pieces), default=outline.height)
    for rest in opened(left, LEFTOVER):
        # A rest below a dome or an upper storey carries it: it cannot be taller than where that begins.
        above = [low for low, _, p in hanging if p.intersection(rest).area > 0.3 * rest.area]
        found += _solid(outline, outline, rest, base, lowest, min([outline.height, body, *above]))
    for part, p in pieces:
        found += _solid(outline, part, p, base, lowest)
    return found


def roofed(plan: BuildingPlan, style: Style, shape: Polygon, chance: Chance) -> BuildingPlan:
    """A plan without a word on its roof gets the roof that its style usually has.

    The roof stands on the storeys; where the whole height was measured, it takes its share of that.
    """
    mapped = plan.id.startswith("osm:")  # other sources mean it when they say flat
    if (
        not mapped
        or style.forms[0][0] == "flat"
        or plan.roof != "flat"
        or any(k.startswith("roof:") for k in plan.tags)
    ):
        return plan
    width = min(narrow_side(shape), 2.0 * shape.area / max(shape.length, 1.0) * 1.3)
    if shape.area < 90.0 or plan.height < 7.0 or width < 5.0:
        return plan
    simple = not shape.interiors and shape.convex_hull.area < 1.06 * shape.area
    forms = style.forms if simple else tuple(f for f in style.forms if f[0] != "gabled")
    form = chance.weighted(forms, "roof form")
    if form == "flat":
        return plan
    steep = 1.3 if form == "mansard" else math.tan(math.radians(style.pitch))
    rise = round(min(0.5 * width * steep, 4.8 if form == "gabled" else 3.4, 0.3 * plan.height), 2)
    measured = "height" in plan.tags or "building:height" in plan.tags
    return replace(plan, roof=form, roof_height=rise, height=plan.height if measured else plan.height + rise)


def opened(shape: BaseGeometry, least: float) -> list[Polygon]:
    """Polygons of a shape after removing what is thinner than half a metre."""
    if shape.is_empty:
        return []
    core = shape.buffer(-0.25, join_style="mitre").buffer(0.26, join_style="mitre")
    return polygons(core.intersection(shape), least)


def _solid(
    outline: BuildingPlan,
    plan: BuildingPlan,
    shape: Polygon,
    base: float,
    lowest: float,
    height: float | None = None,
) -> list[Solid]:
    total = plan.height if height is None else height
    low = max(0.0, plan.min_height)
    if not usable(plan) or total - low < LOWEST:
        return []
    roof = plan.roof if plan.roof in PITCHED else "flat"
    rise = 0.0
    if roof != "flat":
        rise = plan.roof_height if plan.roof_height > 0.05 else 0.5 * narrow_side(shape) * 0.839
        limit = total - low if plan.roof_height > 0.05 else 0.35 * (total - low)
        rise = min(rise, limit)
    if plan.kind in OPEN_KINDS:
        low = max(low, min(total - rise - 0.4, total - 0.4))
    bottom = base + low if low >= 0.5 else lowest - BELOW
    return [Solid(outline, plan, shape, base, bottom, base + total - rise, base + total, roof)]


def _styled(outline: BuildingPlan, style: Style, shape: Polygon, base: float, lowest: float) -> list[Solid]:
    """The bodies that a style makes of a footprint."""
    found: list[Solid] = []
    for body in bodies(outline, style, shape):
        plan = replace(outline, levels=body.levels, roof_heading_deg=body.heading_deg)
        parapet = 1.0 if body.roof == "flat" and body.parapet else 0.0
        found.append(
            Solid(
                outline, plan, body.polygon, base, lowest - BELOW if body.low <= 0.0 else base + body.low,
                base + body.high + parapet, base + body.high + max(body.rise, parapet), body.roof, (), body.style,
                parapet,
            )
        )  # fmt: skip
    return found


def narrow_side(shape: Polygon) -> float:
    """Shorter side of the smallest rectangle around a shape, metres."""
    box = oriented_envelope(shape)
    if not isinstance(box, Polygon):
        return 0.0
    (ax, ay), (bx, by), (cx, cy) = box.exterior.coords[:3]
    return min(math.sqrt((bx - ax) ** 2 + (by - ay) ** 2), math.sqrt((cx - bx) ** 2 + (cy - by) ** 2))


def disjoint(solids: list[Solid]) -> list[Solid]:
    """Solids that no longer overlap where both have walls: the taller keeps its footprint, the other gives way.

    Overlaps thinner than 30 cm stay (walls hide in each other); a block that begins inside another one starts on its
    roof instead, or is drawn in by 2 cm where it straddles the edge, so that no two faces lie in one plane.
    """
    if not solids:
        return []
    tree = STRtree([s.polygon for s in solids])
    order = sorted(range(len(solids)), key=lambda i: (-solids[i].top, solids[i].outline.id, solids[i].plan.id, i))
    rank = {i: k for k, i in enumerate(order)}
    cutters: dict[int, list[int]] = defaultdict(list)
    floors: dict[int, float] = {}
    inset: set[int] = set()
    left, right = tree.query([s.polygon for s in solids], predicate="intersects")
    for i, j in sorted(zip(left.tolist(), right.tolist(), strict=True)):
        if rank[i] >= rank[j]:
            continue
        high, low = solids[i], solids[j]
        shared = high.polygon.intersection(low.polygon)
        if shared.area < 0.05 or min(high.eaves, low.eaves) - max(high.bottom, low.bottom) < 0.1:
            continue
        if shared.buffer(-0.15).is_empty:
            continue
        if high.bottom <= low.bottom + 0.5:
            cutters[j].append(i)
        elif shared.area > 0.95 * high.polygon.area and low.roof == "flat":
            floors[i] = max(floors.get(i, high.bottom), min(low.eaves, high.eaves - 0.3))
        else:
            inset.add(i)
    result: list[Solid] = []
    for i, solid in enumerate(solids):
        shape: BaseGeometry = solid.polygon
        for k in cutters.get(i, ()):
            shape = shape.difference(solids[k].polygon)
        if i in inset:
            shape = shape.buffer(-0.02, join_style="mitre")
        pieces = opened(shape, LEFTOVER) if i in cutters else polygons(shape, LEAST)
        bottom = floors.get(i, solid.bottom)
        result += [replace(solid, polygon=p, bottom=bottom) for p in pieces]
    return result
