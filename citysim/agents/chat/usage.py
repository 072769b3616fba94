"""Usage: what one episode cost in calls, tokens, seconds and dollars."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from citysim.city.checks import is_number


@dataclass(slots=True)
class Usage:
    """Counters of one episode. `waits` are answers of a rate limit or a fault of the server that were waited out."""

    calls: int = 0
    replayed: int = 0
    malformed: int = 0
    waits: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    model_s: float = 0.0
    cost_usd: float = 0.0

    def add(self, told: Any, price_in: float, price_out: float) -> None:
        """Count the `usage` object of an answer; what the endpoint says it cost goes before the prices."""
        told = told if isinstance(told, Mapping) else {}
        tokens_in, tokens_out = (_count(told.get(key)) for key in ("prompt_tokens", "completion_tokens"))
        self.prompt_tokens += tokens_in
        self.completion_tokens += tokens_out
        cost = told.get("cost")
        priced = (tokens_in * price_in + tokens_out * price_out) / 1e6
        self.cost_usd += float(cost) if is_number(cost) else priced

    def to_json(self) -> dict[str, float]:
        """The counters by name."""
        return {name: round(value, 6) for name, value in asdict(self).items()}


def _count(value: Any) -> int:
    return int(value) if is_number(value) and value > 0 else 0
