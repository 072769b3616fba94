"""evaluate: play the instances of a suite with an agent and leave a run folder."""

import dataclasses
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from citysim.agents.registry import make_agent
from citysim.city import City
from citysim.errors import InputError, StorageError, UnknownNameError
from citysim.physics import ENGINES, default_engine
from citysim.render import RENDERERS, make_renderer
from citysim.runs.citymap import draw_city_map, write_city_map
from citysim.runs.executors import processes, serial
from citysim.runs.folder import RunFolder, jsonl
from citysim.runs.highlights import keep_highlights
from citysim.runs.job import Job
from citysim.runs.manifest import check_same_run, finish_manifest, new_manifest
from citysim.runs.score import episode_line, write_summary
from citysim.runs.summary import RunSummary
from citysim.storage import unwritable, write_atomic
from citysim.tasks.episode import Limits
from citysim.tasks.suite import Instance, Suite

EXECUTORS = ("serial", "process")
Line = dict[str, Any]


def evaluate(
    suite: Suite,
    cities: City | Sequence[City],
    agent: str,
    *,
    out: Path,
    workers: int = 1,
    executor: str | None = None,
    seed: int = 0,
    ids: str | Sequence[str] | None = None,
    limit: int | None = None,
    resume: bool = False,
    physics: str | None = None,
    renderer: str = "raster",
    image_size: tuple[int, int] = (320, 240),
    frames: bool = False,
    pictures: bool = True,
    progress: bool | None = None,
) -> RunSummary:
    """Run an agent on (some instances of) a suite and write the run folder `out`.

    `cities` are those of the instances; `agent` is a name or `module:factory`; `ids` glob patterns; `executor` "serial"
    or "process" (default: processes when there is more than one worker); `frames` keeps every picture the agent saw;
    `pictures` draws what a report shows (a map, and what was seen in one success and one failure); `physics` is
    "bullet" or "native" (default: PyBullet where it is installed); `progress` shows a bar (default: on a terminal).
    The same suite, agent, seed, renderer and physics give the same `episodes.jsonl` and `steps/` for any number of
    workers, and after any interruption and `resume`.

    A failing episode becomes `unscored` and the others go on. Raises InputError (suite of another city, unknown names),
    StorageError (folder in use or unwritable); KeyboardInterrupt passes, leaving a folder that can be resumed.
    """
    out = absolute(out)  # now: an agent may change the working directory
    chosen = suite.select(ids, limit)
    places = _by_hash(suite, chosen, [cities] if isinstance(cities, City) else cities)
    if workers < 1:
        raise InputError("at least one worker", str(workers), "--workers 1")
    if renderer not in RENDERERS:
        raise UnknownNameError.of("a renderer", renderer, RENDERERS)
    how = executor or ("process" if workers > 1 else "serial")
    physics = physics if physics is not None else default_engine()
    if physics not in ENGINES:
        raise UnknownNameError.of("a physics engine", physics, ENGINES)
    if how not in EXECUTORS:
        raise UnknownNameError.of("an executor", how, EXECUTORS)
    paths = {sha256: absolute(city.path) for sha256, city in places.items() if city.path is not None}
    if how == "process" and len(paths) < len(places):
        raise InputError("a city package on disk for worker processes", "a city in memory", "--executor serial")
    spec = dataclasses.replace(make_agent(agent).spec)
    job = Job(suite.name, paths, agent, out, seed, physics, renderer, frames, Limits(image_size=image_size))
    folder = RunFolder(out)
    manifest = new_manifest(job, suite, list(places.values()), spec, workers, how)
    done = _open(folder, manifest, resume)
    write_atomic(folder.instances_path, jsonl([i.to_json() for i in suite.instances]))
    left = sorted((i for i in chosen if i.id not in done), key=lambda i: (i.city, i.id))  # one city at a time
    lines = dict(done)

    def lost(instance: Instance, reason: str) -> Line:
        return episode_line(instance, [], suite.name, spec.name, seed, reason)

    if how == "serial":
        played = serial(job, places, left)
    else:
        played = processes(job, left, workers, lost)
    try:
        with _bar(len(chosen), len(chosen) - len(left), progress) as step:
            for line in played:
                lines[line["id"]] = line
                step.advance(line)
    except BaseException:
        folder.write_manifest(finish_manifest(manifest, "interrupted"))
        raise
    return _finish(job, places, suite, manifest, lines, pictures)


