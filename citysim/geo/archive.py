"""Archives: a whole tileset in one file, read in place; 3tz is a zip file, .3dtiles a SQLite one."""

import zipfile
import zlib
from pathlib import Path

from citysim.errors import FormatError, StorageError
from citysim.geo.database import DatabaseSource

MAX_ENTRY = 1 << 30  # bytes; a zip bomb must not take the machine down
MAX_RATIO = 2000  # deflate reaches 1032


class ArchiveSource:
    """Tiles inside a 3tz (zip) file; URIs are the names of its entries.

    Nothing is ever unpacked to disk, so entry names cannot reach outside. Raises StorageError when the file cannot be
    read and FormatError when it is no zip archive.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except zipfile.BadZipFile as error:
            raise FormatError("a 3tz (zip) archive", f"'{path}' ({error})", "fetching the file again") from None
        except (OSError, ValueError, NotImplementedError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StorageError(f"the archive '{path}'", reason, "checking the path") from None
        self._names = set(self._zip.namelist())

    def read(self, uri: str) -> bytes:
        """Bytes of one entry; raises StorageError when there is none and FormatError when it is damaged."""
        if uri not in self._names:
            raise StorageError(
                f"the tile data '{uri}' in '{self.path}'", "no such entry", "restoring it (or --allow-missing)"
            )
        entry = self._zip.getinfo(uri)
        if entry.file_size > MAX_ENTRY or entry.file_size > MAX_RATIO * entry.compress_size + 4096:
            raise self._broken(uri, f"{entry.file_size} bytes out of {entry.compress_size}")
        try:
            with self._zip.open(entry) as stream:
                data = stream.read(entry.file_size + 1)
        except NotImplementedError:
            raise self._broken(uri, f"compression method {entry.compress_type}, not stored or deflated") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
            raise self._broken(uri, str(error)[:80] or type(error).__name__) from None
        if len(data) != entry.file_size:
            raise self._broken(uri, f"{len(data)} of {entry.file_size} bytes")
        return data

    def close(self) -> None:
        """Close the file; calling it twice is fine."""
        self._zip.close()

    def _broken(self, uri: str, what: str) -> FormatError:
        return FormatError("a sound 3tz archive", f"'{uri}' in '{self.path}' with {what}", "fetching the file again")


ARCHIVES: dict[str, type[ArchiveSource] | type[DatabaseSource]] = {"3tz": ArchiveSource, "3dtiles": DatabaseSource}
"""Readers of archives by their file extension; the top document in them is `tileset.json`."""
