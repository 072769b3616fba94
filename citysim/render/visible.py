"""Which objects a label picture shows: how many pixels of each, and where."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError


class VisibleObject(NamedTuple):
    """An object in a picture: its id, how many pixels show it, and their box, half-open in pixels."""

    id: int
    pixels: int
    x0: int
    y0: int
    x1: int
    y1: int


def visible_objects(labels: NDArray[np.int32] | None) -> list[VisibleObject]:
    """The objects of (H, W) int32 labels, 0 left out, most pixels first and by id among equals.

    Raises InputError for None: a frame drawn without labels.
    """
    if labels is None:
        raise InputError("a frame with labels", "one without", "View(..., labels=True)")
    height, width = labels.shape
    # Runs of equal labels first: a street picture has about one run for every ten pixels.
    flat = np.ascontiguousarray(labels).reshape(-1)
    starts = np.empty(flat.shape, dtype=np.bool_)
    starts[:1] = True
    np.not_equal(flat[1:], flat[:-1], out=starts[1:])
    starts.reshape(height, width)[:, 0] = True
    first = np.flatnonzero(starts)
    ids = flat[first]
    seen = np.flatnonzero(ids)
    if not len(seen):
        return []
    lengths = np.diff(first, append=flat.size)[seen]
    y, x0 = np.divmod(first[seen], width)
    names, index = np.unique(ids[seen], return_inverse=True)
    counts = np.zeros(len(names), dtype=np.int64)
    low_x, low_y = np.full(len(names), width), np.full(len(names), height)
    high_x, high_y = np.zeros(len(names), dtype=np.int64), np.zeros(len(names), dtype=np.int64)
    np.add.at(counts, index, lengths)
    np.minimum.at(low_x, index, x0)
    np.minimum.at(low_y, index, y)
    np.maximum.at(high_x, index, x0 + lengths)
    np.maximum.at(high_y, index, y + 1)
    rows = zip(names, counts, low_x, low_y, high_x, high_y, strict=True)
    found = [VisibleObject(*map(int, row)) for row in rows]
    return sorted(found, key=lambda thing: (-thing.pixels, thing.id))
