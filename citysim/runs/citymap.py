"""maps/CITY.json and .jpg: the light map that a report draws trajectories on, so that it needs no city package."""

import json
from collections.abc import Sequence
from typing import Any

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import CitySimError, SimulationFault
from citysim.render.base import Renderer
from citysim.render.image import encode
from citysim.runs.checks import check_map
from citysim.runs.folder import RunFolder, parse_json, read_text
from citysim.storage import write_atomic
from citysim.tasks.suite import Instance

LONG_SIDE_PX = 1800
DECIMALS = 1  # decimetres: finer than a pixel of any map of a city


def write_city_map(city: City, folder: RunFolder, instances: Sequence[Instance]) -> None:
    """Write a city's map: the network's lines and the shortest routes of the instances, in local metres."""
    content = {
        "schema": "citysim.map/1",
        "bounds": [round(value, DECIMALS) for value in city.bounds],
        "network": [_line(edge.line.tolist()) for edge in city.network.edges],
        "routes": {instance.id: _route(city, instance) for instance in instances},
    }
    write_atomic(folder.map_path(city.name), json.dumps(content, separators=(",", ":")))


def read_city_map(folder: RunFolder, city: str) -> dict[str, Any]:
    """What stands in a city's map, {} where there is none; raises FormatError or StorageError."""
    path = folder.map_path(city)
    return check_map(parse_json(path, read_text(path)), path) if path.is_file() else {}


def draw_city_map(city: City, folder: RunFolder, renderer: Renderer) -> None:
    """Draw a map's picture: the city's bounds from above, without any route. A map that is there already is kept.

    Where a tile cannot be had there is none: a run whose other episodes are sound keeps its results and its report.
    """
    path = folder.map_path(city.name).with_suffix(".jpg")
    if path.is_file():
        return
    from citysim.render.overhead import overhead_view

    e0, n0, e1, n1 = city.bounds
    scale = LONG_SIDE_PX / max(e1 - e0, n1 - n0)
    size = (max(16, round((e1 - e0) * scale)), max(16, round((n1 - n0) * scale)))
    center = ((e0 + e1) / 2, (n0 + n1) / 2)
    noon = Conditions(43200.0, "sunny", latitude_deg=city.frame.lat, longitude_deg=city.frame.lon)
    try:
        frame = overhead_view(renderer, city, center, noon, size=size, extent_m=n1 - n0, style="map")
    except SimulationFault:
        return
    write_atomic(path, encode(frame.rgb, "JPEG", quality=80))


def _route(city: City, instance: Instance) -> list[list[float]]:
    try:
        return _line(city.network.route(instance.start.position, instance.goal).points.tolist())
    except CitySimError:
        return []


def _line(points: list[list[float]]) -> list[list[float]]:
    return [[round(x, DECIMALS) + 0.0, round(y, DECIMALS) + 0.0] for x, y, _ in points]
