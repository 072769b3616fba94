"""check_target: whether a city package may be written somewhere, asked before any work is done."""

import json
import os
import tempfile
from pathlib import Path

from citysim.city.manifest import SCHEMA
from citysim.errors import StorageError
from citysim.storage import unwritable

ADVICE = "another -o"
OWN = {"city.json", "digests.json"}


def check_target(out: Path) -> None:
    """Raise StorageError unless `out` can become a package without losing anything.

    It may be absent, an empty folder, or a city package that holds nothing but its own files (which is replaced); it
    may not lie inside another package, and its folder must be writable.
    """
    try:
        absolute = out.absolute()
        present = absolute.exists()
        if present and (not absolute.is_dir() or any(absolute.iterdir())):
            _check_replaceable(absolute)
        for parent in absolute.parents:
            if (parent / "city.json").is_file():
                raise StorageError("an output folder outside other city packages", f"'{out}' in '{parent}'", ADVICE)
        nearest = next(parent for parent in absolute.parents if parent.exists())
        os.rmdir(tempfile.mkdtemp(dir=nearest, prefix=f".{absolute.name}."[:200]))
        if len(os.fsencode(absolute.name)) > 200:
            raise StorageError("a folder name of at most 200 bytes", f"{len(absolute.name)} characters", ADVICE)
    except StorageError:
        raise
    except OSError as error:
        raise unwritable(out, error) from None


def check_folder(folder: Path) -> None:
    """Raise StorageError unless files can be written into `folder`, which may be absent."""
    try:
        absolute = folder.absolute()
        if absolute.exists() and not absolute.is_dir():
            raise StorageError("a folder", f"the file '{folder}'", "another --stages")
        nearest = next(place for place in (absolute, *absolute.parents) if place.exists())
        os.rmdir(tempfile.mkdtemp(dir=nearest, prefix=".citysim."))
    except StorageError:
        raise
    except OSError as error:
        raise unwritable(folder, error) from None


def _check_replaceable(out: Path) -> None:
    """Refuse what is no package, or a package with files that are not its own."""
    try:
        if json.loads((out / "city.json").read_bytes())["schema"] != SCHEMA:
            raise ValueError
        own = OWN | set(json.loads((out / "digests.json").read_bytes())["files"])
    except (OSError, ValueError, KeyError, TypeError):
        raise StorageError(
            "an output folder that is empty, absent or a city package", f"'{out}'", ADVICE
        ) from None  # fmt: skip
    for folder, _, names in os.walk(out):
        for name in names:
            inside = Path(folder, name).relative_to(out).as_posix()
            if inside not in own:
                raise StorageError("a city package with nothing else in it", f"'{inside}' in '{out}'", ADVICE)
