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


def request_spheres(tiles: "Sequence[Tile]") -> NDArray[np.float64]:
    """(N, 4) centre and radius of the sphere that a viewer must be in for a tile to be wanted, radius inf for none."""
    nowhere = (0.0, 0.0, 0.0, np.inf)
    return np.array([nowhere if t.request is None else t.request for t in tiles], dtype=np.float64).reshape(-1, 4)
