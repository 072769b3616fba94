"""Doors: entrance nodes attached to the outlines they lie on."""

from dataclasses import dataclass, field

from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.buildings import address_of
from citysim.build.osm.localmap import LocalMap, Near
from citysim.build.osm.tagvalues import Tags, first_value
from citysim.build.plans import BuildingPlan, EntrancePlan

_REACH = 2.0  # metres: a door this near to an outline belongs to it
_KINDS = {
    "main": "main", "yes": "yes", "shop": "shop", "garage": "garage", "service": "service", "delivery": "service",
    "emergency": "emergency", "fire_exit": "emergency", "exit": "emergency", "staircase": "staircase",
}  # fmt: skip


@dataclass
class Doors:
    """Entrances by building id, and what their nodes say of addresses."""

    by_building: dict[str, list[EntrancePlan]] = field(default_factory=dict)
    addresses: dict[str, str] = field(default_factory=dict)  # door id -> "street number"


def read_entrances(source: LocalMap, buildings: list[BuildingPlan], way_nodes: set[int]) -> Doors:
    """Every entrance node on or within 2 m of an outline (never of a part), by ascending node id."""
    outlines = [b for b in buildings if b.parent is None]
    walls: list[BaseGeometry] = [b.polygon.boundary for b in outlines]
    near = Near(walls)
    doors = Doors()
    for node in sorted(source.extract.node_tags):
        tags = source.extract.node_tags[node]
        if not _is_entrance(tags) or not source.inside(source.xy[node]):
            continue
        point = Point(source.xy[node])
        around = near.within(source.xy[node], _REACH)
        if not around:
            source.faults.add("entrance on no outline skipped", f"node/{node}")
            continue
        best = min(around, key=lambda i: (round(walls[i].distance(point), 3), i))
        door = EntrancePlan(
            id=f"osm:node/{node}",
            xy=source.xy[node],
            kind=_KINDS.get(first_value(tags.get("entrance", "yes")), "yes"),
            node=node if node in way_nodes else None,
            number=_number(tags),
            name=tags.get("name", ""),
        )
        doors.by_building.setdefault(outlines[best].id, []).append(door)
        doors.addresses[door.id] = address_of(tags)
    return doors


def _is_entrance(tags: Tags) -> bool:
    return tags.get("entrance", "no") not in ("no", "") or tags.get("building") == "entrance"


def _number(tags: Tags) -> str:
    """House number with its suffix: the unit or staircase letter where one is mapped."""
    house = first_value(tags.get("addr:housenumber", ""))
    unit = first_value(tags.get("addr:unit", tags.get("addr:staircase", tags.get("ref", ""))))
    if house and unit and len(unit) <= 3 and not house.endswith(unit):
        return f"{house} {unit}"
    return house or (unit if len(unit) <= 3 else "")
