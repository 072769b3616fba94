"""Writes the README's pictures: `python -m benchmarks.gallery [CITY] [-o FOLDER]` (harbour, docs/pictures)."""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.catalog import load_city
from citysim.city import City
from citysim.errors import DependencyError
from citysim.fonts.drawing import text_image
from citysim.geo.frames import LocalFrame
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.image import write_png
from citysim.render.mapmarks import MapPoint
from citysim.render.mapview import MapView
from citysim.render.overhead import draw_map
from citysim.snapshot import default_place, ground_height, render

Picture = NDArray[np.uint8]
Spot = tuple[float, float, float, float]  # east, north, heading, height of the eye

# What to look at in each city: the first is the corner of the conditions, the second a wide view, the third a street.
SPOTS: dict[str, tuple[Spot, Spot, Spot]] = {
    "harbour": ((-52.0, -146.0, 178.0, 1.7), (140.0, -225.0, 280.0, 1.7), (-50.0, -140.0, 338.0, 1.7)),
}
PEOPLE: dict[str, Spot] = {"harbour": (-44.6, -154.0, 328.0, 1.7)}
"""A busy corner of a city."""
HELSINKI = ((24.939900, 60.168000, 240.0, 1.6), (24.951320, 60.169031, 350.0, 1.6), (24.945506, 60.168940, 90.0, 1.6))
CONDITIONS = (
    ("14:00, sunny", "14:00", "sunny"), ("10:00, cloudy", "10:00", "cloudy"), ("18:30, dusk", "18:30", "partly_cloudy"),
    ("23:30, night", "23:30", "sunny"), ("16:00, rain", "16:00", "rainy"), ("08:00, fog", "08:00", "fog"),
)  # fmt: skip


def main() -> None:
    """Draw the pictures and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("city", nargs="?", default="harbour")
    parser.add_argument("-o", "--out", type=Path, default=Path("docs/pictures"))
    options = parser.parse_args()
    city = load_city(options.city)
    for name, picture in pictures(city):
        path = options.out / f"{city.name}-{name}"
        write_png(path, picture)
        print(path)


def pictures(city: City) -> Iterator[tuple[str, Picture]]:
    """Names of files, and what is in them."""
    corner, wide, street = _spots(city)

    def draw(spot: Spot, size: tuple[int, int] = (1280, 720), **view: Any) -> Picture:
        return render(city, **_as_view(spot), size=size, **view).rgb

    yield "street.jpg", draw(street)
    yield "wide.jpg", draw(wide)
    yield "night.jpg", draw(corner, time="22:30", weather="rainy")
    six = [_captioned(draw(corner, (640, 400), time=t, weather=w), text) for text, t, w in CONDITIONS]
    yield "conditions.jpg", _grid(six, 3)
    busy = PEOPLE.get(city.name)
    if busy is not None:
        yield "people.jpg", draw(busy, time="19:00", weather="rainy", crowd=260)
    yield "panorama.jpg", draw(wide, (1600, 800), view="panorama")
    four = [_captioned(draw(street, (640, 400)), "colour")]
    four += [_captioned(draw(street, (640, 400), view=v), v) for v in ("depth", "labels", "normals")]
    yield "views.png", _grid(four, 2)
    yield (
        "satellite.jpg",
        draw((corner[0] + 20.0, corner[1] + 40.0, 0.0, 1.7), (1000, 750), extent_m=280.0, view="satellite"),
    )
    yield from _maps(city, corner)
    try:
        both = [_captioned(draw(street, (640, 480), renderer=name), name) for name in ("raster", "gl")]
    except DependencyError as error:
        print(f"left out: raster beside gl ({error})")
    else:
        yield "raster-gl.jpg", _grid(both, 2)


def _maps(city: City, corner: Spot) -> Iterator[tuple[str, Picture]]:
    """A map with an agent and a pin, and the same place tilted."""
    east, north, heading, _ = corner
    agent = Pose.from_heading(east, north, ground_height(city, east, north), heading)
    pins = [MapPoint(east + 110.0, north + 60.0, "Destination")]
    renderer = make_renderer("raster", city)
    flat = MapView.of(city, (1000, 750), center=(east + 40.0, north + 20.0), metres_px=0.36)
    yield "map.png", draw_map(renderer, city, flat, marker=agent, points=pins).rgb
    yield "map-tilted.png", draw_map(renderer, city, flat.orbit(-25.0, 35.0), marker=agent, points=pins).rgb


def _spots(city: City) -> tuple[Spot, Spot, Spot]:
    if city.name in SPOTS:
        return SPOTS[city.name]
    if city.source.startswith("OpenStreetMap"):
        a, b, c = (_from_lonlat(city.frame, *spot) for spot in HELSINKI)
        return a, b, c
    east, north = default_place(city)
    return (east, north, 230.0, 1.7), (east, north, 60.0, 1.7), (east, north, 60.0, 1.7)


def _from_lonlat(frame: LocalFrame, lon: float, lat: float, heading: float, eye: float) -> Spot:
    east, north, _ = (float(v) for v in frame.from_geodetic([lon, lat, frame.height]))
    return east, north, heading, eye


def _as_view(spot: Spot) -> dict[str, Any]:
    return dict(zip(("east", "north", "heading_deg", "eye_m"), spot, strict=True))


def _captioned(rgb: Picture, text: str) -> Picture:
    """A picture with a few words in its lower left corner."""
    from PIL import Image

    image = Image.fromarray(rgb)
    label = text_image(text, 11, "#ffffff", "#202020")
    image.paste(label, (8, image.height - label.height - 4), label)
    return np.asarray(image).copy()


def _grid(cells: list[Picture], columns: int, gap: int = 4) -> Picture:
    """Pictures of one size in rows, with thin white lines between."""
    height, width = cells[0].shape[:2]
    rows = -(-len(cells) // columns)
    sheet = np.full((rows * (height + gap) - gap, columns * (width + gap) - gap, 3), 255, dtype=np.uint8)
    for number, cell in enumerate(cells):
        y, x = (number // columns) * (height + gap), (number % columns) * (width + gap)
        sheet[y : y + height, x : x + width] = cell
    return sheet


if __name__ == "__main__":
    main()
