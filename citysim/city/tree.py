"""Questions about the tile tree as a whole, answered in one pass: parents come before children."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from citysim.city.model import Tile


def covered_below(tiles: "Sequence[Tile]") -> NDArray[np.bool_]:
    """(N,) whether something below a tile has content."""
    below = np.zeros(len(tiles), dtype=np.bool_)
    for tile in reversed(tiles):
        if tile.parent >= 0 and (tile.has_content or below[tile.index]):
            below[tile.parent] = True
    return below


def finest_tiles(tiles: "Sequence[Tile]") -> tuple[int, ...]:
    """Indexes of the tiles that together show everything at the finest level."""
    below = covered_below(tiles)
    return tuple(t.index for t in tiles if t.has_content and not (t.refine == "REPLACE" and below[t.index]))
