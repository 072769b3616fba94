"""Surfaces of one tone: asphalt, plaster, concrete, sand, grass and the like."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.textures.noise import fbm, grain, pixels, tinted


def noisy(key: str, color: str, low: float, span: float, speckle: float, size: int = 256) -> NDArray[np.uint8]:
    """(size, size, 3): `color` x (low + span x fbm) with grain of +-`speckle` levels."""
    tone = low + span * fbm(key, size, 4, 6)
    return pixels(tinted(color, tone) + grain(key + "/grain", size, speckle)[..., None])
