""".3dtiles archives: a whole tileset in one SQLite file, read in place."""

import sqlite3
import threading
from pathlib import Path

from citysim.errors import FormatError, StorageError

MAX_ENTRY = 1 << 30  # bytes
MAX_STEPS = 20_000_000  # of SQLite's machine for one answer: a file may hold a view that never ends


class DatabaseSource:
    """Tiles in the table `media` (key, content) of a SQLite file; URIs are its keys.

    The file is opened for reading only and nothing is unpacked to disk. Raises StorageError when it cannot be read and
    FormatError when it is no such database. May be used by several threads.
    """

    def __init__(self, path: Path) -> None:
        self.path, self._lock, self._steps = path, threading.Lock(), 0
        if not path.is_file():
            raise StorageError(f"the archive '{path}'", "no such file", "checking the path")
        try:
            address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
            self._base = sqlite3.connect(address, uri=True, check_same_thread=False)
        except (sqlite3.Error, UnicodeError) as error:
            raise self._broken(str(error)[:80]) from None
        try:
            self._check()
        except FormatError:
            self._base.close()
            raise

    def _check(self) -> None:
        """Make the connection harmless, and look whether it is an archive."""
        try:
            self._base.execute("PRAGMA trusted_schema=OFF")
            self._base.set_progress_handler(self._progress, 10_000)
            kind = self._ask("SELECT type FROM sqlite_master WHERE name = 'media'", ())
        except (sqlite3.Error, UnicodeError) as error:
            raise self._broken(str(error)[:80]) from None
        if kind is None or kind[0] != "table":
            raise self._broken("no table 'media'")

    def read(self, uri: str) -> bytes:
        """Bytes of one entry; raises StorageError when there is none and FormatError when it is damaged."""
        try:
            found = self._ask("SELECT length(CAST(content AS BLOB)) FROM media WHERE key = ?", (uri,))
            if found is None:
                advice = "restoring it (or --allow-missing)"
                raise StorageError(f"the tile data '{uri}' in '{self.path}'", "no such entry", advice)
            if not isinstance(found[0], int) or found[0] > MAX_ENTRY:
                raise self._broken(f"'{uri}' of {found[0]} bytes")
            row = self._ask("SELECT CAST(content AS BLOB) FROM media WHERE key = ?", (uri,))
        except (sqlite3.Error, UnicodeError, MemoryError) as error:
            raise self._broken(f"'{uri}' ({str(error)[:80]})") from None
        if row is None or not isinstance(row[0], bytes):
            raise self._broken(f"'{uri}' without bytes")
        return row[0]

    def close(self) -> None:
        """Close the file; calling it twice is fine."""
        self._base.close()

    def _ask(self, query: str, values: tuple[str, ...]) -> tuple[object, ...] | None:
        """The first row of an answer, None without."""
        with self._lock:
            self._steps = 0
            row: tuple[object, ...] | None = self._base.execute(query, values).fetchone()
        return row

    def _progress(self) -> bool:
        self._steps += 10_000
        return self._steps > MAX_STEPS

    def _broken(self, what: str) -> FormatError:
        return FormatError("a sound .3dtiles (SQLite) archive", f"'{self.path}' with {what}", "fetching it again")
