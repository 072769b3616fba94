"""`citysim suite …`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from citysim.cli.console import emit, stages, table
from citysim.cli.options import Json, Physics, Quiet, Seed

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
Name = Annotated[str, typer.Argument(help="A suite's name, or a .jsonl file of `citysim suite build`.")]
City = Annotated[
    str | None,
    typer.Option("--city", help="A package folder, a preset, PRESET@SEED or helsinki; without it the suite's own."),
]


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
    suite: Name,
    id: Annotated[str | None, typer.Argument(help="One instance, or a glob.")] = None,
    city: City = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the instances of a suite.

    Example: citysim suite show starter starter-003 --city helsinki
    """
    from citysim.catalog import load_city
    from citysim.tasks.suites import load_suite, needs_city

    loaded = load_suite(suite, load_city(city or "mini") if needs_city(suite) else None, seed)
    chosen = {instance.id for instance in loaded.select(id)}
    found: dict[str, Any] = loaded.to_json()
    found["instances"] = [i for i in found["instances"] if i["id"] in chosen]
    rows = [(i["id"], i["type"], i["city"], i["shortest_path_m"], i["instruction"]) for i in found["instances"]]
    lines = table(("id", "type", "city", "metres", "instruction"), rows)
    emit(found, [f"{loaded.name} {loaded.version}  sha256 {loaded.sha256}", "", *lines], as_json=as_json, quiet=quiet)


@app.command()
def build(
    suite: Annotated[str, typer.Argument(help="What to build: urbanground.")],
    city: Annotated[list[str], typer.Option("--city", help="A city; give it several times for several.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The .jsonl file to write; proofs go beside it.")],
    scale: Annotated[float, typer.Option("--scale", min=0.01, max=1.0, help="Share of the 810 instances.")] = 1.0,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes, one city each.")] = 1,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make instances of all families for any cities, each proved by the expert under every physics engine.

    Example: citysim suite build urbanground --city mini --scale 0.05 -o mini.jsonl
    """
    from citysim.catalog import load_city
    from citysim.errors import InputError, UnknownNameError
    from citysim.runs.proving import write_proofs
    from citysim.runs.suitemaking import NAME, make_urbanground
    from citysim.tasks.suitefile import write_suite
    from citysim.tasks.suites import proofs_path

    if suite != NAME:
        raise UnknownNameError.of("a suite that can be built", suite, (NAME,))
    if out.suffix != ".jsonl":
        raise InputError("a file name that ends in .jsonl", f"'{out}'", f"-o {out}.jsonl")
    with stages(quiet or as_json):
        cities = [load_city(name) for name in city]
    tell = None if quiet or as_json else lambda text: print(text, flush=True)
    made, proofs = make_urbanground(cities, seed, scale=scale, name=out.stem, workers=workers, tell=tell)
    write_suite(out, made)
    write_proofs(proofs_path(out), proofs)
    facts = {"suite": made.name, "sha256": made.sha256, "instances": len(made.instances), "path": str(out)}
    emit(facts, [f"wrote {out}: {len(made.instances)} instances, sha256 {made.sha256}"], as_json=as_json, quiet=quiet)


@app.command()
def export(
    suite: Name,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder to write.")],
    form: Annotated[str, typer.Option("--format", help="urbanground.")] = "urbanground",
    city: City = None,
    seed: Seed = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write a suite as the files of another system: task/ID.json as UrbanGround's public client reads them.

    Give the folder to that client as --build-folder, and to `citysim serve --suite`.

    Example: citysim suite export urbanground --format urbanground -o tasks-urbanground
    """
    from citysim.catalog import load_city
    from citysim.errors import UnknownNameError
    from citysim.tasks.suites import load_suite, needs_city
    from citysim.tasks.urbanground.exporting import export_urbanground

    if form != "urbanground":
        raise UnknownNameError.of("a format to export", form, ("urbanground",))
    loaded = load_suite(suite, load_city(city or "mini") if needs_city(suite) else None, seed)
    mapping = export_urbanground(loaded, out)
    facts = {
        "suite": loaded.name,
        "sha256": loaded.sha256,
        "format": form,
        "tasks": len(mapping["ids"]),
        "path": str(out),
    }
    emit(facts, [f"wrote {out}: {len(mapping['ids'])} task files"], as_json=as_json, quiet=quiet)


@app.command()
def verify(
    suite: Name,
    city: City = None,
    ids: Annotated[str | None, typer.Option("--ids", help="Glob of instance ids.")] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="Processes.")] = 1,
    seed: Seed = 0,
    physics: Physics = None,
    renew: Annotated[bool, typer.Option("--renew", help="Prove again what no longer replays, and keep it.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Prove each instance solvable: replay its committed proof bit by bit, and let the expert play where there is none.

    With `--physics` the expert plays every instance with that engine instead. `--renew` writes new proofs where the
    walker or the crowd has changed.

    Example: citysim suite verify starter --city mini
    """
    from citysim.cli.suites import suite_and_cities
    from citysim.runs.verifying import renew_proofs, verify_suite

    with stages(quiet or as_json):
        loaded, cities = suite_and_cities(suite, city, seed, ids)
    if renew:
        renewed, lost = renew_proofs(loaded, cities, suite)
        emit({"renewed": renewed, "unproved": lost}, [f"{renewed} proofs renewed", *lost], as_json=as_json, quiet=quiet)
        raise typer.Exit(1 if lost else 0)
    verified = verify_suite(loaded, cities, name=suite, ids=ids, physics=physics, workers=workers, seed=seed)
    bad = [f"{id}: {why}" for id, why in verified.unsolved.items()]
    lines = [f"{verified.replayed} proofs replayed bit by bit, {verified.played} instances solved by the expert", *bad]
    data = {
        "suite": suite, "instances": verified.replayed + verified.played + len(bad), "replayed": verified.replayed,
        "played": verified.played, "unsolved": verified.unsolved,
    }  # fmt: skip
    emit(data, lines, as_json=as_json, quiet=quiet)
    raise typer.Exit(1 if bad else 0)
