"""Signs, poles and stops along streets, and what is parked there."""

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import shapely

from citysim.build.adding import plain_sum
from citysim.build.chance import Chance
from citysim.build.plans import CityPlan, PropPlan, WayPlan
from citysim.build.procedural.dressing.manners import Manner
from citysim.build.props.arms import TAG

MINOR = ("residential", "unclassified", "living_street", "service", "pedestrian")
SIGNED = ("primary", "secondary", "tertiary", "residential", "unclassified")
BACK = 14.0  # metres from a junction to a traffic sign
KERB = 0.55  # metres behind the kerb


def park_others(props: tuple[PropPlan, ...], manner: Manner, chance: Chance) -> list[PropPlan]:
    """The props with some cars turned into taxis, vans and the like."""
    if not manner.vehicles:
        return list(props)
    options = [*manner.vehicles.items(), ("car", 1.0 - plain_sum(manner.vehicles.values()))]
    return [replace(p, kind=chance.weighted(options, p.id)) if p.kind == "car" else p for p in props]


def along_streets(plan: CityPlan, manner: Manner, chance: Chance) -> list[PropPlan]:
    """Traffic signs near junctions and utility poles along minor streets."""
    degree = Counter(n for w in plan.ways if w.kind in SIGNED for n in (w.nodes[0], w.nodes[-1]))
    found: list[PropPlan] = []
    for way in plan.ways:
        if way.tunnel or way.bridge or way.layer or len(way.nodes) < 2:
            continue
        line = plan.line(way)
        if way.kind in SIGNED and line.length > 2.5 * BACK:
            for end in (0, 1):
                node = way.nodes[-end]
                if degree[node] > 1 and chance.unit(f"sign/{way.id}/{end}") < manner.signs:
                    s = line.length - BACK if end else BACK
                    found.append(_beside(way, line, s, 1.0 if end else -1.0, KERB, "traffic_sign", f"sign{end}"))
        if manner.poles and way.kind in MINOR and line.length > 10.0:
            side = 1.0 if chance.unit(f"poles/{way.id}") < 0.5 else -1.0
            count = max(1, round(line.length / manner.poles))
            for k in range(count):
                s = line.length * (k + 0.5) / count
                flush = way.kind in ("living_street", "service", "pedestrian") or way.width < 5.0
                found.append(_beside(way, line, s, side, -0.33 if flush else KERB, "utility_pole", f"pole{k}"))
    return found


def at_corners(plan: CityPlan, manner: Manner) -> list[PropPlan]:
    """Posts with the names of the streets that meet at a junction, one at its corner."""
    if not manner.posts:
        return []
    arms: dict[int, list[tuple[str, float, float]]] = defaultdict(list)  # name, bearing, half width
    for way in plan.ways:
        if way.kind not in SIGNED or not way.name or way.tunnel or way.bridge or way.layer:
            continue
        for i, node in enumerate(way.nodes):
            for j in (i - 1, i + 1):
                if 0 <= j < len(way.nodes):
                    (ax, ay), (bx, by) = plan.nodes[node], plan.nodes[way.nodes[j]]
                    arms[node].append((way.name, math.atan2(bx - ax, by - ay), way.width / 2.0))
    found: list[PropPlan] = []
    for node in sorted(arms):
        if len({name for name, _, _ in arms[node]}) < 2:
            continue
        one = arms[node][0]
        two = next(a for a in arms[node] if a[0] != one[0])
        if abs(math.sin(one[1] - two[1])) < 0.4:
            continue
        x, y = plan.nodes[node]
        for (_, bearing, _), (_, _, half) in ((one, two), (two, one)):
            x += math.sin(bearing) * (half + 1.3) / abs(math.sin(one[1] - two[1]))
            y += math.cos(bearing) * (half + 1.3) / abs(math.sin(one[1] - two[1]))
        text = ";".join(f"{name}@{math.degrees(bearing) % 360.0:.1f}" for name, bearing, _ in (one, two))
        found.append(PropPlan(f"{plan.name}:corner/{node}", "street_sign", (x, y), 0.0, tags={TAG: text}))
    return found


