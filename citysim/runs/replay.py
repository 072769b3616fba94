"""replay: a film of a recorded episode, which is acted again and must come out bit for bit as it was recorded."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.catalog import load_city
from citysim.city import City
from citysim.errors import InputError, UnknownNameError
from citysim.render import make_renderer
from citysim.render.base import Renderer, View
from citysim.runs.filming import check_film, film
from citysim.runs.folder import RunFolder
from citysim.runs.replay_panels import Panels, heading_of
from citysim.runs.replay_steps import act_again
from citysim.tasks.episode import Limits
from citysim.tasks.playing import episode_of
from citysim.tasks.record import StepRecord
from citysim.tasks.suite import Instance
from citysim.world import World

Picture = NDArray[np.uint8]

RATE, GIF_RATE = 12, 4  # pictures a second
STEPS_S = 60
TITLE_S, START_S, STILL_S, END_S = 2.0, 0.75, 0.75, 2.5
SIZE, GIF_SIZE = (640, 480), (320, 240)


@dataclass(frozen=True, slots=True)
class Replay:
    """A film that was made: its file, how many pictures and actions it shows, where the episode came out another way
    ("" when every action was equal to its record).
    """

    path: Path
    pictures: int
    actions: int
    difference: str


def replay(
    run: Path,
    id: str,
    out: Path,
    *,
    city: str | Path | City | None = None,
    size: tuple[int, int] | None = None,
    rate: int | None = None,
    speed: int = 1,
) -> Replay:
    """Film an episode of a finished run into `out`, an mp4 (needs PyAV) or a gif.

    `city` is a package or a name (default: the name in the run); `size` that of the view in the film (640x480, gif
    320x240); `rate` pictures a second (12, gif 4), a divisor of 60; `speed` 2 shows everything twice as fast.

    The episode is acted again with the engine it was recorded with, and compared with its record action by action.
    Raises InputError (no such episode, another city, wrong numbers), FormatError, StorageError, DependencyError.
    """
    check_film(out)
    gif = out.suffix.lower() == ".gif"
    view, fps = size or (GIF_SIZE if gif else SIZE), rate or (GIF_RATE if gif else RATE)
    if fps < 1 or STEPS_S % fps or not 1 <= speed <= 16:
        raise InputError(
            "a rate that divides 60 and a speed from 1 to 16", f"rate {fps}, speed {speed}", "rate=12, speed=1"
        )
    if min(view) < 64 or view[0] % 4 or view[1] % 2:
        raise InputError(
            "a view of at least 64x64 whose width is a multiple of 4", f"{view[0]}x{view[1]}", "--size 640x480"
        )
    folder = RunFolder(run)
    manifest, lines, instances = folder.finished_run()
    line = next((line for line in lines if line["id"] == id), None)
    if line is None:
        raise UnknownNameError.of("an episode", id, [line["id"] for line in lines])
    records = folder.steps(id)
    if not records:
        raise InputError("an episode with actions", f"none in '{id}' ({line['status']})", "another episode")
    place = _city(city, instances[id])
    world, renderer = World(place, physics=manifest["physics"]), make_renderer(manifest["renderer"], place)
    try:
        filming = _Filming(place, world, renderer, instances[id], records, manifest, line, view, STEPS_S // fps * speed)
        count = 0
        with film(out, filming.panels.size, fps, title=filming.title, comment=place.licence) as add:
            for picture, seconds in filming.pictures():
                for _ in range(max(1, round(seconds * fps))):
                    add(picture)
                    count += 1
    finally:
        renderer.close()
        world.close()
    return Replay(out, count, len(records), filming.difference)


class _Filming:
    """The pictures of one episode, each with how many seconds it stays."""

    def __init__(
        self, city: City, world: World, renderer: Renderer, instance: Instance, records: list[StepRecord],
        manifest: dict[str, Any], line: dict[str, Any], view: tuple[int, int], every: int,
    ) -> None:  # fmt: skip
        limits = manifest["limits"]
        self._episode = episode_of(
            world, renderer, instance, limits=Limits(limits["actions"], tuple(limits["image_size"]), limits["fov_deg"])
        )
        self._renderer, self._records, self._every, self._fov = renderer, records, every, float(limits["fov_deg"])
        poses = [records[0].before, *(record.after for record in records)]
        self.panels = Panels(city, renderer, self._episode.goal, poses, view)
        self.title = f"{instance.id}, {manifest['agent']['name']}"
        self._card = (
            self.title, instance.instruction, f"{city.title}, {instance.conditions['time']}, "
            f"{instance.conditions['weather']}", f"suite {manifest['suite']['name']}",
        )  # fmt: skip
        self._end = f"{line['status']} ({line['stop_reason']})" if line["stop_reason"] else str(line["status"])
        self.difference = ""

    def pictures(self) -> Iterator[tuple[Picture, float]]:
        """In order, with the seconds that each one stays; `difference` is known at the end."""
        yield self.panels.card(self._card), TITLE_S
        yield self._page(("", "", "")), START_S
        kept: list[Picture] = []
        count, words = len(self._records), ("", "", "")
        coming = iter(self._records)
        following = next(coming, None)

        def seen() -> None:
            kept.append(self._page(words))

        def described(record: StepRecord) -> tuple[str, str, str]:
            return heading_of(record, count), record.said, ""

        words = described(self._records[0])
        for record, found in act_again(self._episode, self._records, every=self._every, seen=seen):
            self.difference = self.difference or found
            moved, kept = kept, []
            for picture in moved:
                yield picture, 0.0
            told = "; ".join((*((record.invalid,) if record.invalid else ()), *record.notices))
            last = (*described(record)[:2], told or (f"differs from the record: {found}" if found else ""))
            if told or found or not moved:
                yield self._page(last), STILL_S
            following = next(coming, None) if following is record else following
            words = described(following) if following is not None else last
        yield self._page((*words[:2], self._end)), END_S

    def _page(self, words: tuple[str, str, str]) -> Picture:
        episode, world = self._episode, self._episode.world
        if episode.mode == "map":
            shown = episode.observe().rgb
        else:
            camera = world.camera(self.panels.view, self._fov)
            view = View(camera, world.conditions, bodies=world.bodies(), states=world.states())
            shown = self._renderer.render(view).rgb
        if shown is None:
            raise TypeError("an episode with a renderer shows pictures")
        return self.panels.page(shown, world.pose, words)


def _city(given: str | Path | City | None, instance: Instance) -> City:
    """The city an instance was made for; raises InputError for another one."""
    try:
        city = load_city(given if given is not None else instance.city)
    except UnknownNameError:
        if given is not None:
            raise
        raise InputError(
            f"the package of the city '{instance.city}'", "no city of this name", "--city with its folder"
        ) from None
    if city.content_sha256 != instance.city_sha256:
        raise InputError(
            f"the city '{instance.city}' with content {instance.city_sha256[:12]}",
            f"'{city.name}' with content {city.content_sha256[:12]}", "--city with the package of the run",
        )  # fmt: skip
    return city
