"""Writes the README's pictures: `python -m benchmarks.gallery [CITY] [-o FOLDER]` (helsinki, docs/pictures)."""

import argparse
from pathlib import Path

from citysim.catalog import load_city
from citysim.render.image import write_png
from citysim.snapshot import render

STREETS = {  # name: longitude, latitude, heading, height of the eye
    "street": (24.945506, 60.168940, 90.0, 1.6),
    "shops": (24.939900, 60.168000, 240.0, 1.6),
    "waterfront": (24.949016, 60.176301, 90.0, 5.0),
    "park": (24.946187, 60.167451, 85.0, 1.6),
    "square": (24.951320, 60.169031, 350.0, 1.6),
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

    def at(name: str) -> dict[str, float]:
        lon, lat, heading, eye = STREETS[name]
        east, north, _ = city.frame.from_geodetic([lon, lat, city.frame.height])
        return {"east": float(east), "north": float(north), "heading_deg": heading, "eye_m": eye}

    for name in STREETS:
        save(name, **at(name), size=(1280, 720))
    save("labels", **at("shops"), size=(640, 480), view="labels")
    save("depth", **at("shops"), size=(640, 480), view="depth")
    over = {**at("street"), "heading_deg": 0.0}
    save("map", **over, size=(640, 480), extent_m=420.0, view="map")
    save("satellite", **over, size=(640, 480), extent_m=420.0, view="satellite")


if __name__ == "__main__":
    main()
