"""`citysim mcp`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from citysim.cli.console import stages
from citysim.cli.options import Physics, Quiet, Renderer, parse_size


def mcp(
    id: Annotated[str, typer.Option("--id", help="The instance to play; see `citysim suite show`.")],
    suite: Annotated[str, typer.Option("--suite", help="A suite, or a .jsonl file of one.")] = "starter",
    city: Annotated[
        str | None, typer.Option("--city", help="A package folder, a preset, PRESET@SEED or helsinki.")
    ] = None,
    size: Annotated[str, typer.Option("--size", help="WxH of pictures, at most 768 a side.")] = "640x480",
    renderer: Renderer = "raster",
    physics: Physics = None,
    quiet: Quiet = False,
) -> None:
    """Give a model one episode as tools of the Model Context Protocol, over stdin and stdout.

    Example: citysim mcp --suite urbanground --id SN-001
    """
    from citysim.cli.suites import suite_and_cities
    from citysim.errors import InputError
    from citysim.mcp.server import make_server
    from citysim.mcp.session import Session

    pixels = parse_size(size)
    with _told_aside(), stages(quiet):
        loaded, cities = suite_and_cities(suite, city, 0, ids=id)
        chosen = loaded.select(id)
        if len(chosen) != 1:
            raise InputError("the id of one instance", f"{len(chosen)} of them for {id!r}", f"--id {chosen[0].id}")
        loaded.check_city(cities[0], chosen)
        session = Session(chosen[0], cities[0], size=pixels, physics=physics, renderer=renderer)
        server = make_server(session)
    try:
        server.run("stdio")
    finally:
        session.close()


@contextmanager
def _told_aside() -> Iterator[None]:
    """What libraries print while they load goes to stderr: stdout is the protocol's."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
