"""Line features from ArcGIS services (GeoJSON or Esri JSON, page by page) and from GeoJSON files on the web."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import numpy as np

from citysim.errors import FormatError, StorageError
from citysim.geo import uris
from citysim.geo.store import TileSource, fetch

Feature = dict[str, Any]
Bbox = tuple[float, float, float, float]
FORMATS = ("geojson", "json")
MAX_PAGES = 20_000
PAGE = 1000  # when a service does not say
WGS84 = frozenset({4326, 4979})
HONG_KONG_GRID = frozenset({2326, 102140})


def fetch_lines(source: TileSource, url: str, bbox: Bbox, *, form: str = "geojson") -> list[Feature]:
    """GeoJSON features with lon, lat (WGS84 degrees) and height of the lines that reach into a bbox, in order.

    `url` is a layer (".../FeatureServer/0" or ".../MapServer/0"), asked page by page in the `form` "geojson" or "json"
    (Esri's), or else a whole GeoJSON or Esri JSON file. Heights stay as they are.
    Raises StorageError for what cannot be had and FormatError for anything that is not such data.
    """
    if form not in FORMATS:
        raise FormatError("geojson or json as a network's form", repr(form), "geojson")
    lines = _pages(source, url, bbox, form) if is_layer(url) else features_of(_json(fetch(source, url), url), url)
    return [feature for feature in lines if _touches(feature, bbox)]


def is_layer(url: str) -> bool:
    """Whether a URL is a layer of a feature or map service."""
    pieces = uris.plain(url).rstrip("/").rsplit("/", 2)
    return len(pieces) == 3 and pieces[1] in ("FeatureServer", "MapServer") and pieces[2].isdigit()


def features_of(document: dict[str, Any], where: str) -> list[Feature]:
    """Features of a GeoJSON FeatureCollection or an Esri feature set; raises FormatError, StorageError for an error."""
    error = document.get("error")
    if isinstance(error, dict):  # ArcGIS reports failures with status 200
        reason = f"error {error.get('code')}: {str(error.get('message'))[:80]}"
        raise StorageError(f"features from '{uris.plain(where)}'", reason, "checking the address and the key")
    features = document.get("features")
    if not isinstance(features, list) or not all(isinstance(feature, dict) for feature in features):
        raise FormatError("a list of features", f"something else in '{uris.plain(where)}'", "the address of a layer")
    if document.get("type") == "FeatureCollection":
        return features
    return _from_esri(document, features, where)


def _pages(source: TileSource, url: str, bbox: Bbox, form: str) -> list[Feature]:
    page = _page_size(source, url)
    west, south, east, north = bbox
    asked = {
        "where": "1=1",
        "geometry": f"{west},{south},{east},{north}",
        "geometryType": "esriGeometryEnvelope",
        "spatialRel": "esriSpatialRelIntersects",
        "inSR": "4326",
        "outSR": "4326",
        "outFields": "*",
        "returnGeometry": "true",
        "returnZ": "true",
        "orderByFields": "OBJECTID",
        "f": form,
    }
    found: list[Feature] = []
    seen: set[str] = set()
    for _ in range(MAX_PAGES):
        query = {**asked, "resultOffset": str(len(found)), "resultRecordCount": str(page)}
        address = _query(url.rstrip("/") + "/query", query)
        document = _json(fetch(source, address), address)
        try:
            features = features_of(document, address)
        except StorageError:
            _forget(source, address)
            raise
        if not features:
            return found
        mark = json.dumps(features[0], sort_keys=True)
        if mark in seen:
            raise FormatError("pages that differ", f"the same one again from '{uris.plain(url)}'", "another address")
        seen.add(mark)
        found += features
        if not _more(document) and len(features) < page:
            return found
    raise FormatError(f"at most {MAX_PAGES} pages", f"more from '{uris.plain(url)}'", "a smaller --bbox")


def _page_size(source: TileSource, url: str) -> int:
    address = _query(url.rstrip("/"), {"f": "json"})
    document = _json(fetch(source, address), address)
    if isinstance(document.get("error"), dict):
        _forget(source, address)
        features_of(document, address)
    most = document.get("maxRecordCount")
    return most if isinstance(most, int) and 0 < most <= 100_000 else PAGE


def _forget(source: TileSource, address: str) -> None:
    """An error that came with status 200 must not be kept by a download."""
    forget: Callable[[str], None] | None = getattr(source, "forget", None)
    if forget is not None:
        forget(address)


def _more(document: dict[str, Any]) -> bool:
    properties = document.get("properties")
    inner = properties.get("exceededTransferLimit") if isinstance(properties, dict) else False
    return document.get("exceededTransferLimit") is True or inner is True


def _query(url: str, values: dict[str, str]) -> str:
    """The URL with more parameters, those it has (a key) kept."""
    pairs = [(name, quote(value, safe="*,=-.")) for name, value in values.items()]
    return uris.with_query(url.partition("?")[0], uris.query_of(url) + pairs)


def _json(data: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise FormatError("features in JSON", f"'{uris.plain(where)}' ({str(error)[:60]})", "another address") from None
    if not isinstance(value, dict):
        raise FormatError("features in a JSON object", f"{value!r:.40} in '{uris.plain(where)}'", "another address")
    return value


def _from_esri(document: dict[str, Any], features: list[Feature], where: str) -> list[Feature]:
    reference = document.get("spatialReference")
    codes = {reference.get(name) for name in ("wkid", "latestWkid")} if isinstance(reference, dict) else set()
    if codes & HONG_KONG_GRID:
        from pyproj import Transformer

        # horizontally only: with heights PROJ may choose a transformation that is 300 m off
        to_wgs84 = Transformer.from_crs(2326, 4326, always_xy=True).transform
    elif not codes - {None} or codes & WGS84:
        to_wgs84 = None
    else:
        raise FormatError("features in WGS84 or Hong Kong's grid", f"wkid {sorted(map(str, codes))}", "outSR=4326")
    made = []
    for feature in features:
        geometry, attributes = feature.get("geometry"), feature.get("attributes")
        paths = geometry.get("paths") if isinstance(geometry, dict) else None
        lines = [_path(path, to_wgs84, where) for path in (paths if isinstance(paths, list) else [])]
        shape = {"type": "MultiLineString", "coordinates": lines} if lines else None
        made.append({"type": "Feature", "geometry": shape, "properties": attributes or {}})
    return made


def _path(path: Any, to_wgs84: Any, where: str) -> list[list[float]]:
    try:
        points = np.array([[*map(float, point), 0.0][:3] for point in path], dtype=np.float64).reshape(-1, 3)
    except (TypeError, ValueError):
        raise FormatError("paths of numbers", f"something else in '{uris.plain(where)}'", "another address") from None
    if to_wgs84 is not None and len(points):
        points[:, 0], points[:, 1] = to_wgs84(points[:, 0], points[:, 1])
    rows: list[list[float]] = points.tolist()
    return rows


def _touches(feature: Feature, bbox: Bbox) -> bool:
    """Whether the rectangle around a feature's lines meets the bbox; features without lines do not."""
    geometry = feature.get("geometry")
    coordinates = geometry.get("coordinates") if isinstance(geometry, dict) else None
    if not isinstance(coordinates, list) or not coordinates:
        return False
    multi = isinstance(geometry, dict) and geometry.get("type") == "MultiLineString"
    points = [point for line in (coordinates if multi else [coordinates]) for point in line]
    try:
        flat = np.array([(float(point[0]), float(point[1])) for point in points]).reshape(-1, 2)
    except (TypeError, ValueError, IndexError, KeyError):
        return True  # reading it will say what is wrong
    west, south, east, north = bbox
    (x0, y0), (x1, y1) = flat.min(axis=0).tolist(), flat.max(axis=0).tolist()
    return bool(x0 <= east and x1 >= west and y0 <= north and y1 >= south)
