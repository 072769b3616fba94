"""Ahead: makes in the background what will soon be asked for."""

import os
import threading
from collections import deque
from collections.abc import Callable

MOST = 64  # waiting at most; what is expected earlier than that is made when it is asked for


class Ahead:
    """Calls `make` for expected numbers, one after the other, in a thread that lives while there is something to do.

    `make` leaves its result where the one who asks finds it (a file in a cache) and answers whether it could; once it
    could not, nothing more is made ahead. Nothing but time depends on it: `settle` before asking, and then ask.
    Errors are left to the one who asks. May be used by several threads; a forked process starts anew.
    """

    def __init__(self, make: Callable[[int], bool]) -> None:
        self._make = make
        self._thread: threading.Thread | None = None
        self._current: int | None = None
        self._useless = False
        self._start()

    def expect(self, number: int) -> None:
        """Have a number made in the background unless too many wait already."""
        if self._owner != os.getpid():
            self._start()
        with self._lock:
            if self._useless or number in self._waiting or number == self._current or len(self._waiting) >= MOST:
                return
            self._waiting.append(number)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="citysim-ahead", daemon=True)
                self._thread.start()

    def settle(self, number: int) -> None:
        """Return when a number is not being made: wait for one at work, take back one that waits."""
        if self._owner != os.getpid():
            self._start()
        with self._lock:
            if number in self._waiting:
                self._waiting.remove(number)
            while self._current == number:
                self._changed.wait()

    def _start(self) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._waiting: deque[int] = deque()
        self._current, self._thread, self._useless = None, None, False

    def _work(self) -> None:
        while True:
            with self._lock:
                self._current = None
                self._changed.notify_all()
                if self._useless or not self._waiting:
                    self._waiting.clear()
                    self._thread = None
                    return
                number = self._current = self._waiting.popleft()
            try:
                useful = self._make(number)
            except Exception:  # whoever asks for it is told
                continue
            self._useless = not useful
