"""A run folder belongs to one process at a time."""

import errno
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from citysim.errors import StorageError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold an existing folder; raises StorageError while another process holds it.

    The lock lies on the folder itself and goes with the process, however it ends (kill -9 too): no file is left that
    would have to be cleared away. File systems that know no locks (some network ones) are used without.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.EWOULDBLOCK, errno.EAGAIN):
                raise StorageError(
                    "a run folder that no other process works on", f"'{folder}' in use", "waiting until it has finished"
                ) from None
        yield
    finally:
        os.close(handle)
