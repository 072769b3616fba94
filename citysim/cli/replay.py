"""`citysim replay`."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli.console import emit, stages
from citysim.cli.options import Json, Quiet, parse_size


def replay(
    run: Annotated[Path, typer.Argument(help="A run folder, as `citysim eval` leaves it.")],
    id: Annotated[str, typer.Argument(help="The id of an episode.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The film to write (.mp4 or .gif).")],
    city: Annotated[
        str | None,
        typer.Option("--city", help="The run's city: a package folder or a name (default: its name)."),
    ] = None,
    size: Annotated[str | None, typer.Option("--size", help="WxH of the view (default: 640x480, gif 320x240).")] = None,
    rate: Annotated[int | None, typer.Option("--rate", help="Pictures a second (default: 12, gif 4).")] = None,
    speed: Annotated[int, typer.Option("--speed", help="How many times faster than it happened, 1 to 16.")] = 1,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Act a recorded episode again, film it, and say whether it came out as recorded (exit code 1 if not).

    Example: citysim replay run-oracle starter-0000 -o episode.mp4
    """
    from citysim.runs.replay import replay as again

    with stages(quiet or as_json):
        made = again(run, id, out, city=city, size=None if size is None else parse_size(size), rate=rate, speed=speed)
    verdict = f"differs from the record at {made.difference}" if made.difference else "equal to the record"
    lines = [f"wrote {made.path} ({made.pictures} pictures)", f"{made.actions} actions acted again: {verdict}"]
    value = {
        "path": str(made.path), "pictures": made.pictures, "actions": made.actions, "equal": not made.difference,
        "difference": made.difference,
    }  # fmt: skip
    emit(value, lines, as_json=as_json, quiet=quiet)
    raise typer.Exit(1 if made.difference else 0)
