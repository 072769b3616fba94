"""What commands print: lines for people, or one JSON object."""

import json
from collections.abc import Sequence
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


def megabytes(size: int) -> str:
    """A byte count for people."""
    return f"{size / 1e6:.1f} MB"
