"""Reading an extract: the raw nodes, ways and relations near a box, before any of them means something."""

import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from citysim.errors import CitySimError, FormatError, InputError, StorageError

LonLat = tuple[float, float]
Box = tuple[float, float, float, float]  # west, south, east, north in degrees

_MARGIN_DEG = 0.002  # objects this far outside a requested box may still reach into it
_SUFFIXES = (".pbf", ".osm", ".osm.gz", ".osm.bz2", ".o5m", ".osc")


@dataclass
class OsmExtract:
    """The objects of one file in and around a box; way and member lists keep ids whose objects are absent."""

    box: Box
    locations: dict[int, LonLat] = field(default_factory=dict)
    node_tags: dict[int, dict[str, str]] = field(default_factory=dict)
    way_refs: dict[int, tuple[int, ...]] = field(default_factory=dict)
    way_tags: dict[int, dict[str, str]] = field(default_factory=dict)
    relation_members: dict[int, tuple[tuple[str, int, str], ...]] = field(default_factory=dict)
    relation_tags: dict[int, dict[str, str]] = field(default_factory=dict)


def read_extract(path: Path, bbox: Box | None = None) -> OsmExtract:
    """Read `path` (pbf, osm XML, o5m), only what touches `bbox` when one is given.

    Raises StorageError (missing, unreadable), FormatError (empty, truncated, not OpenStreetMap) or InputError (bbox).
    """
    _check_file(path)
    if bbox is not None:
        _check_bbox(bbox)
    try:
        return _read(path, bbox)
    except CitySimError:
        raise
    except (MemoryError, OSError):
        raise
    except Exception as error:  # osmium has exceptions of its own for broken blocks, locations and encodings
        reason = " ".join(str(error).split()) or type(error).__name__
        raise FormatError(
            "a whole OpenStreetMap file (.osm.pbf or .osm)",
            f"{path} that cannot be read ({reason})",
            "downloading the extract again",
        ) from None


def _check_file(path: Path) -> None:
    try:
        if path.is_dir():
            raise InputError("an OpenStreetMap file", f"the folder {path}", "naming the .osm.pbf file itself")
        if not path.is_file():
            raise StorageError("an OpenStreetMap file", f"no file {path}", "checking the path")
        if path.stat().st_size == 0:
            raise FormatError("an OpenStreetMap file", f"the empty file {path}", "downloading the extract again")
        with path.open("rb"):
            pass
    except PermissionError:
        raise StorageError("a readable file", f"{path} without read permission", "changing its permissions") from None
    if not path.name.lower().endswith(_SUFFIXES):
        raise FormatError(
            "an OpenStreetMap file ending in .osm.pbf or .osm", str(path), "an extract from a download service"
        )


def _check_bbox(bbox: Box) -> None:
    west, south, east, north = bbox
    if not (all(map(math.isfinite, bbox)) and -180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise InputError(
            "a bbox west,south,east,north in degrees with west < east and south < north",
            ",".join(f"{value:g}" for value in bbox),
            "longitude first, as in 24.93,60.16,24.95,60.18",
        )


def _read(path: Path, bbox: Box | None) -> OsmExtract:
    import osmium

    reader = osmium.io.Reader(str(path))
    header = reader.header().box()
    reader.close()
    data: Box | None = None
    if header.valid():
        low, high = header.bottom_left, header.top_right
        data = (low.lon, low.lat, high.lon, high.lat)
        if bbox is not None:
            _intersect(bbox, data)
    near = None if bbox is None else _grown(bbox)
    extract = OsmExtract((0.0, 0.0, 0.0, 0.0))
    extent = [math.inf, math.inf, -math.inf, -math.inf]
    kept_relations: set[int] = set()
    for item in osmium.FileProcessor(str(path)):
        kind = item.type_str()
        if kind == "n":
            _node(item, extract, extent, near)
        elif kind == "w":
            refs = tuple(node.ref for node in item.nodes)
            if near is None or any(ref in extract.locations for ref in refs):
                extract.way_refs[item.id] = refs
                extract.way_tags[item.id] = dict(item.tags)
        elif kind == "r":
            members = tuple((member.type, member.ref, member.role) for member in item.members)
            if near is None or _touches(members, extract, kept_relations):
                kept_relations.add(item.id)
                extract.relation_members[item.id] = members
                extract.relation_tags[item.id] = dict(item.tags)
    if not math.isfinite(extent[0]):
        raise FormatError("an extract with nodes", f"{path} without any", "downloading the extract again")
    data = data or (extent[0], extent[1], extent[2], extent[3])
    extract.box = data if bbox is None else _intersect(bbox, data)
    if near is not None:
        _complete(path, extract)
    return extract


def _node(item: Any, extract: OsmExtract, extent: list[float], near: Box | None) -> None:
    if not item.location.valid():
        return
    lon, lat = item.location.lon, item.location.lat
    extent[0], extent[1] = min(extent[0], lon), min(extent[1], lat)
    extent[2], extent[3] = max(extent[2], lon), max(extent[3], lat)
    if near is None or (near[0] <= lon <= near[2] and near[1] <= lat <= near[3]):
        extract.locations[item.id] = (lon, lat)
        if len(item.tags):
            extract.node_tags[item.id] = dict(item.tags)


def _touches(members: tuple[tuple[str, int, str], ...], extract: OsmExtract, relations: set[int]) -> bool:
    return any(
        (kind == "w" and ref in extract.way_refs)
        or (kind == "n" and ref in extract.locations)
        or (kind == "r" and ref in relations)
        for kind, ref, _ in members
    )


def _complete(path: Path, extract: OsmExtract) -> None:
    """Add the far nodes of kept ways, and the far ways of kept multipolygons, so that rings close."""
    import osmium

    far_ways = {
        ref
        for rid, members in extract.relation_members.items()
        if extract.relation_tags[rid].get("type") == "multipolygon"
        for kind, ref, _ in members
        if kind == "w" and ref not in extract.way_refs
    }
    if far_ways:
        wanted = osmium.filter.IdFilter(sorted(far_ways))
        for item in osmium.FileProcessor(str(path), osmium.osm.WAY).with_filter(wanted):
            extract.way_refs[item.id] = tuple(node.ref for node in item.nodes)
            extract.way_tags[item.id] = dict(item.tags)
    far_nodes = {ref for refs in extract.way_refs.values() for ref in refs} - extract.locations.keys()
    if far_nodes:
        wanted = osmium.filter.IdFilter(sorted(far_nodes))
        for item in osmium.FileProcessor(str(path), osmium.osm.NODE).with_filter(wanted):
            if item.location.valid():
                extract.locations[item.id] = (item.location.lon, item.location.lat)
                if len(item.tags):
                    extract.node_tags[item.id] = dict(item.tags)


def _grown(box: Box) -> Box:
    lon = _MARGIN_DEG / max(0.05, math.cos(math.radians((box[1] + box[3]) / 2)))
    return (box[0] - lon, box[1] - _MARGIN_DEG, box[2] + lon, box[3] + _MARGIN_DEG)


def _intersect(bbox: Box, data: Box) -> Box:
    box = (max(bbox[0], data[0]), max(bbox[1], data[1]), min(bbox[2], data[2]), min(bbox[3], data[3]))
    if box[0] >= box[2] or box[1] >= box[3]:
        raise InputError(
            "a bbox that meets the data's " + ",".join(f"{value:.5f}" for value in data),
            ",".join(f"{value:g}" for value in bbox),
            "a box inside the data, in the order west,south,east,north",
        )
    return box
