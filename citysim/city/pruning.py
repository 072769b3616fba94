"""Pruning: the cache of decoded cities stays within a budget; those used longest ago go."""

import contextlib
import math
import os
import shutil
import time
from pathlib import Path

from citysim.errors import InputError
from citysim.storage import cache_dir

DEFAULT_GB = 20.0
KINDS = ("chunks", "texels")  # one folder a city in each; whatever is missing is made again from the city
IN_USE_S = 3600.0  # who was opened within so many seconds may be walked in by another process: it stays


def budget_bytes() -> float:
    """Bytes that decoded cities may take: `$CITYSIM_CACHE_GB` times 10^9, 20 where it is not set; inf for "none".

    Raises InputError for anything but a number of 0 or more, or "none".
    """
    text = os.environ.get("CITYSIM_CACHE_GB", "").strip().lower()
    if text == "none":
        return math.inf
    try:
        gigabytes = float(text) if text else DEFAULT_GB
    except ValueError:
        gigabytes = math.nan
    if not (math.isfinite(gigabytes) and gigabytes >= 0.0):
        raise InputError("gigabytes, 0 or more, in CITYSIM_CACHE_GB, or 'none'", f"'{text}'", "CITYSIM_CACHE_GB=20")
    return gigabytes * 1e9


def note_use(folder: Path) -> bool:
    """Remember that the cache of a city is used now; whether there is one."""
    try:
        os.utime(folder)
    except OSError:
        return False
    return True


def prune(budget: float, in_use_s: float = IN_USE_S) -> int:
    """Remove what was used longest ago until decoded cities take at most `budget` bytes; gives the bytes freed.

    A process that still reads what goes keeps what it has mapped and decodes the rest again: only time is lost.
    """
    root, now = cache_dir(), time.time()
    entries: list[tuple[float, str, int]] = []
    for kind in KINDS:
        with contextlib.suppress(OSError):
            for folder in sorted((root / kind).iterdir()):
                with contextlib.suppress(OSError):
                    entries.append((folder.stat().st_mtime, str(folder), size_of(folder)))
    total, freed = sum(size for _, _, size in entries), 0
    for used, name, size in sorted(entries):
        if total - freed <= budget or now - used < in_use_s:
            break
        if remove(Path(name)):
            freed += size
    return freed


def remove(folder: Path) -> bool:
    """Remove a folder of the cache, which nobody sees by halves; False where that is not allowed."""
    aside = folder.parent.parent / f".gone-{os.getpid()}-{folder.name}"
    try:
        os.rename(folder, aside)
    except OSError:
        return False
    shutil.rmtree(aside, ignore_errors=True)
    return True


def size_of(folder: Path) -> int:
    """Bytes of all files under a folder; those that vanish meanwhile do not count."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.stat().st_size if path.is_file() else 0
    return total
