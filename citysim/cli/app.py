"""The command table. Commands import what they need when they run, so that `--help` stays quick."""

import typer

from citysim.cli import bench, city, demo, doctor, evaluate, export, mcp, play, render, replay, serve, suite

app = typer.Typer(
    name="citysim",
    help="A headless, CPU-only, bit-reproducible city simulator for embodied agents.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(value: bool) -> None:
    if value:
        from citysim import __version__

        print(__version__)
        raise typer.Exit


@app.callback()
def root(version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print it.")) -> None:
    """A headless, CPU-only, bit-reproducible city simulator for embodied agents.

    Example: citysim demo
    """


app.command("demo")(demo.demo)
app.command("doctor")(doctor.doctor)
app.add_typer(
    city.app, name="city", help="Build, import and inspect city packages.\n\nExample: citysim city build mini -o mini"
)
app.command("render")(render.render)
app.add_typer(
    suite.app,
    name="suite",
    help="Benchmark suites and their instances.\n\nExample: citysim suite show starter --city mini",
)
app.command("eval")(evaluate.evaluate)
app.command("score")(evaluate.score)
app.command("compare")(evaluate.compare)
app.command("report")(evaluate.report)
app.command("replay")(replay.replay)
app.command("export")(export.export)
app.command("play")(play.play)
app.command("serve")(serve.serve)
app.command("mcp")(mcp.mcp)
app.command("bench")(bench.run)
