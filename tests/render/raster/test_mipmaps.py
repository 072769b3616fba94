"""Mip chains of textures with holes keep what they cover."""

import numpy as np
import pytest

from citysim.render.raster.mipmaps import mip_chain


@pytest.mark.parametrize("pitch", [4, 8, 16, 32])
def test_bars_neither_close_up_nor_vanish_with_distance(pitch: int) -> None:
    pixels = np.zeros((128, 128, 4), dtype=np.uint8)
    pixels[:, np.arange(128) % pitch < max(pitch // 3, 1), 3] = 255
    pixels[:4, :, 3] = pixels[-4:, :, 3] = 255
    levels = mip_chain(pixels, 128)
    covered = [float((level[..., 3] >= 128).mean()) for level in levels if level.shape[1] >= 8]
    assert covered == pytest.approx([covered[0]] * len(covered), abs=0.15)
