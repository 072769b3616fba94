"""Session: query parameters that a service hands out in its top document, and what replaced expired ones."""

import json
from collections.abc import Iterator
from typing import Any

from citysim.errors import FormatError
from citysim.geo import uris


class Session:
    """Replaces expired values in URIs by those of the newest top document.

    Services such as Google's give the tilesets below their root a `session` that descendants inherit and that ends
    after some hours; documents read before still carry the old one.
    """

    def __init__(self) -> None:
        self._renewed: dict[tuple[str, str], str] = {}  # (name, expired value) -> value

    def current(self, uri: str) -> str:
        """The URI with expired values replaced; the same URI when there are none."""
        if not self._renewed or not uris.is_url(uri):
            return uri
        query = uris.query_of(uri)
        fresh = [(name, self._value(name, value)) for name, value in query]
        return uri if fresh == query else uris.with_query(uri, fresh)

    def learn(self, uri: str, root: str, document: bytes) -> None:
        """Take over the parameters that `document`, read again from `root`, gives its references, for `uri`'s."""
        given: dict[str, str] = {}
        for reference in _references(document):
            try:
                joined = uris.join(root, reference)
                if uris.host(joined) == uris.host(root):
                    given.update(uris.query_of(joined))
            except FormatError:
                continue
        for name, value in uris.query_of(uri):
            if given.get(name, value) != value:
                self._renewed[name, value] = given[name]

    def _value(self, name: str, value: str) -> str:
        seen = {value}
        while (name, value) in self._renewed:
            value = self._renewed[name, value]
            if value in seen:
                break
            seen.add(value)
        return value


def _references(document: bytes) -> Iterator[str]:
    """Every `uri` and `url` in a JSON document, none in anything else."""
    try:
        stack: list[Any] = [json.loads(document.decode("utf-8-sig"))]
    except (ValueError, RecursionError):
        return
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            for key in ("uri", "url"):
                if isinstance(value.get(key), str) and not value[key].startswith("data:"):
                    yield value[key]
            stack.extend(reversed(value.values()))
        elif isinstance(value, list):
            stack.extend(reversed(value))
