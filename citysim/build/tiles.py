"""A city package from any 3D Tiles tileset, with or without a pedestrian network and places."""

import json
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import numpy as np

from citysim.build.mirror import Keep, Mirror, Mirrored
from citysim.build.offset import estimate_offset
from citysim.build.package import WRITER, write_readme
from citysim.build.placing import Placing, earthly, place_tileset
from citysim.build.soundness import find_broken
from citysim.build.target import check_target
from citysim.build.terms import Terms
from citysim.city import CityObject
from citysim.city.sealing import LAYOUT, seal
from citysim.city.tiles import TileStore
from citysim.errors import CitySimError, InputError, StorageError
from citysim.geo import uris
from citysim.geo.archive import ARCHIVES, ArchiveSource
from citysim.geo.content.features import content_features
from citysim.geo.content.references import copyrights
from citysim.geo.database import DatabaseSource
from citysim.geo.downloads import Download
from citysim.geo.frames import LocalFrame
from citysim.geo.http import HttpSource
from citysim.geo.network import PedestrianNetwork
from citysim.geo.network_io import network_geojson, read_network
from citysim.geo.places import parse_places, places_geojson
from citysim.geo.store import FolderSource, TileSource, fetch
from citysim.geo.tileset import Tileset, matrix_of, parse_document, read_tileset
from citysim.geo.volumes import bounding_sphere
from citysim.storage import cache_dir, folder_atomic, sha256_hex

TILES = "tiles"
MOST_CREDITS = 40
_NAME_KEYS = ("name", "Name", "NAME", "gml:name", "id", "gml_id")


def import_tiles(
    tileset: str,
    out: Path,
    *,
    network: Path | None = None,
    places: Path | None = None,
    height_offset_m: float | None = 0.0,
    bbox: tuple[float, float, float, float] | None = None,
    name: str | None = None,
    allow_missing: bool = False,
    source: TileSource | None = None,
    terms: Terms | None = None,
) -> Path:
    """Make a city package from a tileset and return its folder.

    `tileset` is the path or URL of the top tileset.json or of an archive, or the folder that holds tileset.json. The
    tileset is copied unchanged; with `bbox` (west, south, east, north in degrees) only the tiles that touch it, and
    documents lose the others.
    `height_offset_m` is added to the heights of network and places, to bring them to the tiles' datum; None estimates
    it from the surfaces under the network. A tileset without a place on Earth is put at `placing.DEFAULT_ORIGIN`, and
    city.json says so under "placement". `source` replaces the folder or web as the place to read from, `terms` the
    tileset's own attribution.

    Raises StorageError for missing data and InputError for what cannot be used; nothing is written then. With
    `allow_missing` tiles that cannot be had or decoded are left out, and city.json gives for each of them the reason
    under "faults"; at most the share of them that `terms` allows.
    """
    check_target(out)
    if height_offset_m is not None and not np.isfinite(height_offset_m):
        raise InputError("a finite height offset in metres", f"{height_offset_m}", "--height-offset -2.0")
    for extra in (network, places):
        if extra is not None and not extra.is_file():
            raise StorageError("a GeoJSON file", f"no file '{extra}'", "checking the path")
    reader, top = _open(tileset) if source is None else (source, tileset)
    with ExitStack() as stack:
        if source is None and isinstance(reader, Download | ArchiveSource | DatabaseSource):
            stack.callback(reader.close)
        root = stack.enter_context(folder_atomic(out, replace=True))
        keep, whole = (None, None) if bbox is None else _inside(bbox, reader, top, allow_missing)
        mirrored = Mirror(reader, top, root / TILES, keep=keep, allow_missing=allow_missing).run()
        local, uri = FolderSource(root), f"{TILES}/{mirrored.tileset}"
        tree = read_tileset(local, uri, allow_missing=allow_missing)
        faults = {f"{TILES}/{lost}": why for lost, why in mirrored.faults.items()}
        if allow_missing:
            faults |= find_broken(local, tree, faults)
        missing = sorted(faults)
        left = [uri for node in tree.tiles for uri in node.uris if uri not in faults]
        if not left:
            reason = f"; {next(iter(faults.items()))}" if faults else ""
            advice = (
                "another --bbox" if bbox else "--allow-missing only for a few bad tiles" if faults else "another one"
            )
            raise InputError("a tileset with tiles to import", f"none in '{_shown(tileset)}'{reason}", advice)
        if terms is not None and mirrored.contents - len(set(left)) > terms.most_missing * mirrored.contents:
            raise StorageError(
                f"at least {1.0 - terms.most_missing:.0%} of the tiles",
                f"{len(faults)} failures, the first: {next(iter(faults.items()))}",
                "running the same command again: it goes on where it was",
            )
        placing = whole or place_tileset(_Present(local, missing), tree)
        frame = placing.frame
        objects, bases = _objects(local, tree, missing)
        store = TileStore(local, tree, frame, placement=placing.placement, label_bases=bases, missing=missing)
        offset, note = _offset(store, network, height_offset_m)
        said = _write_network(root, network, store, offset)
        if network is not None and note and not note["height_offset_note"].startswith("estimated"):
            said.append(f"the height offset {note['height_offset_note']}")
        said += _write_places(root, places, frame, offset)
        title = name or out.name
        licence = terms.licence if terms else "see the tileset's own terms"
        attribution = (
            terms.attribution if terms else _credits(local, uri, mirrored) or f"3D Tiles from {_shown(tileset)}"
        )
        write_readme(root, title, attribution, licence)
        data: dict[str, Any] = {
            "schema": "",
            "name": title,
            "title": title,
            "source": _shown(tileset),
            "licence": licence,
            "attribution": attribution,
            "height_offset_m": offset,
            **note,
            "utc_offset_h": float(round(frame.lon / 15.0)),
            **_placed(placing),
            "tileset": uri,
            "generator": {"writer": WRITER, "kind": "import-tiles"},
            "label_bases": bases,
            "missing": missing,
            **({"faults": dict(sorted(faults.items()))} if faults else {}),
            **({"warnings": said} if said else {}),
        }
        within = None if bbox is None else _rectangle(bbox, frame)
        seal(root, frame, store, data, within=within, objects=objects)
        if isinstance(reader, Download):
            reader.finish()
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
        download = Download(download_folder(tileset), HttpSource(root=tileset))
        if uris.extension(tileset) not in ARCHIVES:
            return download, tileset
        with closing(download):
            download.read(tileset)
            download.finish()
            return ARCHIVES[uris.extension(tileset)](download.file_of(tileset)), "tileset.json"
    path = Path(tileset)
    if path.is_dir():
        path = path / "tileset.json"
    if path.suffix[1:].lower() in ARCHIVES and path.is_file():
        return ARCHIVES[path.suffix[1:].lower()](path), "tileset.json"
    if not path.is_file():
        raise StorageError("a tileset.json", f"no file '{path}'", "the path or URL of the tileset's top JSON file")
    return FolderSource(path.parent), path.name


