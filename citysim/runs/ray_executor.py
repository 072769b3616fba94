"""Ray as executor: one actor a worker, on this machine or on the cluster that RAY_ADDRESS names."""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from citysim.city import City
from citysim.errors import DependencyError
from citysim.runs.job import Job
from citysim.runs.seat import DEAD_TWICE, Line, Lost, Seat, longest_first
from citysim.tasks.suite import Instance


def ray_workers(
    job: Job, cities: Mapping[str, City], instances: Sequence[Instance], workers: int, lost: Lost
) -> Iterator[Line]:
    """Play in `workers` Ray actors of one CPU each.

    On a cluster every node must see the city packages and the run folder under the same paths, since actors write
    their episodes there themselves. An instance whose actor dies is played once more in a fresh actor of its own at the
    end, as the process executor does. Raises DependencyError where Ray is not installed.
    """
    if not instances:
        return
    ray = import_ray()
    again: list[Instance] = []
    with _cluster(ray, min(workers, len(instances))):
        left = longest_first(instances)[::-1]
        running: dict[Any, tuple[Any, Instance]] = {}
        try:
            for _ in range(min(workers, len(instances))):
                _start(ray, job, left, running)
            while running:
                (ready,), _ = ray.wait(list(running), num_returns=1)
                actor, instance = running.pop(ready)
                line = _result(ray, ready)
                if line is None:
                    again.append(instance)
                    actor = None
                if left:
                    _start(ray, job, left, running, actor)
                elif actor is not None:
                    ray.kill(actor)
                if line is not None:
                    yield line
            for instance in again:
                actor = _actor(ray, job)
                line = _result(ray, actor.play.remote(instance))
                ray.kill(actor)
                yield line if line is not None else lost(instance, DEAD_TWICE)
        finally:
            for actor, _ in running.values():
                ray.kill(actor)


def import_ray() -> Any:
    """The library `ray`; raises DependencyError."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # it would report to its makers
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # what it will do one day: leave GPUs visible
    try:
        import ray
    except ImportError:
        raise DependencyError("the library ray", "none", "pip install 'citysim[ray]'") from None
    return ray


@contextmanager
def _cluster(ray: Any, workers: int) -> Iterator[None]:
    """Be connected to Ray: as the caller already is, to RAY_ADDRESS, or to a Ray of our own that ends with us."""
    if ray.is_initialized():
        yield
        return
    local: dict[str, Any] = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers, "include_dashboard": False}
    ray.init(log_to_driver=False, logging_level=logging.ERROR, **local)
    try:
        yield
    finally:
        ray.shutdown()


def _actor(ray: Any, job: Job) -> Any:
    return ray.remote(num_cpus=1, max_restarts=0)(Seat).remote(job)


def _start(
    ray: Any, job: Job, left: list[Instance], running: dict[Any, tuple[Any, Instance]], actor: Any = None
) -> None:
    """Give the next instance to an actor, a new one where there is none."""
    instance = left.pop()
    actor = actor if actor is not None else _actor(ray, job)
    running[actor.play.remote(instance)] = (actor, instance)


def _result(ray: Any, reference: Any) -> Line | None:
    """The line, or None where the actor died; errors of setting up are raised as they were."""
    try:
        line: Line = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        cause = error.cause
        raise (cause if isinstance(cause, BaseException) else error) from None
    except ray.exceptions.RayActorError:
        return None
    return line
