"""What a person who points at a map means: the place whose door is near, else the thing or the street there."""

import math
from dataclasses import dataclass

import numpy as np

from citysim.city import City, Place
from citysim.errors import InputError
from citysim.render.base import Frame
from citysim.render.mapview import MapView

REACH_PX = 14.0  # a door so near to the pixel is meant
STREET_M = 12.0  # a street so near to the ground there is meant


@dataclass(frozen=True, slots=True)
class MapSelection:
    """What stands at a pixel of a map.

    `position` (east, north, up) local metres and `lonlat` are the pixel's own place; `object_id` is 0 and `place`
    None where there is none; `name` and `category` are "" where nothing is known.
    """

    position: tuple[float, float, float]
    lonlat: tuple[float, float]
    name: str = ""
    category: str = ""
    object_id: int = 0
    place: Place | None = None


def map_select(city: City, view: MapView, frame: Frame, x: float, y: float) -> MapSelection:
    """What a pixel (x, y; whole numbers at corners) of a map drawn by `draw_map` shows.

    Raises InputError for a pixel outside the picture or a frame of another size.
    """
    width, height = view.size
    if frame.labels is None or frame.depth is None or frame.labels.shape != (height, width):
        raise InputError(f"the frame that draw_map drew of this view, {width}x{height}", "another", "draw_map's frame")
    if not (0.0 <= x <= width and 0.0 <= y <= height):
        raise InputError(f"a pixel inside {width}x{height}", f"{x:g}, {y:g}", f"{width / 2:g}, {height / 2:g}")
    column, row = min(int(x), width - 1), min(int(y), height - 1)
    depth = float(frame.depth[row, column])
    here = view.to_local((x, y), depth) if math.isfinite(depth) else view.to_local((x, y))
    east, north, up = (float(v) for v in here)
    lon, lat = (float(v) for v in view.frame.to_geodetic(here)[:2])
    position, lonlat = (east, north, up), (lon, lat)
    place = _door_near(city, view, x, y)
    if place is not None:
        return MapSelection(position, lonlat, place.name, place.category, place.building or 0, place)
    by_id = {thing.id: thing for thing in city.objects}
    thing = by_id.get(int(frame.labels[row, column]))
    for _ in range(8):  # a door or a sign belongs to a house with a name
        if thing is None or thing.name or thing.parent is None or thing.category == "building":
            break
        thing = by_id.get(thing.parent, thing)
    if thing is not None and thing.name:
        return MapSelection(position, lonlat, thing.name, thing.category, thing.id)
    inside = [p for p in city.places if thing is not None and p.building == thing.id]
    if inside:  # a nameless house is known by what is in it
        nearest = min(inside, key=lambda p: (math.dist(p.entrance[:2], (east, north)), p.id))
        return MapSelection(position, lonlat, nearest.name, nearest.category, nearest.building or 0, nearest)
    kind, number = (thing.category, thing.id) if thing is not None else ("", 0)
    if kind in ("", "street", "pavement", "carriageway", "crossing"):
        snapped = city.network.snap(np.array([east, north, up]), max_distance_m=STREET_M)
        name = city.network.edges[snapped.edge].name if snapped is not None else ""
        if name:
            return MapSelection(position, lonlat, name, "street", number)
    return MapSelection(position, lonlat, "", kind, number)


def _door_near(city: City, view: MapView, x: float, y: float) -> Place | None:
    """The place whose entrance is nearest to a pixel, within reach."""
    if not city.places:
        return None
    pixels = view.to_pixels([place.entrance for place in city.places])
    away = np.hypot(pixels[:, 0] - x, pixels[:, 1] - y)
    nearest = int(np.argmin(away))
    return city.places[nearest] if away[nearest] <= REACH_PX else None
