"""Undersides: how low a board may hang anywhere in front of the walls."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import Ground
from citysim.build.facade import Facade
from citysim.build.places.styles import Hung

STEP, OUT = 1.0, 0.5  # metres between samples along a wall and away from it
REACH = 5.0  # metres
PAVEMENT, ROAD, RAILS = 0, 1, 2
_KINDS = {"carriageway": ROAD, "crossing": ROAD, "rail": RAILS}


class Undersides:
    """Heights and kinds of the ground in front of every facade, sampled once."""

    def __init__(self, ground: Ground, facades: Sequence[Facade]) -> None:
        self._of: dict[tuple[object, ...], tuple[NDArray[np.float64], NDArray[np.int8]]] = {}
        if not facades:
            return
        outs = np.arange(OUT / 2, REACH, OUT)
        points, shapes = [], []
        for f in facades:
            t = np.minimum(np.arange(int(f.length / STEP) + 2) * STEP, f.length) / f.length
            base = np.array(f.a) + (np.array(f.b) - np.array(f.a)) * t[:, None]
            points.append((base[:, None, :] + outs[None, :, None] * np.array(f.normal)).reshape(-1, 2))
            shapes.append((len(t), len(outs)))
        flat = np.concatenate(points)
        heights = np.asarray(ground.height(flat), dtype=np.float64)
        kinds = np.array([_KINDS.get(name, PAVEMENT) for name in ground.region(flat)], dtype=np.int8)
        start = 0
        for f, shape in zip(facades, shapes, strict=True):
            end = start + shape[0] * shape[1]
            self._of[_key(f)] = heights[start:end].reshape(shape), kinds[start:end].reshape(shape)
            start = end

    def least(self, facade: Facade, u: float, out: float, hung: Hung) -> float:
        """The lowest underside of a board at `u` that reaches `out` metres from the wall."""
        heights, kinds = self._of[_key(facade)]
        row = min(max(round(u / STEP), 0), len(heights) - 1)
        upto = min(heights.shape[1], int((out + 0.3) / OUT) + 1)
        worst = int(kinds[row, :upto].max())
        clear = (hung.low, hung.road, hung.rails)[worst]
        return float(heights[row, :upto].max()) + clear


def _key(facade: Facade) -> tuple[object, ...]:
    return facade.building, facade.a, facade.b, facade.base
