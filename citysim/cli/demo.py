"""`citysim demo`: the whole path in one command, with no file, network, display or driver."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli.console import emit, stages, starred, table
from citysim.cli.options import Json, Quiet, Seed


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write.")] = Path("demo-run"),
    seed: Seed = 0,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes (default: one a core, at most 2).")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Build the embedded city, run the oracle and a random agent on its starter suite, and write a report.

    Example: citysim demo
    """
    import os
    import shutil

    from citysim.catalog import load_city
    from citysim.runs.compare import compare
    from citysim.runs.evaluate import evaluate
    from citysim.runs.report import write_report
    from citysim.storage import write_atomic
    from citysim.tasks.suites import load_suite

    def say(text: str) -> None:
        if not (quiet or as_json):
            print(text, flush=True)

    say("building the city 'mini' (kept for next time) ...")
    with stages(True):
        city = load_city("mini")
    suite = load_suite("starter", city, seed)
    count = workers or min(2, os.cpu_count() or 1)
    runs = {agent: out / agent for agent in ("oracle", "random")}
    for agent, folder in runs.items():
        if (folder / "manifest.json").is_file():  # a former demo gives way; anything else is refused by evaluate
            shutil.rmtree(folder, ignore_errors=True)
        say(f"running {agent} on {len(suite.instances)} instances; the first run compiles for some seconds ...")
        evaluate(suite, city, agent, out=folder, workers=count, seed=seed, progress=False if quiet or as_json else None)
    page = write_report(runs["oracle"], out / "report.html")
    write_report(runs["random"], out / "random" / "report.html")
    compared = compare(list(runs.values())).to_json()
    write_atomic(out / "comparison.json", _json(compared))
    rows = []
    for run in compared["runs"]:
        figures = run["figures"]
        success = f"{figures['successes']}/{figures['n']}"
        rows.append((run["name"], success, round(figures["steps"], 1), round(figures["sim_seconds"], 1)))
    lines = [
        "",
        *table(("agent", "success", "steps", "simulated seconds"), rows),
        *starred(rows),
        "",
        f"report: {page}",
    ]
    emit({"report": str(page), **compared}, lines, as_json=as_json, quiet=quiet)


def _json(value: object) -> str:
    import json

    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
