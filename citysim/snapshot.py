"""One picture of a city from a place named by a person: eye height above the ground, heading, time, weather."""

import datetime as dt
import math
from pathlib import Path

import numpy as np

from citysim.catalog import load_city
from citysim.city import City
from citysim.conditions import Conditions, parse_time
from citysim.errors import InputError, UnknownNameError
from citysim.geometry.vertical import crossings
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Camera, Frame, View

VIEWS = ("first-person", "map", "satellite", "depth", "labels")
HEADROOM = 1.8
SUBWAY = 4  # FeatureType


def render(
    city: City | str | Path,
    *,
    east: float,
    north: float,
    heading_deg: float = 0.0,
    pitch_deg: float = 0.0,
    eye_m: float = 1.6,
    size: tuple[int, int] = (640, 480),
    fov_deg: float = 60.0,
    time: str = "14:00",
    date: dt.date = dt.date(2026, 6, 15),
    weather: str = "sunny",
    view: str = "first-person",
    extent_m: float | None = None,
    renderer: str = "raster",
) -> Frame:
    """Draw one view of a city.

    `east`/`north` are local metres, `eye_m` the eye's height above the ground there, `size` (width, height) pixels,
    `fov_deg` the vertical field of view. Map and satellite look straight down with north up (or `heading_deg` up) on
    a square of `extent_m` metres across the picture's height (default: the whole city). The frame of view "depth"
    carries depth, that of "labels" labels, and their rgb is a readable picture of them.

    Raises UnknownNameError for names, InputError for a place without ground or numbers out of range, DependencyError
    where the renderer cannot run.
    """
    if view not in VIEWS:
        raise UnknownNameError.of("view", view, VIEWS)
    place = load_city(city)
    conditions = conditions_at(place, time=time, date=date, weather=weather)
    numbers = {"east": east, "north": north, "heading": heading_deg, "pitch": pitch_deg, "eye": eye_m}
    for what, value in numbers.items():
        if not math.isfinite(value):
            raise InputError(f"a finite number for {what}", f"{value}", "a place in the city")
    if not (abs(pitch_deg) <= 90.0 and 0.0 <= eye_m <= 10000.0):
        raise InputError(
            "a pitch within 90 degrees and an eye 0 to 10000 m above the ground",
            f"pitch {pitch_deg:g}, eye {eye_m:g}",
            "pitch 0, eye 1.6",
        )
    with_renderer = make_renderer(renderer, place)
    try:
        if view in ("map", "satellite"):
            from citysim.render.overhead import overhead_view

            return overhead_view(
                with_renderer, place, (east, north), conditions, size=size, extent_m=extent_m, heading_deg=heading_deg,
                style=view,
            )  # fmt: skip
        pose = Pose.from_heading(east, north, ground_height(place, east, north) + eye_m, heading_deg, pitch_deg)
        camera = Camera(pose, size, fov_deg)
        frame = with_renderer.render(View(camera, conditions, depth=view == "depth", labels=view == "labels"))
        if view in ("depth", "labels"):
            from citysim.render.falsecolor import depth_picture, label_picture

            if frame.depth is not None:
                return Frame(depth_picture(frame.depth), frame.depth, None)
            if frame.labels is not None:
                return Frame(label_picture(frame.labels), None, frame.labels)
        return frame
    finally:
        with_renderer.close()


def conditions_at(
    city: City, *, time: str = "14:00", date: dt.date = dt.date(2026, 6, 15), weather: str = "sunny"
) -> Conditions:
    """Conditions with the city's own latitude, longitude and clock offset."""
    return Conditions(
        clock_s=parse_time(time),
        weather=weather,
        date=date,
        latitude_deg=city.frame.lat,
        longitude_deg=city.frame.lon,
        utc_offset_h=city.utc_offset_h,
    )


def default_place(city: City) -> tuple[float, float]:
    """(east, north) of a place to look from: on the network's main part nearest the middle, else the nearest ground.

    Raises InputError for a city without ground.
    """
    e0, n0, e1, n1 = city.bounds
    middle = np.array([(e0 + e1) / 2, (n0 + n1) / 2])
    if city.network.components:
        lines = [city.network.edges[i].line for i in city.network.components[0]]
        points = np.concatenate([line[[len(line) // 2], :2] for line in lines])
        east, north = points[int(np.argmin(np.linalg.norm(points - middle, axis=1)))]
        return float(east), float(north)
    reach = max(e1 - e0, n1 - n0) / 2
    for ring in range(13):
        for spoke in range(max(1, 8 * ring)):
            turn = 2.0 * math.pi * spoke / max(1, 8 * ring)
            east, north = middle + reach * ring / 12 * np.array([math.cos(turn), math.sin(turn)])
            try:
                ground_height(city, float(east), float(north))
            except InputError:
                continue
            return float(east), float(north)
    raise InputError("a city with ground to stand on", f"none in '{city.name}'", "--view satellite")


def ground_height(city: City, east: float, north: float) -> float:
    """Height of the surface a person would stand on at a place, local metres.

    Surfaces that face up and have room for a person above them qualify; where several do (a street under a bridge
    over a subway) the lowest one with a walking line on it that is no subway wins, else the lowest one above zero.
    Raises InputError where there is none.
    """
    heights: list[float] = []
    tops: list[float] = []
    point = np.array([east, north])
    for index in city.finest:
        tile = city.tiles[index]
        if np.linalg.norm(tile.center[:2] - point) > tile.radius + 1.0:
            continue
        chunk = city.chunk(index)
        found, ups = crossings(
            chunk.positions, chunk.triangles, east - float(chunk.origin[0]), north - float(chunk.origin[1])
        )
        tops += list(found + chunk.origin[2])
        heights += list(found[ups > 0.6] + chunk.origin[2])
    ordered = np.sort(np.array(tops))
    roomy = [h for h in sorted(heights) if not ((ordered > h + 0.1) & (ordered < h + HEADROOM)).any()]
    if not roomy and tops:
        return max(tops)  # on top of whatever stands here
    if not roomy:
        e0, n0, e1, n1 = city.bounds
        raise InputError(
            f"a place with ground inside east {e0:.0f} to {e1:.0f}, north {n0:.0f} to {n1:.0f}",
            f"east {east:g}, north {north:g}",
            "a point on a street",
        )
    candidates = []
    for height in roomy:
        snapped = city.network.snap(np.array([east, north, height]), max_distance_m=12.0)
        if snapped is not None:
            away = abs(float(snapped.point[2]) - height)
            below = city.network.edges[snapped.edge].attributes.get("FeatureType") == SUBWAY
            candidates.append((below, away > 1.0, height))
    if candidates:
        return min(candidates)[2]
    above = [h for h in roomy if h >= -0.5]
    return above[0] if above else roomy[-1]
