"""Terms: what a known service wants to be said about its data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Terms:
    """What a known service asks to be said, and the share of its tiles that may be missing."""

    licence: str
    attribution: str
    most_missing: float = 1.0
