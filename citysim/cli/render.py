"""`citysim render`."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli.console import emit, stages
from citysim.cli.options import Json, Quiet, Renderer, parse_numbers, parse_size
from citysim.errors import InputError


def render(
    city: Annotated[str, typer.Argument(help="A package folder, a preset, PRESET@SEED or helsinki.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The picture to write (.png).")],
    at: Annotated[str | None, typer.Option("--at", help="E,N in local metres (default: near the middle).")] = None,
    lonlat: Annotated[str | None, typer.Option("--lonlat", help="LON,LAT in degrees.")] = None,
    heading_deg: Annotated[float, typer.Option("--heading-deg", help="Clockwise from north.")] = 0.0,
    pitch_deg: Annotated[float, typer.Option("--pitch-deg", help="Positive upwards.")] = 0.0,
    eye: Annotated[float, typer.Option("--eye", help="Eye height above the ground, metres.")] = 1.6,
    size: Annotated[
        str | None, typer.Option("--size", help="WxH pixels (default: 640x480; panoramas 1024x512).")
    ] = None,
    fov_deg: Annotated[float, typer.Option("--fov-deg", help="Vertical field of view.")] = 60.0,
    extent: Annotated[
        float | None, typer.Option("--extent", help="Map and satellite: metres from top to bottom.")
    ] = None,
    tilt_deg: Annotated[float, typer.Option("--tilt-deg", help="Map: how far it is tilted, 0 to 60.")] = 0.0,
    time: Annotated[str, typer.Option("--time", help="Local time HH:MM.")] = "14:00",
    weather: Annotated[
        str, typer.Option("--weather", help="sunny, partly_cloudy, cloudy, overcast, rainy, thunderstorm or fog.")
    ] = "sunny",
    view: Annotated[
        str,
        typer.Option("--view", help="first-person, map, satellite, panorama, depth, labels or normals."),
    ] = "first-person",
    crowd: Annotated[int, typer.Option("--crowd", help="People within 80 m of the eye.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Which people.")] = 0,
    samples: Annotated[int, typer.Option("--samples", help="Colour samples a pixel: 1, 4, 9 or 16.")] = 4,
    renderer: Renderer = "raster",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw one picture.

    Example: citysim render mini --at 0,0 --heading-deg 45 --time 18:30 -o street.png
    """
    from citysim.catalog import load_city
    from citysim.render.image import write_png
    from citysim.snapshot import default_place, eye_notices, ground_height, view_notices
    from citysim.snapshot import render as draw

    with stages(quiet or as_json):
        place = load_city(city)
    if at is not None and lonlat is not None:
        raise InputError("--at E,N or --lonlat LON,LAT", "both", "one of them")
    if at is not None:
        east, north = parse_numbers(at, 2, "a place as E,N in metres", "--at 0,0")
    elif lonlat is not None:
        lon, lat = parse_numbers(lonlat, 2, "a place as LON,LAT in degrees", "--lonlat 24.94,60.17")
        east, north = (float(v) for v in place.frame.from_geodetic([lon, lat, place.frame.height])[:2])
    elif view in ("map", "satellite"):
        e0, n0, e1, n1 = place.bounds
        east, north = (e0 + e1) / 2, (n0 + n1) / 2
    else:
        east, north = default_place(place)
    frame = draw(
        place, east=east, north=north, heading_deg=heading_deg, pitch_deg=pitch_deg, eye_m=eye,
        size=None if size is None else parse_size(size), fov_deg=fov_deg, time=time, weather=weather, view=view,
        extent_m=extent, tilt_deg=tilt_deg, samples=samples, renderer=renderer,
        crowd=crowd, seed=seed,
    )  # fmt: skip
    write_png(out, frame.rgb)
    lines = [f"wrote {out} (east {east:.1f}, north {north:.1f})"]
    if place.attribution:
        lines.append(f"{place.attribution} ({place.licence})")
    if view == "labels" and not place.objects:
        lines.append("this city names no objects: every label is 0")
    notices = view_notices(
        view, pitch_deg=pitch_deg, eye_m=eye, fov_deg=fov_deg, extent_m=extent, tilt_deg=tilt_deg, time=time,
        weather=weather, crowd=crowd,
    )  # fmt: skip
    if view not in ("map", "satellite"):
        notices += eye_notices(place, east, north, ground_height(place, east, north) + eye)
    lines += [f"notice: {text}" for text in notices]
    height, width = frame.rgb.shape[:2]
    value = {"path": str(out), "east": east, "north": north, "size": f"{width}x{height}", "notices": notices}
    emit(value, lines, as_json=as_json, quiet=quiet)