def at_squares(plan: CityPlan, landmarks: Sequence[PropPlan], chance: Chance) -> list[PropPlan]:
    """Posts on squares and at stops that point to what is worth a walk."""
    targets = [(p.name, p.xy) for p in landmarks]
    targets += [(a.name, a.polygon.representative_point().coords[0]) for a in plan.areas if a.name]
    spots = [(a.id, a.polygon.representative_point().coords[0]) for a in plan.areas if a.kind == "square"]
    spots += [(p.id, (p.xy[0] + 2.5, p.xy[1] + 2.5)) for p in plan.props if p.kind == "bus_shelter"]
    found: list[PropPlan] = []
    for ident, (x, y) in spots:
        near = sorted((math.dist((x, y), xy), name, xy) for name, xy in targets)
        chosen = [(name, xy) for far, name, xy in near if far > 25.0][:3]
        if len(chosen) < 2:
            continue
        arms = [f"{n}@{math.degrees(math.atan2(tx - x, ty - y)) % 360.0:.1f}" for n, (tx, ty) in chosen]
        found.append(PropPlan(f"{ident}/ways", "direction_sign", (x + chance.uniform(-3.0, 3.0, ident), y - 3.0), 0.0,
                              tags={TAG: ";".join(arms)}))  # fmt: skip
    return found


def _beside(
    way: WayPlan, line: shapely.LineString, s: float, side: float, off: float, kind: str, name: str
) -> PropPlan:
    """A thing beside a way, `s` metres along it, `side` 1 for its right; a sign looks at those who come along."""
    a, b = line.interpolate(max(0.0, s - 0.5)), line.interpolate(min(line.length, s + 0.5))
    dx, dy = b.x - a.x, b.y - a.y
    far = math.hypot(dx, dy)
    dx, dy = dx / far, dy / far
    at = line.interpolate(s)
    out = side * (way.width / 2.0 + off)
    heading = math.degrees(math.atan2(-dx * side, -dy * side)) % 360.0
    return PropPlan(f"{way.id}/{name}", kind, (at.x + dy * out, at.y - dx * out), heading)


def at_crossings(plan: CityPlan, manner: Manner) -> list[PropPlan]:
    """Globes on banded posts at both ends of zebra crossings."""
    found: list[PropPlan] = []
    if not manner.globes:
        return found
    for way in plan.ways:
        if way.kind != "crossing" or way.crossing != "zebra":
            continue
        line = plan.line(way)
        for end in (0, 1):
            p = line.coords[-end]
            q = line.coords[-2 if end else 1]
            far = math.dist(p, q) or 1.0
            ux, uy = (p[0] - q[0]) / far, (p[1] - q[1]) / far
            xy = (p[0] + ux * 0.4 - uy * (way.width / 2 + 0.5), p[1] + uy * 0.4 + ux * (way.width / 2 + 0.5))
            found.append(PropPlan(f"{way.id}/globe{end}", "crossing_globe", xy))
    return found


def at_stops(plan: CityPlan, manner: Manner, chance: Chance) -> list[PropPlan]:
    """A named post at each bus shelter that has none, and other things people look for there."""
    posts = [p.xy for p in plan.props if p.kind in ("bus_stop", "tram_stop")]
    streets = [w for w in plan.ways if w.name and w.kind in SIGNED and len(w.nodes) > 1]
    tree = shapely.STRtree([plan.line(w) for w in streets]) if streets else None
    found: list[PropPlan] = []
    used: Counter[str] = Counter()
    for shelter in [p for p in plan.props if p.kind == "bus_shelter"]:
        a = math.radians(shelter.heading_deg or 0.0)
        x, y = shelter.xy
        right = (math.cos(a), -math.sin(a))
        if tree is not None and not any(math.dist(xy, shelter.xy) < 12.0 for xy in posts):
            name = streets[int(tree.nearest(shapely.Point(shelter.xy)))].name
            used[name] += 1
            name = shelter.name or (
                name if used[name] == 1 else f"{name} {('', 'East', 'West', 'North')[used[name] % 4]}"
            )
            found.append(PropPlan(f"{shelter.id}/post", "bus_stop", (x + right[0] * 3.2, y + right[1] * 3.2),
                                  shelter.heading_deg, name.strip()))  # fmt: skip
        for k, kind in enumerate(manner.stops):
            if chance.unit(f"{shelter.id}/{kind}{k}") < 0.6:
                off = -(3.4 + 1.3 * k)
                found.append(PropPlan(f"{shelter.id}/{kind}{k}", kind, (x + right[0] * off, y + right[1] * off),
                                      shelter.heading_deg))  # fmt: skip
    return found
