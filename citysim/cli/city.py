"""`citysim city …`."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli.console import emit, fields, stages, table
from citysim.cli.options import Json, Quiet, Seed, parse_bbox, parse_offset

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
Out = Annotated[Path, typer.Option("--out", "-o", help="The package folder to write.")]
Bbox = Annotated[str | None, typer.Option("--bbox", help="W,S,E,N in degrees.")]


@app.command("list")
def list_cities(as_json: Json = False, quiet: Quiet = False) -> None:
    """List the cities known by name.

    Example: citysim city list
    """
    from citysim.catalog import city_names

    names = city_names()
    emit(names, table(("city", "what it is"), list(names.items())), as_json=as_json, quiet=quiet)


@app.command()
def build(
    preset: Annotated[str, typer.Argument(help="A preset's name, see `citysim city list`.")],
    out: Out,
    seed: Seed = 0,
    size: Annotated[float | None, typer.Option("--size", help="Side length in metres.")] = None,
    pictures: Annotated[
        Path | None, typer.Option("--stages", help="A folder for one picture of every generator stage.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build a procedural city package.

    Example: citysim city build harbour --seed 7 --stages pictures -o harbour7
    """
    from citysim.build.make import make_preset

    with stages(quiet or as_json):
        made = make_preset(preset, out, seed=seed, size=size, stages=pictures)
    _report(made, as_json, quiet)


@app.command("import-osm")
def import_osm(
    file: Annotated[Path, typer.Argument(help="An OpenStreetMap extract, .osm.pbf or .osm.")],
    out: Out,
    bbox: Bbox = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a city package from OpenStreetMap data.

    Example: citysim city import-osm Helsinki.osm.pbf -o helsinki
    """
    from citysim.build.make import make_osm

    with stages(quiet or as_json):
        made = make_osm(file, out, bbox=parse_bbox(bbox), seed=seed, name=out.name)
    _report(made, as_json, quiet)


@app.command("import-tiles")
def import_tiles(
    tileset: Annotated[str, typer.Argument(help="A tileset.json: path or URL.")],
    out: Out,
    network: Annotated[Path | None, typer.Option("--network", help="A pedestrian network (GeoJSON).")] = None,
    places: Annotated[Path | None, typer.Option("--places", help="Named places (GeoJSON).")] = None,
    height_offset: Annotated[
        str, typer.Option("--height-offset", help="Metres added to the network's heights, or auto: from the surfaces.")
    ] = "0",
    bbox: Bbox = None,
    allow_missing: Annotated[bool, typer.Option("--allow-missing", help="Leave out tiles that cannot be had.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a city package from any 3D Tiles tileset: a tileset.json, a .3tz or .3dtiles archive, or a URL.

    Example: citysim city import-tiles scan/tileset.json --network paths.geojson --height-offset auto -o scan
    """
    from citysim.build.tiles import import_tiles as make

    made = make(
        tileset, out, network=network, places=places, height_offset_m=parse_offset(height_offset),
        bbox=parse_bbox(bbox), allow_missing=allow_missing,
    )  # fmt: skip
    _report(made, as_json, quiet)


@app.command("fetch-hongkong")
def fetch_hongkong(
    bbox: Annotated[str, typer.Option("--bbox", help="W,S,E,N in degrees.")],
    out: Out,
    key: Annotated[str, typer.Option("--key", envvar="CITYSIM_HK_KEY", help="An API key, if you have one.")] = "",
    tiles_url: Annotated[
        str | None, typer.Option("--tiles-url", envvar="CITYSIM_HK_TILES_URL", help="Another top tileset.json.")
    ] = None,
    network_url: Annotated[
        str | None,
        typer.Option(
            "--network-url", envvar="CITYSIM_HK_NETWORK_URL", help="Another layer or GeoJSON file; none: no network."
        ),
    ] = None,
    network_form: Annotated[str, typer.Option("--network-form", help="Ask the layer for geojson or json.")] = "geojson",
    height_offset: Annotated[
        str, typer.Option("--height-offset", help="Metres added to the network's heights, or auto: from the surfaces.")
    ] = "auto",
    downloads: Annotated[
        Path | None, typer.Option("--downloads", help="Where downloads are kept (default: the cache).")
    ] = None,
    offline: Annotated[bool, typer.Option("--offline", help="Use nothing but what was downloaded before.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a city package from Hong Kong's 3D mesh and 3D Pedestrian Network.

    Everything downloaded is kept: a stopped command goes on when it is given again.
    Example: citysim city fetch-hongkong --bbox 114.155,22.280,114.160,22.284 -o central
    """
    from citysim.build.hongkong import NETWORK_URL, TILES_URL, HongKongService
    from citysim.build.hongkong import fetch_hongkong as make

    network = "" if network_url == "none" else network_url or NETWORK_URL
    service = HongKongService(tiles_url or TILES_URL, network, network_form, key)
    area = parse_bbox(bbox)
    if area is None:
        raise typer.BadParameter("a bbox is needed: W,S,E,N in degrees")
    made = make(
        out, area, service, height_offset_m=parse_offset(height_offset), downloads=downloads, offline=offline,
        name=out.name,
    )  # fmt: skip
    _report(made, as_json, quiet)


@app.command()
def info(
    folder: Annotated[str, typer.Argument(help="A package folder or a city's name.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show what is inside a city package.

    Example: citysim city info helsinki
    """
    from citysim.build.inspect import package_info

    found = package_info(_folder(folder))
    emit(found, fields(found), as_json=as_json, quiet=quiet)


@app.command()
def validate(
    folder: Annotated[str, typer.Argument(help="A package folder or a city's name.")],
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Check every reference, hash, network line and the georeference of a package.

    Example: citysim city validate helsinki
    """
    from citysim.build.inspect import validate_package

    problems = validate_package(_folder(folder))
    lines = problems or ["valid: every reference, hash, network line and the georeference"]
    emit({"valid": not problems, "problems": problems}, lines, as_json=as_json, quiet=quiet)
    raise typer.Exit(1 if problems else 0)


def _folder(name: str) -> Path:
    """The package folder of a path or of a city's name."""
    from citysim.catalog import city_folder

    return Path(name) if Path(name).exists() else city_folder(name)


def _report(made: Path, as_json: bool, quiet: bool) -> None:
    """One summary after a package was written, with what the source left open."""
    from citysim.build.inspect import package_info
    from citysim.city.manifest import read_manifest

    found = package_info(made)
    notes = [str(note) for note in read_manifest(made).data.get("warnings") or ()]
    told = [f"note: {note}" for note in notes]
    emit({"path": str(made), **found, "warnings": notes}, [f"wrote {made}", *fields(found), *told],
         as_json=as_json, quiet=quiet)  # fmt: skip
