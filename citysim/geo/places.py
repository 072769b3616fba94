"""places.geojson: named places as points in longitude, latitude and height."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from citysim.errors import FormatError
from citysim.geo.frames import LocalFrame
from citysim.storage import canonical_json

_COPIED = ("id", "name", "category", "building", "address", "opening_hours", "aliases", "sign", "attributes")


def places_geojson(rows: Iterable[dict[str, Any]], frame: LocalFrame) -> str:
    """GeoJSON text of places.

    A row has the fields of `citysim.city.Place`; `entrance` is in local metres. Positions are written to 1e-9 degrees
    (0.1 mm) and 0.1 mm.
    """
    features = []
    for row in rows:
        lon, lat, height = frame.to_geodetic(np.asarray(row["entrance"], dtype=np.float64)).tolist()
        properties = {k: row[k] for k in _COPIED if k in row and row[k] not in (None, "", [], (), {})}
        point = {"type": "Point", "coordinates": [round(lon, 9), round(lat, 9), round(height, 4) + 0.0]}
        features.append({"type": "Feature", "geometry": point, "properties": properties})
    lines = ",\n".join(canonical_json(feature) for feature in features)
    return f'{{"type":"FeatureCollection","features":[\n{lines}\n]}}\n'


def parse_places(data: bytes, where: Path | str, frame: LocalFrame) -> list[dict[str, Any]]:
    """Rows with the fields of `citysim.city.Place` from GeoJSON bytes; `entrance` becomes local metres.

    Points without height lie at height 0 of the file's datum; features without a name are left out, missing ids are
    made from the feature's number. Raises FormatError for anything that is not a FeatureCollection of points.
    """
    try:
        features = json.loads(data)["features"]
        rows = []
        for number, feature in enumerate(features):
            properties = feature.get("properties") or {}
            if not properties.get("name"):
                continue
            lon, lat, height = (*map(float, feature["geometry"]["coordinates"]), 0.0)[:3]
            if not (abs(lon) <= 360 and abs(lat) <= 90 and abs(height) < 1e5):
                raise ValueError(f"coordinates {lon}, {lat}, {height}")
            row = {key: properties[key] for key in _COPIED if properties.get(key) is not None}
            row |= {"id": str(row.get("id", f"place:{number}")), "category": str(row.get("category", "place"))}
            row["name"], row["aliases"] = str(row["name"]), tuple(map(str, row.get("aliases", ())))
            row["entrance"] = (lon, lat, height)
            rows.append(row)
        if rows:
            local = frame.from_geodetic([row["entrance"] for row in rows])
            for row, point in zip(rows, local.tolist(), strict=True):
                row["entrance"] = tuple(round(v, 4) + 0.0 for v in point)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        detail = f"{type(error).__name__} {str(error)[:60]}"
        raise FormatError(
            "places as GeoJSON points", f"'{where}' ({detail})", "a FeatureCollection of Points"
        ) from None
    return rows