def download_folder(url: str) -> Path:
    """Where what was read from the web for a tileset is kept."""
    return cache_dir() / "downloads" / sha256_hex(uris.plain(url))[:24]


def _offset(store: TileStore, network: Path | None, given: float | None) -> tuple[float, dict[str, str]]:
    """The height offset and what city.json says about where it comes from."""
    if given is not None:
        return float(given), {}
    graph = PedestrianNetwork([]) if network is None else read_network(network, store.frame)
    found = estimate_offset(store, graph)
    return found.metres, {"height_offset_note": found.note()}


def _rectangle(bbox: tuple[float, float, float, float], frame: LocalFrame) -> tuple[float, float, float, float]:
    """The largest upright rectangle of local metres inside a bbox in degrees: outside it tiles are left out."""
    west, south, east, north = bbox
    corners = np.array([(west, south, 0), (east, south, 0), (west, north, 0), (east, north, 0)])
    (sw, se, nw, ne) = frame.from_geodetic(corners)[:, :2].tolist()
    return max(sw[0], nw[0]), max(sw[1], se[1]), min(se[0], ne[0]), min(nw[1], ne[1])


def _inside(
    bbox: tuple[float, float, float, float], source: TileSource, top: str, allow_missing: bool
) -> tuple[Keep, Placing | None]:
    """Whether a bounding sphere touches a bbox in degrees; and the placing, where a part must keep the whole one."""
    west, south, east, north = bbox
    if not (-180 <= west < east <= 180 and -90 <= south < north <= 90):
        raise InputError("a bbox of west, south, east, north in degrees", f"{bbox}", "--bbox 114.15,22.28,114.16,22.29")
    root = parse_document(fetch(source, top), top)["root"]
    volume, matrix = root.get("boundingVolume"), matrix_of(root.get("transform"), top)
    if isinstance(volume, dict) and earthly(volume, matrix):
        # no need to look at all of it: a territory has millions of tiles
        placing = Placing(LocalFrame((west + east) / 2.0, (south + north) / 2.0, 0.0), None)
    else:
        tree = read_tileset(source, top, allow_missing=allow_missing)
        placing = place_tileset(_Tolerant(source), tree)
        volume, matrix = tree.tiles[0].volume, tree.tiles[0].matrix
    to_local = placing.frame.inverse if placing.placement is None else placing.placement
    corners = np.array([(west, south, 0), (east, south, 0), (west, north, 0), (east, north, 0)])
    local = placing.frame.from_geodetic(corners)[:, :2]
    low, high = local.min(axis=0), local.max(axis=0)

    def keep(volume: dict[str, Any], matrix: Any) -> bool:
        sphere = bounding_sphere(volume, to_local @ matrix, placing.frame.inverse)
        nearest = np.clip(sphere.center[:2], low, high)
        return float(np.linalg.norm(nearest - sphere.center[:2])) <= sphere.radius

    if not keep(volume, matrix):
        middle = bounding_sphere(volume, to_local @ matrix, placing.frame.inverse).center
        lon, lat = (float(v) for v in placing.frame.to_geodetic(middle)[:2])
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
    """Objects of all batch and property tables, and by content URI the object id of its feature 0."""
    objects: list[CityObject] = []
    bases: dict[str, int] = {}
    contents = dict.fromkeys(uri for node in tree.tiles for uri in node.uris if uri not in missing)
    for uri in contents:
        rows = content_features(source, uri)
        if not rows:
            continue
        bases[uri] = len(objects) + 1
        for row in rows:
            title = next((str(row[key]) for key in _NAME_KEYS if row.get(key) not in (None, "")), "")
            objects.append(CityObject(len(objects) + 1, "feature", title, attributes=row))
    return objects, bases


