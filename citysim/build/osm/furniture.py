"""Street furniture and trees as points, moved off carriageways and out of buildings."""

from shapely.geometry import LineString

from citysim.build.osm.areas import OsmArea
from citysim.build.osm.localmap import LATTICE, LocalMap
from citysim.build.osm.standing import Standing
from citysim.build.osm.tagvalues import Tags, first_value, heading, is_yes, levels_of, metres
from citysim.build.plans import PlacePlan, PropPlan, Xy

_TREE_STEP = 8.0  # metres between the trees of a row
_BOLLARD_STEP = 1.5
_TABLE: dict[str, dict[str, str]] = {
    "natural": {"tree": "tree", "shrub": "tree_small"},
    "highway": {"street_lamp": "street_lamp", "bus_stop": "bus_stop", "traffic_signals": "traffic_signals"},
    "amenity": {
        "bench": "bench", "waste_basket": "waste_basket", "vending_machine": "vending_machine", "post_box": "post_box",
        "recycling": "recycling", "waste_disposal": "recycling", "bicycle_parking": "bicycle_parking",
        "bicycle_rental": "bicycle_parking", "clock": "clock", "fountain": "fountain", "telephone": "telephone",
        "drinking_water": "drinking_water",
    },
    "railway": {"tram_stop": "tram_stop"},
    "barrier": {"bollard": "bollard", "block": "bollard"},
    "emergency": {"fire_hydrant": "fire_hydrant", "phone": "telephone"},
    "advertising": {"column": "advertising_column"},
    "man_made": {"flagpole": "flagpole", "street_cabinet": "street_cabinet", "water_tap": "drinking_water"},
    "leisure": {"picnic_table": "picnic_table"},
}  # fmt: skip
_STANDING_ART = ("sculpture", "statue", "installation", "bust", "stele", "")
_STANDING_MEMORIALS = ("statue", "bust", "sculpture", "obelisk", "stele", "stone", "")
_STALLS = ("kiosk", "fast_food", "ice_cream", "cafe", "convenience", "newsagent", "florist", "tobacco")
_UNUSED = ("natural", "man_made", "amenity", "advertising", "historic", "tourism")


def prop_kind(tags: Tags) -> str:
    """The PropPlan kind of a mapped point, "" for one that is none."""
    if tags.get("amenity") == "vending_machine" and tags.get("vending", "").startswith("parking_tickets"):
        return "parking_meter"
    if tags.get("highway") == "bus_stop":
        return "bus_shelter" if is_yes(tags.get("shelter")) else "bus_stop"
    if tags.get("public_transport") == "platform" and is_yes(tags.get("bus")):
        return "bus_stop"
    art = first_value(tags.get("artwork_type", ""))
    if tags.get("tourism") == "artwork" or tags.get("amenity") == "artwork":
        return "fountain" if art == "fountain" else "statue" if art in _STANDING_ART else ""
    if tags.get("historic") in ("memorial", "monument"):
        return "statue" if first_value(tags.get("memorial", art)) in _STANDING_MEMORIALS else ""
    for key, kinds in _TABLE.items():
        kind = kinds.get(first_value(tags.get(key, "")))
        if kind:
            return kind
    return ""


def read_props(source: LocalMap, areas: list[OsmArea], places: list[PlacePlan], standing: Standing) -> list[PropPlan]:
    """Furniture from nodes, from areas (at a point inside) and from rows of trees and bollards, each by id."""
    found: list[PropPlan] = []
    for node in sorted(source.extract.node_tags):
        tags, xy = source.extract.node_tags[node], source.xy[node]
        kind = prop_kind(tags)
        if kind and source.inside(xy):
            found += _prop(source, standing, f"osm:node/{node}", kind, xy, tags)
    for area in areas:
        kind = "" if "building" in area.tags else prop_kind(area.tags)
        if kind:
            inside = area.polygon.representative_point()
            found += _prop(source, standing, area.id, kind, (inside.x, inside.y), area.tags)
    for way in sorted(source.extract.way_refs):
        found += _row(source, standing, way)
    return found + _kiosks(source, places, standing)


def _prop(source: LocalMap, standing: Standing, name: str, kind: str, xy: Xy, tags: dict[str, str]) -> list[PropPlan]:
    if levels_of(tags.get("level")) != 0 or is_yes(tags.get("indoor")) or tags.get("location") == "underground":
        source.faults.add("furniture indoors or on another level skipped", name.removeprefix("osm:"))
        return []
    way_direction = first_value(tags.get("traffic_signals:direction", tags.get("direction", "")))
    spot = standing.settle(xy, kind, backward=way_direction == "backward")
    if spot is None:
        source.faults.add("furniture without room beside its street skipped", name.removeprefix("osm:"))
        return []
    if spot != xy:
        source.faults.add("furniture moved off a carriageway or wall", name.removeprefix("osm:"))
    return [
        PropPlan(
            id=name,
            kind=kind,
            xy=(round(spot[0] * LATTICE) / LATTICE, round(spot[1] * LATTICE) / LATTICE),
            heading_deg=heading(tags.get("direction")),
            name=" ".join(tags.get("name", "").split()),
            height=metres(tags.get("height"), low=0.2, high=60.0),
            tags=dict(tags),
        )
    ]


def _row(source: LocalMap, standing: Standing, way: int) -> list[PropPlan]:
    """Trees every 8 m along a tree row, bollards every 1.5 m along a line of bollards."""
    tags = source.extract.way_tags[way]
    kind = "tree" if tags.get("natural") == "tree_row" else "bollard" if tags.get("barrier") == "bollard" else ""
    nodes = source.present(source.extract.way_refs[way]) if kind else []
    if len(nodes) < 2:
        return []
    line = LineString([source.xy[n] for n in nodes])
    step = _TREE_STEP if kind == "tree" else _BOLLARD_STEP
    count = max(1, round(line.length / step))
    own = {k: v for k, v in tags.items() if k != "direction"}
    found: list[PropPlan] = []
    for k in range(count + 1):
        point = line.interpolate(line.length * k / count)
        if source.inside((point.x, point.y)):
            found += _prop(source, standing, f"osm:way/{way}/{k}", kind, (point.x, point.y), own)
    return found


def _kiosks(source: LocalMap, places: list[PlacePlan], standing: Standing) -> list[PropPlan]:
    """A kiosk for each small shop in the open, where it does not stand in anybody's way."""
    found = []
    for place in places:
        if place.building is not None or place.category not in _STALLS or not place.id.startswith("osm:node/"):
            continue
        if place.level == 0 and standing.is_open(place.xy, clear=2.4):
            found.append(PropPlan(f"{place.id}/kiosk", "kiosk", place.xy, None, place.name, None, dict(place.tags)))
        else:
            source.faults.add("shop in the open without room for its kiosk", place.id.removeprefix("osm:"))
    return found
