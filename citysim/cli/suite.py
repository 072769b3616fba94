"""`citysim suite …`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from citysim.cli.console import emit, table
from citysim.cli.options import Json, Physics, Quiet, Seed

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
City = Annotated[str, typer.Option("--city", help="A package folder, a preset, PRESET@SEED or helsinki.")]


@app.command("list")
def list_suites(as_json: Json = False, quiet: Quiet = False) -> None:
    """List the benchmark suites.

    Example: citysim suite list
    """
    from citysim.tasks.suites import suite_names

    names = suite_names()
    emit(names, table(("suite", "what it is"), list(names.items())), as_json=as_json, quiet=quiet)


@app.command()
def show(
    suite: Annotated[str, typer.Argument(help="A suite's name.")],
    id: Annotated[str | None, typer.Argument(help="One instance, or a glob.")] = None,
    city: City = "mini",
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the instances of a suite.

    Example: citysim suite show starter starter-003 --city helsinki
    """
    from citysim.catalog import load_city
    from citysim.tasks.suites import load_suite

    loaded = load_suite(suite, load_city(city), seed)
    chosen = {instance.id for instance in loaded.select(id)}
    found: dict[str, Any] = loaded.to_json()
    found["instances"] = [i for i in found["instances"] if i["id"] in chosen]
    rows = [(i["id"], i["type"], i["level"], i["shortest_path_m"], i["instruction"]) for i in found["instances"]]
    lines = table(("id", "type", "level", "metres", "instruction"), rows)
    emit(found, [f"{loaded.name} {loaded.version}  sha256 {loaded.sha256}", "", *lines], as_json=as_json, quiet=quiet)


@app.command()
def verify(
    suite: Annotated[str, typer.Argument(help="A suite's name.")],
    city: City = "mini",
    ids: Annotated[str | None, typer.Option("--ids", help="Glob of instance ids.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes.")] = 1,
    seed: Seed = 0,
    physics: Physics = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Prove each instance solvable: the expert finishes it through the same actions and budget.

    Example: citysim suite verify starter --city mini
    """
    import tempfile

    from citysim.catalog import load_city
    from citysim.runs.evaluate import evaluate
    from citysim.runs.folder import RunFolder
    from citysim.tasks.suites import load_suite

    place = load_city(city)
    loaded = load_suite(suite, place, seed)
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "verify"
        evaluate(
            loaded, place, "oracle", out=run, workers=workers, seed=seed, ids=ids, physics=physics,
            image_size=(32, 24), progress=None if not quiet else False, pictures=False,
        )  # fmt: skip
        lines = RunFolder(run).episodes()
    failed = [line["id"] for line in lines if line["status"] != "success"]
    shown = [f"{len(lines) - len(failed)} of {len(lines)} solved by the expert", *(f"not solved: {i}" for i in failed)]
    emit({"suite": suite, "instances": len(lines), "unsolved": failed}, shown, as_json=as_json, quiet=quiet)
    raise typer.Exit(1 if failed else 0)
