"""What was left out or replaced while reading tiles."""

from collections.abc import Iterator


class Notices:
    """Collects short sentences in the order they were first said; each is kept once."""

    def __init__(self) -> None:
        self._said: dict[str, None] = {}

    def add(self, text: str) -> None:
        """Say something, once."""
        self._said.setdefault(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    def __len__(self) -> int:
        return len(self._said)
