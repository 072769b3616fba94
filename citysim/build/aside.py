"""Aside: a second process that paints and packs pictures while the first one builds."""

import contextlib
import os
import pickle
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import local
from types import TracebackType
from typing import IO, Any, TypeVar

V = TypeVar("V")
_SIZE = struct.Struct("<Q")
_MAIN = "from citysim.build.aside import serve; serve()"
MOST = 3  # processes beside the first one: there is no work for more


class Aside:
    """Runs functions elsewhere; they must be pure, importable by name, and their arguments and results picklable.

    `workers` None means one process less than there are processors, 0 none: then `submit` runs the function at once.
    Results do not depend on it. A process that cannot be started or dies costs only time: its work is done here.
    Unlike those of `multiprocessing`, the processes never import the program's main module, so that scripts need no
    guard against running twice.
    """

    def __init__(self, workers: int | None = 0) -> None:
        count = min(processors() - 1, MOST) if workers is None else workers
        self._children: list[_Child] = []
        self._own = local()
        self._pool = ThreadPoolExecutor(count, thread_name_prefix="citysim-aside") if count > 0 else None

    @property
    def elsewhere(self) -> bool:
        """Whether functions run in another process."""
        return self._pool is not None

    def submit(self, function: Callable[..., V], *args: Any) -> "Future[V]":
        """The result to come of `function(*args)`."""
        if self._pool is not None:
            return self._pool.submit(self._call, function, args)
        done: Future[V] = Future()
        done.set_result(function(*args))
        return done

    def close(self) -> None:
        """End the processes; what waits is left undone."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        for child in self._children:
            child.close()

    def __enter__(self) -> "Aside":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _call(self, function: Callable[..., V], args: tuple[Any, ...]) -> V:
        if not hasattr(self._own, "child"):
            self._own.child = None
            with contextlib.suppress(OSError):
                self._own.child = _Child()
                self._children.append(self._own.child)
        if self._own.child is not None:
            try:
                answer: V = self._own.child.call(function, args)
                return answer
            except (OSError, EOFError, ValueError, pickle.PickleError):
                self._own.child.close()
                self._own.child = None
        return function(*args)


class _Child:
    """One process and the pipes to it."""

    def __init__(self) -> None:
        paths = os.pathsep.join(path or os.getcwd() for path in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-c", _MAIN],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
        )

    def call(self, function: Callable[..., V], args: tuple[Any, ...]) -> V:
        """What the function gives there; raises its exception, or OSError or EOFError when the process is gone."""
        there, back = self._process.stdin, self._process.stdout
        if there is None or back is None:
            raise EOFError("no pipes")
        _send(there, (function, args))
        good, answer = _receive(back)
        if not good:
            raise answer
        result: V = answer
        return result

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def serve() -> None:
    """The other process: answer calls from standard input until it ends."""
    with contextlib.suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells when to stop
    with os.fdopen(os.dup(1), "wb") as out:
        os.dup2(2, 1)  # nothing that prints may mix with answers
        while True:
            try:
                function, args = _receive(sys.stdin.buffer)
            except EOFError:
                return
            try:
                answer = (True, function(*args))
            except Exception as error:
                answer = (False, error)
            _send(out, answer)


def _send(pipe: IO[bytes], value: Any) -> None:
    data = pickle.dumps(value, protocol=5)
    pipe.write(_SIZE.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Any:
    head = pipe.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError("the other process has ended")
    size = _SIZE.unpack(head)[0]
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError("the other process has ended")
    return pickle.loads(data)
