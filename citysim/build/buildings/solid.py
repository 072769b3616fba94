"""Solid: one upright block of a building: a footprint, walls between two heights and a roof."""

from dataclasses import dataclass, replace

from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import BuildingPlan

BELOW = 0.5  # metres that walls reach below the lowest ground at the outline


@dataclass(frozen=True, slots=True)
class Void:
    """A way through a solid at street level: free from the ground up to `ceiling` (local z, metres)."""

    polygon: Polygon
    ceiling: float


@dataclass(frozen=True, slots=True)
class Solid:
    """Heights are local z in metres; `outline` is the building it belongs to, `plan` the part (or outline) it is."""

    outline: BuildingPlan
    plan: BuildingPlan
    polygon: Polygon
    base: float  # ground at the building
    bottom: float  # where the walls begin
    eaves: float  # where the walls end
    top: float  # highest point of the roof
    roof: str
    voids: tuple[Void, ...] = ()
    style: str = ""  # a style of its own, "" that of the building
    parapet: float = 0.0  # metres by which the walls rise above a flat roof

    @property
    def deck(self) -> float:
        """Height of a flat roof's surface; the eaves of another one."""
        return self.eaves - self.parapet

    @property
    def grounded(self) -> bool:
        """Whether it stands on the ground."""
        return self.bottom < self.base

    def blocks(self) -> list[tuple[BaseGeometry, float, float]]:
        """Where it hides what lies behind: (area, z from, z to)."""
        if not self.voids:
            return [(self.polygon, self.bottom, self.deck)]
        ceiling = max(v.ceiling for v in self.voids)
        lower: BaseGeometry = self.polygon
        for void in self.voids:
            lower = lower.difference(void.polygon)
        return [(lower, self.bottom, ceiling), (self.polygon, ceiling, self.deck)]

    def shaped(self, polygon: Polygon) -> "Solid":
        """The same solid over another footprint."""
        return replace(self, polygon=polygon)


def polygons(geometry: BaseGeometry, least: float = 0.0) -> list[Polygon]:
    """The polygons in a geometry with at least `least` square metres, in a stable order."""
    if geometry.is_empty:
        return []
    members = [geometry] if isinstance(geometry, Polygon) else list(getattr(geometry, "geoms", ()))
    found: list[Polygon] = []
    for member in members:
        if isinstance(member, Polygon):
            found.append(member)
        elif isinstance(member, MultiPolygon) or hasattr(member, "geoms"):
            found.extend(polygons(member, least))
    return sorted((p for p in found if p.area >= max(least, 1e-6)), key=lambda p: (*p.bounds, p.area))
