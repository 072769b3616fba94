"""Which areas are buildings, which are parts of which, and which are the same building mapped twice."""

from dataclasses import dataclass, field

from shapely import STRtree, unary_union
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.areas import OsmArea
from citysim.build.osm.heights import read_rise
from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.rings import polygons_of
from citysim.build.osm.tagvalues import Tags, is_yes, levels_of, metres, number

SAME_IOU = 0.85  # two outlines that agree this much are one building
NESTED_SHARE = 0.8  # of an inner outline inside an outer one
PART_SHARE = 0.5  # of a part inside its outline
LEFT_OPENING = 0.5  # metres: slivers thinner than this between parts and outline are not built
LEFT_SMALLEST = 4.0  # square metres
_NOT_INHERITED = ("name", "min_height", "building:min_level", "min_level")
_NOT_BUILT = ("no", "entrance", "proposed", "demolished", "razed", "ruins", "collapsed", "construction")


@dataclass
class Outline:
    """A building's outline with the parts that stand for it."""

    area: OsmArea
    parts: list[OsmArea] = field(default_factory=list)


def is_underground(tags: Tags) -> bool:
    """Whether tags put a structure below the surface (layer or level < 0, location=underground, a tunnel)."""
    if tags.get("location") == "underground" or tags.get("parking") == "underground":
        return True
    layer = number(tags.get("layer"))
    if layer is not None and layer < 0:
        return True
    if tags.get("building") and metres(tags.get("height")):
        return False
    return ("level" in tags and levels_of(tags["level"]) < 0) or (
        is_yes(tags.get("tunnel")) and tags.get("tunnel") != "building_passage"
    )


def find_outlines(source: LocalMap, areas: list[OsmArea]) -> list[Outline]:
    """The buildings whose centroid is inside the bounds, with their parts, in the order of `areas`."""
    buildings = [a for a in areas if _usable(source, a, "building")]
    parts = [a for a in areas if "building" not in a.tags and _usable(source, a, "building:part")]
    buildings = _without_twins(source, buildings)
    outlines, nested = _nest(source, buildings)
    _give_parts(source, outlines, parts)
    for outline in outlines:
        outline.parts += nested.get(outline.area.id, [])
        if outline.parts:
            outline.parts += _left_over(outline, {a.id for a in nested.get(outline.area.id, [])})
    return outlines


def _usable(source: LocalMap, area: OsmArea, key: str) -> bool:
    value = area.tags.get(key, "no")
    if value in _NOT_BUILT:
        if value not in ("no", "entrance"):
            source.faults.add(f"building that is not standing ({value}) skipped", area.id.removeprefix("osm:"))
        return False
    centre = area.polygon.centroid
    if not source.inside((centre.x, centre.y)):
        return False
    if is_underground(area.tags):
        source.faults.add("underground building skipped", area.id.removeprefix("osm:"))
        return False
    return True


def _without_twins(source: LocalMap, buildings: list[OsmArea]) -> list[OsmArea]:
    tree = STRtree([b.polygon for b in buildings])
    dropped: set[int] = set()
    for i, a in enumerate(buildings):
        for j in sorted(int(k) for k in tree.query(a.polygon, predicate="intersects")):
            if j <= i or i in dropped or j in dropped:
                continue
            b = buildings[j]
            common = a.polygon.intersection(b.polygon).area
            if common > SAME_IOU * (a.polygon.area + b.polygon.area - common):
                loser = i if len(a.tags) < len(b.tags) else j
                dropped.add(loser)
                source.faults.add("building mapped twice dropped", buildings[loser].id.removeprefix("osm:"))
    return [b for k, b in enumerate(buildings) if k not in dropped]


def _nest(source: LocalMap, buildings: list[OsmArea]) -> tuple[list[Outline], dict[str, list[OsmArea]]]:
    """Split into outlines and, by outline id, the outlines that lie inside them."""
    tree = STRtree([b.polygon for b in buildings])
    outer_of: dict[int, int] = {}
    for i, a in enumerate(buildings):
        around = [
            j
            for j in sorted(int(k) for k in tree.query(a.polygon, predicate="intersects"))
            if j != i
            and buildings[j].polygon.area > a.polygon.area
            and buildings[j].polygon.intersection(a.polygon).area > NESTED_SHARE * a.polygon.area
        ]
        if around:
            outer_of[i] = max(around, key=lambda j: (buildings[j].polygon.area, -j))
    nested: dict[str, list[OsmArea]] = {}
    for i in sorted(outer_of):
        top = outer_of[i]
        while top in outer_of:
            top = outer_of[top]
        nested.setdefault(buildings[top].id, []).append(buildings[i])
        source.faults.add("building inside a building made its part", buildings[i].id.removeprefix("osm:"))
    return [Outline(b) for k, b in enumerate(buildings) if k not in outer_of], nested


def _give_parts(source: LocalMap, outlines: list[Outline], parts: list[OsmArea]) -> None:
    """Attach each part to the outline that holds most of it; a part without one becomes a building."""
    tree = STRtree([o.area.polygon for o in outlines])
    orphans = []
    for part in parts:
        best, share = -1, PART_SHARE * part.polygon.area
        for k in sorted(int(i) for i in tree.query(part.polygon, predicate="intersects")):
            common = outlines[k].area.polygon.intersection(part.polygon).area
            if common > share:
                best, share = k, common
        if best >= 0:
            outlines[best].parts.append(part)
        else:
            source.faults.add("building part without a building built alone", part.id.removeprefix("osm:"))
            orphans.append(Outline(part))
    outlines += orphans


def _left_over(outline: Outline, nested: set[str]) -> list[OsmArea]:
    """Pieces of the outline that no part covers, and bases below parts that start above the ground.

    Mappers often stack parts on their outline ("levels=2" on the outline, a part from level 2 to 4), though the wiki
    says that parts replace it. A nested building that starts above the ground (a dome) covers nothing below it.
    """
    if outline.area.tags.get("building") == "roof":
        return []
    lows = {part.id: read_rise(part.tags).min_height for part in outline.parts}
    covering = [p.polygon for p in outline.parts if not (p.id in nested and lows[p.id] > 0)]
    tags = {k: v for k, v in outline.area.tags.items() if not k.startswith("addr:") and k not in _NOT_INHERITED}
    rest = outline.area.polygon.difference(unary_union(covering)) if covering else outline.area.polygon
    pieces = [OsmArea(f"{outline.area.id}/rest.{k}", tags, p, ()) for k, p in enumerate(_opened(rest))]
    for part in outline.parts:
        if part.id in nested or lows[part.id] <= 0 or part.tags.get("building:part") in ("roof", "bridge", "balcony"):
            continue
        below = [p.polygon for p in outline.parts if lows[p.id] < lows[part.id]]
        bare = part.polygon.difference(unary_union(below)).intersection(outline.area.polygon)
        base = {k: v for k, v in tags.items() if not k.startswith("roof:") and k not in ("building:levels", "height")}
        base["height"] = f"{lows[part.id]:.2f}"
        name = part.id.removeprefix("osm:").replace("/", "-")
        pieces += [OsmArea(f"{outline.area.id}/base.{name}.{k}", base, p, ()) for k, p in enumerate(_opened(bare))]
    return pieces


def _opened(shape: BaseGeometry) -> list[Polygon]:
    """The pieces of a shape that are thicker than slivers."""
    opened = shape.buffer(-LEFT_OPENING, join_style="mitre").buffer(LEFT_OPENING, join_style="mitre")
    return polygons_of(opened.intersection(shape), LEFT_SMALLEST)
