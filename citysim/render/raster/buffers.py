"""Buffers: working memory kept between frames, grown when a picture or a scene needs more."""

import threading

import numpy as np

from citysim.render.raster.groups import GROUP, LINE_SIZE, ROW_SIZE
from citysim.render.raster.layout import BUCKETS, REC_SIZE, VERTICES, Array, Scratch, Target

FIRST_RECORDS = 4096
EIGHT = 8  # spare clusters: kernels take eight at once


class Buffers:
    """Targets by picture size (the last one is kept) and one scratch a strip."""

    def __init__(self) -> None:
        self._size = (0, 0)
        self._target: Target | None = None
        self._scratch: dict[int, Scratch] = {}
        self._lit: dict[int, Array] = {}

    def target(self, width: int, height: int) -> Target:
        """Buffers for a picture; what they hold is stale."""
        if self._target is None or self._size != (width, height):
            tiles = ((width + 3) // 4) * ((height + 3) // 4)
            count = width * height
            # Kernels read whole groups of pixels: a group's rest may lie beyond the picture.
            nearness = np.zeros(count + GROUP, dtype=np.float32)[:count]
            self._target = Target(
                nearness,
                nearness.view(np.int32),
                np.full(count + GROUP, -1, dtype=np.int32)[:count],
                np.zeros(tiles, dtype=np.int32),
                np.zeros(tiles, dtype=np.uint8),
            )
            self._size = (width, height)
        return self._target

    def scratch(self, strip: int, clusters: int) -> Scratch:
        """Working memory of one strip for a scene of so many clusters."""
        held = self._scratch.get(strip)
        if held is None:
            held = self._scratch[strip] = Scratch(
                np.zeros((5, clusters + EIGHT), dtype=np.int32),
                np.zeros(4),
                np.zeros(clusters + EIGHT, dtype=np.int32),
                np.zeros(clusters + EIGHT, dtype=np.int32),
                np.zeros(clusters + EIGHT, dtype=np.int32),
                np.zeros(BUCKETS + 1, dtype=np.int32),
                np.zeros((2, 6, 4)),
                np.zeros((3, VERTICES)),
                np.zeros((2, VERTICES), dtype=np.int32),
                np.zeros(VERTICES),
                np.zeros(VERTICES + 4, dtype=np.uint8),
                np.zeros((2, 12, 8)),
                np.zeros((3, 6)),
                *_records(FIRST_RECORDS),
                np.zeros(LINE_SIZE, dtype=np.float32),
                np.zeros(3 * GROUP, dtype=np.uint8),
                np.zeros(GROUP, dtype=np.float32),
                np.zeros(GROUP, dtype=np.int32),
            )
        elif len(held.visible) < clusters + EIGHT:
            room = max(clusters + EIGHT, 2 * len(held.visible))
            visible, keys, ordered = (np.zeros(room, dtype=np.int32) for _ in range(3))
            held = self._scratch[strip] = held._replace(
                bounds=np.zeros((5, room), dtype=np.int32), visible=visible, keys=keys, sorted=ordered
            )
        return held

    def more_records(self, strip: int) -> Scratch:
        """The same scratch with twice the room for records."""
        held = self._scratch[strip]
        room = 2 * len(held.records)
        records, triangles, rows, bits = _records(room)
        held = self._scratch[strip] = held._replace(
            records=records, record_triangle=triangles, rows=rows, row_bits=bits
        )
        return held

    def lit(self, strip: int) -> Array:
        """(records, 9) float32 for the light of the strip's records."""
        room = len(self._scratch[strip].records)
        held = self._lit.get(strip)
        if held is None or len(held) < room:
            held = self._lit[strip] = np.zeros((room, 9), dtype=np.float32)
        return held


_THREAD = threading.local()


def wide() -> Buffers:
    """The buffers that all renderers of a thread draw their maps into: fresh memory of that size takes long to come.

    What was drawn is to be taken out before the next map.
    """
    if not hasattr(_THREAD, "buffers"):
        _THREAD.buffers = Buffers()
    held: Buffers = _THREAD.buffers
    return held


def _records(room: int) -> tuple[Array, Array, Array, Array]:
    """Scratch.records, record_triangle, rows and row_bits with room for so many."""
    rows = np.zeros((room + 1, ROW_SIZE), dtype=np.float32)[1:]  # pixels of the sky read the row before the first
    return np.zeros((room, REC_SIZE)), np.zeros(room, dtype=np.int32), rows, rows.view(np.int32)
