"""AgentOptions: how an agent that talks to a model is to do it; small, frozen and picklable."""

import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from citysim.errors import InputError, UnknownNameError

OPENAI = "https://api.openai.com/v1"
CASSETTE_MODES = ("record", "replay")


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What `chat:MODEL` takes besides its name; other agents ignore it.

    `base_url` is the endpoint up to and without `/chat/completions`; `api_key_env` names the environment variable with
    the key (the key itself stands nowhere); `cassette` a file that answers are recorded in or replayed from;
    `max_images` and `max_turns` how many of the latest pictures and turns the model is shown; `json_mode` asks for a
    JSON object instead of a tool call; `reflect_every` lets it write a note to itself after so many actions (0: never);
    `retries` how often it is asked again after malformed output (UrbanGround's protocol: 2); `deadline_s` wall-clock
    seconds for one answer with all waiting for rate limits; `temperature` and `max_tokens` are sent where given (some
    endpoints refuse them); `price_in`, `price_out` dollars for a million tokens.
    """

    base_url: str = ""
    api_key_env: str = ""
    cassette: str = ""
    cassette_mode: str = "replay"
    max_images: int = 1
    max_turns: int = 20
    json_mode: bool = False
    reflect_every: int = 0
    retries: int = 2
    deadline_s: float = 300.0
    temperature: float | None = None
    max_tokens: int = 0
    price_in: float = 0.0
    price_out: float = 0.0

    def __post_init__(self) -> None:
        if self.cassette_mode not in CASSETTE_MODES:
            raise UnknownNameError.of("a cassette mode", self.cassette_mode, CASSETTE_MODES)
        counts = (self.max_images, self.reflect_every, self.retries, self.max_tokens)
        if min(counts) < 0 or self.max_turns < 1:
            raise InputError("counts of at least 0 and turns of at least 1", f"{self}", "--max-images 1")
        if not self.deadline_s > 0.0:
            raise InputError("a deadline of more than 0 s", f"{self.deadline_s}", "--deadline 300")
        if self.base_url:
            _check_url(self.base_url)

    @property
    def endpoint(self) -> str:
        """The base URL, OpenAI's where none is given."""
        return (self.base_url or OPENAI).rstrip("/")

    @property
    def replays(self) -> bool:
        """Whether answers come from a cassette alone."""
        return bool(self.cassette) and self.cassette_mode == "replay"

    def api_key(self) -> str:
        """The key, "" for an endpoint that needs none; raises InputError where the named variable is not set."""
        name = self.api_key_env or ("" if self.base_url else "OPENAI_API_KEY")
        if not name or self.replays:
            return ""
        key = os.environ.get(name, "").strip()
        if not key:
            advice = f"export {name}=…, or --base-url for an endpoint that needs none"
            raise InputError(f"an API key in the environment variable {name}", "none", advice)
        return key

    def to_json(self) -> dict[str, Any]:
        """What a manifest may tell: no path, and of the key not even its variable."""
        return {
            "base_url": self.endpoint,
            "cassette": self.cassette_mode if self.cassette else "",
            "max_images": self.max_images,
            "max_turns": self.max_turns,
            "json_mode": self.json_mode,
            "reflect_every": self.reflect_every,
            "retries": self.retries,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
        }


def _check_url(url: str) -> None:
    advice = "--base-url http://127.0.0.1:8000/v1"
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InputError("a URL as base URL", "one that cannot be read", advice) from None
    if parts.scheme not in ("http", "https") or not host:
        raise InputError("a base URL of http or https", f"{parts.scheme or 'no'} scheme", advice)
    if parts.username or parts.password or parts.query or parts.fragment:  # keys hide there, and it stands in manifests
        raise InputError("a base URL without a user, a query or a fragment", "one", "--api-key-env NAME for the key")
