"""Ground with a use: squares, parks, water, platforms, parking, tracks."""

from shapely import STRtree, set_precision, to_wkb, unary_union
from shapely.geometry import LineString, Polygon, box
from shapely.geometry.base import BaseGeometry

from citysim.build.adding import plain_sum
from citysim.build.osm.areas import OsmArea
from citysim.build.osm.localmap import LATTICE, LocalMap
from citysim.build.osm.outlines import is_underground
from citysim.build.osm.rings import polygons_of
from citysim.build.osm.tagvalues import Tags, first_value, is_yes, metres
from citysim.build.plans import AreaPlan, WayPlan

_OPEN_SHARE = 0.25  # metres of way a metre of outline beyond which a construction site counts as open
_TRACK = 3.2  # metres of ballast for one track
_BETWEEN = 2.5  # metres: half the gap between tracks that ballast fills
_TABLE: dict[str, dict[str, str]] = {
    "place": {"square": "square"},
    "amenity": {"marketplace": "square", "parking": "parking", "grave_yard": "cemetery"},
    "leisure": {
        "park": "park", "garden": "garden", "pitch": "pitch", "playground": "playground", "dog_park": "park",
        "fitness_station": "playground", "common": "park", "swimming_pool": "water", "track": "pitch",
    },
    "natural": {
        "water": "water", "scrub": "scrub", "heath": "scrub", "wood": "scrub", "wetland": "scrub", "grassland": "grass",
        "sand": "sand", "beach": "sand", "shingle": "sand", "scree": "sand",
    },
    "water": {"pond": "water", "basin": "water", "lake": "water", "river": "water", "canal": "water"},
    "waterway": {"riverbank": "water", "dock": "water"},
    "landuse": {
        "grass": "grass", "meadow": "grass", "village_green": "grass", "recreation_ground": "grass", "forest": "scrub",
        "flowerbed": "garden", "basin": "water", "reservoir": "water", "pond": "water", "cemetery": "cemetery",
        "construction": "construction", "brownfield": "construction", "railway": "rail", "plant_nursery": "garden",
        "orchard": "garden", "allotments": "garden",
    },
    "man_made": {"pier": "paved", "bridge": "bridge_deck", "quay": "paved"},
}  # fmt: skip
_WALKED = ("pedestrian", "footway", "path", "steps", "living_street", "cycleway", "crossing", "traffic_island")


def area_kind(tags: Tags) -> str:
    """The AreaPlan kind of an area, "" for one that is no ground."""
    if "building" in tags or "building:part" in tags:
        return ""
    if "platform" in (tags.get("highway"), tags.get("railway"), tags.get("public_transport")):
        return "platform"
    street = tags.get("area:highway", tags.get("highway", ""))
    if street in _WALKED:
        return "square" if tags.get("place") == "square" else "paved" if street != "pedestrian" else "square"
    if street in ("service", "residential", "unclassified"):
        return "" if tags.get("area:highway") else "parking" if tags.get("amenity") == "parking" else "paved"
    for key, kinds in _TABLE.items():
        kind = kinds.get(first_value(tags.get(key, "")))
        if kind == "parking" and tags.get("parking", "surface") not in (
            "surface",
            "lane",
            "street_side",
            "half_on_kerb",
        ):
            return ""
        if kind:
            return kind
    return ""


def is_walked_area(tags: Tags) -> bool:
    """Whether walkers cross an area freely, so that its entries are joined through it."""
    return tags.get("foot") != "no" and area_kind(tags) in ("square", "platform", "paved")


def read_ground(source: LocalMap, areas: list[OsmArea], ways: list[tuple[WayPlan, LineString]]) -> list[AreaPlan]:
    """The surface areas, cut at the bounds, in the order of `areas`, then the tracks' ballast."""
    open_lines = [line for way, line in ways if way.layer == 0 and not (way.tunnel or way.bridge or way.indoor)]
    tree = STRtree(open_lines)
    frame = box(*source.bounds)
    plans: list[AreaPlan] = []
    seen: set[tuple[str, bytes]] = set()
    for area in areas:
        kind = area_kind(area.tags)
        key = (kind, to_wkb(area.polygon.normalize()) if kind else b"")
        if not kind or key in seen or not area.polygon.intersects(frame):
            continue
        if is_underground(area.tags) or is_yes(area.tags.get("indoor")):
            source.faults.add("underground or indoor area left to its ways", area.id.removeprefix("osm:"))
            continue
        if kind == "construction" and _is_walked(area.polygon, [open_lines[int(i)] for i in tree.query(area.polygon)]):
            source.faults.add("construction site with open streets left out", area.id.removeprefix("osm:"))
            continue
        seen.add(key)
        plans += _cut(area.id, kind, area.polygon.intersection(frame), area.tags)
    return plans + _rails(source, frame, [p for p in plans if p.kind == "platform"])


def _is_walked(site: Polygon, lines: list[LineString]) -> bool:
    """Whether so much street lies in a construction site that it cannot be closed (works under way in stages)."""
    return plain_sum(line.intersection(site).length for line in lines) > _OPEN_SHARE * site.length


def _cut(name: str, kind: str, shape: BaseGeometry, tags: dict[str, str]) -> list[AreaPlan]:
    pieces = sorted(polygons_of(shape), key=lambda p: (-p.area, p.bounds))
    return [
        AreaPlan(name if k == 0 else f"{name}/{k}", kind, piece, tags.get("name", ""), dict(tags))
        for k, piece in enumerate(pieces)
    ]


def _rails(source: LocalMap, frame: BaseGeometry, platforms: list[AreaPlan]) -> list[AreaPlan]:
    """Ballast along surface railways (not trams), without the platforms, as one area a connected piece."""
    beds = []
    for way in sorted(source.extract.way_refs):
        tags = source.extract.way_tags[way]
        if tags.get("railway") not in ("rail", "light_rail", "narrow_gauge", "subway") or is_underground(tags):
            continue
        if is_yes(tags.get("tunnel")) or is_yes(tags.get("bridge")):
            continue
        nodes = source.present(source.extract.way_refs[way])
        if len(nodes) >= 2:
            gauge = metres(tags.get("width"), low=2.0, high=10.0) or _TRACK
            beds.append(LineString([source.xy[n] for n in nodes]).buffer(gauge / 2, quad_segs=2))
    if not beds:
        return []
    closed = unary_union(beds).buffer(_BETWEEN, quad_segs=2).buffer(-_BETWEEN, quad_segs=2)
    ground = closed.difference(unary_union([p.polygon for p in platforms])).intersection(frame)
    ground = ground.simplify(0.1)
    pieces = polygons_of(set_precision(ground, 1.0 / LATTICE), 4.0)
    return [AreaPlan(f"osm:rail/{k}", "rail", piece, "", {"railway": "rail"}) for k, piece in enumerate(pieces)]
