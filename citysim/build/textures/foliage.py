"""Foliage: leaf cards with holes between the leaves."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from citysim.build.textures.noise import halved, lattice

CARD = 256  # texels on a side
CARDS = 4  # in one row
TONES = ("#5d7c38", "#6a8540", "#4f7036", "#74894a")


@cache
def page() -> NDArray[np.uint8]:
    """(256, 1024, 4) uint8: four leaf cards side by side, colour bled under the holes."""
    out = np.concatenate([_card(i) for i in range(CARDS)], axis=1)
    out.setflags(write=False)
    return out


def card(index: int) -> tuple[float, float, float, float]:
    """Texture units (left, top, right, bottom) of a card."""
    inset = 1.0 / CARD
    return (index % CARDS + inset) / CARDS, inset, (index % CARDS + 1 - inset) / CARDS, 1.0 - inset


def _card(index: int) -> NDArray[np.uint8]:
    """Some 2,000 leaves in lobes whose places are drawn from hashed noise: light above, dark below."""
    from PIL import Image, ImageDraw

    lobes = lattice(f"foliage/{index}/lobes", 7, 3)
    base = np.array([int(TONES[index][i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float64)
    scale = 2
    size = CARD * scale
    image = Image.new("RGBA", (size, size), (*(int(v * 0.55) for v in base), 0))
    pen = ImageDraw.Draw(image)
    draws = lattice(f"foliage/{index}/leaves", 2600, 6)
    # dark leaves first, light ones over them
    for level, order in enumerate((draws[:1200], draws[1200:])):
        for a, b, pick, tone, turn, length in order:
            x0, y0, spread = lobes[int(pick * 7)] if pick < 0.72 else (0.5, 0.5, 1.4)
            radius = (0.2 + 0.1 * spread) * size
            dx, dy = (2 * a - 1), (2 * b - 1)
            if dx * dx + dy * dy > 1:
                continue
            x, y = (0.28 + 0.44 * x0) * size + dx * radius, (0.27 + 0.46 * y0) * size + dy * radius
            shade = (0.62 if level == 0 else 0.86) + 0.34 * tone + 0.22 * (0.5 - y / size)
            color = tuple(int(min(255.0, v * shade)) for v in base)
            long, wide = (8 + 5 * length) * scale / 2, (4.5 + 3 * turn) * scale / 2
            if turn > 0.5:
                long, wide = wide, long
            if not (x - long > 4 and x + long < size - 4 and y - wide > 4 and y + wide < size - 4):
                continue
            pen.ellipse((x - long, y - wide, x + long, y + wide), fill=(*color, 255))
    return halved(image)
