"""Endpoint: one chat completion over HTTP, with waiting, deadlines and a key that is never shown."""

import datetime as dt
import email.utils
import json
import time
from collections.abc import Callable
from typing import Any

from citysim.agents.chat.cassette import Cassette
from citysim.agents.chat.usage import Usage
from citysim.agents.chat.wire import Message, request_key, sent
from citysim.agents.options import AgentOptions
from citysim.errors import CitySimError
from citysim.tasks.text import encodable

WAITABLE = (408, 409, 429, 500, 502, 503, 504, 529)
"""HTTP statuses after which the same request may succeed."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
MOST_WAITS = 8
LONGEST_ANSWER = 2_000_000
"""Bytes of an answer that are read."""


class EndpointError(CitySimError):
    """Raised when no answer can be had: the episode is then unscored, not lost by the model."""


class Endpoint:
    """Asks `POST {base}/chat/completions`; answers come from the cassette where it holds them.

    Rate limits and faults of the server are waited out (Retry-After where given, else 1, 2, 4, … s) within the
    deadline. The key is read once and taken out of every text that comes back.
    """

    def __init__(
        self, options: AgentOptions, cassette: Cassette | None, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        """Raises InputError where the key is missing. `sleep` waits."""
        self.options, self._cassette, self._sleep = options, cassette, sleep
        self._key = options.api_key()
        self._client: Any = None

    def ask(self, body: Message, about: str, usage: Usage) -> dict[str, Any]:
        """The answer's JSON object; counts into `usage`. Raises EndpointError, or InputError for a cassette's miss."""
        key = request_key(body) if self._cassette is not None else ""
        if self._cassette is not None:
            found = self._cassette.find(key, about)
            if found is not None:
                usage.replayed += 1
                self._count(found, usage)
                return found
        begun = time.perf_counter()
        answer = self._post({**body, "messages": sent(body["messages"])}, begun, usage)
        usage.model_s += time.perf_counter() - begun
        self._count(answer, usage)
        if self._cassette is not None:
            self._cassette.keep(key, about, answer)
        return answer

    def close(self) -> None:
        """Give the connection back."""
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def _count(self, answer: dict[str, Any], usage: Usage) -> None:
        usage.calls += 1
        usage.add(answer.get("usage"), self.options.price_in, self.options.price_out)

    def _post(self, body: Message, begun: float, usage: Usage) -> dict[str, Any]:
        import httpx

        if self._client is None:
            headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
            self._client = httpx.Client(headers=headers)
        url, data = f"{self.options.endpoint}/chat/completions", json.dumps(body)
        wait = FIRST_WAIT_S
        for tried in range(MOST_WAITS + 1):
            left = self.options.deadline_s - (time.perf_counter() - begun)
            pause: float | None = None
            try:
                if left <= 0.0:
                    raise self._fault(f"no answer within {self.options.deadline_s:g} s", "a larger --deadline")
                status, text, pause = self._once(url, data, left)
            except httpx.HTTPError as error:
                status, text = 0, type(error).__name__
            if status == 200:
                return self._object(text)
            if status and status not in WAITABLE:
                raise self._fault(f"HTTP {status}: {text[:300]}", "the endpoint's address, key and model name")
            pause = min(wait, LONGEST_WAIT_S) if pause is None else pause
            left = self.options.deadline_s - (time.perf_counter() - begun)
            if tried == MOST_WAITS or pause >= left:
                told = f"HTTP {status}: {text[:300]}" if status else text
                raise self._fault(f"{told} after {tried + 1} tries", "citysim eval --resume later")
            usage.waits += 1
            self._sleep(pause)
            wait *= 2.0
        raise AssertionError("the loop ends by itself")

    def _once(self, url: str, data: str, left: float) -> tuple[int, str, float | None]:
        """(status, text, seconds to wait) of one try that ends with the deadline, however slowly bytes come."""
        import httpx

        until = time.perf_counter() + left
        headers = {"Content-Type": "application/json"}
        timeout = httpx.Timeout(left, connect=min(left, 20.0))
        with self._client.stream("POST", url, content=data, headers=headers, timeout=timeout) as answer:
            parts, size = [], 0
            for part in answer.iter_bytes():
                parts.append(part)
                size += len(part)
                if size > LONGEST_ANSWER:
                    raise self._fault(f"an answer of more than {LONGEST_ANSWER} bytes", "a smaller max_tokens")
                if time.perf_counter() > until:
                    raise httpx.ReadTimeout("the deadline passed")
            text = b"".join(parts).decode("utf-8", "replace")
            return int(answer.status_code), self._safe(text), _retry_after(answer.headers.get("retry-after"))

    def _object(self, text: str) -> dict[str, Any]:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or not isinstance(value.get("choices"), list):
            raise self._fault(f"{text[:200]!r}", "an OpenAI-compatible endpoint as --base-url")
        return value

    def _fault(self, found: str, advice: str) -> EndpointError:
        return EndpointError(f"a chat completion from {self.options.endpoint}", encodable(self._safe(found)), advice)

    def _safe(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


def _retry_after(value: str | None) -> float | None:
    """Seconds of a Retry-After header, given in seconds or as a date; None where there is none to be understood."""
    if value is None:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        at = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    at = at if at.tzinfo is not None else at.replace(tzinfo=dt.UTC)
    return max(0.0, (at - dt.datetime.now(dt.UTC)).total_seconds())
