"""Heads of traffic signals: one picture for each of their states, side by side, so that a renderer can switch them."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.props.pictures import lens
from citysim.build.textures.noise import halved

STATES = 4  # all red, people walk, drivers go, drivers' amber; `citysim.crowd.lights` knows when
NAME = f"props/signals#{STATES}"  # renderers take the number of pictures from the end of a material's name
MATERIAL = f"@{NAME}"
SIZE, LENS = (256, 128), 32
DIM = ("#1c4a30", "#5a4a1c", "#5a1f1a")
LIT = ("#3ad07c", "#f2b234", "#e2392e")
WALK, STOP = ("#1b4a30", "#45dc86"), ("#561d18", "#e2392e")  # dim, lit


def drivers_cell() -> tuple[float, float, float, float]:
    """Texture units (left, top, right, bottom) of the drivers' three lenses, red on top, in the first state."""
    return 0.5 / SIZE[0], 0.5 / SIZE[1], (LENS - 0.5) / SIZE[0], (3 * LENS - 0.5) / SIZE[1]


def walkers_cell() -> tuple[float, float, float, float]:
    """The same of the two lenses for people on foot."""
    return (LENS + 0.5) / SIZE[0], 0.5 / SIZE[1], (2 * LENS - 0.5) / SIZE[0], (2 * LENS - 0.5) / SIZE[1]


@cache
def pages() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The picture (128, 256, 3) and its glow (128, 256), both uint8; each state is a quarter of the width."""
    out = np.full((SIZE[1], SIZE[0], 3), (22, 24, 26), dtype=np.uint8)
    glow = np.zeros((SIZE[1], SIZE[0]), dtype=np.uint8)
    for state in range(STATES):
        x = 2 * LENS * state
        shining = (2, 2, 0, 1)[state]
        for k in range(3):  # green lowest
            lit = k == shining
            _lay(out, glow, x, LENS * (2 - k), (LIT if lit else DIM)[k], "", lit)
        walking = state == 1
        _lay(out, glow, x + LENS, 0, STOP[not walking], "stand", not walking)
        _lay(out, glow, x + LENS, LENS, WALK[walking], "walk", walking)
    out.setflags(write=False)
    glow.setflags(write=False)
    return out, glow


def register(draft: CityDraft) -> None:
    """Make the page known to the draft."""
    draft.texture(NAME, lambda: Texture(pages()[0], glow=pages()[1]))
    draft.material(NAME, MaterialSpec(NAME))


def _lay(
    out: NDArray[np.uint8], glow: NDArray[np.uint8], x: int, y: int, color: str, glyph: str, lit: bool
) -> None:  # fmt: skip
    drawn = halved(lens(color, glyph)(2 * LENS, 2 * LENS).convert("RGBA"))
    out[y : y + LENS, x : x + LENS] = drawn[..., :3]
    if lit:
        glow[y : y + LENS, x : x + LENS] = 255
