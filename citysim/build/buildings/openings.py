"""Undersides of raised solids, and the lining of passages through solids."""

from collections.abc import Sequence

from shapely import prepare
from shapely.geometry import Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from citysim.build.buildings.batch import Batch
from citysim.build.buildings.columns import COLUMN, STONE, spacing
from citysim.build.buildings.outline import rings
from citysim.build.buildings.pieces import Look
from citysim.build.buildings.solid import Solid, polygons
from citysim.build.buildings.surface import box, emit, level, turned, upright
from citysim.build.mesh import Detail
from citysim.build.plans import Xy


def soffit(batch: Batch, solid: Solid, below: Sequence[Polygon], look: Look) -> None:
    """The underside of a raised solid where nothing stands below it."""
    if solid.grounded:
        return
    shape: BaseGeometry = solid.polygon
    if below:
        shape = shape.difference(unary_union(list(below)))
    for piece in polygons(shape, 0.05):
        emit(batch, turned(level(piece, solid.bottom)), look.plain, look.wall)


def lining(batch: Batch, solid: Solid, look: Look) -> None:
    """Side walls and ceiling of the passages through a solid."""
    edge = solid.polygon.boundary
    prepare(edge)
    for void in solid.voids:
        for ring in rings(void.polygon):
            for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
                thirds = [(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in (0.1, 0.5, 0.9)]
                if all(edge.dwithin(Point(p), 0.02) for p in thirds):
                    continue
                low, high = (solid.bottom, solid.bottom), (void.ceiling, void.ceiling)
                upright(batch, b, a, low, high, look.plain, look.wall)
        if void.ceiling < solid.eaves - 0.02 or solid.roof == "flat":
            emit(batch, turned(level(void.polygon, void.ceiling - 0.002)), look.plain, look.wall)


def posts(batch: Batch, solid: Solid, corners: Sequence[Xy]) -> None:
    """Slim posts that carry an open roof, or columns where its tags ask for them."""
    width, color = (COLUMN, STONE) if spacing(solid) else (0.16, (110, 114, 116, 255))
    for corner in corners:
        z = (solid.base - 0.3, solid.bottom)
        box(batch, corner, (1.0, 0.0), (width, width), z, "trim/sheet", color, Detail.ALL)
