"""Lamps where it would be dark: on squares and along paths that no street's lamps reach."""

import math

import numpy as np
import shapely

from citysim.build.chance import Chance
from citysim.build.plans import DRIVE_KINDS, CityPlan, PropPlan, Xy
from citysim.build.procedural.dressing.grounds import spread

OPEN = ("square", "paved")  # kinds of areas
PATHS = ("footway", "path", "pedestrian")
STEP = 15.0  # metres between lamps on open ground
ALONG = 22.0  # metres between lamps along a path
APART = 11.0  # metres between any two lamps
BESIDE = 0.6  # metres beside a path
STREETS = 7.0  # metres from the middle of a street up to which it has lamps of its own
TALL = 4.5


def in_the_dark(plan: CityPlan, chance: Chance) -> list[PropPlan]:
    """Lamps for the open ground and the paths of a plan, away from the lamps it has."""
    lit = [p.xy for p in plan.props if p.kind == "street_lamp"]
    walls = shapely.STRtree([shapely.buffer(b.polygon, 0.6) for b in plan.buildings if b.min_height < 5.0])
    roads = shapely.STRtree([plan.line(w) for w in plan.ways if w.kind in DRIVE_KINDS])
    wet = shapely.STRtree([a.polygon for a in plan.areas if a.kind == "water"])
    found: list[PropPlan] = []

    def stand(ident: str, at: Xy) -> None:
        point = shapely.Point(at)
        if lit and float(np.hypot(*(np.array(lit) - at).T).min()) < APART:
            return
        near_road = len(roads.query(point, predicate="dwithin", distance=STREETS)) > 0
        if near_road or any(len(tree.query(point, predicate="intersects")) for tree in (walls, wet)):
            return
        lit.append(at)
        found.append(PropPlan(f"{ident}/lamp{len(found)}", "street_lamp", at, 0.0, height=TALL))

    for area in plan.areas:
        if area.kind in OPEN:
            for at in spread(area.polygon, STEP, 2.5, chance.child(area.id)):
                stand(area.id, at)
    for way in plan.ways:
        if way.kind in PATHS and not (way.bridge or way.tunnel or way.passage or way.covered):
            line = plan.line(way)
            for k in range(round(line.length / ALONG)):
                at = line.interpolate((k + 0.5) * ALONG)
                ahead = line.interpolate((k + 0.5) * ALONG + 0.5)
                turn = math.atan2(ahead.y - at.y, ahead.x - at.x) + (math.pi / 2 if k % 2 else -math.pi / 2)
                off = way.width / 2 + BESIDE
                x, y = at.x + off * math.cos(turn), at.y + off * math.sin(turn)
                stand(way.id, (round(x * 16) / 16, round(y * 16) / 16))
    return found
