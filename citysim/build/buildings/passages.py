"""Ways through buildings at street level: the openings they need."""

from dataclasses import replace

import numpy as np
from shapely import STRtree
from shapely.ops import unary_union

from citysim.build.buildings.solid import Solid, Void, polygons
from citysim.build.draft import Ground
from citysim.build.plans import DRIVE_KINDS, CityPlan, WayPlan
from citysim.build.streets.planar import strip
from citysim.build.streets.site import PASSAGE_EXTRA

AHEAD = 0.1  # metres the opening is prolonged at both ends, as its ground is


def is_passage(way: WayPlan) -> bool:
    """Whether a way runs through buildings on the ground; the ground has floor for exactly these."""
    return way.passage and way.kind != "tram"


def clear_height(way: WayPlan) -> float:
    """Height of the opening in metres: 4.0 where vehicles pass, 3.0-3.5 for walkers."""
    return 4.0 if way.kind in DRIVE_KINDS or way.width >= 4.0 else min(3.5, max(3.0, 0.9 + way.width))


def cut_passages(plan: CityPlan, solids: list[Solid], ground: Ground) -> list[Solid]:
    """Give every solid that a passage runs through its voids (clipped to its footprint)."""
    if not solids:
        return []
    tree = STRtree([s.polygon for s in solids])
    found: dict[int, list[Void]] = {}
    for way in plan.ways:
        if not is_passage(way) or len(way.nodes) < 2:
            continue
        line = plan.line(way)
        if line.length < 0.1:
            continue
        opening = strip(line, way.width + PASSAGE_EXTRA, ahead=AHEAD)
        for k in sorted(int(i) for i in tree.query(line, predicate="intersects")):
            solid = solids[k]
            inside = line.intersection(solid.polygon)
            if inside.length < 0.5:
                continue
            heights = np.asarray(ground.height(np.asarray(line.coords)[:, :2]), dtype=np.float64)
            heights = heights[np.isfinite(heights)]
            floor = float(heights.max()) if len(heights) else solid.base
            ceiling = floor + clear_height(way)
            if solid.bottom > ceiling - 0.05:
                continue
            ceiling = min(ceiling, solid.eaves)
            pieces = polygons(opening.intersection(solid.polygon), 0.5)
            found.setdefault(k, []).extend(Void(p, ceiling) for p in pieces)
    return [replace(s, voids=_merged(found[k])) if k in found else s for k, s in enumerate(solids)]


def _merged(voids: list[Void]) -> tuple[Void, ...]:
    """Voids that touch become one, with the higher ceiling; all voids of a solid share one ceiling height."""
    ceiling = max(v.ceiling for v in voids)
    return tuple(Void(p, ceiling) for p in polygons(unary_union([v.polygon for v in voids])))
