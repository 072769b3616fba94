"""What commands print: lines for people, or one JSON object."""

import json
import logging
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any


def emit(value: Any, lines: Sequence[str], *, as_json: bool = False, quiet: bool = False) -> None:
    """Print the value as JSON when asked for, else the lines unless quiet."""
    if as_json:
        print(json.dumps(value, ensure_ascii=False, indent=2, default=str))
    elif not quiet:
        print("\n".join(lines))


def table(header: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Plain aligned columns; numbers to the right."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    numeric = [bool(rows) and all(isinstance(row[i], int | float) for row in rows) for i in range(len(header))]
    return [
        "  ".join(c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric, strict=True)).rstrip()
        for row in cells
    ]


def fields(values: Mapping[str, Any]) -> list[str]:
    """One line a value that says something; tables and lists in words."""
    lines = []
    for key, value in values.items():
        if value in ("", {}, [], None):
            continue
        if key == "bytes":
            value = megabytes(int(value))
        elif isinstance(value, Mapping):
            value = ", ".join(f"{name} {amount}" for name, amount in value.items())
        elif isinstance(value, list | tuple):
            value = ", ".join(map(str, value))
        lines.append(f"{key.replace('_', ' '):<18} {value}")
    return lines


def starred(rows: Sequence[Sequence[Any]]) -> list[str]:
    """The legend of a star, where a row has one."""
    return ["* privileged: told what a person would not know"] if any("*" in str(row[0]) for row in rows) else []


@contextmanager
def stages(silent: bool) -> Iterator[None]:
    """While this is open, long builds say on stderr what they are doing: in one changing line on a terminal."""
    logger = logging.getLogger("citysim")
    live = sys.stderr is not None and sys.stderr.isatty()
    handler = _Stages(live)
    if not silent:
        logger.addHandler(handler)
        logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        if live and handler.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Stages(logging.Handler):
    """Shows log records: every one on a terminal, elsewhere only those that announce a long build."""

    def __init__(self, live: bool) -> None:
        super().__init__(logging.INFO)
        self.live, self.shown = live, False

    def emit(self, record: logging.LogRecord) -> None:
        if self.live:
            self.shown = True
            print(f"\r\x1b[K{record.getMessage()}", end="", file=sys.stderr, flush=True)
        elif getattr(record, "headline", False):
            print(record.getMessage(), file=sys.stderr, flush=True)


def megabytes(size: int) -> str:
    """A byte count for people."""
    return f"{size / 1e6:.1f} MB"
