"""`citysim export`."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli.console import emit
from citysim.cli.options import Json, Quiet


def export(
    run: Annotated[Path, typer.Argument(help="A run folder, as `citysim eval` leaves it.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write.")],
    format: Annotated[str, typer.Option("--format", help="csv, parquet, jsonl or minari.")] = "csv",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a run as tables of episodes and steps, or as a Minari data set of its trajectories.

    Example: citysim export run-oracle --format parquet -o run-oracle-tables
    """
    from citysim.runs.export import export as write

    made = write(run, out, format)
    files = sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())
    emit({"path": str(made), "files": files}, [f"wrote {made}: {', '.join(files)}"], as_json=as_json, quiet=quiet)
