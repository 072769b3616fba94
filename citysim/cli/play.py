"""`citysim play`."""

from pathlib import Path
from typing import Annotated
from urllib.parse import quote

import typer

from citysim.cli.console import stages
from citysim.cli.options import Physics, Quiet, Renderer, parse_size
from citysim.errors import InputError


def play(
    suite: Annotated[str | None, typer.Option("--suite", help="A suite or its file; default: starter.")] = None,
    ids: Annotated[str | None, typer.Option("--id", help="Glob of instance ids.")] = None,
    free: Annotated[
        str | None, typer.Option("--free", metavar="CITY", help="Stroll through a city instead, with sliders.")
    ] = None,
    city: Annotated[str | None, typer.Option("--city", help="The city of a suite that is drawn for one.")] = None,
    name: Annotated[str, typer.Option("--name", help="Pseudonym that the run is recorded under.")] = "anonymous",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Run folder; default run-human-NAME.")] = None,
    host: Annotated[str, typer.Option("--host", help="Where to listen; other than this machine needs a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Which port.")] = 8090,
    token: Annotated[str | None, typer.Option("--token", envvar="CITYSIM_TOKEN", help="Wanted of every page.")] = None,
    size: Annotated[str, typer.Option("--size", help="WxH of pictures.")] = "640x480",
    renderer: Renderer = "raster",
    physics: Physics = None,
    quiet: Quiet = False,
) -> None:
    """Play tasks in a browser, with an agent's observations, actions and budget, or just walk about (--free).

    Example: citysim play --free mini
    """
    from citysim.catalog import load_city
    from citysim.cli.suites import suite_and_cities
    from citysim.serve.play import FreeStage, make_play_app, task_maker
    from citysim.serve.play import play as run
    from citysim.serve.settings import Settings, check_host
    from citysim.serve.stages import Stages

    settings = Settings(token=token, image_size=parse_size(size), physics=physics, renderer=renderer)
    check_host(host, token)
    if free is not None and (suite is not None or ids is not None):
        raise InputError("either --free or --suite and --id", "both", "citysim play --free mini")
    with stages(quiet):
        if free is not None:
            place = load_city(free)
            shared = Stages([place], renderer)
            app = make_play_app(lambda: FreeStage(place, shared, settings), shared, token)
        else:
            loaded, cities = suite_and_cities(suite or "starter", city, 0, ids)
            shared = Stages(cities, renderer)
            folder = out if out is not None else Path(f"run-human-{name}")
            make = task_maker(loaded, cities, loaded.select(ids), shared, settings, folder, name)
            app = make_play_app(make, shared, token)
    if not quiet:
        asked = f"?token={quote(token)}" if token is not None else ""
        print(f"open http://{host}:{port}/{asked} in a browser (Ctrl-C ends it)", flush=True)
    run(app, host, port, token)
