"""Where tile bytes come from: one Protocol, a folder, and an in-memory form for tests."""

import base64
import binascii
import os
import stat
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol
from urllib.parse import unquote_to_bytes

from citysim.errors import FormatError, StorageError
from citysim.geo.archive import ARCHIVES, ArchiveSource
from citysim.geo.database import DatabaseSource

MAX_SHOWN = 200  # characters of a URI in a message
MAX_INFLATED = 1 << 30  # bytes; a gzip bomb must not take the machine down


class TileSource(Protocol):
    """Reads the resources of one tileset."""

    def read(self, uri: str) -> bytes:
        """Bytes of a URI made by `citysim.geo.uris.join`; raises StorageError naming the URI when it cannot be had."""


class FolderSource:
    """Tiles below one folder; URIs are slash-separated paths relative to it, also into archives that lie there."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._archives: dict[Path, ArchiveSource | DatabaseSource] = {}
        self._real = os.path.realpath(root)

    def read(self, uri: str) -> bytes:
        """Bytes of one file; raises StorageError when it is missing, unreadable, huge or outside the folder."""
        try:
            path = os.path.realpath(os.path.join(self._real, uri))
            if not path.startswith(os.path.join(self._real, "")) and path != self._real:
                raise FormatError(f"a file inside '{self.root}'", f"'{uri}'", "a tileset that stays in its folder")
            status = os.stat(path)
            if stat.S_ISFIFO(status.st_mode) or stat.S_ISCHR(status.st_mode):  # would never end
                raise OSError("not a file")
            if status.st_size > MAX_INFLATED:
                raise OSError(f"{status.st_size} bytes, more than {MAX_INFLATED}")
            with open(path, "rb") as handle:
                return handle.read(MAX_INFLATED + 1)
        except NotADirectoryError:
            return self._inside(uri)
        except FileNotFoundError:
            raise missing(uri, f"'{self.root}'") from None
        except FormatError:
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            shown = uri if len(uri) <= MAX_SHOWN else f"{uri[:MAX_SHOWN]}…"
            raise StorageError(
                f"readable tile data at '{shown}' in '{self.root}'", reason, "checking the path"
            ) from None

    def _inside(self, uri: str) -> bytes:
        """Bytes of an entry of the archive that a part of the path names."""
        pieces = uri.split("/")
        for count in range(1, len(pieces)):
            path = Path(os.path.realpath(os.path.join(self._real, *pieces[:count])))
            if not str(path).startswith(os.path.join(self._real, "")):
                break
            if path.is_file() and path.suffix[1:].lower() in ARCHIVES:
                if path not in self._archives:
                    self._archives[path] = ARCHIVES[path.suffix[1:].lower()](path)
                return self._archives[path].read("/".join(pieces[count:]))
        raise missing(uri, f"'{self.root}'")


class MemorySource:
    """Tiles in a dictionary, for tests and for tilesets made in code."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = dict(files)

    def read(self, uri: str) -> bytes:
        """Bytes of one entry; raises StorageError when there is none."""
        if uri not in self.files:
            raise missing(uri, "memory")
        return self.files[uri]


def missing(uri: str, place: str) -> StorageError:
    """The error for a resource that a tileset names and its source lacks."""
    return StorageError(
        f"the tile data '{uri}' in {place}",
        "no such file",
        "restoring the file (or --allow-missing)",
    )


def fetch(source: TileSource, uri: str) -> bytes:
    """Bytes behind a URI, `data:` URIs and gzip taken off.

    Raises StorageError when the source lacks it and FormatError when the wrapping is broken.
    """
    data = decode_data_uri(uri) if uri.startswith("data:") else source.read(uri)
    return inflate(data, uri) if data[:2] == b"\x1f\x8b" else data


def decode_data_uri(uri: str) -> bytes:
    """Payload of a `data:` URI (RFC 2397); raises FormatError when it cannot be decoded."""
    head, comma, payload = uri.partition(",")
    try:
        if not comma:
            raise ValueError("no comma")
        raw = unquote_to_bytes(payload)
        return base64.b64decode(raw, validate=False) if head.endswith(";base64") else raw
    except (ValueError, binascii.Error) as error:
        raise FormatError("a data: URI of RFC 2397", f"'{uri[:40]}' ({error})", "exporting the tile again") from None


def inflate(data: bytes, uri: str) -> bytes:
    """Contents of gzip bytes; raises FormatError when they are broken or unreasonably large."""
    try:
        engine = zlib.decompressobj(31)
        out = engine.decompress(data, MAX_INFLATED)
    except zlib.error as error:
        raise FormatError("gzip data", f"'{uri}' ({error})", "fetching the file again") from None
    if not engine.eof:
        raise FormatError("complete gzip data below 1 GiB", f"'{uri}'", "fetching the file again")
    return out
