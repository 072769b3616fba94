"""The page of small painted fronts: vending machines, posters, lenses, clock faces, a bicycle seen from the side."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.props.pictures import PICTURES
from citysim.build.textures.noise import halved

if TYPE_CHECKING:
    from PIL.Image import Image

PAGE = "props/page"
SIZE = (1024, 512)
SCALE = 2  # drawn this much larger, then halved: Pillow's pen has no antialiasing

# name -> (x, y, width, height) in texels; neighbours keep 8 texels between them
CELLS: dict[str, tuple[int, int, int, int]] = {
    "vending_0": (4, 4, 120, 240),
    "vending_1": (132, 4, 120, 240),
    "poster_0": (260, 4, 120, 184),
    "poster_1": (388, 4, 120, 184),
    "poster_2": (516, 4, 120, 184),
    "poster_3": (644, 4, 120, 184),
    "bicycle": (772, 4, 248, 136),
    "kiosk": (772, 148, 248, 120),
    "bus": (4, 252, 56, 56),
    "tram": (68, 252, 56, 56),
    "clock": (132, 252, 88, 88),
    "post": (228, 252, 56, 88),
    "phone": (292, 252, 56, 120),
    "cabinet": (356, 252, 120, 120),
    "red": (484, 252, 40, 40),
    "amber": (532, 252, 40, 40),
    "green": (580, 252, 40, 40),
    "stop": (628, 252, 40, 40),
    "walk": (676, 252, 40, 40),
    "dark": (724, 252, 40, 40),
    "meter": (484, 300, 56, 72),
    "recycling": (548, 300, 88, 88),
    "flag": (644, 300, 120, 80),
    "map": (772, 276, 120, 120),
    "goods": (900, 276, 120, 120),
}


def cell(name: str) -> tuple[float, float, float, float]:
    """Texture units (left, top, right, bottom) of a picture on the page."""
    x, y, w, h = CELLS[name]
    return (x + 0.5) / SIZE[0], (y + 0.5) / SIZE[1], (x + w - 0.5) / SIZE[0], (y + h - 0.5) / SIZE[1]


@cache
def page() -> NDArray[np.uint8]:
    """(512, 1024, 4) uint8; alpha 0 only around the bicycle."""
    out = np.zeros((SIZE[1], SIZE[0], 4), dtype=np.uint8)
    out[..., :3] = 128
    out[..., 3] = 255
    for name, (x, y, w, h) in CELLS.items():
        drawn = _draw(PICTURES[name], w, h)
        out[y - 4 : y + h + 4, x - 4 : x + w + 4] = np.pad(drawn, ((4, 4), (4, 4), (0, 0)), mode="edge")
    out.setflags(write=False)
    return out


def _draw(picture: "Callable[[int, int], Image]", w: int, h: int) -> NDArray[np.uint8]:
    return halved(picture(w * SCALE, h * SCALE).convert("RGBA"))


def register(draft: CityDraft) -> str:
    """Make the page known to the draft; returns its material for Model ("@props/page")."""
    draft.texture(PAGE, lambda: Texture(page()))
    draft.material(PAGE, MaterialSpec(PAGE, alpha_cutoff=0.5))
    return f"@{PAGE}"


MATERIAL = f"@{PAGE}"
