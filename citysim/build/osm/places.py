"""Named places: shops, restaurants, banks, hotels, museums, offices, stations and public buildings."""

import math

from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.areas import OsmArea
from citysim.build.osm.buildings import address_of
from citysim.build.osm.localmap import LocalMap, Near
from citysim.build.osm.tagvalues import Tags, first_value, levels_of
from citysim.build.plans import BuildingPlan, EntrancePlan, PlacePlan, Xy

_KEYS = ("shop", "amenity", "tourism", "office", "leisure", "craft", "healthcare")
_NOT_PLACES = {
    "tourism": ("artwork", "information", "viewpoint", "picnic_site"),
    "leisure": ("park", "garden", "playground", "pitch", "outdoor_seating", "common", "track"),
}
_PUBLIC = (
    "church", "cathedral", "chapel", "mosque", "synagogue", "temple", "public", "civic", "government", "university",
    "school", "hotel", "museum", "train_station", "hospital", "library", "theatre", "stadium",
)  # fmt: skip
_ALIASES = ("name:en", "name:fi", "name:sv", "alt_name", "short_name", "official_name", "loc_name", "brand")
_SAME_SPOT = 40.0  # metres: a node and an area of one name and category this near are one place
_ON_DOOR = 3.0  # metres from a place to "its" door
_NEAR_DOOR = 6.0  # metres from a place to a shop door


def category_of(tags: Tags) -> str:
    """The OSM value that says what a named thing is, "" for one that is no place."""
    for key in _KEYS:
        value = first_value(tags.get(key, ""))
        if value and value != "no" and value not in _NOT_PLACES.get(key, ()):
            return key if value == "yes" else value.lower().replace(" ", "_")
    if tags.get("railway") == "station" or tags.get("public_transport") == "station":
        return "subway_station" if tags.get("station") == "subway" else "station"
    building = tags.get("building", "")
    return building if building in _PUBLIC else ""


def aliases_of(tags: Tags) -> tuple[str, ...]:
    """Other names of a place, in a fixed order of tags, without repetitions."""
    names = (part.strip() for key in _ALIASES for part in tags.get(key, "").split(";"))
    return tuple(dict.fromkeys(name for name in names if name and name != tags.get("name")))


def read_places(source: LocalMap, areas: list[OsmArea], buildings: list[BuildingPlan]) -> list[PlacePlan]:
    """Every named place inside the bounds: nodes by id, then areas in their order."""
    outlines = [b for b in buildings if b.parent is None]
    shapes: list[BaseGeometry] = [b.polygon for b in outlines]
    near = Near(shapes)
    owner = {b.id: b.parent or b.id for b in buildings}
    by_id = {b.id: b for b in outlines}
    found: list[PlacePlan] = []
    for node in sorted(source.extract.node_tags):
        tags, xy = source.extract.node_tags[node], source.xy[node]
        if tags.get("name", "").strip() and category_of(tags) and source.inside(xy):
            around = near.within(xy, 0.3)  # doors and wall signs are mapped on the outline
            holder = min(around, key=lambda i: (round(shapes[i].distance(Point(xy)), 3), shapes[i].area), default=None)
            found.append(_place(f"osm:node/{node}", tags, xy, None if holder is None else outlines[holder]))
    known = {(p.name.casefold(), p.category): p.xy for p in found}
    for area in areas:
        category = category_of(area.tags)
        if not (area.tags.get("name", "").strip() and category) or "building:part" in area.tags:
            continue
        point = area.polygon.representative_point()
        xy = (round(point.x * 1024) / 1024, round(point.y * 1024) / 1024)
        if not source.inside(xy) or area.id.rpartition("/")[2].count("."):
            continue
        twin = known.get((area.tags["name"].strip().casefold(), category))
        if twin is not None and (math.dist(twin, xy) < _SAME_SPOT or area.polygon.covers(Point(twin))):
            source.faults.add("place mapped as node and area kept once", area.id.removeprefix("osm:"))
            continue
        own = by_id.get(owner.get(area.id, ""))
        if own is None:
            around = near.within(xy, 0.0)
            own = outlines[around[0]] if around else None
        found.append(_place(area.id, area.tags, xy, own))
    return found


def _place(name: str, tags: dict[str, str], xy: Xy, building: BuildingPlan | None) -> PlacePlan:
    return PlacePlan(
        id=name,
        name=" ".join(tags["name"].split()),
        category=category_of(tags),
        xy=xy,
        building=building.id if building else None,
        level=levels_of(tags.get("level")),
        address=address_of(tags) or (building.address if building else ""),
        opening_hours=tags.get("opening_hours", "").strip(),
        aliases=aliases_of(tags),
        entrance=_door_of(name, xy, building.entrances) if building else None,
        tags=dict(tags),
    )


def _door_of(name: str, xy: Xy, doors: tuple[EntrancePlan, ...]) -> str | None:
    """The place's own door: its node, a shop door within 6 m, or any door for people within 3 m."""
    if any(door.id == name for door in doors):
        return name
    ranked = sorted((math.dist(xy, door.xy), door.id, door.kind) for door in doors)
    for away, door, kind in ranked:
        if kind == "shop" and away <= _NEAR_DOOR:
            return door
    return next((d for away, d, kind in ranked if away <= _ON_DOOR and kind in ("main", "yes")), None)
