"""Residents: which tiles a renderer holds, within a budget of memory."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk
from citysim.render.raster.arena import GeometryArena
from citysim.render.raster.textures import TextureArena

KEPT = 0.75  # share of the budget that is kept when it is exceeded, so that not every view has to make room


class Residents:
    """Loads tiles into the arenas and takes those out that were used longest ago, between views only.

    What the last view used is always kept, so that a view that is larger than the budget is drawn all the same.
    """

    def __init__(self, arena: GeometryArena, textures: TextureArena, budget: int) -> None:
        self._arena, self._textures, self._budget = arena, textures, budget
        self._view = 0
        self._last: dict[int, int] = {}  # tile -> last view that used it
        self._textures_of: dict[int, tuple[int, ...]] = {}
        self._present: list[int] = []  # the tiles of the last `ranges_of`, all loaded, and where they are
        self._ranges = np.zeros((0, 2), dtype=np.int32)

    def use(self, tile: int, load: Callable[[int], Chunk]) -> None:
        """Have a tile and its textures in the arenas; raises what `load` raises."""
        if not self._arena.loaded(tile):
            chunk = load(tile)
            self._textures_of[tile] = self._textures.require(chunk.materials)
            self._arena.add(tile, chunk)
        self._last[tile] = self._view

    def ranges_of(self, tiles: list[int], load: Callable[[int], Chunk]) -> NDArray[np.int32]:
        """Have these tiles, and their cluster ranges, (N, 2); the same tiles as last time cost nothing."""
        if tiles != self._present:
            self._note_use()
            for tile in tiles:
                self.use(tile, load)
            self._ranges = np.array([self._arena.range_of(t) for t in tiles], dtype=np.int32).reshape(-1, 2)
            self._present = tiles
        return self._ranges

    def next_view(self) -> None:
        """Begin a view: make room if there is too little."""
        if self._arena.nbytes + self._textures.nbytes > self._budget:
            self._note_use()
            self._make_room()
            self._present = []
        self._view += 1

    def _note_use(self) -> None:
        for tile in self._present:
            self._last[tile] = self._view

    def _make_room(self) -> None:
        tiles: set[int] = set()
        textures: set[int] = set()
        total = 0
        for tile in sorted(self._last, key=lambda tile: (-self._last[tile], tile)):
            more = set(self._textures_of[tile]) - textures
            total += self._arena.bytes_of(tile) + sum(map(self._textures.bytes_of, sorted(more)))
            if total > KEPT * self._budget and self._last[tile] < self._view:
                break
            tiles.add(tile)
            textures |= more
        self._arena.keep(tiles)
        self._textures.keep(textures)
        self._last = {tile: self._last[tile] for tile in tiles}
        self._textures_of = {tile: self._textures_of[tile] for tile in tiles}
