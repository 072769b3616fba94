"""`citysim eval`, `score`, `compare` and `report`."""

from pathlib import Path
from typing import Annotated

import typer

from citysim.cli import models
from citysim.cli.console import emit, stages, starred, table
from citysim.cli.options import Json, Physics, Quiet, Renderer, Seed, parse_size

AGENT = "random, forward, greedy, oracle, reader, chat:MODEL or module:factory."
City = Annotated[
    str | None,
    typer.Option("--city", help="A package folder, a preset, PRESET@SEED or helsinki; without it the suite's own."),
]
Run = Annotated[Path, typer.Argument(help="A run folder, as `citysim eval` leaves it.")]


def evaluate(
    suite: Annotated[str, typer.Argument(help="A suite's name, see `citysim suite list`.")],
    agent: Annotated[str, typer.Option("--agent", help=AGENT)],
    out: Annotated[Path, typer.Option("--out", "-o", help="The run folder to write.")],
    city: City = None,
    ids: Annotated[str | None, typer.Option("--ids", help="Glob of instance ids.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", help="At most so many instances.")] = None,
    workers: Annotated[int, typer.Option("--workers", help="Processes.")] = 1,
    executor: Annotated[str | None, typer.Option("--executor", help="serial, process or ray.")] = None,
    seed: Seed = 0,
    renderer: Renderer = "raster",
    physics: Physics = None,
    size: Annotated[str, typer.Option("--size", help="WxH of what the agent sees.")] = "320x240",
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an interrupted run.")] = False,
    frames: Annotated[bool, typer.Option("--frames", help="Keep every picture the agent saw.")] = False,
    base_url: models.BaseUrl = "",
    api_key_env: models.ApiKeyEnv = "",
    cassette: models.Cassette = None,
    cassette_mode: models.CassetteMode = "replay",
    max_images: models.MaxImages = 1,
    max_turns: models.MaxTurns = 20,
    json_mode: models.JsonMode = False,
    reflect_every: models.ReflectEvery = 0,
    retries: models.Retries = 2,
    deadline: models.Deadline = 300.0,
    temperature: models.Temperature = None,
    price: models.Price = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Run an agent on a suite, write a run folder and print the summary table; a model with --agent chat:MODEL.

    Example: citysim eval starter --city mini --agent oracle --workers 2 --out run-oracle
    """
    from citysim.cli.suites import suite_and_cities
    from citysim.runs.evaluate import evaluate as run
    from citysim.runs.faults import faults_of
    from citysim.runs.summary import COLUMNS

    options = models.options_of(
        base_url, api_key_env, cassette, cassette_mode, max_images, max_turns, json_mode, reflect_every, retries,
        deadline, temperature, price,
    )  # fmt: skip
    with stages(quiet or as_json):
        loaded, cities = suite_and_cities(suite, city, seed, ids, limit)
    summary = run(
        loaded, cities, agent, out=out, workers=workers, executor=executor, seed=seed, ids=ids, limit=limit,
        resume=resume, physics=physics, renderer=renderer, image_size=parse_size(size), frames=frames,
        progress=False if quiet or as_json else None, options=options,
    )  # fmt: skip
    credit = sorted({f"{place.attribution} ({place.licence})" for place in cities if place.attribution})
    lines = [*table(COLUMNS, summary.rows()), *credit, f"wrote {out}"]
    lines[-1:-1] = faults_of(out) if summary.unscored else []
    emit(summary.data, lines, as_json=as_json, quiet=quiet)
    raise typer.Exit(1 if summary.unscored else 0)


def score(run: Run, as_json: Json = False, quiet: Quiet = False) -> None:
    """Score a run again from its records.

    Example: citysim score run-oracle
    """
    from citysim.runs.report_tables import urbanground_tables
    from citysim.runs.score import score as again
    from citysim.runs.summary import COLUMNS

    summary = again(run)
    lines = [*table(COLUMNS, summary.rows()), "", *table(COLUMNS, summary.group_rows())]
    scores = summary.data.get("urbanground")
    for shown in urbanground_tables(scores) if scores else ():
        lines += ["", shown.title, *table(shown.head, shown.rows), *([shown.note] if shown.note else [])]
    emit(summary.data, lines, as_json=as_json, quiet=quiet)


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Two run folders or more.")],
    any_physics: Annotated[bool, typer.Option("--any-physics", help="Allow runs of different physics.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put runs of one suite side by side.

    Example: citysim compare run-oracle run-random
    """
    from citysim.runs.compare import PAIR_COLUMNS
    from citysim.runs.compare import compare as side_by_side
    from citysim.runs.summary import COLUMNS

    compared = side_by_side(runs, any_physics=any_physics)
    lines = [f"{compared.suite}, {len(compared.ids)} episodes in common", *table(COLUMNS, compared.rows())]
    lines += [*starred(compared.rows()), "", "differences in success, paired by episode"]
    lines += [*table(PAIR_COLUMNS, compared.pair_rows()), "", "success at other radii of arrival"]
    emit(compared.to_json(), [*lines, *table(*compared.stability_rows())], as_json=as_json, quiet=quiet)


def report(
    run: Run,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="The page to write.")] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write one self-contained HTML page about a run.

    Example: citysim report run-oracle -o oracle.html
    """
    from citysim.runs.report import write_report

    made = write_report(run, out)
    emit({"path": str(made)}, [f"wrote {made}"], as_json=as_json, quiet=quiet)
