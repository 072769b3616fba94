"""map.json: the light map of the city that a report draws trajectories on, so that it needs no city package."""

import json
from typing import Any

from citysim.city import City
from citysim.runs.folder import RunFolder
from citysim.storage import write_atomic

DECIMALS = 1  # decimetres: finer than a pixel of any map of a city


def city_map(city: City) -> dict[str, Any]:
    """Network lines, building footprints and bounds in local metres."""
    lines = [
        {"type": int(edge.attributes.get("FeatureType") or 0), "line": [_xy(p) for p in edge.line.tolist()]}
        for edge in city.network.edges
    ]
    return {"schema": "citysim.map/1", "bounds": [round(v, DECIMALS) for v in city.bounds], "network": lines}


def write_city_map(city: City, folder: RunFolder) -> None:
    """Write map.json and map.jpg (an overhead picture, where the renderer offers one)."""
    write_atomic(folder.path / "map.json", json.dumps(city_map(city), separators=(",", ":")))


def _xy(point: list[float]) -> list[float]:
    return [round(point[0], DECIMALS) + 0.0, round(point[1], DECIMALS) + 0.0]
