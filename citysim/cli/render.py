"""`citysim render`."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli.console import emit
from citysim.cli.options import Json, Quiet, Renderer, parse_numbers, parse_size
from citysim.errors import InputError


def render(
    city: Annotated[str, typer.Argument(help="A package folder, a preset, PRESET@SEED or helsinki.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture to write (.png).")],
    at: Annotated[str | None, typer.Option("--at", help="E,N in local metres.")] = None,
    lonlat: Annotated[str | None, typer.Option("--lonlat", help="LON,LAT in degrees.")] = None,
    heading_deg: Annotated[float, typer.Option("--heading-deg", help="Clockwise from north.")] = 0.0,
    pitch_deg: Annotated[float, typer.Option("--pitch-deg", help="Positive upwards.")] = 0.0,
    eye: Annotated[float, typer.Option("--eye", help="Eye height above the ground, metres.")] = 1.6,
    size: Annotated[str, typer.Option("--size", help="WxH pixels.")] = "640x480",
    fov_deg: Annotated[float, typer.Option("--fov-deg", help="Vertical field of view.")] = 60.0,
    extent: Annotated[
        float | None, typer.Option("--extent", help="Map and satellite: metres from top to bottom.")
    ] = None,
    time: Annotated[str, typer.Option("--time", help="Local time HH:MM.")] = "14:00",
    weather: Annotated[str, typer.Option("--weather", help="sunny, cloudy, rainy, fog, ...")] = "sunny",
    view: Annotated[
        str, typer.Option("--view", help="first-person, map, satellite, depth or labels.")
    ] = "first-person",
    renderer: Renderer = "raster",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw one picture.

    Example: citysim render mini --at 0,0 --heading-deg 45 --time 18:30 -o street.png
    """
    from citysim.catalog import load_city
    from citysim.render.image import write_png
    from citysim.snapshot import render as draw

    place = load_city(city)
    if (at is None) == (lonlat is None):
        if view not in ("map", "satellite") or at is not None:
            raise InputError("either --at E,N or --lonlat LON,LAT", "both" if at else "neither", "--at 0,0")
        e0, n0, e1, n1 = place.bounds
        east, north = (e0 + e1) / 2, (n0 + n1) / 2
    elif at is not None:
        east, north = parse_numbers(at, 2, "a place as E,N in metres", "--at 0,0")
    else:
        lon, lat = parse_numbers(str(lonlat), 2, "a place as LON,LAT in degrees", "--lonlat 24.94,60.17")
        east, north = (float(v) for v in place.frame.from_geodetic([lon, lat, place.frame.height])[:2])
    frame = draw(
        place, east=east, north=north, heading_deg=heading_deg, pitch_deg=pitch_deg, eye_m=eye, size=parse_size(size),
        fov_deg=fov_deg, time=time, weather=weather, view=view, extent_m=extent, renderer=renderer,
    )  # fmt: skip
    write_png(out, frame.rgb)
    emit({"path": str(out), "east": east, "north": north, "size": size}, [f"wrote {out}"], as_json=as_json, quiet=quiet)
