"""Once: values made at most one time each, shared by threads."""

import threading
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Once(Generic[V]):
    """Keeps what it has made; a failed making leaves nothing behind and is tried again."""

    def __init__(self) -> None:
        self._values: dict[Hashable, V] = {}
        self._lock = threading.RLock()

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of `key`, made by `make()` on first use."""
        try:
            return self._values[key]
        except KeyError:
            with self._lock:
                if key not in self._values:
                    self._values[key] = make()
                return self._values[key]
