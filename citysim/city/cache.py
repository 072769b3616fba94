"""Decoded data on disk: written whole, checked when read, rebuilt when damaged, shared by processes."""

import contextlib
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from citysim import storage
from citysim.city.chunks import pack, pack_pixels, unpack, unpack_pixels
from citysim.city.model import Chunk

V = TypeVar("V")
Bytes = NDArray[np.uint8]
DECODER = 4  # raise when decoding changes, so that old entries are not used


class ChunkCache:
    """The cache of one city; a cache that cannot be written only costs time."""

    def __init__(self, key: str) -> None:
        self.folder = storage.cache_dir().absolute() / "chunks" / f"{key[:32]}-{DECODER}"

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
        return self._entry(name, make, pack, unpack)

    def pixels(self, name: str, make: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
        """The texture `name`, (H, W, 4) uint8, memory-mapped; `make` decodes it when there is no sound entry."""
        return self._entry(name, make, pack_pixels, unpack_pixels)

    def hint(self, name: str) -> bool:
        """Have the system read the entry `name` ahead, in the background, where it can; False when there is none."""
        try:
            handle = os.open(self.folder / f"{name}.npy", os.O_RDONLY)
        except OSError:
            return False
        try:
            if hasattr(os, "posix_fadvise"):
                with contextlib.suppress(OSError):
                    os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_WILLNEED)
        finally:
            os.close(handle)
        return True

    def text(self, name: str) -> str | None:
        """The text entry `name`, None when there is none that is as it was written."""
        try:
            digest, _, data = (self.folder / name).read_bytes().partition(b"\n")
        except OSError:
            return None
        return data.decode() if digest == storage.sha256_hex(data).encode() else None

    def keep_text(self, name: str, text: str) -> None:
        """Keep a text entry, with its hash on a line of its own before it."""
        data = text.encode()
        replace_file(self.folder / name, storage.sha256_hex(data).encode() + b"\n" + data)

    def _entry(
        self, name: str, make: Callable[[], V], pack: Callable[[V], Bytes], unpack: Callable[[Bytes], V | None]
    ) -> V:
        """What an entry holds, else what `make` makes, kept for the next time where that is possible.

        `unpack` answers None for bytes that are not those of `pack`.
        """
        path = self.folder / f"{name}.npy"
        found = _read(path, unpack)
        if found is not None:
            return found
        made = make()
        found = _read(path, unpack) if _write(path, pack(made)) else None
        return made if found is None else found


def _read(path: Path, unpack: Callable[[Bytes], V | None]) -> V | None:
    """The array of a .npy file, memory-mapped read-only and unpacked; None when missing, empty or damaged."""
    try:
        array: Bytes = np.load(path, mmap_mode="r", allow_pickle=False)
        # a plain view: indexing a memmap object costs microseconds each time
        return unpack(array.view(np.ndarray)) if array.size else None
    except Exception:  # a broken header can raise anything: it is parsed as Python's literals
        return None


def _write(path: Path, array: NDArray[np.uint8]) -> bool:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return replace_file(path, buffer.getvalue())


def replace_file(path: Path, data: bytes) -> bool:
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
