"""Sessions: the walkers of a server by name, closed when nobody asks for them any more."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, Protocol, TypeVar

from citysim.errors import InputError
from citysim.tasks.text import shown

DEFAULT = "default"
NAME = "^[A-Za-z0-9_-]{1,64}$"


class Kept(Protocol):
    """What can be kept by name."""

    name: str
    lock: threading.RLock
    heard: float

    def close(self) -> None:
        """Free it."""


S = TypeVar("S", bound=Kept)


class FullError(InputError):
    """Raised when there are as many sessions as there may be."""


class Sessions(Generic[S]):
    """Makes a session when its name is first heard; at most `most` of them at a time."""

    def __init__(self, make: "type[S] | object", most: int, idle_s: float) -> None:
        self._make, self._most, self._idle_s = make, most, idle_s
        self._kept: dict[str, S] = {}
        self._lock = threading.Lock()

    @contextmanager
    def use(self, name: str = DEFAULT) -> Iterator[S]:
        """The session of a name, for one caller at a time.

        Raises InputError for a name that is none, FullError when there are too many.
        """
        if not re.fullmatch(NAME, name) or name.endswith("\n"):
            raise InputError("a session's name of 1 to 64 letters, digits, _ and -", shown(name[:80]), "X-Session: one")
        while True:
            session = self._find(name)
            with session.lock:
                if self._kept.get(name) is not session:
                    continue  # closed while we waited for it
                session.heard = time.monotonic()
                try:
                    yield session
                finally:
                    session.heard = time.monotonic()
                return

    def reap(self) -> list[str]:
        """Close the sessions, but the default one, that nobody has used for a while; returns their names."""
        now = time.monotonic()
        with self._lock:
            idle = [s for n, s in self._kept.items() if n != DEFAULT and now - s.heard > self._idle_s]
        closed = []
        for session in idle:
            if not session.lock.acquire(blocking=False):
                continue
            try:
                if now - session.heard > self._idle_s:
                    with self._lock:
                        self._kept.pop(session.name, None)
                    session.close()
                    closed.append(session.name)
            finally:
                session.lock.release()
        return closed

    def drop(self, name: str) -> None:
        """Close one session."""
        with self._lock:
            session = self._kept.pop(name, None)
        if session is not None:
            with session.lock:
                session.close()

    @property
    def names(self) -> tuple[str, ...]:
        """Who is there."""
        return tuple(sorted(self._kept))

    def close(self) -> None:
        """Close all."""
        for name in self.names:
            self.drop(name)

    def _find(self, name: str) -> S:
        with self._lock:
            if name not in self._kept:
                if len(self._kept) >= self._most:
                    raise FullError(f"at most {self._most} sessions", "one more", "closing one, or waiting")
                self._kept[name] = self._make(name)  # type: ignore[operator]
            return self._kept[name]
