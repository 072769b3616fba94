"""From an OpenStreetMap extract to a CityPlan."""

from pathlib import Path

from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.areas import OsmArea, assemble_areas
from citysim.build.osm.barriers import barrier_kind, read_barriers
from citysim.build.osm.buildings import read_buildings, with_entrances
from citysim.build.osm.coast import read_sea
from citysim.build.osm.crossings import read_crossings
from citysim.build.osm.entrances import read_entrances
from citysim.build.osm.extract import Box, read_extract
from citysim.build.osm.furniture import read_props
from citysim.build.osm.ground import is_walked_area, read_ground
from citysim.build.osm.lamps import light_streets
from citysim.build.osm.links import link_areas
from citysim.build.osm.localmap import LocalMap, local_map
from citysim.build.osm.outlines import find_outlines
from citysim.build.osm.places import read_places
from citysim.build.osm.standing import Standing
from citysim.build.osm.ways import WayNetwork, fit_ways, read_ways
from citysim.build.plans import DRIVE_KINDS, BuildingPlan, CityPlan
from citysim.errors import FormatError

LICENCE = "ODbL 1.0"
ATTRIBUTION = "© OpenStreetMap contributors"
_LOCALES = (("fi", (19.0, 59.7, 31.6, 70.1)),)


def plan_from_osm(
    path: Path, *, bbox: tuple[float, float, float, float] | None = None, seed: int = 0, name: str | None = None
) -> CityPlan:
    """Read an extract (.osm.pbf or .osm) into a plan of the box `bbox` (west, south, east, north in degrees).

    Without a box the extract's own. `name` names the package and, where it is written as a title ("Old Town"), the
    city; the file's name does otherwise. Raises StorageError,
    FormatError (not a whole extract, no buildings, nothing to walk on) or InputError (bbox).
    """
    path = Path(path)
    source = local_map(read_extract(path, bbox))
    areas = assemble_areas(source)
    network = read_ways(source, {int(a.id.removeprefix("osm:way/")) for a in areas if _is_plain_way(a)})
    buildings = read_buildings(source, find_outlines(source, areas))
    _check(path, source, network, buildings)
    doors = read_entrances(source, buildings, set(network.nodes))
    buildings = with_entrances(buildings, doors.by_building, doors.addresses)
    places = read_places(source, areas, buildings)
    solids: list[BaseGeometry] = [b.polygon for b in buildings if b.parent is None and b.min_height < 2.0]
    walked = [a for a in areas if is_walked_area(a.tags)]
    link_areas(source, walked, network, [s.buffer(-0.2) for s in solids] + _lines_in_the_way(source, network))
    fit_ways(network, [LineString(b.polygon.exterior.coords) for b in buildings if b.parent is None])
    lines = [(way, network.line(way)) for way in network.ways]
    ground = read_ground(source, areas, lines)
    piers = [a.polygon for a in ground if a.tags.get("man_made") == "pier"]
    crossings = read_crossings(source, network.ways)
    standing = Standing(source, lines, solids)
    props = read_props(source, areas, places, standing)
    props += light_streets(lines, props, buildings, [network.nodes[c.node] for c in crossings], standing)
    stem = path.name.split(".")[0]
    return CityPlan(
        name=_slug(name or stem),
        title=name if name and name != _slug(name) and "_" not in name else stem,
        source=f"OpenStreetMap extract {path.name}",
        licence=LICENCE,
        attribution=ATTRIBUTION,
        frame=source.frame,
        bounds=source.bounds,
        seed=seed,
        generator={"kind": "osm", "file": path.name, "bbox": list(source.extract.box), "seed": seed},
        nodes={n: network.nodes[n] for n in sorted(network.nodes)},
        ways=tuple(network.ways),
        crossings=tuple(crossings),
        areas=(*ground, *read_sea(source, piers)),
        buildings=tuple(buildings),
        places=tuple(places),
        props=tuple(props),
        barriers=tuple(read_barriers(source, lines)),
        locale=_locale(source),
        utc_offset_h=float(round(source.frame.lon / 15.0)),
        warnings=source.faults.lines(),
    )


def _lines_in_the_way(source: LocalMap, network: WayNetwork) -> list[BaseGeometry]:
    """Walls, fences and the carriageways that nobody walks on, which no way across a square may cross."""
    roads = [w for w in network.ways if w.kind in DRIVE_KINDS and w.kind != "tram" and not w.foot]
    lines: list[BaseGeometry] = [network.line(w) for w in roads if w.layer == 0 and not w.tunnel]
    for way in sorted(source.extract.way_refs):
        nodes = source.present(source.extract.way_refs[way])
        if barrier_kind(source.extract.way_tags[way]) and len(nodes) >= 2:
            lines.append(LineString([source.xy[n] for n in nodes]))
    return lines


def _is_plain_way(area: OsmArea) -> bool:
    """Whether an area is a way whose highway tag (if any) means the area itself."""
    return area.id.startswith("osm:way/") and area.id.removeprefix("osm:way/").isdigit()


def _check(path: Path, source: LocalMap, network: WayNetwork, buildings: list[BuildingPlan]) -> None:
    box: Box = source.extract.box
    where = ",".join(f"{value:.5f}" for value in box)
    if not any(way.foot for way in network.ways):
        raise FormatError("streets or footways to walk on", f"none in {path} within {where}", "a larger or another box")
    if not buildings:
        raise FormatError("buildings", f"none in {path} within {where}", "a larger box or an extract of a town")


def _slug(title: str) -> str:
    text = "".join(c if c.isascii() and c.isalnum() else "-" for c in title.lower())
    return "-".join(part for part in text.split("-") if part) or "city"


def _locale(source: LocalMap) -> str:
    lon, lat = source.frame.lon, source.frame.lat
    for locale, (west, south, east, north) in _LOCALES:
        if west <= lon <= east and south <= lat <= north:
            return locale
    return "en"
