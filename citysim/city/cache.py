"""Decoded data on disk: written whole, checked when read, rebuilt when damaged, shared by processes."""

import contextlib
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim import storage
from citysim.city.chunks import pack, unpack
from citysim.city.model import Chunk

DECODER = 3  # raise when decoding changes, so that old entries are not used


class ChunkCache:
    """The cache of one city; a cache that cannot be written only costs time."""

    def __init__(self, key: str) -> None:
        self.folder = storage.cache_dir() / "chunks" / f"{key[:32]}-{DECODER}"

    @classmethod
    @contextlib.contextmanager
    def staged(cls) -> Iterator["ChunkCache"]:
        """A cache for a city whose key is not known yet: `adopt` gives it one, else it vanishes with the block."""
        cache = cls(f"new-{os.getpid()}-{os.urandom(4).hex()}")
        try:
            yield cache
        finally:
            shutil.rmtree(cache.folder, ignore_errors=True)

    def adopt(self, key: str) -> None:
        """Move a staged cache to its key; one that is there already stays."""
        with contextlib.suppress(OSError):
            os.rename(self.folder, ChunkCache(key).folder)

    def chunk(self, name: str, make: Callable[[], Chunk]) -> Chunk:
        """The chunk `name`, memory-mapped; `make` decodes it when there is no sound entry."""
        path = self.folder / f"{name}.npy"
        data = _mapped(path)
        found = None if data is None else unpack(data)
        if found is not None:
            return found
        made = make()
        packed = pack(made)
        if _write(path, packed):
            data = _mapped(path)
            found = None if data is None else unpack(data)
        return found if found is not None else made

    def pixels(self, name: str, make: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
        """The texture `name`, (H, W, 4) uint8, memory-mapped."""
        path = self.folder / f"{name}.npy"
        data = _mapped(path)
        if data is None or data.dtype != np.uint8 or data.ndim != 3 or data.shape[2] != 4:
            made = np.ascontiguousarray(make())
            data = _mapped(path) if _write(path, made) else None
            return made if data is None else data
        return data

    def hint(self, name: str) -> None:
        """Have the system read the entry `name` ahead, in the background, where it can."""
        if hasattr(os, "posix_fadvise"):
            with contextlib.suppress(OSError):
                handle = os.open(self.folder / f"{name}.npy", os.O_RDONLY)
                try:
                    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_WILLNEED)
                finally:
                    os.close(handle)

    def text(self, name: str) -> str | None:
        """The text entry `name`, None when there is none."""
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def keep_text(self, name: str, text: str) -> None:
        """Keep a text entry."""
        _replace(self.folder / name, text.encode())


def _mapped(path: Path) -> NDArray[np.uint8] | None:
    """The array of a .npy file, memory-mapped read-only; None when missing, empty or damaged."""
    try:
        array: NDArray[np.uint8] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError):
        return None
    # a plain view: indexing a memmap object costs microseconds each time
    return array.view(np.ndarray) if array.size else None


def _write(path: Path, array: NDArray[np.uint8]) -> bool:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return _replace(path, buffer.getvalue())


def _replace(path: Path, data: bytes) -> bool:
    """Put a file in place in one step (no fsync: a damaged entry is rebuilt); False when that is not possible."""
    temporary = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as handle:
            temporary = handle.name
            handle.write(data)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        return False
    return True
