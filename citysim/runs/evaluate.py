"""evaluate: play the instances of a suite with an agent and leave a run folder."""

import dataclasses
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from citysim.agents.options import AgentOptions
from citysim.agents.registry import make_agent
from citysim.city import City
from citysim.errors import InputError, StorageError, UnknownNameError
from citysim.physics import ENGINES, default_engine
from citysim.render import RENDERERS, make_renderer
from citysim.runs.citymap import draw_city_map, write_city_map
from citysim.runs.executors import EXECUTORS
from citysim.runs.folder import RunFolder, jsonl
from citysim.runs.highlights import keep_highlights
from citysim.runs.job import Job
from citysim.runs.lock import locked
from citysim.runs.manifest import check_same_run, finish_manifest, new_manifest
from citysim.runs.progress import progress_bar
from citysim.runs.score import episode_line, write_summary
from citysim.runs.summary import RunSummary
from citysim.runs.usage import write_usage
from citysim.storage import unwritable, write_atomic
from citysim.tasks.episode import Limits
from citysim.tasks.suite import Instance, Suite

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
    options: AgentOptions | None = None,
) -> RunSummary:
    """Run an agent on (some instances of) a suite and write the run folder `out`.

    `cities` are those of the instances; `agent` is a name or `module:factory`; `ids` glob patterns; `executor` is
    "serial", "process" or "ray" (default: processes when there is more than one worker); `frames` keeps every picture
    the agent saw; `pictures` draws what a report shows (a map, and what was seen in one success and one failure);
    `physics` is "bullet" or "native" (default: PyBullet where it is installed); `progress` shows a bar (default: on a
    terminal); `options` how a model is talked to.
    The same suite, agent, seed, renderer and physics give the same `episodes.jsonl` and `steps/` for any number of
    workers, and after any interruption and `resume`.

    A failing episode becomes `unscored` and the others go on. Raises InputError (suite of another city, unknown names),
    StorageError (folder used before, in use or unwritable); KeyboardInterrupt passes and leaves a folder to be resumed.
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
    if how != "serial" and len(paths) < len(places):
        raise InputError("a city package on disk for worker processes", "a city in memory", "--executor serial")
    options = options or AgentOptions()
    if options.cassette:  # now, for the same reason
        options = dataclasses.replace(options, cassette=str(absolute(Path(options.cassette))))
    spec = dataclasses.replace(make_agent(agent, options).spec)
    limits = Limits(image_size=image_size)
    job = Job(suite.name, paths, agent, out, seed, physics, renderer, frames, limits, options)
    folder = RunFolder(out)
    manifest = new_manifest(job, suite, list(places.values()), spec, workers, how)
    with _held(folder.path, resume):
        done = _begin(folder, manifest)
        write_atomic(folder.instances_path, jsonl([i.to_json() for i in suite.instances]))
        left = sorted((i for i in chosen if i.id not in done), key=lambda i: (i.city, i.id))  # one city at a time
        lines = dict(done)

        def lost(instance: Instance, reason: str) -> Line:
            return episode_line(instance, [], suite.name, spec.name, seed, reason)

        try:
            with progress_bar(len(chosen), len(chosen) - len(left), progress) as advance:
                for line in EXECUTORS[how](job, places, left, workers, lost):
                    lines[line["id"]] = line
                    advance(line)
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


@contextmanager
def _held(path: Path, resume: bool) -> Iterator[None]:
    """Create the run folder, or take up the one to be resumed; nobody else works on it meanwhile."""
    fresh = "an --out folder that is new or empty", f"'{path}'", "--resume or another --out"
    with ExitStack() as stack:
        try:
            if path.exists() and not path.is_dir():
                raise StorageError(*fresh)
            path.mkdir(parents=True, exist_ok=True)
            stack.enter_context(locked(path))
            if any(path.iterdir()) and not resume:
                raise StorageError(*fresh)
        except StorageError:
            raise
        except OSError as error:
            raise unwritable(path, error) from None
        yield


def _begin(folder: RunFolder, manifest: dict[str, Any]) -> dict[str, Line]:
    """Write the manifest; returns the lines of an earlier attempt, which need no repeating."""
    if not any(folder.path.iterdir()):
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
    folder.settle(sorted(lines))
    write_atomic(folder.episodes_path, jsonl(ordered))
    write_atomic(folder.timings_path, jsonl([timings[id] for id in sorted(timings)]))
    write_usage(folder, timings)
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
