"""Roofs: the right form for a solid, with parapets on flat ones."""

import math
from collections.abc import Sequence

from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from citysim.build.buildings.batch import Batch
from citysim.build.buildings.masses import narrow_side
from citysim.build.buildings.outline import rings
from citysim.build.buildings.pieces import Look
from citysim.build.buildings.roofshapes import RoofShape, axes, convex, envelope, inset, profile, revolved
from citysim.build.buildings.solid import Solid, polygons
from citysim.build.buildings.surface import emit, level, upright
from citysim.build.chance import Chance
from citysim.build.mesh import Detail

BITUMEN = "roof/bitumen"
BITUMEN_METRES, ROOF_METRES = 8.0, 4.0
COPING = (128, 130, 131, 255)
BURIED = 0.3  # share of a pitched roof that may lie below other solids; beyond it is built flat
EDGE = 0.3  # metres: thickness of a parapet
_QUARTER = [k * math.pi / 12.0 for k in range(7)]
DOME = [(math.cos(t) if k < 6 else 0.0, math.sin(t)) for k, t in enumerate(_QUARTER)]
ONION = [(1.0, 0.0), (1.14, 0.1), (1.12, 0.25), (0.88, 0.42), (0.5, 0.58), (0.2, 0.72), (0.06, 0.88), (0.0, 1.0)]
ROUND = [(0.5 - 0.5 * math.cos(math.pi * k / 8.0), math.sin(math.pi * k / 8.0)) for k in range(9)]


def shape_of(solid: Solid) -> RoofShape | None:
    """The roof of a solid; None for a flat one (also where no form fits)."""
    rise, eaves, shape = solid.top - solid.eaves, solid.eaves, solid.polygon
    if solid.roof == "flat" or rise < 0.1 or shape.area < 2.0:
        return None
    along, across = axes(shape, solid.plan.roof_heading_deg)
    compact = not shape.interiors and shape.convex_hull.area < 1.25 * shape.area
    made: RoofShape | None = None
    if solid.roof == "skillion":
        downhill = along if solid.plan.roof_heading_deg is not None else across
        return profile(shape, downhill, [(0.0, rise), (1.0, 0.0)], eaves)
    if solid.roof == "gabled" and compact:
        return profile(shape, across, [(0.0, 0.0), (0.5, rise), (1.0, 0.0)], eaves)
    if solid.roof == "round" and compact:
        return profile(shape, across, [(t, rise * h) for t, h in ROUND], eaves)
    if solid.roof in ("dome", "onion"):
        made = revolved(shape, eaves, rise, DOME if solid.roof == "dome" else ONION)
    elif solid.roof == "pyramidal":
        made = revolved(shape, eaves, rise, [(1.0, 0.0), (0.0, 1.0)])
    elif solid.roof == "mansard":
        depth = min(0.22 * narrow_side(shape), 0.45 * rise + 0.3)
        made = inset(shape, eaves, rise, depth)
    if made is None and convex(shape):
        made = envelope(shape, eaves, rise)
    if made is None:
        width = 2.0 * shape.area / max(shape.length, 1.0)
        for share in (0.4, 0.3, 0.2, 0.1):
            made = inset(shape, eaves, rise, min(share * width, 1.6 * rise))
            if made is not None:
                break
    return made


def emit_roof(batch: Batch, solid: Solid, look: Look, stacked: Sequence[Polygon], chance: Chance) -> RoofShape | None:
    """Draw a solid's roof; `stacked` are footprints of solids that stand on it or rise through it."""
    made = shape_of(solid)
    if stacked and unary_union(list(stacked)).intersection(solid.polygon).area > BURIED * solid.polygon.area:
        made = None
    if made is not None:
        emit(batch, made.slopes, look.roof_material, look.roof, ROOF_METRES)
        emit(batch, made.decks, look.roof_material, look.roof, ROOF_METRES)
        for a, b, za, zb in made.fills:
            upright(batch, a, b, (solid.eaves, solid.eaves), (za, zb), look.plain, look.wall)
        return made
    _flat(batch, solid, look, stacked, chance)
    return None


def _flat(batch: Batch, solid: Solid, look: Look, stacked: Sequence[Polygon], chance: Chance) -> None:
    shape, z = solid.polygon, solid.eaves
    grey = chance.integer(190, 256, "deck")
    color = (grey, grey, grey, 255)
    held: BaseGeometry | None = unary_union(list(stacked)) if stacked else None
    if held is not None and not solid.parapet:
        for piece in polygons(shape.difference(held), 0.05):
            emit(batch, level(piece, z), BITUMEN, color, BITUMEN_METRES)
        return
    edge = 0.2 if solid.parapet else EDGE
    inner = polygons(shape.buffer(-edge, join_style="mitre", mitre_limit=3.0), 1.0)
    depth = solid.parapet or chance.uniform(0.35, 0.75, "parapet")
    if not inner or shape.area < 20.0 or z - solid.bottom < 3.0:
        emit(batch, level(shape, z), BITUMEN, color, BITUMEN_METRES)
        return
    for piece in [shape] if held is None else polygons(shape.difference(held), 0.05):
        emit(batch, level(piece, z), BITUMEN, color, BITUMEN_METRES, Detail.COARSE)
    rim = shape.difference(unary_union(inner))
    for piece in polygons(rim, 1e-3):
        emit(batch, level(piece, z), "trim/sheet", COPING, ROOF_METRES, Detail.FINE)
    for deck in inner:
        for piece in [deck] if held is None else polygons(deck.difference(held), 0.05):
            emit(batch, level(piece, z - depth), BITUMEN, color, BITUMEN_METRES, Detail.FINE)
        for ring in rings(deck):
            for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
                # The deck is on the left of a -> b, so its wall is seen from there: b -> a.
                upright(batch, b, a, (z - depth, z - depth), (z, z), look.plain, look.wall, 4.0, Detail.FINE)
