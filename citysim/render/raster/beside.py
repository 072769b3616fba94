"""Beside: room for the rows of numbers that night and rain put beside a line of the picture."""

import numpy as np

from citysim.render.raster.groups import GROUP
from citysim.render.raster.layout import MORE_DAMP, MORE_SIZE, Array


class Beside:
    """One block of rows a strip, kept between frames."""

    def __init__(self) -> None:
        self._held: dict[int, Array] = {}

    def of(self, strip: int, width: int) -> Array:
        """(MORE_SIZE, at least width + GROUP) float32, in which MORE_DAMP begins as 1; no rows for no width."""
        if not width:
            return _NOTHING
        held = self._held.get(strip)
        if held is None or held.shape[1] < width + GROUP:
            held = self._held[strip] = np.zeros((MORE_SIZE, width + GROUP), dtype=np.float32)
            held[MORE_DAMP] = 1.0
        return held


_NOTHING: Array = np.zeros((0, GROUP), dtype=np.float32)
