"""export: a run as tables (CSV, Parquet, JSON lines) or as a data set of trajectories (Minari)."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from citysim.errors import DependencyError, InputError, UnknownNameError
from citysim.runs.export_minari import write_minari
from citysim.runs.folder import RunFolder, jsonl
from citysim.storage import folder_atomic, write_atomic

FORMATS = ("csv", "parquet", "jsonl", "minari")
Row = dict[str, Any]
Cell = str | int | float | bool | None


def export(run: Path, out: Path, format: str) -> Path:
    """Write a finished run in another form and return `out`.

    csv, parquet and jsonl make a folder with the tables `episodes` and `steps` (a row an episode, a row an action; both
    have the episode's id, nested values are columns such as `metrics.spl` and `before.east`). minari makes a data set
    in the folder `out`. Raises UnknownNameError for another format, StorageError where `out` is in use, DependencyError
    without the extra [export], and what reading a run raises.
    """
    if format not in FORMATS:
        raise UnknownNameError.of("a format", format, FORMATS)
    folder = RunFolder(run)
    if format == "minari":
        return write_minari(folder, out)
    episodes, steps = tables(folder)
    with folder_atomic(out) as made:
        for name, rows in (("episodes", episodes), ("steps", steps)):
            write_atomic(made / f"{name}.{format}", WRITERS[format](rows))
    return out


def tables(folder: RunFolder) -> tuple[list[Row], list[Row]]:
    """(episodes, steps) as flat rows; a run's agent, suite and seed stand in each episode's row."""
    manifest, lines, instances = folder.finished_run()
    episodes, steps = [], []
    for line in lines:
        instance = instances[line["id"]]
        known = {
            "city": instance.city, "instruction": instance.instruction, "radius_m": instance.radius_m,
            "privileged": bool(manifest["agent"]["privileged"]), "physics": manifest["physics"],
            "renderer": manifest["renderer"], "suite_sha256": manifest["suite"]["sha256"],
        }  # fmt: skip
        episodes.append(flat({**line, **known}))
        for record in folder.steps(line["id"]):
            value = record.to_json()
            steps.append({"id": line["id"], **flat(value | {"action": jsonl([value["action"]]).strip()})})
    return _even(episodes), _even(steps)


def flat(value: Row, prefix: str = "") -> Row:
    """Nested mappings as keys with dots; lists as JSON text, so that a column has one type."""
    row: Row = {}
    for key, part in value.items():
        if isinstance(part, dict):
            row |= flat(part, f"{prefix}{key}.")
        else:
            row[f"{prefix}{key}"] = jsonl([part]).strip() if isinstance(part, list) else part
    return row


def _even(rows: Sequence[Row]) -> list[Row]:
    """Rows with the same columns in the same order; None where one has no such value."""
    columns = dict.fromkeys(key for row in rows for key in row)
    return [{key: row.get(key) for key in columns} for row in rows]


def csv_text(rows: Sequence[Row]) -> str:
    """RFC 4180 text with a header. Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    text = io.StringIO()
    if rows:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow(rows[0])
        writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return text.getvalue()


def _cell(value: Cell) -> Cell:
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def parquet_bytes(rows: Sequence[Row]) -> bytes:
    """One Parquet file, compressed with zstd; raises DependencyError, or InputError for columns of mixed types."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise DependencyError("the library pyarrow", "none", "pip install 'citysim[export]'") from None
    buffer = io.BytesIO()
    try:
        pq.write_table(pa.Table.from_pylist([_numeric(row) for row in rows]), buffer, compression="zstd")
    except pa.ArrowException as error:
        raise InputError("columns of one type each", str(error)[:200], "--format jsonl") from None
    return buffer.getvalue()


def _numeric(row: Row) -> Row:
    """Measures as floats throughout: JSON may write 0 and 0.5 in one column."""
    return {k: float(v) if isinstance(v, int) and not isinstance(v, bool) and "." in k else v for k, v in row.items()}


WRITERS: Mapping[str, Callable[[Sequence[Row]], str | bytes]] = {
    "csv": csv_text,
    "jsonl": jsonl,
    "parquet": parquet_bytes,
}