def _by_hash(suite: Suite, chosen: Sequence[Instance], cities: Sequence[City]) -> dict[str, City]:
    """The cities that the chosen instances need, by content hash, in the order of their names.

    Raises InputError where one is missing or is not what the suite was made for.
    """
    given = {city.content_sha256: city for city in cities}
    needed: dict[str, City] = {}
    for instance in sorted(chosen, key=lambda i: (i.city, i.id)):
        if instance.city_sha256 not in given:
            suite.check_city(next((c for c in cities if c.name == instance.city), cities[0]), [instance])
        needed[instance.city_sha256] = given[instance.city_sha256]
    return needed


def absolute(path: Path) -> Path:
    """The path from the root; raises StorageError where the working directory is gone."""
    try:
        return path.absolute()
    except OSError as error:
        raise unwritable(path, error) from None


def _open(folder: RunFolder, manifest: dict[str, Any], resume: bool) -> dict[str, Line]:
    """Create the folder, or take up the one to be resumed; returns the lines that need no repeating."""
    path = folder.path
    try:
        used = path.exists() and (not path.is_dir() or any(path.iterdir()))
        if used and not resume:
            raise StorageError("an --out folder that is new or empty", f"'{path}'", "--resume or another --out")
        path.mkdir(parents=True, exist_ok=True)
    except StorageError:
        raise
    except OSError as error:
        raise unwritable(path, error) from None
    if not used:
        folder.write_manifest(manifest)
        return {}
    old = folder.manifest()
    check_same_run(old, manifest)
    manifest["started"] = old["started"]
    folder.write_manifest(manifest)
    return folder.finished()


def _finish(
    job: Job, cities: Mapping[str, City], suite: Suite, manifest: dict[str, Any], lines: dict[str, Line], pictures: bool
) -> RunSummary:
    """Put the parts together; the parts go last, so that a kill in between loses nothing."""
    folder = RunFolder(job.out)
    ordered = [lines[id] for id in sorted(lines)]
    timings = folder.timings()
    write_atomic(folder.episodes_path, jsonl(ordered))
    write_atomic(folder.timings_path, jsonl([timings[id] for id in sorted(timings)]))
    for sha256, city in cities.items():
        instances = {i.id: i for i in suite.instances if i.id in lines and i.city_sha256 == sha256}
        write_city_map(city, folder, list(instances.values()))
        if pictures:
            drawing = make_renderer(job.renderer, city)
            try:
                draw_city_map(city, folder, drawing)
                keep_highlights(job, city, drawing, [line for line in ordered if line["id"] in instances], instances)
            finally:
                drawing.close()
    finished = finish_manifest(manifest, "finished")
    folder.write_manifest(finished)
    summary = write_summary(folder, finished, ordered)
    shutil.rmtree(folder.parts, ignore_errors=True)
    return summary


class _Step(Protocol):
    def advance(self, line: Line) -> None: ...


class _Silent:
    def advance(self, line: Line) -> None:
        """Show nothing."""


@contextmanager
def _bar(total: int, done: int, wanted: bool | None) -> Iterator[_Step]:
    """A progress bar on stderr, or nothing where there is no terminal."""
    if not (sys.stderr.isatty() if wanted is None else wanted):
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("episodes", total=total, completed=done)
        wins = 0

        class _Shown:
            def advance(self, line: Line) -> None:
                nonlocal wins
                wins += line["status"] == "success"
                shown.update(task, advance=1, description=f"episodes ({wins} successes)")

        yield _Shown()
