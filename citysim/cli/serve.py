"""`citysim serve`."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli.console import stages
from citysim.cli.options import Physics, Quiet, Renderer, parse_size


def serve(
    host: Annotated[str, typer.Option("--host", help="Where to listen; other than this machine needs a token.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Which port; 0 takes a free one.")] = 8081,
    token: Annotated[
        str | None, typer.Option("--token", envvar="CITYSIM_TOKEN", help="Bearer token that allows everything.")
    ] = None,
    agent_token: Annotated[
        str | None,
        typer.Option("--agent-token", envvar="CITYSIM_AGENT_TOKEN", help="Another that allows to act and look."),
    ] = None,
    city: Annotated[
        str | None, typer.Option("--city", help="A package folder, a preset, PRESET@SEED or helsinki.")
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option("--suite", help="A suite, its .jsonl file, or the folder of `citysim suite export`."),
    ] = None,
    admin: Annotated[
        bool, typer.Option("--admin", help="Allow teleport, set_weather, … also where others can reach the server.")
    ] = False,
    real_time: Annotated[bool, typer.Option("--real-time", help="Let the city's clock run by itself.")] = False,
    size: Annotated[str, typer.Option("--size", help="WxH of pictures.")] = "640x480",
    sessions: Annotated[int, typer.Option("--sessions", min=1, help="Walkers at a time, see X-Session.")] = 8,
    idle: Annotated[float, typer.Option("--idle", min=1.0, help="Seconds after which an unused session is closed.")] = (
        1800.0
    ),
    renderer: Renderer = "raster",
    physics: Physics = None,
    quiet: Quiet = False,
) -> None:
    """Serve a city over HTTP (UrbanGround's interface) and WebSocket until Ctrl-C.

    Example: citysim serve --suite urbanground --port 8081
    """
    from citysim.cli.suites import suite_and_cities
    from citysim.serve.run import serve as run
    from citysim.serve.settings import Settings, check_host, is_loopback
    from citysim.tasks.suites import COMMITTED, suite_names
    from citysim.tasks.urbanground.exporting import SUITE_FILE

    settings = Settings(
        token=token, agent_token=agent_token, admin=admin or is_loopback(host), real_time=real_time,
        image_size=parse_size(size), physics=physics, renderer=renderer, idle_s=idle, most_sessions=sessions,
    )  # fmt: skip
    check_host(host, token)
    name = suite
    if name is None:
        committed = next(iter(COMMITTED))
        name = committed if city is None and committed in suite_names() else "starter"
    elif (Path(name) / SUITE_FILE).is_file():
        name = str(Path(name) / SUITE_FILE)
    with stages(quiet):
        loaded, cities = suite_and_cities(name, city, 0)
    places = ", ".join(place.name for place in cities)

    def tell(address: str) -> None:
        if not quiet:
            print(f"serving {len(loaded.instances)} tasks in {places} at {address} (Ctrl-C ends it)", flush=True)

    run(loaded, cities, settings, host, port, tell)
