"""Reading and writing pedestrian networks as GeoJSON lines with Hong Kong's attributes."""

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError, StorageError
from citysim.geo.arcgis import features_of
from citysim.geo.frames import LocalFrame
from citysim.geo.network import NetworkEdge, PedestrianNetwork
from citysim.geo.network_codes import canonical_name, coded_value

JOIN_M = 0.001
SMALL = 4000  # ends of lines
"""End points of a file closer than this are one node (the tolerance of the official layer)."""

MOST = (180.0, 90.0, 20_000.0)
"""Degrees, degrees and metres that a point on Earth has at most."""


def read_network(path: Path, frame: LocalFrame, height_offset_m: float = 0.0) -> PedestrianNetwork:
    """Read a GeoJSON FeatureCollection of (Multi)LineStrings with lon, lat (WGS84 degrees) and height (metres).

    `height_offset_m` is added to every height (Hong Kong's heights are above its principal datum, the tiles' above the
    ellipsoid). Field names are matched without case and underscores, coded values as integers or names; null fields
    are left out. Points without a height get 0. Features without a line are skipped. Esri's JSON is read, too.
    Raises StorageError for a missing file, FormatError for one that is not such GeoJSON.
    """
    lines: list[NDArray[np.float64]] = []
    notes: list[tuple[int, dict[str, Any]]] = []
    for number, feature in enumerate(_features(path)):
        given = feature.get("properties")
        properties = given if isinstance(given, dict) else {}
        attributes = {
            name: coded_value(name, value)
            for name, value in ((canonical_name(key), value) for key, value in properties.items())
            if value is not None
        }
        identity = _identity(attributes.get("PedestrianRouteID"), feature.get("id"), number)
        for coordinates in _lines(feature, path, number):
            local = frame.from_geodetic(coordinates + np.array([0.0, 0.0, height_offset_m]))
            moved = np.r_[True, (np.diff(local, axis=0) != 0.0).any(axis=1)]
            if moved.sum() >= 2:
                lines.append(local[moved])
                notes.append((identity, attributes))
    joined = _join(lines)
    return PedestrianNetwork([NetworkEdge(i, line, a) for line, (i, a) in zip(joined, notes, strict=True)])


def network_geojson(edges: Iterable[NetworkEdge], frame: LocalFrame) -> str:
    """The GeoJSON text of edges: one feature a line of the file, lon/lat with 9 decimals (0.1 mm), heights in mm.

    Equal points give equal text, so joined ends stay joined. `PedestrianRouteID` is the edge's id; `Shape_Length`
    (horizontal metres) and `Gradient` (radians, unsigned, over the whole line) are derived where they are absent.
    """
    rows = []
    for edge in edges:
        geodetic = frame.to_geodetic(edge.line)
        points = [[_number(lon, 9), _number(lat, 9), _number(height, 3)] for lon, lat, height in geodetic]
        flat = float(np.hypot(*np.diff(edge.line[:, :2], axis=0).T).sum())
        rise = abs(float(edge.line[-1, 2] - edge.line[0, 2]))
        derived = {"Shape_Length": round(flat, 3), "Gradient": round(math.atan2(rise, flat), 6)}
        properties = {**derived, **edge.attributes, "PedestrianRouteID": edge.id}
        feature = {
            "type": "Feature",
            "id": edge.id,
            "geometry": {"type": "LineString", "coordinates": points},
            "properties": dict(sorted(properties.items())),
        }
        rows.append(json.dumps(feature, ensure_ascii=False, separators=(",", ":"), allow_nan=False))
    return '{"type":"FeatureCollection","features":[\n' + ",\n".join(rows) + "\n]}\n"


def _number(value: float, digits: int) -> float:
    return round(float(value), digits) + 0.0  # no negative zero


def _features(path: Path) -> list[dict[str, Any]]:
    try:
        document = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise StorageError(
            "a readable network file", f"'{path}' ({error.strerror})", "the path of a GeoJSON file"
        ) from None
    except (ValueError, RecursionError) as error:
        detail = str(error).replace("\n", " ")[:80]
        raise FormatError("a network in GeoJSON", f"'{path}' ({detail})", "exporting it as GeoJSON") from None
    features = document.get("features") if isinstance(document, dict) else None
    if not isinstance(features, list) or not all(isinstance(f, dict) for f in features):
        raise FormatError("a GeoJSON FeatureCollection", f"something else in '{path}'", "exporting it as GeoJSON")
    return features if "type" in document else features_of(document, str(path))  # Esri's form has no type


def _lines(feature: dict[str, Any], path: Path, number: int) -> list[NDArray[np.float64]]:
    geometry = feature.get("geometry") or {}
    kind = geometry.get("type") if isinstance(geometry, dict) else None
    if kind not in ("LineString", "MultiLineString"):
        return []
    coordinates: Any = geometry.get("coordinates")
    try:
        parts = [coordinates] if kind == "LineString" else list(coordinates)
        lines = [np.array([(*map(float, p), 0.0)[:3] for p in part], dtype=np.float64) for part in parts]
        good = all(line.ndim == 2 and line.shape[1] == 3 and np.isfinite(line).all() for line in lines if len(line))
    except (TypeError, ValueError):
        good = False
    if not good:
        raise FormatError(
            "numbers as line coordinates", f"something else in feature {number} of '{path}'", "repairing that feature"
        )
    for line in lines:
        odd = (np.abs(line) > MOST).any(axis=1)
        if odd.any():
            shown = ", ".join(f"{value:g}" for value in line[odd][0])
            raise FormatError(
                "longitudes within 180, latitudes within 90 degrees and heights in metres",
                f"{shown} in feature {number} of '{path}'",
                "exporting it in WGS84 (EPSG:4326), longitude first",
            )
    return [line for line in lines if len(line) >= 2]


def _identity(route: Any, feature: Any, number: int) -> int:
    for value in (route, feature):
        if isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer():
            return int(value)
        if isinstance(value, str) and value.lstrip("-").isdigit():
            return int(value)
    return number + 1


def _join(lines: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
    """The same lines with end points closer than JOIN_M made bit-equal (each group takes its first point)."""
    if not lines:
        return []
    ends = np.concatenate([line[[0, -1]] for line in lines])
    leader = np.arange(len(ends))
    for a, b in _close_pairs(ends):
        while leader[a] != a:
            a = leader[a]
        while leader[b] != b:
            b = leader[b]
        leader[max(a, b)] = min(a, b)
    joined = []
    for number, line in enumerate(lines):
        copy = line.copy()
        for row, at in ((0, 2 * number), (-1, 2 * number + 1)):
            while leader[at] != at:
                at = leader[at]
            copy[row] = ends[at]
        joined.append(copy)
    return joined


def _close_pairs(points: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Pairs a < b of points that are within JOIN_M of each other, in order."""
    if len(points) > SMALL:
        from scipy.spatial import cKDTree  # takes longer to import than it saves on small networks

        return sorted(cKDTree(points).query_pairs(JOIN_M))
    order = np.argsort(points[:, 0], kind="stable")
    placed = points[order]
    found: list[tuple[int, int]] = []
    for step in range(1, len(points)):
        apart = placed[step:] - placed[:-step]
        if not (apart[:, 0] <= JOIN_M).any():
            break
        near = np.flatnonzero(np.einsum("ij,ij->i", apart, apart) <= JOIN_M * JOIN_M)
        found += [
            (min(a, b), max(a, b)) for a, b in zip(order[near].tolist(), order[near + step].tolist(), strict=True)
        ]
    return sorted(found)
