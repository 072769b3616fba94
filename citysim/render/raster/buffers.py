"""Buffers: working memory kept between frames, grown when a picture or a scene needs more."""

import numpy as np

from citysim.render.raster.layout import REC_SIZE, Array, Scratch, Target

VERTICES = 512  # most vertices of a cluster
FIRST_RECORDS = 4096


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
            nearness = np.zeros(width * height, dtype=np.float32)
            self._target = Target(
                nearness,
                nearness.view(np.int32),
                np.full(width * height, -1, dtype=np.int32),
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
                np.zeros(max(clusters, 1), dtype=np.int32),
                np.zeros(max(clusters, 1), dtype=np.int32),
                np.zeros(max(clusters, 1), dtype=np.int32),
                np.zeros((3, VERTICES)),
                np.zeros((2, VERTICES), dtype=np.int32),
                np.zeros(VERTICES),
                np.zeros(VERTICES, dtype=np.uint8),
                np.zeros((2, 12, 8)),
                np.zeros((3, 6)),
                np.zeros((FIRST_RECORDS, REC_SIZE)),
                np.zeros(FIRST_RECORDS, dtype=np.int32),
            )
        elif len(held.visible) < clusters:
            room = max(clusters, 2 * len(held.visible))
            visible, keys, ordered = (np.zeros(room, dtype=np.int32) for _ in range(3))
            held = self._scratch[strip] = held._replace(visible=visible, keys=keys, sorted=ordered)
        return held

    def more_records(self, strip: int) -> Scratch:
        """The same scratch with twice the room for records."""
        held = self._scratch[strip]
        room = 2 * len(held.records)
        held = self._scratch[strip] = held._replace(
            records=np.zeros((room, REC_SIZE)), record_triangle=np.zeros(room, dtype=np.int32)
        )
        return held

    def lit(self, strip: int) -> Array:
        """(records, 9) float32 for the light of the strip's records."""
        room = len(self._scratch[strip].records)
        held = self._lit.get(strip)
        if held is None or len(held) < room:
            held = self._lit[strip] = np.zeros((room, 9), dtype=np.float32)
        return held
