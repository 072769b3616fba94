"""Files that are never seen half-written, cache folders, canonical JSON and hashes."""

import errno
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from citysim.errors import StorageError


def cache_dir() -> Path:
    """Folder for derived data: `$CITYSIM_CACHE`, else the user's cache folder (not created here)."""
    override = os.environ.get("CITYSIM_CACHE")
    if override:
        return Path(override)
    import platformdirs

    return Path(platformdirs.user_cache_dir("citysim"))


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces and no NaN: equal values give equal bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def sha256_hex(data: bytes | str) -> str:
    """SHA-256 of bytes or of UTF-8 text, as hexadecimal."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def write_atomic(path: Path, data: bytes | str, *, durable: bool = True) -> None:
    """Write a whole file under its final name or not at all.

    Without `durable` the disk is not waited for: the file outlives its process, but perhaps not the machine. Raises
    StorageError when the folder cannot be written or the disk is full.
    """
    raw = data.encode() if isinstance(data, str) else data
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as handle:
            temporary = handle.name
            handle.write(raw)
            handle.flush()
            if durable:
                os.fsync(handle.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise unwritable(path, error) from None
    except BaseException:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise


@contextmanager
def folder_atomic(path: Path, *, replace: bool = False) -> Iterator[Path]:
    """Yield an empty sibling folder that becomes `path` when the block succeeds and vanishes when it fails.

    An existing non-empty `path` is kept untouched until the end and is an error unless `replace`.
    Raises StorageError for an unwritable place, a full disk, or an existing folder.
    """
    if path.exists() and not replace and (not path.is_dir() or any(path.iterdir())):
        raise StorageError(
            "an output folder that does not exist yet or is empty", f"'{path}'", "another -o or removing it"
        )
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
        os.chmod(temporary, 0o755)
        yield temporary
        _put_in_place(temporary, path)
    except StorageError:
        raise
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        if temporary is not None and temporary.exists():
            shutil.rmtree(temporary, ignore_errors=True)


def _put_in_place(made: Path, path: Path) -> None:
    """Give a finished folder its name. What had the name is renamed first and removed last, so that a kill in between
    never loses both; another process doing the same at this moment is taken turns with.
    """
    for _ in range(20):
        aside = made.with_name(f"{made.name}.old")
        with suppress(FileNotFoundError):
            os.rename(path, aside)
        try:
            os.rename(made, path)
            shutil.rmtree(aside, ignore_errors=True)
            return
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                if aside.exists() and not path.exists():
                    os.rename(aside, path)
                raise
            shutil.rmtree(aside, ignore_errors=True)
    raise OSError(errno.EBUSY, "another process keeps writing there")


def unwritable(path: Path, error: OSError) -> StorageError:
    """The StorageError for an OSError met while writing `path`."""
    reason = error.strerror or type(error).__name__
    return StorageError(
        "a writable place with free space", f"'{path}' ({reason})", "another output folder or freeing disk space"
    )
