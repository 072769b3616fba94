"""Player: plays instances one after another with one city, world, renderer and agent, and writes each one down."""

import contextlib
import dataclasses
import time
from collections.abc import Callable, Container
from typing import Any, TypeVar

from citysim.agents.base import Agent, AgentContext, Privileged
from citysim.agents.registry import make_agent
from citysim.city import City
from citysim.city.checks import is_number, is_text
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Renderer
from citysim.render.image import encode
from citysim.runs.faults import fault_text
from citysim.runs.folder import RunFolder, jsonl
from citysim.runs.job import Job
from citysim.runs.score import episode_line
from citysim.storage import write_atomic
from citysim.tasks.episode import Episode, Limits, Observation
from citysim.tasks.playing import episode_of
from citysim.tasks.record import StepRecord
from citysim.tasks.seeds import child_seed
from citysim.tasks.suite import Instance
from citysim.world import World

V = TypeVar("V", Limits, Pose)


class Player:
    """Holds what is slow to make; `play` never raises for a failing episode but records it as unscored.

    An agent's `sys.exit` counts as a failure. What ends the whole process (`os._exit`, a crash in a library) cannot be
    caught here: it costs one episode in worker processes, and everything after it with the serial executor.
    """

    def __init__(self, job: Job, open_city: Callable[[str], City]) -> None:
        """`open_city` gives the city of a content hash; one is held at a time."""
        self.job, self._open_city = job, open_city
        self.folder = RunFolder(job.out)
        self.agent = make_agent(job.agent, job.options)
        self.spec = dataclasses.replace(self.agent.spec)  # ours: what is checked once stays as it was
        self.world: World | None = None
        self.renderer: Renderer | None = None

    def play(self, instance: Instance) -> dict[str, Any]:
        """Play one instance, write its steps and its part file, and return its line."""
        begun = time.perf_counter()
        clock = dict.fromkeys(("reset_s", "agent_s", "world_s", "observe_s"), 0.0)
        records: list[StepRecord] = []
        fault = ""
        try:
            self._run(instance, records, clock)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever went wrong (SystemExit too) is told; the other episodes go on
            fault = fault_text(error)
        line = episode_line(instance, records, self.job.suite, self.spec.name, self.job.seed, fault)
        timing = {"id": instance.id, "wall_s": round(time.perf_counter() - begun, 4)}
        timing |= {name: round(seconds, 4) for name, seconds in clock.items()}
        timing |= usage_of(self.agent, timing)
        # waiting for the disk after every episode would leave the processor idle; the run's end waits for it once
        steps = jsonl([record.to_json() for record in records])
        write_atomic(self.folder.steps_path(instance.id), steps, durable=False)
        write_atomic(
            self.folder.parts / f"{instance.id}.json", jsonl([{"line": line, "timing": timing}]), durable=False
        )
        return line

    def close(self) -> None:
        """Free world and renderer."""
        world, renderer, self.world, self.renderer = self.world, self.renderer, None, None
        end = getattr(self.agent, "close", None)
        if callable(end):  # a connection; it opens again when the next episode needs it
            with contextlib.suppress(Exception):
                end()
        if renderer is not None:
            renderer.close()
        if world is not None:
            world.close()

    def _world(self, sha256: str) -> World:
        """The world of a city; the one of another city is freed first."""
        if self.world is None or self.world.city.content_sha256 != sha256:
            self.close()
            city = self._open_city(sha256)
            if self.spec.sees or self.job.frames:
                self.renderer = make_renderer(self.job.renderer, city)
            self.world = World(city, physics=self.job.physics)
        return self.world

    def _run(self, instance: Instance, records: list[StepRecord], clock: dict[str, float]) -> None:
        """Play into `records`, which are kept up to the moment something fails."""
        begun = time.perf_counter()
        job, world = self.job, self._world(instance.city_sha256)
        episode = episode_of(world, self.renderer, instance, limits=job.limits, records=records)
        clock["reset_s"] = time.perf_counter() - begun
        seed = child_seed(job.seed, instance.seed, "agent")
        self.agent.begin(AgentContext(instance.instruction, _copy(job.limits), seed, self._known(episode)))
        while not episode.done:
            marks = [time.perf_counter()]
            seen = episode.observe()
            frame = self._keep(instance, seen) if job.frames else None
            marks.append(time.perf_counter())
            action = self.agent.act(seen)
            marks.append(time.perf_counter())
            episode.act(action, frame=frame, said=said_by(self.agent))
            marks.append(time.perf_counter())
            for name, index in (("observe_s", 0), ("agent_s", 1), ("world_s", 2)):
                clock[name] += marks[index + 1] - marks[index]
        if job.frames:
            self._keep(instance, episode.observe())

    def _known(self, episode: Episode) -> Privileged | None:
        """Copies, so that an agent that writes into what it was told changes only what it sees."""
        if not self.spec.privileged:
            return None
        goal, world = episode.goal, episode.world
        told_goal = dataclasses.replace(goal, start=_copy(goal.start))
        return Privileged(told_goal, world.city.network, lambda: _copy(world.pose))

    def _keep(self, instance: Instance, seen: Observation) -> str | None:
        """Write what the agent sees before its next action; returns the file's name within the run folder."""
        if seen.rgb is None:
            return None
        path = self.folder.frames(instance.id) / f"{seen.step:03d}.jpg"
        write_atomic(path, encode(seen.rgb, "JPEG"), durable=False)
        return path.relative_to(self.job.out).as_posix()


def said_by(agent: Agent) -> str:
    """What an agent gives as its reason for its latest action, "" where it has no text `said`."""
    said = getattr(agent, "said", "")
    return said if isinstance(said, str) else ""


def usage_of(agent: Agent, taken: Container[str]) -> dict[str, float]:
    """Counters under an agent's `usage` that are numbers and whose names are free; {} where it has none."""
    try:
        told = dict(getattr(agent, "usage", None) or {})
    except Exception:  # an agent's property: nothing that was played hangs on it
        return {}
    return {k: v for k, v in told.items() if is_text(k) and is_number(v) and k not in taken}


def _copy(value: V) -> V:
    return dataclasses.replace(value)
