"""A city package from any 3D Tiles tileset, with or without a pedestrian network and places."""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from citysim.build.mirror import Keep, Mirror
from citysim.build.package import WRITER, check_target, write_readme
from citysim.build.placing import Placing, place_tileset
from citysim.city import CityObject
from citysim.city.objects import objects_text
from citysim.city.sealing import LAYOUT, seal
from citysim.city.tiles import TileStore
from citysim.errors import CitySimError, InputError, StorageError
from citysim.geo import uris
from citysim.geo.content.container import unpack
from citysim.geo.content.features import feature_rows
from citysim.geo.frames import LocalFrame
from citysim.geo.http import HttpSource
from citysim.geo.network import PedestrianNetwork
from citysim.geo.network_io import network_geojson, read_network
from citysim.geo.places import parse_places, places_geojson
from citysim.geo.store import FolderSource, TileSource, fetch
from citysim.geo.tileset import Tileset, read_tileset
from citysim.geo.volumes import bounding_sphere
from citysim.storage import folder_atomic

TILES = "tiles"
_NAME_KEYS = ("name", "Name", "NAME", "gml:name", "id", "gml_id")


def import_tiles(
    tileset: str,
    out: Path,
    *,
    network: Path | None = None,
    places: Path | None = None,
    height_offset_m: float = 0.0,
    bbox: tuple[float, float, float, float] | None = None,
    name: str | None = None,
    allow_missing: bool = False,
    source: TileSource | None = None,
) -> Path:
    """Make a city package from a tileset and return its folder.

    `tileset` is the path or URL of the top tileset.json (or the folder that holds it). The tileset is copied unchanged;
    with `bbox` (west, south, east, north in degrees) only the tiles that touch it, and documents lose the others.
    `height_offset_m` is added to the heights of network and places, to bring them to the tiles' datum. A tileset
    without a place on Earth is put at `placing.DEFAULT_ORIGIN`, and city.json says so under "placement". `source`
    replaces the folder or web as the place to read from.

    Raises StorageError for missing data (a tile that the tileset names and nobody has is an error unless
    `allow_missing`) and InputError for what cannot be used; nothing is written then.
    """
    check_target(out)
    if not np.isfinite(height_offset_m):
        raise InputError("a finite height offset in metres", f"{height_offset_m}", "--height-offset -2.0")
    for extra in (network, places):
        if extra is not None and not extra.is_file():
            raise StorageError("a GeoJSON file", f"no file '{extra}'", "checking the path")
    reader, top = _open(tileset) if source is None else (source, tileset)
    with ExitStack() as stack:
        if isinstance(reader, HttpSource) and source is None:
            stack.callback(reader.close)
        root = stack.enter_context(folder_atomic(out, replace=True))
        keep, whole = (None, None) if bbox is None else _inside(bbox, reader, top, allow_missing)
        mirrored = Mirror(reader, top, root / TILES, keep=keep, allow_missing=allow_missing).run()
        local, uri = FolderSource(root), f"{TILES}/{mirrored.tileset}"
        tree = read_tileset(local, uri, allow_missing=allow_missing)
        missing = sorted(f"{TILES}/{lost}" for lost in mirrored.missing)
        if mirrored.contents == len(mirrored.missing):
            raise InputError("a tileset with tiles to import", f"none in '{tileset}'", "another tileset or --bbox")
        placing = whole or place_tileset(_Present(local, missing), tree)
        objects, bases = _objects(local, tree, missing)
        (root / LAYOUT["objects"]).write_text(objects_text(objects), encoding="utf-8")
        _write_network(root, network, placing.frame, height_offset_m)
        _write_places(root, places, placing.frame, height_offset_m)
        title = name or out.name
        licence = "see the tileset's own terms"
        attribution = _copyright(local, uri) or f"3D Tiles from {_shown(tileset)}"
        write_readme(root, title, attribution, licence)
        data: dict[str, Any] = {
            "schema": "",
            "name": title,
            "title": title,
            "source": _shown(tileset),
            "licence": licence,
            "attribution": attribution,
            "height_offset_m": float(height_offset_m),
            "utc_offset_h": float(round(placing.frame.lon / 15.0)),
            **_placed(placing),
            "tileset": uri,
            "generator": {"writer": WRITER, "kind": "import-tiles"},
            "label_bases": bases,
            "missing": missing,
        }
        store = TileStore(local, tree, placing.frame, placement=placing.placement, label_bases=bases, missing=missing)
        seal(root, placing.frame, store, data)
    return out


class _Present:
    """A source whose known gaps read as empty contents."""

    def __init__(self, inner: TileSource, missing: list[str]) -> None:
        self.inner, self.missing = inner, frozenset(missing)

    def read(self, uri: str) -> bytes:
        return b"" if uri in self.missing else self.inner.read(uri)


