import io

import numpy as np
import pytest
from PIL import Image

from citysim.build.png import png_bytes


@pytest.mark.parametrize("channels", [3, 4])
@pytest.mark.parametrize("tones", [2, 200, 256, 300, 4000])
def test_pictures_come_back_texel_by_texel(channels: int, tones: int) -> None:
    draws = np.random.default_rng(tones)
    colours = draws.integers(0, 256, (tones, channels), dtype=np.uint8)
    pixels = colours[draws.integers(0, tones, (64, 96))]
    back = np.asarray(Image.open(io.BytesIO(png_bytes(pixels))).convert("RGBA"))
    assert np.array_equal(back[..., :channels], pixels)
    if channels == 3:
        assert (back[..., 3] == 255).all()


def test_few_colours_make_small_files() -> None:
    draws = np.random.default_rng(1)
    few = draws.integers(0, 256, (200, 4), dtype=np.uint8)
    index = draws.integers(0, 200, (256, 256))
    noisy = np.concatenate([few[index][..., :3], draws.integers(0, 255, (256, 256, 1), dtype=np.uint8)], axis=2)
    assert 2 * len(png_bytes(few[index])) < len(png_bytes(noisy))
    full = few[index].copy()
    full[..., 3] = 255
    assert Image.open(io.BytesIO(png_bytes(full))).convert("RGBA").getchannel("A").getextrema() == (255, 255)
