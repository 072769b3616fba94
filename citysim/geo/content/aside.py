"""Work done aside, in threads that are kept: a new thread would start with cold memory every time."""

import os
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Generic, TypeVar

T = TypeVar("T")
_lock = threading.Lock()
_idle: list["SimpleQueue[Aside[Any]]"] = []  # inboxes of threads that wait for work
_owner = os.getpid()


class Aside(Generic[T]):
    """A call that runs in another thread from now on."""

    def __init__(self, call: Callable[[], T]) -> None:
        self._call: Callable[[], T] | None = call
        self._answer: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        self._inbox = _worker()
        self._inbox.put(self)

    def result(self, seconds: float | None = None) -> T:
        """What the call gave, or its exception; to be asked for once. Raises TimeoutError when neither comes in time.

        A call in a library cannot be interrupted: its thread is left to it, and ends with it.
        """
        try:
            value, error = self._answer.get(timeout=seconds)
        except Empty:
            Aside._end(self._inbox)
            raise TimeoutError(f"no answer within {seconds} s") from None
        with _lock:
            if _owner == os.getpid():
                _idle.append(self._inbox)
        if error is not None:
            raise error
        return value  # type: ignore[return-value]

    def run(self) -> bool:
        """Make the call, in the other thread; False when there is none and the thread is to end."""
        call, self._call = self._call, None
        if call is None:
            return False
        try:
            self._answer.put((call(), None))
        except BaseException as error:
            self._answer.put((None, error))
        return True

    @staticmethod
    def _end(inbox: "SimpleQueue[Aside[Any]]") -> None:
        last = Aside.__new__(Aside)
        last._call = None
        inbox.put(last)


def _worker() -> "SimpleQueue[Aside[Any]]":
    """The inbox of a thread without work."""
    global _owner
    with _lock:
        if _owner != os.getpid():  # threads do not come along into a forked process
            _owner = os.getpid()
            _idle.clear()
        if _idle:
            return _idle.pop()
    inbox: SimpleQueue[Aside[Any]] = SimpleQueue()
    threading.Thread(target=_work, args=(inbox,), name="citysim-aside", daemon=True).start()
    return inbox


def _work(inbox: "SimpleQueue[Aside[Any]]") -> None:
    while inbox.get().run():
        pass
