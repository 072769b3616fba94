"""Executors: one episode after another in this process, or spread over worker processes."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from citysim.city import City
from citysim.runs.job import Job
from citysim.runs.player import Player
from citysim.tasks.suite import Instance

Line = dict[str, Any]
Lost = Callable[[Instance, str], Line]


def serial(job: Job, cities: Mapping[str, City], instances: Sequence[Instance]) -> Iterator[Line]:
    """Play in this process, in order; `cities` by content hash."""
    if not instances:
        return
    player = Player(job, cities.__getitem__)
    try:
        for instance in instances:
            yield player.play(instance)
    finally:
        player.close()


def processes(job: Job, instances: Sequence[Instance], workers: int, lost: Lost) -> Iterator[Line]:
    """Play in `workers` fresh processes, one city at a time each (its arrays are memory-mapped, so they share them).

    Lines come as episodes finish. Ctrl-C lets the episodes in flight finish and drops the rest. When a worker dies (out
    of memory, killed), what was not finished is played again, each in a process of its own; `lost(instance, reason)`
    gives the line of one that dies there too. Errors in setting up (city, agent, renderer) are raised.
    """
    left = list(instances)
    with _pool(job, min(workers, len(left))) as pool:
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
    for instance in left:
        with _pool(job, 1) as pool:
            try:
                yield pool.submit(_play, instance).result()
            except BrokenProcessPool:
                yield lost(instance, "expected a living worker process, found it dead twice; try more memory")


def _pool(job: Job, workers: int) -> ProcessPoolExecutor:
    context = multiprocessing.get_context("spawn")  # no state of this process leaks into the workers
    return ProcessPoolExecutor(workers, mp_context=context, initializer=_begin, initargs=(job,))


class _Seat:
    """What a worker process keeps between episodes; made on first use, so that its errors reach the parent."""

    def __init__(self) -> None:
        self.job: Job | None = None
        self.player: Player | None = None


_seat = _Seat()


def _begin(job: Job) -> None:
    """Set a worker up: Ctrl-C is the parent's to handle, and the worker ends when the parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    _seat.job = job


def _end_with(parent: Any) -> None:
    parent.join()
    os._exit(1)


def _play(instance: Instance) -> Line:
    if _seat.player is None:
        from citysim.city import open_city

        job = _seat.job
        assert job is not None, "the initializer ran"
        _seat.player = Player(job, lambda sha256: open_city(job.cities[sha256]))
    return _seat.player.play(instance)
