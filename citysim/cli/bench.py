"""`citysim bench`: speed against peers, measured in the same run."""

import sys
from typing import Annotated

import typer

from citysim.benchmarks.rows import Row, bench, machine, names
from citysim.cli.console import emit, table
from citysim.cli.options import Json, Quiet
from citysim.errors import CitySimError

Name = Annotated[str | None, typer.Argument(metavar=f"[{'|'.join(names())}]", help="Which; all without a name.")]


def run(name: Name = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """Measure speed and memory beside those peers that are installed (pip install 'citysim[bench]').

    Example: citysim bench tiles --json
    """
    chosen = [(each, bench(each)) for each in ([name] if name else names())]
    facts = machine()  # before our own work shows in the load
    failed, rows = [], list[Row]()

    def progress(line: str) -> None:
        if not quiet:
            print(line, file=sys.stderr, flush=True)

    for each, module in chosen:
        try:
            rows.extend(module.rows(progress))
        except CitySimError as error:
            failed.append(each)
            print(f"error: {each}: {error}", file=sys.stderr)
    lines = [", ".join(f"{key.replace('_', ' ')} {value}" for key, value in facts.items()), ""]
    lines += table(("name", "value", "unit", "peer", "peer value", "times better"), [_cells(row) for row in rows])
    emit({"machine": facts, "rows": [row.as_json() for row in rows]}, lines, as_json=as_json, quiet=quiet)
    if failed:
        raise typer.Exit(1)


def _cells(row: Row) -> list[str]:
    shown = row.as_json()
    peer = "" if row.peer is None else row.peer if row.peer_value is not None else f"{row.peer} (not here)"
    value, other = (f"{shown[key]:>10,}" if shown[key] is not None else "" for key in ("value", "peer_value"))
    return [row.name, value, row.unit, peer, other, "" if shown["ratio"] is None else f"{shown['ratio']:>12}"]
