"""Assembling areas from closed ways and multipolygon relations, with every fault of section 4.3 survived."""

from dataclasses import dataclass

from shapely import make_valid, unary_union
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.rings import CLOSING_GAP, Chain, gap, join_chains, polygons_of, repaired
from citysim.build.plans import Xy

_AREA_KEYS = (
    "building",
    "building:part",
    "landuse",
    "leisure",
    "amenity",
    "place",
    "shop",
    "tourism",
    "office",
    "craft",
    "healthcare",
    "historic",
    "area:highway",
)
_NATURAL_LINES = ("coastline", "tree_row", "cliff", "ridge", "valley")
_EDGE_GAP = 60.0  # metres: a ring cut by a corner of the extract is closed straight when its gap is smaller
_EDGE_NEAR = 40.0  # metres: "at the edge" means this near to the bounds


@dataclass(frozen=True, slots=True)
class OsmArea:
    """One polygon with the tags of the way or relation it comes from."""

    id: str  # "osm:way/12", "osm:relation/3"; further polygons of one relation end in ".1", ".2"
    tags: dict[str, str]
    polygon: Polygon
    nodes: tuple[int, ...]  # nodes of its rings


def is_area(tags: dict[str, str], closed: bool) -> bool:
    """Whether a way with these tags means its inside (so that a missing closing segment is a fault)."""
    if tags.get("area") == "no":
        return False
    if tags.get("area") == "yes":
        return True
    if "highway" in tags and tags["highway"] not in ("platform",) and "area:highway" not in tags:
        return "building" in tags or "building:part" in tags
    if tags.get("man_made") in ("bridge", "pier"):
        return closed
    if "platform" in (tags.get("highway"), tags.get("railway"), tags.get("public_transport")):
        return closed
    if "barrier" in tags and not any(key in tags for key in ("building", "landuse", "leisure", "amenity")):
        return False
    if tags.get("natural") and tags["natural"] not in _NATURAL_LINES:
        return closed
    if "building" in tags or "building:part" in tags:
        return True
    return closed and any(key in tags for key in _AREA_KEYS)


def assemble_areas(source: LocalMap) -> list[OsmArea]:
    """Every area of the extract, ways first, each group ordered by id."""
    extract = source.extract
    adopted = _ways_standing_for_relations(source)
    areas: list[OsmArea] = []
    for way in sorted(extract.way_refs):
        tags, refs = extract.way_tags[way], extract.way_refs[way]
        closed = len(refs) >= 4 and refs[0] == refs[-1]
        if way in adopted or not tags or not is_area(tags, closed):
            continue
        areas += _from_way(source, way, tags, refs, closed)
    for relation in sorted(extract.relation_members):
        tags = dict(extract.relation_tags[relation])
        if tags.pop("type", "") not in ("multipolygon", "building"):
            continue
        if "building" not in tags and extract.relation_tags[relation]["type"] == "building":
            continue  # a building relation only groups parts that carry their own tags
        areas += _from_relation(source, relation, tags or _outer_tags(source, relation))
    return areas


def _from_way(source: LocalMap, way: int, tags: dict[str, str], refs: tuple[int, ...], closed: bool) -> list[OsmArea]:
    name = f"way/{way}"
    nodes = source.present(refs)
    if any(ref not in source.xy for ref in refs):
        source.faults.add("area cut by the edge of the extract", name)
    points = [source.xy[n] for n in nodes]
    if len(points) < 3:
        source.faults.add("area with fewer than three nodes skipped", name)
        return []
    if not closed:
        if gap(points) >= CLOSING_GAP:
            source.faults.add("open ring skipped", name)
            return []
        source.faults.add("open ring closed", name)
    polygons, fixed = repaired(points)
    if fixed:
        source.faults.add("invalid ring repaired" if polygons else "invalid ring skipped", name)
    return _numbered(f"osm:{name}", tags, polygons, tuple(nodes))


def _from_relation(source: LocalMap, relation: int, tags: dict[str, str]) -> list[OsmArea]:
    extract, name = source.extract, f"relation/{relation}"
    chains: dict[str, list[Chain]] = {"outer": [], "inner": []}
    absent = False
    for kind, ref, role in extract.relation_members[relation]:
        if kind != "w":
            continue
        if ref not in extract.way_refs:
            absent = True
            continue
        absent = absent or any(n not in source.xy for n in extract.way_refs[ref])
        chains["inner" if role == "inner" else "outer"].append(tuple(source.present(extract.way_refs[ref])))
    if absent:
        source.faults.add("multipolygon with absent members", name)
    if not tags:
        return []
    outer, nodes = _solid(source, chains["outer"], name, absent)
    inner, _ = _solid(source, chains["inner"], name, absent)
    if outer.is_empty:
        source.faults.add("multipolygon without a closed outer ring skipped", name)
        return []
    return _numbered(f"osm:{name}", tags, polygons_of(make_valid(outer.difference(inner))), nodes)


def _solid(source: LocalMap, chains: list[Chain], name: str, absent: bool) -> tuple[BaseGeometry, tuple[int, ...]]:
    """The union of the rings that chains make, and their nodes."""
    rings, rest = join_chains(chains)
    for chain in rest:
        points = [source.xy[n] for n in chain]
        if len(points) < 3:
            continue
        if gap(points) < CLOSING_GAP or (absent and _cut_by_edge(source, points[0], points[-1])):
            source.faults.add("open ring closed", name)
            rings.append((*chain, chain[0]))
        else:
            source.faults.add("open ring skipped", name)
    pieces: list[Polygon] = []
    for ring in rings:
        polygons, fixed = repaired([source.xy[n] for n in ring])
        if fixed:
            source.faults.add("invalid ring repaired" if polygons else "invalid ring skipped", name)
        pieces += polygons
    return unary_union(pieces) if pieces else Polygon(), tuple(n for ring in rings for n in ring)


def _cut_by_edge(source: LocalMap, first: Xy, last: Xy) -> bool:
    """Whether an open ring's ends lie at one side of the bounds, or near each other at two of them."""
    e0, n0, e1, n1 = source.bounds
    rooms = [(p[0] - e0, p[1] - n0, e1 - p[0], n1 - p[1]) for p in (first, last)]
    if any(max(a, b) < _EDGE_NEAR for a, b in zip(*rooms, strict=True)):
        return True
    return gap([first, last]) < _EDGE_GAP and all(min(room) < _EDGE_NEAR for room in rooms)


def _numbered(name: str, tags: dict[str, str], polygons: list[Polygon], nodes: tuple[int, ...]) -> list[OsmArea]:
    """One area a polygon, the largest under the plain name."""
    ordered = sorted(polygons, key=lambda p: (-p.area, p.bounds))
    return [OsmArea(name if k == 0 else f"{name}.{k}", tags, p, nodes) for k, p in enumerate(ordered)]


def _outer_tags(source: LocalMap, relation: int) -> dict[str, str]:
    """Tags of the outer way of an old-style multipolygon, whose relation carries none."""
    extract = source.extract
    for kind, ref, role in extract.relation_members[relation]:
        if kind == "w" and role != "inner" and extract.way_tags.get(ref):
            return extract.way_tags[ref]
    return {}


def _ways_standing_for_relations(source: LocalMap) -> set[int]:
    """Outer ways whose tags an untagged multipolygon takes over, so that the area is not made twice."""
    extract, found = source.extract, set()
    for relation, tags in extract.relation_tags.items():
        if tags.get("type") == "multipolygon" and len(tags) == 1:
            found |= {r for kind, r, role in extract.relation_members[relation] if kind == "w" and role != "inner"}
    return found
