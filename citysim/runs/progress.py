"""The bar that `citysim eval` shows: how many episodes are done, how fast, and how long the rest takes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Line = dict[str, Any]


@contextmanager
def progress_bar(total: int, done: int, wanted: bool | None = None) -> Iterator[Callable[[Line], None]]:
    """Yield what is called with each finished line; it shows a bar on stderr (`wanted` None: only on a terminal)."""
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield lambda line: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[pace]}"),
        TimeElapsedColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("episodes", total=total, completed=done, pace="")
        tally = {"success": 0, "failure": 0, "unscored": 0}
        started = shown.get_time()

        def advance(line: Line) -> None:
            tally[line["status"]] += 1
            played = sum(tally.values())
            shown.update(
                task, advance=1, description=described(tally),
                pace=paced(played, shown.get_time() - started, total - done - played),
            )  # fmt: skip

        yield advance


def described(tally: dict[str, int]) -> str:
    """What came out so far, in words."""
    lost = f", {tally['unscored']} unscored" if tally["unscored"] else ""
    return f"episodes ({tally['success']} successes{lost})"


def paced(played: int, seconds: float, left: int) -> str:
    """Rate over the whole run so far, since episodes differ much in length, and the time that the rest takes at it."""
    if played == 0 or seconds <= 0.0:
        return ""
    each = seconds / played
    rate = f"{60.0 / each:.1f}/min" if each > 1.0 else f"{1.0 / each:.1f}/s"
    minutes, rest = divmod(round(each * left), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{rate}, {hours}:{minutes:02d}:{rest:02d} left"
