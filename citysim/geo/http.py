"""Tiles from the web."""

import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from citysim.errors import CitySimError, FormatError, StorageError
from citysim.geo import uris
from citysim.geo.partial import Part
from citysim.geo.session import Session
from citysim.geo.store import missing

if TYPE_CHECKING:
    import httpx

RETRY_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
EXPIRED = frozenset({401, 403})
MAX_HOPS = 5
MAX_FRUITLESS = 8  # questions for a new session that brought none; after these a refusal is a refusal
MAX_WAIT_S = 30.0
MAX_BODY = 1 << 30  # bytes after decompression; nothing that a server sends may fill the memory


class Answer(NamedTuple):
    """Body of a resource (None: not modified) and the validators a server gave for it ("" for none)."""

    body: bytes | None
    etag: str = ""
    modified: str = ""


class HttpSource:
    """Reads absolute http(s) URIs, with retries.

    `params` (an API key) go with every request to the host of `root` (else of the first URI read) that lacks them, and
    to no other. Redirects to another host are refused. Where access has expired (401, 403) the root is asked for a new
    session, and the request repeated, once. `timeout_s` bounds every wait for the server, `deadline_s` one whole
    download; `transport` replaces the network in tests, `sleep` waiting. May be used by several threads.
    """

    def __init__(
        self,
        *,
        params: Mapping[str, str] | None = None,
        root: str | None = None,
        timeout_s: float = 20.0,
        deadline_s: float = 300.0,
        attempts: int = 4,
        max_body: int = MAX_BODY,
        transport: "httpx.BaseTransport | None" = None,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        import httpx

        self.params, self.attempts, self.sleep = dict(params or {}), max(1, attempts), sleep
        self._root, self._deadline_s, self._max_body = root, deadline_s, max_body
        self._session, self._lock = Session(), threading.Lock()
        self._asked: set[tuple[tuple[str, str], ...]] = set()
        self._fruitless = 0
        self._client = httpx.Client(
            timeout=timeout_s, transport=transport, follow_redirects=False, headers={"User-Agent": "citysim"}
        )

    def read(self, uri: str) -> bytes:
        """Body of one resource; raises StorageError naming the URI (without its query) when it cannot be had."""
        return self.get(uri).body or b""

    def get(self, uri: str, *, etag: str = "", modified: str = "", part: Part | None = None) -> Answer:
        """The same with validators; given those of a copy, the body is None when that is still the newest.

        A body that breaks off is gone on with by the next try where the server can; `part` keeps what came for the
        next call, too.
        """
        part = Part() if part is None else part
        if self._root is None:
            self._root = uri
        headers = {name: value for name, value in (("If-None-Match", etag), ("If-Modified-Since", modified)) if value}
        asked = self._session.current(uri)
        try:
            return self._attempts(asked, headers, part)
        except _DeniedError as denied:
            if not self._renew(asked):
                raise denied.error from None
        try:
            return self._attempts(self._session.current(uri), headers, part)
        except _DeniedError as denied:
            raise denied.error from None

    def close(self) -> None:
        """Close connections; calling it twice is fine."""
        self._client.close()

    def _renew(self, uri: str) -> bool:
        """Ask the root for a new session; False when that has been done for the URI's session already."""
        root = self._root or uri
        if uris.host(uri) != uris.host(root):
            return False
        session = tuple(uris.query_of(uri))
        with self._lock:  # of several threads, one asks
            if self._session.current(uri) != uri:
                return True
            if session in self._asked or self._fruitless >= MAX_FRUITLESS:
                return False
            self._asked.add(session)
            try:
                document = self._attempts(root, {}, Part()).body
            except (CitySimError, _DeniedError):
                self._fruitless += 1
                return False
            self._session.learn(uri, root, document or b"")
            self._fruitless += self._session.current(uri) == uri
        return True

    def _attempts(self, uri: str, headers: Mapping[str, str], part: Part) -> Answer:
        import httpx

        shown = uris.plain(uri)
        failure, wait = "no answer", 0.0
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(max(wait, min(0.5 * 2 ** (attempt - 1), 8.0)))
            wait = 0.0
            try:
                status, answer = self._one(uri, headers, part)
            except httpx.InvalidURL as error:
                failure = str(error)[:80]
                break
            except httpx.HTTPError as error:
                failure = f"{type(error).__name__} {str(error)[:80]}".strip()
                continue
            finally:
                part.close()
            if isinstance(answer, Answer):
                part.drop()
                return answer
            if status in (404, 410):
                raise missing(shown, "the web")
            failure, wait = f"HTTP status {status}", answer
            if status in EXPIRED:
                raise _DeniedError(_failed(shown, failure))
            if status not in RETRY_STATUS:
                break
        raise _failed(shown, failure)

    def _one(self, uri: str, headers: Mapping[str, str], part: Part) -> "tuple[int, Answer | float]":
        """Status, and the answer or the seconds that the server wants to be left alone."""
        import httpx

        if part.validator and part.data:
            rest = {"Range": f"bytes={len(part.data)}-", "If-Range": part.validator, "Accept-Encoding": "identity"}
            headers = {**headers, **rest}
        for _ in range(MAX_HOPS):
            url = httpx.URL(uri)
            if self.params and uris.host(uri) == uris.host(self._root or uri):
                extra = {name: value for name, value in self.params.items() if name not in url.params}
                url = url.copy_merge_params(extra) if extra else url
            with self._client.stream("GET", url, headers=dict(headers)) as reply:
                if reply.status_code in REDIRECTS:
                    uri = self._redirect(uri, reply.headers.get("location", ""))
                    continue
                validators = reply.headers.get("etag", ""), reply.headers.get("last-modified", "")
                if reply.status_code == 304 and headers:
                    return 304, Answer(None, *validators)
                if reply.status_code == 416:  # the part is as long as the whole now
                    part.drop()
                    return 408, 0.0
                if reply.status_code != 200 and not (reply.status_code == 206 and "Range" in headers):
                    return reply.status_code, _retry_after(reply.headers.get("retry-after", ""))
                if reply.status_code == 200:
                    part.begin(_validator(reply))
                elif not reply.headers.get("content-range", "").startswith(f"bytes {len(part.data)}-"):
                    part.drop()
                    return 408, 0.0
                body = self._body(reply, uri, part)
                whole = reply.headers.get("content-range", "").rpartition("/")[2]
                if whole.isdecimal() and int(whole) != len(body):
                    part.drop()
                    return 408, 0.0
                return 200, Answer(body, *validators)
        raise _failed(uris.plain(uri), f"more than {MAX_HOPS} redirects")

    def _redirect(self, uri: str, location: str) -> str:
        """Where a redirect leads; only elsewhere on the same host (a plain connection may become a secure one)."""
        try:
            target = uris.join(uri, location) if location else ""
        except FormatError:
            target = ""
        downgraded = uri.lower().startswith("https:") and not target.lower().startswith("https:")
        if not target or uris.host(target).partition(":")[0] != uris.host(uri).partition(":")[0] or downgraded:
            shown = uris.host(target) if target else "nowhere"
            raise _failed(uris.plain(uri), f"a redirect to {shown}, another host than the tileset's")
        return target

    def _body(self, reply: "httpx.Response", uri: str, part: Part) -> bytes:
        """The whole body, the part before it included."""
        import httpx

        end = time.monotonic() + self._deadline_s
        for piece in reply.iter_bytes():
            part.add(piece)
            if len(part.data) > self._max_body:
                part.drop()
                raise _failed(uris.plain(uri), f"more than {self._max_body} bytes")
            if time.monotonic() > end:
                raise httpx.ReadTimeout(f"not complete after {self._deadline_s:g} s")
        return bytes(part.data)


class _DeniedError(Exception):
    """Access refused: perhaps the session has expired."""

    def __init__(self, error: StorageError) -> None:
        super().__init__(str(error))
        self.error = error


def _failed(shown: str, failure: str) -> StorageError:
    return StorageError(f"the tile data '{shown}'", failure, "checking the address, the key and the connection")


def _validator(reply: "httpx.Response") -> str:
    """What the rest of a body can be asked for with, "" where that is not safe: RFC 9110, 13.1.5."""
    if reply.headers.get("content-encoding", "identity") != "identity":
        return ""
    etag = reply.headers.get("etag", "")
    return reply.headers.get("last-modified", "") if not etag else "" if etag.startswith("W/") else etag


def _retry_after(value: str) -> float:
    """Seconds of a Retry-After header (its date form counts as none), at most MAX_WAIT_S."""
    return min(float(value), MAX_WAIT_S) if value.isdecimal() else 0.0