def _write_network(root: Path, path: Path | None, store: TileStore, offset: float) -> list[str]:
    """Write the network beside the tiles; gives what is odd about it. Raises InputError for one of another place."""
    frame = store.frame
    graph = PedestrianNetwork([]) if path is None else read_network(path, frame, offset)
    (root / LAYOUT["network"]).write_text(network_geojson(graph.edges, frame), encoding="utf-8")
    if path is None:
        return []
    if not graph.edges:
        return ["the network has no lines"]
    centers = np.array([tile.center[:2] for tile in store.tiles if tile.has_content])
    radii = np.array([[tile.radius] for tile in store.tiles if tile.has_content])
    low, high = (centers - radii).min(axis=0), (centers + radii).max(axis=0)
    near = [((low <= e.line[:, :2]) & (e.line[:, :2] <= high)).all(axis=1).any() for e in graph.edges]
    if not any(near):
        lon, lat, _ = frame.to_geodetic(graph.edges[0].line[0]).tolist()
        here = frame.to_geodetic(np.array([*(low + high) / 2.0, 0.0])).tolist()
        raise InputError(
            f"a network over the tiles, around longitude {here[0]:.5f} and latitude {here[1]:.5f}",
            f"lines elsewhere, the first at {lon:.5f}, {lat:.5f}",
            "one of the same place in WGS84, longitude first",
        )
    return [] if all(near) else [f"{len(near) - sum(near)} of {len(near)} lines of the network lie beyond the tiles"]


def _write_places(root: Path, path: Path | None, frame: LocalFrame, offset: float) -> list[str]:
    """Write the places beside the tiles; gives what is odd about them."""
    rows = [] if path is None else parse_places(_bytes(path), path, frame)
    for row in rows:
        east, north, up = row["entrance"]
        row["entrance"] = (east, north, up + offset)
        row.pop("building", None)  # object ids of another package
        row.pop("sign", None)
    (root / LAYOUT["places"]).write_text(places_geojson(rows, frame), encoding="utf-8")
    return ["the file of places has no point with a name"] if path is not None and not rows else []


def _placed(placing: Placing) -> dict[str, Any]:
    if placing.placement is None:
        return {"placement": None}
    note = f"the tileset has no place on Earth: its origin was put at the default one, its {placing.up} axis upwards"
    return {"placement": placing.placement.T.reshape(-1).tolist(), "placement_note": note}


def _credits(source: TileSource, uri: str, mirrored: Mirrored) -> str:
    """Everybody named in `asset.copyright` of the top document and of contents, those of most contents first."""
    top = copyrights(json.loads(fetch(source, uri).decode("utf-8-sig")))
    others = sorted(mirrored.credits, key=lambda name: (-mirrored.credits[name], name))
    return "; ".join(list(dict.fromkeys([*top, *others]))[:MOST_CREDITS])


def _shown(tileset: str) -> str:
    """What may be told of where it came from: no query (keys), no folders of this machine."""
    return tileset.partition("?")[0] if uris.is_url(tileset) else Path(tileset).name


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StorageError("a readable GeoJSON file", f"'{path}' ({error.strerror})", "checking the path") from None
