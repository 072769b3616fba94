"""Executors: one episode after another in this process, spread over worker processes, or over a Ray cluster.

All follow one protocol and give lines of equal bytes: what differs is only the order in which they come.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Protocol

from citysim.city import City
from citysim.errors import InputError
from citysim.runs.job import Job
from citysim.runs.player import Player
from citysim.runs.ray_executor import ray_workers
from citysim.runs.seat import DEAD_TWICE, Line, Lost, Seat, longest_first
from citysim.tasks.suite import Instance


class Executor(Protocol):
    """A way of playing many episodes."""

    def __call__(
        self, job: Job, cities: Mapping[str, City], instances: Sequence[Instance], workers: int, lost: Lost
    ) -> Iterator[Line]:
        """Play all instances and give their lines as they finish, each exactly once.

        `cities` by content hash; `lost(instance, reason)` makes the line of an episode whose process died twice.
        `instances` come city by city, and stay so; several workers play the longest of each city first. Errors in
        setting up (city, agent, renderer) are raised; whatever fails in an episode is a line.
        """


def serial(
    job: Job, cities: Mapping[str, City], instances: Sequence[Instance], workers: int, lost: Lost
) -> Iterator[Line]:
    """Play in this process, in order."""
    if not instances:
        return
    player = Player(job, cities.__getitem__)
    try:
        for instance in instances:
            yield player.play(instance)
    finally:
        player.close()


def processes(
    job: Job, cities: Mapping[str, City], instances: Sequence[Instance], workers: int, lost: Lost
) -> Iterator[Line]:
    """Play in `workers` fresh processes, one city at a time each (its arrays are memory-mapped, so they share them).

    Ctrl-C lets the episodes in flight finish and drops the rest. When a worker dies (out of memory, killed), what was
    not finished is played again, each in a process of its own.
    """
    left = longest_first(instances)
    if not left:
        return
    context = multiprocessing.get_context("spawn")  # no state of this process leaks into the workers
    begun = context.Event()
    pool = _pool(job, min(workers, len(left)), context, begun)
    try:
        waiting: dict[Future[Line], Instance] = {pool.submit(_play, instance): instance for instance in left}
        for future in as_completed(waiting):
            try:
                line = future.result()
            except BrokenProcessPool:
                continue
            left.remove(waiting[future])
            yield line
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    if not left:
        pool.shutdown(wait=False)  # the run is written down while the workers take themselves apart
        return
    pool.shutdown(wait=True)
    if not begun.is_set():
        raise InputError(
            "worker processes that start",
            "none did",
            "if __name__ == '__main__': around the call, or executor serial",
        )
    for instance in left:
        with _pool(job, 1, context, begun) as alone:
            try:
                yield alone.submit(_play, instance).result()
            except BrokenProcessPool:
                yield lost(instance, DEAD_TWICE)


EXECUTORS: Mapping[str, Executor] = {"serial": serial, "process": processes, "ray": ray_workers}


def _pool(job: Job, workers: int, context: Any, begun: Any) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(job, begun))


_seats: list[Seat] = []
"""The seat of this process, when it is a worker."""


def _begin(job: Job, begun: Any) -> None:
    """Set a worker up: Ctrl-C is the parent's to handle, and the worker ends when the parent does."""
    begun.set()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _seats[:] = [Seat(job)]


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _play(instance: Instance) -> Line:
    return _seats[0].play(instance)
