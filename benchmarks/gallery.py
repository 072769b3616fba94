"""Writes the README's pictures: `python -m benchmarks.gallery [CITY] [-o FOLDER]` (default: helsinki, docs/pictures)."""

import argparse
from pathlib import Path

from citysim.catalog import load_city
from citysim.render.image import write_png
from citysim.snapshot import render

STREETS = {  # name: longitude, latitude, heading
    "street": (24.9411, 60.1687, 75.0),
    "square": (24.9522, 60.1689, 0.0),
    "station": (24.9415, 60.1702, 345.0),
    "park": (24.9465, 60.1674, 90.0),
    "shops": (24.9399, 60.1680, 240.0),
}


def main() -> None:
    """Draw the pictures and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("city", nargs="?", default="helsinki")
    parser.add_argument("-o", "--out", type=Path, default=Path("docs/pictures"))
    options = parser.parse_args()
    city = load_city(options.city)

    def save(name: str, **view: object) -> None:
        frame = render(city, **view)  # type: ignore[arg-type]
        path = options.out / f"{city.name}-{name}.png"
        write_png(path, frame.rgb)
        print(path)

    for name, (lon, lat, heading) in STREETS.items():
        east, north, _ = city.frame.from_geodetic([lon, lat, city.frame.height])
        save(name, east=float(east), north=float(north), heading_deg=heading, size=(1280, 720))
    east, north, _ = city.frame.from_geodetic([24.9415, 60.1695, city.frame.height])
    near = {"east": float(east), "north": float(north)}
    save("labels", **near, heading_deg=345.0, size=(640, 480), view="labels")
    save("depth", **near, heading_deg=345.0, size=(640, 480), view="depth")
    save("map", **near, size=(640, 480), extent_m=420.0, view="map")
    save("satellite", **near, size=(640, 480), extent_m=420.0, view="satellite")


if __name__ == "__main__":
    main()
