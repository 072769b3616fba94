"""The page of small painted fronts: vending machines, posters, lenses, clock faces, a bicycle seen from the side."""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.props.pictures import PICTURES as FIRST
from citysim.build.props.pictures import bicycle
from citysim.build.props.signage import MORE
from citysim.build.textures.noise import halved

if TYPE_CHECKING:
    from PIL.Image import Image

PICTURES = {**FIRST, **MORE}
PAGE = "props/page"
SIZE = (1024, 1024)
SCALE = 2  # drawn this much larger, then halved: Pillow's pen has no antialiasing

# name -> (x, y, width, height) in texels; neighbours keep 8 texels between them
CELLS: dict[str, tuple[int, int, int, int]] = {
    "vending_0": (4, 4, 120, 240),
    "vending_1": (132, 4, 120, 240),
    "poster_0": (260, 4, 120, 184),
    "poster_1": (388, 4, 120, 184),
    "poster_2": (516, 4, 120, 184),
    "poster_3": (644, 4, 120, 184),
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
    "no_entry": (4, 404, 56, 56),
    "speed": (68, 404, 56, 56),
    "no_parking": (132, 404, 56, 56),
    "stop_sign": (196, 404, 56, 56),
    "give_way": (260, 404, 56, 56),
    "parking_sign": (324, 404, 56, 56),
    "crossing_sign": (388, 404, 56, 56),
    "one_way": (452, 404, 56, 56),
    "taxi": (516, 404, 56, 56),
    "minibus": (580, 404, 56, 56),
    "menu_0": (644, 404, 64, 104),
    "menu_1": (716, 404, 64, 104),
    "news": (788, 404, 64, 104),
    "capsules": (4, 520, 248, 96),
    "screen": (260, 520, 504, 284),
}
BICYCLE = "props/bicycle"
SHINING = {"vending_0": 200, "vending_1": 200, "poster_0": 110, "poster_1": 110, "poster_2": 110, "poster_3": 110,
           "bus": 140, "tram": 140, "clock": 200, "red": 255, "stop": 255, "kiosk": 150, "capsules": 150, "screen": 255,
           "taxi": 160, "map": 80}  # fmt: skip


def cell(name: str) -> tuple[float, float, float, float]:
    """Texture units (left, top, right, bottom) of a picture on the page."""
    x, y, w, h = CELLS[name]
    return (x + 0.5) / SIZE[0], (y + 0.5) / SIZE[1], (x + w - 0.5) / SIZE[0], (y + h - 0.5) / SIZE[1]


@cache
def page() -> NDArray[np.uint8]:
    """(1024, 1024, 3) uint8."""
    out = np.full((SIZE[1], SIZE[0], 3), 128, dtype=np.uint8)
    for name, (x, y, w, h) in CELLS.items():
        drawn = _draw(PICTURES[name], w, h)[..., :3]
        out[y - 4 : y + h + 4, x - 4 : x + w + 4] = np.pad(drawn, ((4, 4), (4, 4), (0, 0)), mode="edge")
    out.setflags(write=False)
    return out


@cache
def glow() -> NDArray[np.uint8]:
    """(1024, 1024) uint8: what shines at night."""
    out = np.zeros((SIZE[1], SIZE[0]), dtype=np.uint8)
    for name, light in SHINING.items():
        x, y, w, h = CELLS[name]
        out[y : y + h, x : x + w] = light
    out.setflags(write=False)
    return out


@cache
def bicycle_page() -> NDArray[np.uint8]:
    """(128, 256, 4) uint8; alpha 0 around the bicycle."""
    out = np.zeros((128, 256, 4), dtype=np.uint8)
    out[..., :3] = 128
    out[4:124, 4:252] = _draw(bicycle, 248, 120)
    out.setflags(write=False)
    return out


def _draw(picture: "Callable[[int, int], Image]", w: int, h: int) -> NDArray[np.uint8]:
    return halved(picture(w * SCALE, h * SCALE).convert("RGBA"))


def _texture() -> Texture:
    return Texture(page(), glow=glow())


def register(draft: CityDraft) -> str:
    """Make the pages known to the draft; returns the material of the first for Model ("@props/page")."""
    draft.painted(PAGE, _texture)
    draft.material(PAGE, MaterialSpec(PAGE))
    draft.texture(BICYCLE, lambda: Texture(bicycle_page()))
    draft.material(BICYCLE, MaterialSpec(BICYCLE, alpha_cutoff=0.5, double_sided=True))
    return f"@{PAGE}"


MATERIAL = f"@{PAGE}"
BICYCLE_CELL = (4 / 256, 4 / 128, 252 / 256, 124 / 128)
