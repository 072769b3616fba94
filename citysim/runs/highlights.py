"""Pictures of one success and one failure, for runs that did not record frames."""

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from citysim.city import City
from citysim.errors import SimulationFault
from citysim.physics.config import WalkerConfig
from citysim.render.base import Camera, Renderer, View
from citysim.render.image import encode
from citysim.runs.folder import RunFolder
from citysim.runs.job import Job
from citysim.storage import write_atomic
from citysim.tasks.suite import Instance

KEEP = 24
"""At most this many pictures an episode, evenly spread, the last one always."""


def keep_highlights(
    job: Job, city: City, renderer: Renderer, lines: Sequence[dict[str, Any]], instances: dict[str, Instance]
) -> list[Path]:
    """Draw what the agent had before its eyes in the first success and the first failure that have no frames yet.

    The views are drawn from the recorded poses with the run's renderer and picture size; one that shows a tile that
    cannot be had is left out.
    """
    folder = RunFolder(job.out)
    chosen = [next((line["id"] for line in lines if line["status"] == s), None) for s in ("success", "failure")]
    wanted = [id for id in chosen if id is not None and not folder.frames(id).is_dir()]
    if not wanted:
        return []
    written = []
    for id in wanted:
        records = folder.steps(id)
        conditions = instances[id].conditions_in(city)
        poses = [r.before for r in records] + [r.after for r in records[-1:]]
        elapsed = [0.0, *(sum(r.steps for r in records[: k + 1]) / 60.0 for k in range(len(records)))]
        for index in spread(len(poses), KEEP):
            pose, now = poses[index], dataclasses.replace(conditions, clock_s=conditions.clock_s + elapsed[index])
            eye = dataclasses.replace(pose, up=pose.up + WalkerConfig().eye_height)
            try:
                frame = renderer.render(View(Camera(eye, job.limits.image_size, job.limits.fov_deg), now))
            except SimulationFault:
                continue
            path = folder.frames(id) / f"{index:03d}.jpg"
            write_atomic(path, encode(frame.rgb, "JPEG"))
            written.append(path)
    return written


def spread(count: int, most: int) -> list[int]:
    """At most `most` indexes below `count`, evenly spread, first and last included."""
    if count <= most:
        return list(range(count))
    return sorted({round(k * (count - 1) / (most - 1)) for k in range(most)})
