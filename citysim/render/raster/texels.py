"""Texels: the mip chains in use, at fixed places of one array; files of the cache are mapped into it, not copied.

A large piece of address space is reserved, which costs nothing until it is touched. A cached chain is mapped over its
pages, so that all processes on a machine share one copy; where that is not possible the chain is copied there.
"""

import ctypes
import mmap
import os
import struct
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city.cache import replace_file
from citysim.render.raster.layout import Array

PAGE = max(mmap.PAGESIZE, 4096)
MAGIC, VERSION = b"citysim texels", 3
HEAD = struct.Struct("<14s2xIIIIQ")  # magic, version, log2 width, log2 height, checksum, texels
MOST_BYTES = 8 << 30  # places are int32 texels
WHITE_TEXELS = 4
_FIXED = getattr(mmap, "MAP_FIXED", 0x10)  # Linux and macOS agree


class Chain(NamedTuple):
    """The levels of one texture, one after the other, (N,) uint32, each with its border; its finest level's sides."""

    log_width: int
    log_height: int
    texels: Array


def level_starts(log_width: int, log_height: int) -> list[int]:
    """Where each level of a chain begins, and in the end how long it is."""
    starts = [0]
    for level in range(max(log_width, log_height) + 1):
        width, height = 1 << max(log_width - level, 0), 1 << max(log_height - level, 0)
        starts.append(starts[-1] + (width + 1) * (height + 1))
    return starts


class TexelStore:
    """`texels` is what kernels read; `put` finds a place for a chain, `drop` gives it back. Texels 0 to 3 are white."""

    def __init__(self, budget: int) -> None:
        self._space = _reserved(min(max(4 * budget, 1 << 30), MOST_BYTES))
        self.texels: NDArray[np.uint32] = np.frombuffer(self._space, dtype=np.uint32)
        self.texels[:WHITE_TEXELS] = 0xFFFFFFFF
        self._used: dict[int, int] = {0: PAGE}  # first byte -> bytes, whole pages, in order
        self.nbytes = 0

    def put(self, chain: Chain) -> int:
        """Copy a chain in; the place of its first texel. Raises MemoryError when address space runs out."""
        at = self._place(4 * len(chain.texels))
        self.texels[at // 4 : at // 4 + len(chain.texels)] = chain.texels
        return at // 4

    def map(self, path: Path) -> tuple[int, int, int] | None:
        """Map a file of `save`: place, log2 width, log2 height; None when there is no sound one or no way to map it."""
        try:
            with open(path, "rb") as handle:
                head = HEAD.unpack(handle.read(HEAD.size))
                magic, version, log_width, log_height, checksum, count = head
                sound = magic == MAGIC and version == VERSION and max(log_width, log_height) < 16
                if not sound or count != level_starts(log_width, log_height)[-1]:
                    return None
                if os.fstat(handle.fileno()).st_size != PAGE + _pages(4 * count):
                    return None
                at = self._place(4 * count)
                if not _map_over(self.texels.ctypes.data + at, _pages(4 * count), handle.fileno()):
                    self.drop(at // 4)
                    return None
        except (OSError, struct.error, ValueError):
            return None
        if zlib.crc32(self.texels[at // 4 : at // 4 + count].data) != checksum:
            self.drop(at // 4)
            return None
        _forget_pages(self.texels.ctypes.data + at, _pages(4 * count))
        return at // 4, log_width, log_height

    def drop(self, first: int) -> None:
        """Give back the place of a chain, and its memory."""
        size = self._used.pop(4 * first)
        self.nbytes -= size
        _map_over(self.texels.ctypes.data + 4 * first, size, -1)

    def _place(self, size: int) -> int:
        """The first gap that is large enough; its first byte."""
        size, end = _pages(size), 0
        for first, taken in self._used.items():
            if first - end >= size:
                break
            end = first + taken
        if end + size > len(self._space):
            raise MemoryError(f"no room for {size} bytes of texels")
        self._used[end] = size
        self._used = dict(sorted(self._used.items()))
        self.nbytes += size
        return end


def save(path: Path, chain: Chain) -> bool:
    """Write a chain for `map`, in one step; False where that is not possible."""
    count = len(chain.texels)
    data = chain.texels.astype("<u4", copy=False).tobytes()
    head = HEAD.pack(MAGIC, VERSION, chain.log_width, chain.log_height, zlib.crc32(data), count)
    return replace_file(path, head.ljust(PAGE, b"\0") + data.ljust(_pages(len(data)), b"\0"))


def _pages(size: int) -> int:
    return -(-size // PAGE) * PAGE


def _reserved(size: int) -> mmap.mmap:
    """Address space of this size, or of less where the system does not give so much."""
    flags = {}
    if hasattr(mmap, "MAP_ANONYMOUS"):
        flags["flags"] = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
    while True:
        try:
            return mmap.mmap(-1, size, **flags)
        except (OSError, ValueError, OverflowError):
            if size <= 64 << 20:
                raise
            size //= 2


def _forget_pages(address: int, size: int) -> None:
    """Give back what the check alone has touched of a mapped file: pictures come back to what they need of it."""
    advise = getattr(ctypes.CDLL(None), "madvise", None)
    if advise is not None and hasattr(mmap, "MADV_DONTNEED"):
        advise.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        advise(address, size, mmap.MADV_DONTNEED)


def _map_over(address: int, size: int, file: int) -> bool:
    """Replace pages by those of a file after its first one, or by fresh ones for -1; whether that was possible."""
    if os.name != "posix" or struct.calcsize("P") != 8:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    call = libc.mmap
    call.restype = ctypes.c_void_p
    call.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    if file < 0:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | getattr(mmap, "MAP_NORESERVE", 0)
        found = call(address, size, mmap.PROT_READ | mmap.PROT_WRITE, flags | _FIXED, -1, 0)
    else:
        found = call(address, size, mmap.PROT_READ, mmap.MAP_SHARED | _FIXED, file, PAGE)
    return bool(found == address)
