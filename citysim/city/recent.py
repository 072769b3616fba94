"""Recent: values made when asked for and kept while they are in use, within a budget of bytes and of entries."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Recent(Generic[V]):
    """Keeps what was asked for last; anything else is made again when it is asked for.

    `size` gives a value's bytes. The newest value is kept whatever its size. A failed making leaves nothing behind
    and is tried again. `entries` bounds open files: a memory-mapped value holds one. Shared by threads.
    """

    def __init__(self, size: Callable[[V], int], *, budget: int, entries: int) -> None:
        self._size, self._budget, self._entries = size, budget, entries
        self._values: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._lock = threading.RLock()
        self.held = 0  # bytes

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable, make: Callable[[], V]) -> V:
        """The value of `key`, made by `make()` when it is not held."""
        with self._lock:
            found = self._values.get(key)
            if found is not None:
                self._values.move_to_end(key)
                return found[0]
            value = make()
            size = self._size(value)
            self._values[key] = (value, size)
            self.held += size
            while len(self._values) > 1 and (self.held > self._budget or len(self._values) > self._entries):
                _, (_, freed) = self._values.popitem(last=False)
                self.held -= freed
            return value
