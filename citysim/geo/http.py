"""Tiles from the web."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from citysim.errors import StorageError
from citysim.geo.store import missing

if TYPE_CHECKING:
    import httpx

RETRY_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504})


class HttpSource:
    """Reads absolute http(s) URIs with retries; `params` (an API key) go with every request that lacks them.

    `transport` replaces the network in tests; `sleep` replaces waiting.
    """

    def __init__(
        self,
        *,
        params: dict[str, str] | None = None,
        timeout_s: float = 60.0,
        attempts: int = 4,
        transport: "httpx.BaseTransport | None" = None,
        sleep: Callable[[float], Any] = time.sleep,
    ) -> None:
        import httpx

        self.params, self.attempts, self.sleep = dict(params or {}), max(1, attempts), sleep
        self._client = httpx.Client(
            timeout=timeout_s, transport=transport, follow_redirects=True, headers={"User-Agent": "citysim"}
        )

    def read(self, uri: str) -> bytes:
        """Body of one resource; raises StorageError naming the URI (without its query) when it cannot be had."""
        import httpx

        shown = uri.partition("?")[0]
        failure = "no answer"
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(min(0.5 * 2 ** (attempt - 1), 8.0))
            try:
                url = httpx.URL(uri)
                extra = {name: value for name, value in self.params.items() if name not in url.params}
                answer = self._client.get(url.copy_merge_params(extra) if extra else url)
            except httpx.InvalidURL as error:
                failure = str(error)[:80]
                break
            except httpx.HTTPError as error:
                failure = f"{type(error).__name__} {str(error)[:80]}".strip()
                continue
            if answer.status_code == 200:
                return answer.content
            if answer.status_code in (404, 410):
                raise missing(shown, "the web")
            failure = f"HTTP status {answer.status_code}"
            if answer.status_code not in RETRY_STATUS:
                break
        raise StorageError(f"the tile data '{shown}'", failure, "checking the address, the key and the connection")

    def close(self) -> None:
        """Close connections; calling it twice is fine."""
        self._client.close()
