"""Shelf: the textures of a draft, some of which are still being painted."""

from collections.abc import Callable, Iterator, MutableMapping
from concurrent.futures import Future
from typing import Any

import numpy as np

from citysim.build.aside import Aside
from citysim.build.picture import Texture, files_of
from citysim.errors import InputError

Files = tuple[bytes, bytes | None]


class Shelf(MutableMapping[str, Texture]):
    """Textures by key; those painted aside are waited for when they are asked for, or painted here if not yet begun."""

    def __init__(self, aside: Aside) -> None:
        self.aside = aside
        self._here: dict[str, Texture] = {}
        self._coming: dict[str, Future[tuple[Texture, Files | None]]] = {}
        self._work: dict[str, tuple[Callable[..., Texture], tuple[Any, ...]]] = {}
        self._files: dict[str, Files] = {}

    def paint(self, key: str, function: Callable[..., Texture], *args: Any) -> None:
        """Have `function(*args)` painted aside; see `Aside` for what it may be."""
        self._work[key] = function, args
        self._coming[key] = self.aside.submit(_painted, function, args, self.aside.elsewhere)

    def files(self, key: str) -> Files:
        """PNG of the picture, and of what glows in it (see `picture.glowing`) or None."""
        texture = self[key]
        if key not in self._files:
            self._files[key] = files_of(texture)
        return self._files[key]

    def __getitem__(self, key: str) -> Texture:
        if key in self._coming:
            future, (function, args) = self._coming[key], self._work[key]
            # what nobody has begun is done here: else this process would be idle while the other one is busy
            texture, files = _painted(function, args, False) if future.cancel() else future.result()
            self[key] = texture
            if files is not None:
                self._files[key] = files
        return self._here[key]

    def __setitem__(self, key: str, texture: Texture) -> None:
        _check(key, texture)
        self._coming.pop(key, None)
        self._work.pop(key, None)
        self._files.pop(key, None)
        self._here[key] = texture

    def __delitem__(self, key: str) -> None:
        del self._here[key]

    def __contains__(self, key: object) -> bool:
        return key in self._here or key in self._coming

    def __iter__(self) -> Iterator[str]:
        yield from [*self._here, *self._coming]

    def __len__(self) -> int:
        return len(self._here) + len(self._coming)


def _painted(function: Callable[..., Texture], args: tuple[Any, ...], pack: bool) -> tuple[Texture, Files | None]:
    """A texture, and with `pack` its files: packing, too, is done where it costs nobody time."""
    texture = function(*args)
    return texture, files_of(texture) if pack else None


def _check(key: str, made: Texture) -> None:
    height, width = made.pixels.shape[:2]
    if height & (height - 1) or width & (width - 1) or made.pixels.dtype != np.uint8:
        raise InputError("a uint8 texture with power-of-two sides", f"{key}: {made.pixels.shape}", "resizing it")
    if made.glow is not None and (made.glow.shape != (height, width) or made.glow.dtype != np.uint8):
        raise InputError(
            f"a glow as (H, W) uint8 like its picture, {height}x{width}",
            f"{key}: {made.glow.shape} {made.glow.dtype}",
            "one byte a texel",
        )
