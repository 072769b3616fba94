"""Recording: what a person played, in a run folder like any other, to be scored, compared and reported alike."""

import re
import threading
from collections.abc import Mapping
from pathlib import Path

from citysim.agents.base import AgentSpec
from citysim.city import City
from citysim.errors import InputError
from citysim.render.base import Renderer
from citysim.runs.citymap import draw_city_map, write_city_map
from citysim.runs.folder import RunFolder, jsonl
from citysim.runs.job import Job
from citysim.runs.lock import locked
from citysim.runs.manifest import check_same_run, finish_manifest, new_manifest
from citysim.runs.score import episode_line, write_summary
from citysim.serve.play_episode import PlayedEpisode
from citysim.storage import unwritable, write_atomic
from citysim.tasks.episode import Limits
from citysim.tasks.suite import Suite

_PSEUDONYM = re.compile(r"[A-Za-z0-9_-]{1,32}")


class Recording:
    """The run folder of one person; finished after every episode, gone on with in a later session."""

    def __init__(
        self, out: Path, suite: Suite, cities: Mapping[str, City], pseudonym: str, *, physics: str, renderer: str,
        limits: Limits,
    ) -> None:  # fmt: skip
        """Begin the folder or take up an earlier one of the same suite and person.

        Raises InputError for a pseudonym that is none and for a folder of another run, StorageError.
        """
        if not _PSEUDONYM.fullmatch(pseudonym):
            raise InputError("a pseudonym of 1 to 32 letters, digits, _ and -", repr(pseudonym), "--name anna")
        name = f"human:{pseudonym}"
        self.folder, self._suite, self._cities, self._name = RunFolder(out), suite, cities, name
        self._lock = threading.Lock()
        job = Job(suite.name, {}, name, out, 0, physics, renderer, False, limits)
        spec = AgentSpec(name, deterministic=False)
        self._manifest = new_manifest(job, suite, list(cities.values()), spec, 1, "serial")
        if self.folder.manifest_path.is_file():
            old = self.folder.manifest()
            check_same_run(old, self._manifest)
            self._manifest["started"] = old["started"]
        self.lines = self.folder.finished() if self.folder.manifest_path.is_file() else {}

    def keep(self, played: PlayedEpisode, renderer: Renderer, wall_s: float, fault: str = "") -> dict[str, object]:
        """Write an episode down and return its line; a second try at the same instance replaces the first."""
        instance, out = played.instance, self.folder.path
        with self._lock:
            try:
                out.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise unwritable(out, error) from None
            with locked(out):
                line = episode_line(instance, played.records, self._suite.name, self._name, 0, fault)
                self.lines[instance.id] = line
                write_atomic(self.folder.steps_path(instance.id), jsonl([r.to_json() for r in played.records]))
                write_atomic(self.folder.instances_path, jsonl([i.to_json() for i in self._suite.instances]))
                timings = self.folder.timings() | {instance.id: {"id": instance.id, "wall_s": round(wall_s, 3)}}
                write_atomic(self.folder.timings_path, jsonl([timings[id] for id in sorted(timings)]))
                city = self._cities[instance.city_sha256]
                mine = [i for i in self._suite.instances if i.id in self.lines and i.city == city.name]
                write_city_map(city, self.folder, mine)
                draw_city_map(city, self.folder, renderer)
                ordered = [self.lines[id] for id in sorted(self.lines)]
                write_atomic(self.folder.episodes_path, jsonl(ordered))
                finished = finish_manifest(self._manifest, "finished")
                self.folder.write_manifest(finished)
                write_summary(self.folder, finished, ordered)
        return line
