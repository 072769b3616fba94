"""Download: what was read from the web stays in a folder, so that a stopped download goes on where it was."""

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from citysim.errors import CitySimError, FormatError
from citysim.geo import uris
from citysim.geo.http import HttpSource
from citysim.geo.partial import Part
from citysim.geo.store import missing
from citysim.storage import canonical_json, sha256_hex, unwritable

VOLATILE = frozenset({"key", "session", "token", "access_token"})
"""Query parameters that are about access and not about the resource; they are never written to disk."""
STATE = "state.json"
WORKERS = 8


class Download:
    """A TileSource over an HttpSource that keeps every body with its validators (ETag, Last-Modified) in a folder.

    One round of downloading asks for everything once. A round that was interrupted goes on: what it has is used
    without asking, and of a large body that was cut off only the rest is asked for, where the server can. The next
    round after `finish` asks whether copies are still the newest (304: they are). With `web` None only copies are used.
    Bodies are checked against their SHA-256: a damaged one is fetched again.
    """

    def __init__(self, folder: Path, web: HttpSource | None) -> None:
        self.folder, self.web = folder, web
        self._failed: dict[str, CitySimError] = {}  # while warming, until `read` has told
        state = self._json(folder / STATE)
        self._round = int(state.get("round", 0)) + bool(state.get("complete", True))
        self._volatile = VOLATILE | (set(web.params) if web is not None else set())
        if web is not None:
            self._put(folder / STATE, canonical_json({"round": self._round, "complete": False}).encode())

    def read(self, uri: str) -> bytes:
        """Body of one resource; raises StorageError naming the URI (without its query) when it cannot be had."""
        path = self.file_of(uri)
        note = self._json(path.with_suffix(".json"))
        body = self._body(path, note)
        if body is not None and (self.web is None or note.get("round") == self._round):
            return body
        if self.web is None:
            raise missing(uris.plain(uri), "the downloads")
        known = note if body is not None else {}
        failed = self._failed.pop(uri, None)
        if failed is not None:
            raise failed
        etag, modified = str(known.get("etag", "")), str(known.get("modified", ""))
        answer = self.web.get(uri, etag=etag, modified=modified, part=Part(path.with_suffix(".part")))
        if answer.body is None and body is not None:
            self._put(path.with_suffix(".json"), canonical_json({**note, "round": self._round}).encode())
            return body
        fresh = answer.body or b""
        self._put(path, fresh)
        note = {
            "uri": uris.plain(uri),
            "etag": answer.etag,
            "modified": answer.modified,
            "sha256": sha256_hex(fresh),
            "round": self._round,
        }
        self._put(path.with_suffix(".json"), canonical_json(note).encode())  # after the body: it vouches for it
        return fresh

    def file_of(self, uri: str) -> Path:
        """Where the body of a resource that was read lies."""
        return self.folder / self._name(uri)

    def forget(self, uri: str) -> None:
        """Drop a copy that turned out to be no answer."""
        with contextlib.suppress(OSError):
            self.file_of(uri).with_suffix(".json").unlink()

    def warm(self, wanted: Iterable[str]) -> None:
        """Fetch resources side by side; what fails is left to `read`, which says why."""
        if self.web is None:
            return

        def fetch(uri: str) -> None:
            try:
                self.read(uri)
            except CitySimError as error:
                self._failed[uri] = error

        with ThreadPoolExecutor(WORKERS, thread_name_prefix="citysim-download") as pool:
            list(pool.map(fetch, wanted))

    def finish(self) -> None:
        """Note that this round has everything."""
        if self.web is not None:
            self._put(self.folder / STATE, canonical_json({"round": self._round, "complete": True}).encode())

    def close(self) -> None:
        """Close connections; calling it twice is fine."""
        if self.web is not None:
            self.web.close()

    def _name(self, uri: str) -> str:
        query = [pair for pair in uris.query_of(uri) if pair[0] not in self._volatile]
        digest = sha256_hex(uris.with_query(uri, query))
        return f"{digest[:2]}/{digest}"

    def _body(self, path: Path, note: dict[str, Any]) -> bytes | None:
        try:
            body = path.read_bytes() if note else None
        except OSError:
            return None
        return body if body is not None and sha256_hex(body) == note.get("sha256") else None

    def _json(self, path: Path) -> dict[str, Any]:
        try:
            value = json.loads(path.read_bytes())
        except (OSError, ValueError):
            return {}
        return value if isinstance(value, dict) else {}

    def _put(self, path: Path, data: bytes) -> None:
        """A whole file or none. No fsync: a body that a power cut damaged is found out and fetched again."""
        temporary = ""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as handle:
                temporary = handle.name
                handle.write(data)
            os.replace(temporary, path)
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise unwritable(path, error) from None


def refuse_odd_urls(*urls: str) -> None:
    """Raise FormatError for a base URL that is no absolute http(s) URL."""
    for url in urls:
        if not uris.is_url(url) or not uris.host(url):
            raise FormatError("an http(s) URL", f"'{uris.plain(url)[:80]}'", "https://host/path/tileset.json")
