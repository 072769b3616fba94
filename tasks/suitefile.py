"""Suites as files: a header line, then one instance a line."""

import json
from pathlib import Path

from citysim.city.checks import strict_json
from citysim.errors import FormatError, StorageError
from citysim.storage import write_atomic
from citysim.tasks.suite import Instance, Suite

SCHEMA = "citysim.suite/1"


def write_suite(path: Path, suite: Suite) -> None:
    """Write a suite; equal suites give equal bytes."""
    header = {"schema": SCHEMA, "suite": suite.name, "version": suite.version, "instances": len(suite.instances)}
    lines = [header, *(instance.to_json() for instance in suite.instances)]
    write_atomic(path, "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines))


def read_suite(path: Path) -> Suite:
    """Read a suite back; raises StorageError for a file that cannot be read, FormatError for what is no suite."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StorageError("a suite's file", f"'{path}' ({type(error).__name__})", "citysim suite build") from None
    try:
        header, *rows = (strict_json(line) for line in lines if line.strip())
        if not isinstance(header, dict) or header.get("schema") != SCHEMA or header.get("instances") != len(rows):
            raise ValueError("another header or number of lines")
        name, version = str(header["suite"]), str(header["version"])
    except (ValueError, KeyError) as error:
        raise FormatError(f"a suite of schema {SCHEMA}", f"'{path}' ({error})", "citysim suite build") from None
    return Suite(name, version, tuple(Instance.from_json(row) for row in rows))
