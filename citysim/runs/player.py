"""Player: plays instances one after another with one city, world, renderer and agent, and writes each one down."""

import time
import traceback
from typing import Any

from citysim.agents.base import AgentContext, Privileged
from citysim.agents.registry import make_agent
from citysim.city import City
from citysim.render import make_renderer
from citysim.render.base import Renderer
from citysim.render.image import encode
from citysim.runs.folder import RunFolder, jsonl
from citysim.runs.job import Job
from citysim.runs.score import episode_line
from citysim.storage import write_atomic
from citysim.tasks.episode import Episode, Observation
from citysim.tasks.record import StepRecord
from citysim.tasks.seeds import child_seed
from citysim.tasks.suite import Instance
from citysim.tasks.suites import task_of
from citysim.world import World


class Player:
    """Holds what is slow to make; `play` never raises for a failing episode but records it as unscored."""

    def __init__(self, job: Job, city: City) -> None:
        self.job, self.city = job, city
        self.folder = RunFolder(job.out)
        self.agent = make_agent(job.agent)
        self.world = World(city, physics=job.physics)
        self.renderer: Renderer | None = None
        if self.agent.spec.sees or job.frames:
            self.renderer = make_renderer(job.renderer, city)

    def play(self, instance: Instance) -> dict[str, Any]:
        """Play one instance, write its steps and its part file, and return its line."""
        begun = time.perf_counter()
        clock = {"agent_s": 0.0, "world_s": 0.0, "observe_s": 0.0}
        records: list[StepRecord] = []
        fault = ""
        try:
            self._run(instance, records, clock)
        except Exception as error:  # whatever went wrong is ours to report; the other episodes go on
            fault = f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
        line = episode_line(instance, records, self.job.suite, self.agent.spec.name, self.job.seed, fault)
        timing = {"id": instance.id, "wall_s": round(time.perf_counter() - begun, 4)}
        timing |= {name: round(seconds, 4) for name, seconds in clock.items()}
        write_atomic(self.folder.steps_path(instance.id), jsonl([record.to_json() for record in records]))
        write_atomic(self.folder.parts / f"{instance.id}.json", jsonl([{"line": line, "timing": timing}]))
        return line

    def close(self) -> None:
        """Free world and renderer."""
        self.world.close()
        if self.renderer is not None:
            self.renderer.close()

    def _run(self, instance: Instance, records: list[StepRecord], clock: dict[str, float]) -> None:
        """Play into `records`, which are kept up to the moment something fails."""
        job, world = self.job, self.world
        episode = Episode(
            world, self.renderer, task_of(instance.type), instance.to_goal(),
            conditions=instance.conditions_in(self.city), limits=job.limits, records=records,
        )  # fmt: skip
        known = Privileged(episode.goal, self.city.network, lambda: world.pose) if self.agent.spec.privileged else None
        seed = child_seed(job.seed, instance.seed, "agent")
        self.agent.begin(AgentContext(instance.instruction, job.limits, seed, known))
        while not episode.done:
            marks = [time.perf_counter()]
            seen = episode.observe()
            frame = self._keep(instance, seen) if job.frames else None
            marks.append(time.perf_counter())
            action = self.agent.act(seen)
            marks.append(time.perf_counter())
            episode.act(action, frame=frame)
            marks.append(time.perf_counter())
            for name, index in (("observe_s", 0), ("agent_s", 1), ("world_s", 2)):
                clock[name] += marks[index + 1] - marks[index]
        if job.frames:
            self._keep(instance, episode.observe())

    def _keep(self, instance: Instance, seen: Observation) -> str | None:
        """Write what the agent sees before its next action; returns the file's name within the run folder."""
        if seen.rgb is None:
            return None
        path = self.folder.frames(instance.id) / f"{seen.step:03d}.jpg"
        write_atomic(path, encode(seen.rgb, "JPEG"))
        return path.relative_to(self.job.out).as_posix()
