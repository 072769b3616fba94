"""Pictures of one success and one failure, for runs that did not record frames."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from citysim.city import City
from citysim.errors import SimulationFault
from citysim.render.base import Renderer
from citysim.render.image import encode
from citysim.runs.folder import RunFolder
from citysim.runs.job import Job
from citysim.storage import write_atomic
from citysim.tasks.episode import Episode
from citysim.tasks.playing import episode_of
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance
from citysim.world import World

KEEP = 24
"""At most this many pictures an episode, evenly spread, the last one always."""


def keep_highlights(
    job: Job, city: City, renderer: Renderer, lines: Sequence[dict[str, Any]], instances: dict[str, Instance]
) -> list[Path]:
    """Draw what the agent had before its eyes in the first success and the first failure that have no frames yet.

    The recorded actions are taken once more, with the run's engine, renderer and picture size: so people, signals,
    closures and maps are in the pictures as they were. One that shows a tile that cannot be had is left out.
    """
    folder = RunFolder(job.out)
    chosen = [next((line["id"] for line in lines if line["status"] == s), None) for s in ("success", "failure")]
    wanted = [id for id in chosen if id is not None and not folder.frames(id).is_dir()]
    if not wanted:
        return []
    written, world = [], World(city, physics=job.physics)
    try:
        for id in wanted:
            episode = episode_of(world, renderer, instances[id], limits=job.limits)
            records = folder.steps(id)
            for index in _moments(episode, records, set(spread(len(records) + 1, KEEP))):
                try:
                    seen = episode.observe().rgb
                except SimulationFault:
                    continue
                if seen is not None:
                    path = folder.frames(id) / f"{index:03d}.jpg"
                    write_atomic(path, encode(seen, "JPEG"))
                    written.append(path)
    finally:
        world.close()
    return written


def _moments(episode: Episode, records: Sequence[StepRecord], chosen: set[int]) -> Iterator[int]:
    """Takes the recorded actions; stops before those of the numbers in `chosen`, and after the last one."""
    for index, record in enumerate(records):
        if index in chosen:
            yield index
        if episode.done:
            return
        episode.act(record.action, frame=record.frame, said=record.said)
    if len(records) in chosen:
        yield len(records)


def spread(count: int, most: int) -> list[int]:
    """At most `most` indexes below `count`, evenly spread, first and last included."""
    if count <= most:
        return list(range(count))
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})