def _open(tileset: str) -> tuple[TileSource, str]:
    """Source and top URI of a path or URL; raises StorageError when there is nothing."""
    if uris.is_url(tileset):
        return HttpSource(), tileset
    path = Path(tileset)
    if path.is_dir():
        path = path / "tileset.json"
    if not path.is_file():
        raise StorageError("a tileset.json", f"no file '{path}'", "the path or URL of the tileset's top JSON file")
    return FolderSource(path.parent), path.name


def _inside(
    bbox: tuple[float, float, float, float], source: TileSource, top: str, allow_missing: bool
) -> tuple[Keep, Placing | None]:
    """Whether a bounding sphere touches a bbox in degrees; and the placing, where a part must keep the whole one."""
    west, south, east, north = bbox
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise InputError("a bbox of west, south, east, north in degrees", f"{bbox}", "--bbox 114.15,22.28,114.16,22.29")
    tree = read_tileset(source, top, allow_missing=allow_missing)
    placing = place_tileset(_Tolerant(source), tree)
    to_local = placing.frame.inverse if placing.placement is None else placing.placement
    corners = np.array([(west, south, 0), (east, south, 0), (west, north, 0), (east, north, 0)])
    local = placing.frame.from_geodetic(corners)[:, :2]
    low, high = local.min(axis=0), local.max(axis=0)

    def keep(volume: dict[str, Any], matrix: Any) -> bool:
        sphere = bounding_sphere(volume, to_local @ matrix, placing.frame.inverse)
        nearest = np.clip(sphere.center[:2], low, high)
        return float(np.linalg.norm(nearest - sphere.center[:2])) <= sphere.radius

    root = tree.tiles[0]
    if not keep(root.volume, root.matrix):
        lon, lat = (float(v) for v in placing.frame.to_geodetic(np.zeros(3))[:2])
        raise InputError("a bbox that touches the tileset", f"{bbox}", f"one around {lon:.4f},{lat:.4f}")
    return keep, None if placing.placement is None else placing


class _Tolerant:
    """A source that gives empty contents for what cannot be read: enough to find the up axis."""

    def __init__(self, inner: TileSource) -> None:
        self.inner = inner

    def read(self, uri: str) -> bytes:
        try:
            return self.inner.read(uri)
        except CitySimError:
            return b""


def _objects(source: TileSource, tree: Tileset, missing: list[str]) -> tuple[list[CityObject], dict[str, int]]:
    """Objects of all batch tables, and by content URI the object id of its feature 0."""
    objects: list[CityObject] = []
    bases: dict[str, int] = {}
    contents = dict.fromkeys(uri for node in tree.tiles for uri in node.uris if uri not in missing)
    for uri in contents:
        payloads = unpack(fetch(source, uri), uri)
        if len(payloads) != 1 or not payloads[0].batch_length:
            continue
        bases[uri] = len(objects) + 1
        for row in feature_rows(payloads[0]) or []:
            title = next((str(row[key]) for key in _NAME_KEYS if row.get(key) not in (None, "")), "")
            objects.append(CityObject(len(objects) + 1, "feature", title, attributes=row))
    return objects, bases


def _write_network(root: Path, path: Path | None, frame: LocalFrame, offset: float) -> None:
    graph = PedestrianNetwork([]) if path is None else read_network(path, frame, offset)
    (root / LAYOUT["network"]).write_text(network_geojson(graph.edges, frame), encoding="utf-8")


def _write_places(root: Path, path: Path | None, frame: LocalFrame, offset: float) -> None:
    rows = [] if path is None else parse_places(_bytes(path), path, frame)
    for row in rows:
        east, north, up = row["entrance"]
        row["entrance"] = (east, north, up + offset)
        row.pop("building", None)  # object ids of another package
        row.pop("sign", None)
    (root / LAYOUT["places"]).write_text(places_geojson(rows, frame), encoding="utf-8")


def _placed(placing: Placing) -> dict[str, Any]:
    if placing.placement is None:
        return {"placement": None}
    note = f"the tileset has no place on Earth: its origin was put at the default one, its {placing.up} axis upwards"
    return {"placement": placing.placement.T.reshape(-1).tolist(), "placement_note": note}


def _copyright(source: TileSource, uri: str) -> str:
    """`asset.copyright` of the top document, "" without."""
    asset = json.loads(fetch(source, uri).decode("utf-8-sig")).get("asset")
    return str(asset.get("copyright", "")) if isinstance(asset, dict) else ""


def _shown(tileset: str) -> str:
    """What may be told of where it came from: no query (keys), no folders of this machine."""
    return tileset.partition("?")[0] if uris.is_url(tileset) else Path(tileset).name


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StorageError("a readable GeoJSON file", f"'{path}' ({error.strerror})", "checking the path") from None
