"""One picture of a city from a place named by a person: eye height above the ground, heading, time, weather."""

import datetime as dt
import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim.catalog import load_city
from citysim.city import City
from citysim.conditions import DEFAULT_DATE, Conditions, parse_time
from citysim.errors import InputError, UnknownNameError
from citysim.geometry.vertical import crossings
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Camera, Frame, View
from citysim.render.falsecolor import readable

VIEWS = ("first-person", "map", "satellite", "panorama", "depth", "labels", "normals")
SIZE, PANORAMA_SIZE = (640, 480), (1024, 512)  # what is drawn when no size is asked for
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
    size: tuple[int, int] | None = None,
    fov_deg: float = 60.0,
    time: str = "14:00",
    date: dt.date = DEFAULT_DATE,
    weather: str = "sunny",
    view: str = "first-person",
    extent_m: float | None = None,
    tilt_deg: float = 0.0,
    samples: int = 4,
    renderer: str = "raster",
    crowd: int = 0,
    seed: int = 0,
) -> Frame:
    """Draw one view of a city.

    `east`/`north` are local metres, `eye_m` the eye's height above the ground there, `size` (width, height) pixels
    (640x480 unless given; panoramas 1024x512), `fov_deg` the vertical field of view. Map and satellite look straight
    down with north up (or `heading_deg` up) on `extent_m` metres across the picture's height (default: the whole
    city); `tilt_deg` tilts a map away. A panorama shows the whole sphere with `heading_deg` in its middle. Colours are
    means of `samples` (1, 4, 9, 16) a pixel, which smooths edges; environments draw with one. `crowd` people of a
    `seed` are within 80 m of the eye, on the streets of that hour; maps and satellite pictures show none. The frame of
    view "depth" carries depth, that of "labels" labels, that of "normals" normals, and their rgb is a readable picture
    of them.

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
            advice = {"heading": "0 for north, 90 for east", "pitch": "0 for level", "eye": "1.6"}.get(what)
            raise InputError(f"a finite number for {what}", f"{value}", advice or "a place in the city")
    if not (abs(pitch_deg) <= 90.0 and 0.0 <= eye_m <= 10000.0):
        raise InputError(
            "a pitch within 90 degrees and an eye 0 to 10000 m above the ground",
            f"pitch {pitch_deg:g}, eye {eye_m:g}",
            "pitch 0, eye 1.6",
        )
    size = size or (PANORAMA_SIZE if view == "panorama" else SIZE)
    with_renderer = make_renderer(renderer, place)
    try:
        if view in ("map", "satellite"):
            from citysim.render.overhead import overhead_view

            return overhead_view(
                with_renderer, place, (east, north), conditions, size=size, extent_m=extent_m, heading_deg=heading_deg,
                style=view, tilt_deg=tilt_deg, samples=samples,
            )  # fmt: skip
        pose = Pose.from_heading(east, north, ground_height(place, east, north) + eye_m, heading_deg, pitch_deg)
        from citysim.render.smooth import render_smooth

        camera = Camera(pose, size, fov_deg, panorama=view == "panorama")
        bodies = None
        if crowd:
            from citysim.living.still import people_around

            bodies = people_around(place, pose, pose.up - eye_m, conditions, crowd, seed)
        wanted = View(
            camera, conditions, depth=view == "depth", labels=view == "labels", normals=view == "normals",
            bodies=bodies,
        )  # fmt: skip
        return readable(render_smooth(with_renderer, wanted, samples if view == "first-person" else 1))
    finally:
        with_renderer.close()


def view_notices(
    view: str, *, pitch_deg: float = 0.0, eye_m: float = 1.6, fov_deg: float = 60.0, extent_m: float | None = None,
    tilt_deg: float = 0.0, time: str = "14:00", weather: str = "sunny", crowd: int = 0,
) -> list[str]:  # fmt: skip
    """What was asked for and makes no difference to a view, in words; values as left out make no notice."""
    above = view in ("map", "satellite")
    unused = [
        ("a tilt", tilt_deg != 0.0 and view != "map"),
        ("an extent", extent_m is not None and not above),
        ("a pitch", pitch_deg != 0.0 and (above or view == "panorama")),
        ("an eye height", eye_m != 1.6 and above),
        ("a field of view", fov_deg != 60.0 and (above or view == "panorama")),
        ("a crowd", crowd != 0 and above),
        ("an hour", time != "14:00" and view in ("map", "depth", "labels", "normals")),
        ("weather", weather != "sunny" and view in ("map", "depth", "labels", "normals")),
    ]
    return [f"{what} makes no difference to the view {view}" for what, given in unused if given]


def eye_notices(city: City, east: float, north: float, up: float) -> list[str]:
    """What a person should know about an eye at a place: that it is inside or below something, whose insides and
    undersides are not drawn.
    """
    heights, ups = _surfaces(city, east, north)
    above = np.flatnonzero(heights > up + 1e-3)
    if len(above) and ups[above[np.argmin(heights[above])]] > 0.05:
        return [f"the eye at east {east:.1f}, north {north:.1f}, height {up:.1f} is inside a building or under ground"]
    return []


def conditions_at(
    city: City, *, time: str = "14:00", date: dt.date = DEFAULT_DATE, weather: str = "sunny"
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
    tops, ups = _surfaces(city, east, north)
    heights: list[float] = sorted(tops[ups > 0.6].tolist())
    roomy = [h for h in heights if not ((tops > h + 0.1) & (tops < h + HEADROOM)).any()]
    if not roomy and len(tops):
        return float(tops.max())  # on top of whatever stands here
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


def _surfaces(city: City, east: float, north: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Heights of all surfaces over and under a place, and how far each faces up (the normal's vertical part)."""
    heights, ups = [np.zeros(0)], [np.zeros(0)]
    point = np.array([east, north])
    for index in city.finest:
        tile = city.tiles[index]
        if np.linalg.norm(tile.center[:2] - point) > tile.radius + 1.0:
            continue
        chunk = city.chunk(index)
        found, facing = crossings(
            chunk.positions, chunk.triangles, east - float(chunk.origin[0]), north - float(chunk.origin[1])
        )
        heights.append(found + chunk.origin[2])
        ups.append(facing)
    return np.concatenate(heights), np.concatenate(ups)
